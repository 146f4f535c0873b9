"""ErrorCurves: outlines of many labels' curves, one after the other in flat arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.errors._curve import CLEAR, ErrorCurve

NEXT_TO_ZERO = np.nextafter(0.0, 1.0)
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class ErrorCurves(Sequence[ErrorCurve]):
    """Curves of one label each, in flat arrays; a curve is a view that is made when it is wanted.

    Attributes
    ----------
    starts : ndarray of int64, shape (n_curves + 1,)
        Where the cuts of each curve begin.
    thresholds, fn, fp : ndarray of shape (n_cuts,)
        The cuts of all curves, by descending threshold.
    prevalence : ndarray of shape (n_curves,)
        Share of positive rows of each.

    Examples
    --------
    >>> one = ErrorCurve.from_scores([0, 1, 1], [0.1, 0.4, 0.8])
    >>> curves = ErrorCurves.of([one, one[1:]])
    >>> curves.starts, curves[1].thresholds
    (array([0, 4, 7]), array([0.6 , 0.25, 0.1 ]))
    >>> curves.spread(np.array([1, 2]))
    array([1, 1, 1, 1, 2, 2, 2])
    """

    starts: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    prevalence: NDArray[np.float64]

    __repr__ = brief_repr

    @classmethod
    def of(cls, curves: Sequence[ErrorCurve]) -> ErrorCurves:
        """Put curves of one label each one after the other."""
        sizes = [len(curve.thresholds) for curve in curves]
        return ErrorCurves(
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([curve.thresholds for curve in curves]),
            np.concatenate([curve.fn for curve in curves])[:, 0],
            np.concatenate([curve.fp for curve in curves])[:, 0],
            np.concatenate([curve.prevalence for curve in curves]),
        )

    def __len__(self) -> int:
        """Return the number of curves."""
        return len(self.prevalence)

    @overload
    def __getitem__(self, index: int) -> ErrorCurve: ...
    @overload
    def __getitem__(self, index: slice) -> ErrorCurves: ...
    def __getitem__(self, index: Any) -> Any:
        """Return one curve, or neighbouring ones; neither is a copy."""
        if isinstance(index, slice):
            first, end, _ = index.indices(len(self))
            flat = self.thresholds, self.fn, self.fp
            return ErrorCurves(self.starts[first : end + 1], *flat, self.prevalence[first:end])
        k = range(len(self))[index]
        return self._curve(k, *self.starts[k : k + 2].tolist())

    def _curve(self, k: int, start: int, end: int) -> ErrorCurve:
        curve = object.__new__(ErrorCurve)  # checks of shapes would take longer than the view
        curve.__dict__.update(
            fn=self.fn[start:end, None],
            fp=self.fp[start:end, None],
            prevalence=self.prevalence[k : k + 1],
            thresholds=self.thresholds[start:end],
        )
        return curve

    def __iter__(self) -> Iterator[ErrorCurve]:
        """Go through all curves."""
        for k, ends in enumerate(pairwise(self.starts.tolist())):
            yield self._curve(k, *ends)

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind the cuts of others, of which neighbouring curves are a view."""
        cuts = slice(self.starts[0], self.starts[-1])
        flat = {name: getattr(self, name)[cuts] for name in ("thresholds", "fn", "fp")}
        return self.__dict__ | flat | {"starts": self.starts - self.starts[0]}

    def spread(self, by_curve: NDArray[Any]) -> NDArray[Any]:
        """Repeat what each curve has for all its cuts."""
        return np.repeat(by_curve, np.diff(self.starts), axis=0)


def clear_ends(
    thresholds: NDArray[np.float64],
    starts: NDArray[np.int64],
    fp: NDArray[np.float64],
    prevalence: NDArray[np.float64],
) -> None:
    """Move the ends of curves away from a score of 0, in place, as curves of one label have them.

    The first cut of a curve predicts nothing; the last one need not predict everything, and then
    it stays where it is.

    Examples
    --------
    >>> from pseudolinear.errors._curves import clear_ends
    >>> thresholds = np.array([1.0, -5e-324])
    >>> clear_ends(thresholds, np.array([0, 2]), np.array([0.0, 0.5]), np.array([0.5]))
    >>> thresholds
    array([ 1.e+00, -1.e-09])
    """
    first, last = starts[:-1], starts[1:] - 1
    thresholds[first[thresholds[first] == NEXT_TO_ZERO]] = CLEAR
    everything = fp[last] >= (1.0 - prevalence) * (1.0 - ROUNDING)
    thresholds[last[everything & (thresholds[last] == -NEXT_TO_ZERO)]] = -CLEAR
