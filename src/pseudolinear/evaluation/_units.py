"""Units: what was drawn independently, rows or groups of rows, with its cells of every label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from pseudolinear.errors import Outcomes


@dataclass(frozen=True, eq=False)
class Units:
    """Independent draws, rows or groups of rows, with the weight of their cells of every label.

    Equal draws are kept once, with their number. Cells are true positives, false negatives and
    false positives; true negatives are the rest of the weight.

    Attributes
    ----------
    tp, fn, fp : csr_array of shape (n_distinct, n_labels)
        Weight in each cell.
    weight : ndarray of shape (n_distinct,)
        Weight of each draw.
    count : ndarray of shape (n_distinct,)
        How often it was drawn.
    plain : bool
        Whether draws are rows of weight 1, whose counts follow binomial distributions.
    """

    tp: Any
    fn: Any
    fp: Any
    weight: NDArray[np.float64]
    count: NDArray[np.float64]
    plain: bool

    @classmethod
    def of(
        cls,
        outcomes: Outcomes,
        sample_weight: NDArray[np.float64] | None = None,
        groups: ArrayLike | None = None,
        *,
        merge: bool = True,
    ) -> Units:
        """Count the cells of rows, or of groups of rows; equal rows once if `merge`."""
        n_rows, n_labels = outcomes.true.shape
        plain = sample_weight is None and groups is None
        weight = np.ones(n_rows) if sample_weight is None else sample_weight
        count = np.ones(n_rows)
        if merge and groups is None and (n_labels == 1 or outcomes.exclusive):
            first, count = _distinct(outcomes.true, outcomes.predicted, weight)
            outcomes, weight = outcomes.take(first), weight[first]
        tp, fn, fp = (sparse.csr_array(cell.multiply(weight[:, None])) for cell in outcomes.cells())
        if groups is None:
            return cls(tp, fn, fp, weight, count, plain)
        add = membership(groups, n_rows)
        return cls(add @ tp, add @ fn, add @ fp, add @ weight, np.ones(add.shape[0]), plain)

    @property
    def n(self) -> int:
        """Number of independent draws."""
        return round(self.count.sum())

    @property
    def single(self) -> bool:
        """Whether there is one draw, which does not say how far draws differ."""
        return self.n == 1

    @property
    def row(self) -> float:
        """Weight of a typical draw, of which Kish's number make up the weight of all."""
        return float(self.count @ self.weight**2 / (self.count @ self.weight))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.tp.shape[1])

    @cached_property
    def cells(self) -> NDArray[np.float64]:
        """The weight of (tp, fn, fp, tn) of each label: shape (n_labels, 4)."""
        tp, fn, fp = (self.count @ block for block in (self.tp, self.fn, self.fp))
        total = self.count @ self.weight
        return np.stack([tp, fn, fp, np.maximum(total - tp - fn - fp, 0.0)], axis=1)

    def squares(self, factors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the squares of a linear function of the cells of each draw, for every label.

        Parameters
        ----------
        factors : ndarray of shape (n_labels, 4)
            Of (tp, fn, fp, tn).

        Returns
        -------
        ndarray of shape (n_labels,)
            Of a gradient, the variance of what it is the gradient of.
        """
        rest = factors[:, 3]  # most cells are true negatives, so the others are relative to them
        blocks = zip((self.tp, self.fn, self.fp), factors.T[:3], strict=True)
        seen = sum(sparse.csr_array(block.multiply(f - rest)) for block, f in blocks)
        both = (self.count * self.weight) @ seen
        return (
            self.count @ seen.power(2)
            + 2 * rest * both
            + rest**2 * float(self.count @ self.weight**2)
        )

    def take(self, labels: NDArray[np.bool_]) -> Units:
        """Return the same draws with some of the labels."""
        tp, fn, fp = (block[:, labels] for block in self.blocks())
        return Units(tp, fn, fp, self.weight, self.count, self.plain)

    def with_unseen(self, n_labels: int) -> Units:
        """Return the same draws with further labels, which none of them has or is given."""
        if not n_labels:
            return self
        none = sparse.csr_array((len(self.weight), n_labels))
        tp, fn, fp = (sparse.hstack([block, none], format="csr") for block in self.blocks())
        return Units(tp, fn, fp, self.weight, self.count, self.plain)

    def blocks(self) -> Iterator[Any]:
        """Yield the cells that are kept."""
        yield from (self.tp, self.fn, self.fp)


def _distinct(
    true: NDArray[np.bool_], predicted: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the first row of every kind, and how many there are of it."""
    if true.shape[1] == 1:
        code = 2 * true[:, 0] + predicted[:, 0]
    else:
        code = true.argmax(axis=1) * true.shape[1] + predicted.argmax(axis=1)
    order = np.lexsort((weight, code))
    new = (np.diff(code[order]) != 0) | (np.diff(weight[order]) != 0)
    starts = np.flatnonzero(np.concatenate([[True], new]))
    return order[starts], np.diff([*starts, len(order)]).astype(np.float64)


def membership(groups: ArrayLike, n_rows: int) -> Any:
    """Return the matrix that adds up the rows of each group."""
    codes = np.unique(np.asarray(groups), return_inverse=True)[1].ravel()
    if len(codes) != n_rows:
        raise ValueError(f"groups has {len(codes)} entries, but there are {n_rows} rows.")
    return sparse.csr_array((np.ones(n_rows), (codes, np.arange(n_rows))))
