"""RowBudget: at most so many rows of a batch are flagged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear._policy import Policy
from pseudolinear.measures import ROUNDING
from pseudolinear.thresholds import batch_codes

LEAST = float(np.finfo(np.float64).tiny)  # a margin that is positive


@dataclass(frozen=True)
class RowBudget(Policy):
    """Flag the rows of the largest scores: so many of a batch, for every label.

    Attributes
    ----------
    k : int or None
        Most rows of a batch.
    share : float or None
        The same as a share of the rows of a batch.
    by : str, int or None
        Column of X that says which batch a row belongs to; None makes one batch of all rows.

    Examples
    --------
    >>> from pseudolinear._row_budget import RowBudget
    >>> RowBudget(2).apply(np.array([[3.0], [1.0], [2.0]]), None).ravel()
    array([ 1.5, -0.5,  0.5])
    """

    whole_batch: ClassVar[bool] = True
    limits: ClassVar[bool] = True
    k: int | None = None
    share: float | None = None
    by: str | int | None = None

    def __str__(self) -> str:
        rows = "1 row" if self.k == 1 else f"{self.k} rows"
        most = rows if self.share is None else f"{self.share:.4g} of the rows"
        of = "a batch" if self.by is None else f"each {self.by!r}"
        return f"flags at most {most} of {of}"

    def apply(self, margins: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Return margins less that of the cut of their batch."""
        moved = margins.copy()
        for rows in self._batches(len(margins), X):
            for j in range(margins.shape[1]):
                moved[rows, j] = cut_after(margins[rows, j], self._most(len(rows)))
        return moved

    def _batches(self, n_samples: int, X: Any) -> list[NDArray[np.intp]]:
        if self.by is None:
            return [np.arange(n_samples)]
        codes = batch_codes(X, self.by)
        return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])

    def _most(self, n_samples: int) -> int:
        if self.share is None:
            assert self.k is not None
            return min(self.k, n_samples)
        return int(self.share * n_samples + ROUNDING)


def cut_after(margins: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Move margins so that the k largest are positive; of equal ones the first."""
    order = np.argsort(-margins, kind="stable")
    flagged = np.zeros(len(margins), dtype=bool)
    flagged[order[:k]] = True
    ends = np.concatenate([[margins[order[0]] + 2.0], margins[order], [margins[order[-1]] - 2.0]])
    return signed(margins - (ends[k] + ends[k + 1]) / 2, flagged)


def signed(margins: NDArray[np.float64], chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return margins that are positive exactly where they are chosen, which breaks ties."""
    return np.where(chosen, np.maximum(margins, LEAST), np.minimum(margins, 0.0))
