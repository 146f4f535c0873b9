"""Scores of rows by models that were trained on other rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.learners import Problem
from pseudolinear.rivals._label_rival import equal_cost_problems
from pseudolinear.sweep import Split, Trainer


def held_out_scores(
    trainer: Trainer, problems: Sequence[Problem], splits: Sequence[Split]
) -> NDArray[np.float64]:
    """Score the held-out rows of each split by models of its other rows.

    Returns
    -------
    ndarray of shape (n_held_out, n_problems) or (n_held_out, n_problems, n_classes)
        One column per problem, one split after the other.
    """
    folds = []
    for train, test in splits:
        models = trainer.fit(problems, train)
        folds.append(np.stack(trainer.scores(models, (train, test)), axis=1))
    return np.concatenate(folds)


class HeldOut(NamedTuple):
    """Rows with the scores of models that did not see them.

    Attributes
    ----------
    labels : ndarray of shape (n_rows, n_labels)
        0 or 1.
    scores : ndarray of shape (n_rows, n_labels)
        Natural threshold 0.
    weight : ndarray of shape (n_rows,)
        Positive.
    """

    labels: NDArray[np.int8]
    scores: NDArray[np.float64]
    weight: NDArray[np.float64]

    def errors(self, predicted: NDArray[np.bool_]) -> ErrorProfile:
        """Count the errors of predictions."""
        return ErrorProfile.from_labels(self.labels, predicted, sample_weight=self.weight)

    @classmethod
    def of(cls, trainer: Trainer, train: NDArray[np.intp], test: NDArray[np.intp]) -> HeldOut:
        """Train on some rows and score others, those that have a weight."""
        weight = trainer.rows.sample_weight
        weight = np.ones(len(test)) if weight is None else weight[test]
        test, weight = test[weight > 0], weight[weight > 0]
        problems = equal_cost_problems(trainer.rows.codes.shape[1])
        scores = held_out_scores(trainer, problems, [(train, test)])
        return cls(trainer.rows.codes[test], scores, weight)
