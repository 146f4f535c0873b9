"""ScorePasses: passes over batches of scores, counted in memory that does not grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import check_binary, check_scores
from pseudolinear.errors import MOST_DISTINCT, ScoreCounter, ScoreCurve

FEWEST = 2**10  # distinct scores of a label that are counted one by one, of however many labels
Batches = Iterable[Any] | Callable[[], Iterable[Any]]


class ScorePasses:
    """Batches that can be gone through several times.

    Attributes
    ----------
    passes : int
        How often that was done.
    several : bool
        Whether there are columns of labels, and not one target.
    n_rows : int
        Rows of a pass.
    weight, squares : float
        Sums of their weights and of the squares of these.

    Parameters
    ----------
    batches : iterable or callable
        Of (y, scores) or (y, scores, weight); a callable returns it anew.
    most_distinct : int, default=2**20
        Distinct scores that are counted one by one, of all labels together.
    """

    def __init__(self, batches: Batches, most_distinct: int = MOST_DISTINCT) -> None:
        self._batches, self._most_distinct = batches, most_distinct
        self.passes, self.n_rows, self.weight, self.squares = 0, 0, 0.0, 0.0
        self.several, self.n_labels, self.weighted = False, 0, False

    def first(self) -> list[ScoreCurve]:
        """Count all rows."""
        counters: list[ScoreCounter] = []
        for y, scores, weight in self._read():
            if not counters:
                self.several, self.n_labels = y.ndim == 2, 1 if y.ndim == 1 else y.shape[1]
                most = max(self._most_distinct // self.n_labels, FEWEST)
                counters = [ScoreCounter(most_distinct=most) for _ in range(self.n_labels)]
            _add(counters, y, scores, weight)
            self.n_rows += len(y)
            self.weight += float(len(y) if weight is None else weight.sum())
            self.squares += float(len(y) if weight is None else weight @ weight)
            self.weighted |= weight is not None
        if not self.weight > 0:
            raise ValueError(
                "The batches have no row of positive weight; give at least one positive and one "
                "negative row."
            )
        return [counter.curve() for counter in counters]

    def refine(
        self, curves: Sequence[ScoreCurve], intervals: Sequence[NDArray[np.bool_]]
    ) -> list[ScoreCurve]:
        """Count the rows of some intervals more finely."""
        if isinstance(self._batches, Iterator):  # it is exhausted by now
            raise ValueError(
                "The batches can be gone through only once, and the best threshold needs another "
                "pass; give a list, an object or a function that yields them anew, or max_passes=1."
            )
        parts = [curve.take(some) for curve, some in zip(curves, intervals, strict=True)]
        chosen = [k for k, part in enumerate(parts) if len(part)]
        most = max(self._most_distinct // len(chosen), FEWEST)
        counters = [ScoreCounter(parts[k], most) for k in chosen]
        for y, scores, weight in self._read():
            own, of = (a if a.ndim == 1 else a[:, chosen] for a in (y, scores))
            _add(counters, own, of, weight)
        refined = list(curves)
        for k, counter in zip(chosen, counters, strict=True):
            finer = counter.curve()
            if not np.isclose(finer.weight, parts[k].weight, rtol=1e-9, atol=0.0):
                raise ValueError(
                    "The batches of this pass hold other rows than those of the first; they must "
                    "not change in between."
                )
            refined[k] = curves[k].refine(finer, intervals[k])
        return refined

    def _batches_anew(self) -> Iterable[Any]:
        return self._batches() if callable(self._batches) else self._batches

    def _read(self) -> Iterator[tuple[Any, Any, Any]]:
        self.passes += 1
        for number, batch in enumerate(self._batches_anew(), 1):
            try:
                y, scores, *weight = batch
                if len(y) == 0:
                    continue
                yield self._checked(y, scores, weight[0] if weight else None)
            except (ValueError, TypeError) as error:
                raise ValueError(f"Batch {number}: {error}") from error

    def _checked(self, y: Any, scores: Any, weight: Any) -> tuple[Any, Any, Any]:
        positive = check_binary(y, "y_true")
        labels = 1 if positive.ndim == 1 else positive.shape[1]
        if self.n_labels and (labels, positive.ndim == 2) != (self.n_labels, self.several):
            raise ValueError(
                f"y_true has {labels} columns where earlier batches have {self.n_labels}; all need "
                "the same labels."
            )
        if self.n_labels and (weight is not None) != self.weighted:
            raise ValueError("either all batches have weights or none.")
        return positive, check_scores(scores, positive.shape), _check_weight(weight, len(positive))


def _add(counters: Sequence[ScoreCounter], y: Any, scores: Any, weight: Any) -> None:
    if y.ndim == 1:
        counters[0].add(scores, y, weight)
        return
    for k, counter in enumerate(counters):
        counter.add(scores[:, k], y[:, k], weight)


def _check_weight(weight: Any, n_rows: int) -> Any:
    """Return the weights of a batch, which may all be 0."""
    if weight is None:
        return None
    array = np.ascontiguousarray(weight, dtype=np.float64)
    if array.shape != (n_rows,):
        raise ValueError(f"there are {array.size} weights for {n_rows} rows; give one per row.")
    if not (np.isfinite(array).all() and (array >= 0).all()):
        raise ValueError("weights must be finite and not negative; 0 leaves a row out.")
    return array
