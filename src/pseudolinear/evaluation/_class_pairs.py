"""ClassPairs: rows of every true and predicted class, counted batch by batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._units import Units

Sums = NDArray[np.float64]  # of every pair: rows, their weight, the squares of their weights


class ClassPairs:
    """Rows of every true and predicted class: all that an evaluation of classes needs.

    Examples
    --------
    >>> from pseudolinear.evaluation import ClassPairs
    >>> pairs = ClassPairs()
    >>> pairs.add(np.array(["a", "b"]), np.array(["a", "a"]))
    >>> pairs.add(np.array(["b"]), np.array(["a"]))
    >>> pairs.rows()
    (['a', 'b'], ['a', 'a'], array([[1., 1., 1.],
                                    [2., 2., 2.]]))
    """

    def __init__(self) -> None:
        self._sums: dict[tuple[Any, Any], Sums] = {}
        self.weighted = False

    def add(
        self, true: NDArray[Any], predicted: NDArray[Any], weight: NDArray[np.float64] | None = None
    ) -> None:
        """Count the rows of a batch."""
        (names, codes), (others, of) = _codes(true), _codes(predicted)
        codes = codes * len(others) + of
        size = len(names) * len(others)
        self.weighted |= weight is not None
        masses = (None, None, None) if weight is None else (None, weight, weight**2)
        sums = np.stack([np.bincount(codes, mass, size) for mass in masses], axis=1)
        for k in np.flatnonzero(sums[:, 0]):
            pair = names[k // len(others)], others[k % len(others)]
            self._sums[pair] = self._sums.get(pair, 0.0) + sums[k]

    def rows(self) -> tuple[list[Any], list[Any], Sums]:
        """Return true and predicted class of every pair, and its sums."""
        pairs = sorted(self._sums, key=lambda pair: (str(pair[0]), str(pair[1])))
        true, predicted = map(list, zip(*pairs, strict=True)) if pairs else ([], [])
        return true, predicted, np.array([self._sums[pair] for pair in pairs]).reshape(-1, 3)


def counted_units(outcomes: Outcomes, sums: Sums, *, weighted: bool) -> Units:
    """Return the draws that rows of every pair are.

    Of weighted rows only sums are known. As many rows of one weight as have the same sum and sum of
    squares, and rows of weight 0 for the rest, are as good wherever sums decide.
    """
    one = Units.of(outcomes, merge=False)
    number, weight, squares = sums.T
    if not weighted:
        return Units(one.tp, one.fn, one.fp, one.weight, number, True)
    own, none = np.where(weight > 0, squares / np.where(weight > 0, weight, 1.0), 0.0), 0.0 * weight
    count = np.where(squares > 0, weight**2 / np.where(squares > 0, squares, 1.0), 0.0)
    weights = np.concatenate([own, none])
    tp, fn, fp = (
        sparse.csr_array(sparse.vstack([block, block]).multiply(weights[:, None]))
        for block in one.blocks()
    )
    return Units(tp, fn, fp, weights, np.concatenate([count, number - count]), False)


def _codes(y: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the classes of rows and which one each row has."""
    if y.dtype == bool:
        return [False, True], y.astype(np.intp)
    if y.dtype.kind in "iu" and len(y) and (low := int(y.min())) + 1000 > int(y.max()):
        return list(range(low, int(y.max()) + 1)), (y - low).astype(np.intp)  # without a sort
    names, codes = np.unique(y, return_inverse=True)
    return names.tolist(), codes.ravel()
