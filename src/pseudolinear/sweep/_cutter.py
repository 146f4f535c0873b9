"""Cutting: scores of validation rows to error curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve, fold_curves
from pseudolinear.kinds import Kind
from pseudolinear.measures import Measure, Objective, RowCosts
from pseudolinear.sweep._rows import Numbers


class FoldCurves(NamedTuple):
    """The curve of all validation rows together, and those of each fold."""

    together: ErrorCurve
    by_fold: Sequence[ErrorCurve]


@dataclass(frozen=True, eq=False)
class Cutter:
    """What scores of some rows are worth, whoever made them.

    Attributes
    ----------
    kind : Kind
        How scores are cut.
    codes : ndarray of shape (n_samples, n_labels)
        True labels or classes of all rows.
    sample_weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    objective : Measure or Objective
        What is maximised.
    tune_threshold : bool
        Whether scores are cut where it is best, or at their natural threshold.
    costs : RowCosts or None
        Of costs by row: then errors weigh what they cost, and scores, which are log-odds, are moved
        by what is at stake.
    """

    kind: Kind
    codes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None
    objective: Measure | Objective
    tune_threshold: bool = True
    costs: RowCosts | None = None

    def __call__(self, label: int, numbers: Numbers, scores: NDArray[np.float64]) -> ErrorCurve:
        """Return the errors of some rows at the cuts that may be chosen."""
        y, weight = self.target(label, numbers), self.weight(numbers)
        if self.costs is not None:
            costs = self.costs.take(numbers)
            wanted, at_stake, _ = costs.stakes(y == 1, moved=True)
            y, weight = wanted.astype(np.intp), at_stake if weight is None else weight * at_stake
            scores = scores + costs.offset
        if self.tune_threshold:
            return self.kind.curve(y, scores, self.objective, weight)
        return self.kind.natural_curve(y, scores, weight)

    def folds(
        self,
        labels: Sequence[int],
        tests: Sequence[Numbers],
        scores: Sequence[NDArray[np.float64]],
    ) -> list[FoldCurves]:
        """Cut many scores, in every fold and in all folds together.

        Parameters
        ----------
        labels : sequence of int
            What each of the scores is for.
        tests : sequence of ndarray
            The rows of each fold.
        scores : sequence of ndarray
            Scores of all of them, fold after fold; an array of one column per row is sorted.

        Returns
        -------
        list of FoldCurves
            One for each of the scores.
        """
        if self._in_one_pass:
            return self._one_pass(labels, tests, np.asarray(scores))
        numbers, ends = np.concatenate(tests), np.cumsum([len(test) for test in tests])
        found = []
        for label, own in zip(labels, scores, strict=True):
            parts = zip(tests, np.split(own, ends[:-1]), strict=True)
            by_fold = tuple(self(label, *part) for part in parts)
            together = by_fold[0] if len(tests) == 1 else self(label, numbers, own)
            found.append(FoldCurves(together, by_fold))
        return found

    @property
    def _in_one_pass(self) -> bool:
        """Whether the outlines of labels are all that is wanted, which one pass can give."""
        plain = self.tune_threshold and self.costs is None
        return plain and self.kind.separable and isinstance(self.objective, Measure)

    def _one_pass(
        self, labels: Sequence[int], tests: Sequence[Numbers], scores: NDArray[np.float64]
    ) -> list[FoldCurves]:
        numbers = np.concatenate(tests)
        columns, owner = np.unique(labels, return_inverse=True)
        truth = np.ascontiguousarray(self.codes[np.ix_(numbers, columns)].T.astype(bool))
        sizes = [len(test) for test in tests]
        together, by_fold = fold_curves(scores, truth, owner, sizes, self.weight(numbers))
        own = (by_fold[i : i + len(tests)] for i in range(0, len(by_fold), len(tests)))
        return list(map(FoldCurves, together, own))

    def target(self, label: int, numbers: Numbers) -> NDArray[np.intp]:
        """Return the true class of some rows."""
        return self.codes[numbers, label].astype(np.intp)

    def weight(self, numbers: Numbers) -> NDArray[np.float64] | None:
        """Return the weights of some rows."""
        return None if self.sample_weight is None else self.sample_weight[numbers]

    @property
    def error_weight(self) -> NDArray[np.float64] | None:
        """How much an error in each row weighs, on average over the labels."""
        if self.costs is None:
            return self.sample_weight
        at_stake = [self.costs.stakes(y == 1, moved=True).at_stake for y in self.codes.T]
        weight = 1.0 if self.sample_weight is None else self.sample_weight
        return np.asarray(weight * np.mean(at_stake, axis=0))
