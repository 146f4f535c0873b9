"""Lanes: problems that are solved side by side, each without the rows of its fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem

EVERY_ROW = -1  # the fold of a problem that is trained on all rows


@dataclass(frozen=True, eq=False)
class Lanes:
    """Problems side by side.

    Attributes
    ----------
    label : ndarray of shape (n_lanes,)
        Column of the labels.
    cost_fn, cost_fp : ndarray of shape (n_lanes,)
        What errors cost.
    C : ndarray of shape (n_lanes,)
        Weight of the losses against the regularisation.
    fold : ndarray of shape (n_lanes,)
        The fold whose rows are left out; -1 for none.
    """

    label: NDArray[np.intp]
    cost_fn: NDArray[np.float64]
    cost_fp: NDArray[np.float64]
    C: NDArray[np.float64]
    fold: NDArray[np.intp]

    __repr__ = brief_repr

    @classmethod
    def of(cls, problems: Sequence[Problem], folds: Sequence[int], default_c: float) -> Lanes:
        """Let every problem leave out one fold after the other: problem 0, 1, ... of each fold."""
        label = np.array([problem.label for problem in problems])
        fn, fp = np.array([problem.costs for problem in problems]).T
        C = np.array([problem.params.get("C", default_c) for problem in problems], np.float64)
        fold = np.repeat(np.asarray(folds, np.intp), len(problems))
        label, fn, fp, C = (np.tile(column, len(folds)) for column in (label, fn, fp, C))
        return cls(label, fn, fp, C, fold)

    @classmethod
    def joined(cls, parts: Sequence[Lanes]) -> Lanes:
        """Put lanes side by side."""
        names = ("label", "cost_fn", "cost_fp", "C", "fold")
        return cls(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))

    def __len__(self) -> int:
        """Return the number of lanes."""
        return len(self.label)

    def __getitem__(self, index: Any) -> Lanes:
        """Select some of the lanes."""
        columns = (self.label, self.cost_fn, self.cost_fp, self.C, self.fold)
        return Lanes(*(np.ascontiguousarray(column[index]) for column in columns))

    def fold_costs(self, n_folds: int) -> NDArray[np.float64]:
        """Return what the costs of the rows of each fold are multiplied by: shape (folds, lanes).

        There is one fold more than are held out: rows that always train.
        """
        return (np.arange(n_folds + 1)[:, None] != self.fold).astype(np.float64)
