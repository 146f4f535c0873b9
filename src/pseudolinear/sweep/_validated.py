"""Validation: what trained problems can do on rows that they were not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve
from pseudolinear.sweep._cutter import Cutter
from pseudolinear.sweep._rows import Split
from pseudolinear.sweep._trainer import Trainer


class Validated(NamedTuple):
    """What a problem can do on rows that it was not trained on.

    Attributes
    ----------
    curve : ErrorCurve
        Errors on all validation rows together, along the thresholds worth choosing.
    fold_curves : tuple of ErrorCurve
        The same for each fold.
    optimality : float
        The worst optimality that the learner states over the folds.
    converged : bool
        Whether the learner reached its tolerance on every fold.
    scores : ndarray or None
        Scores of all validation rows, fold after fold, where they are kept.
    """

    curve: ErrorCurve
    fold_curves: tuple[ErrorCurve, ...]
    optimality: float
    converged: bool
    scores: NDArray[np.float64] | None


def validate(
    trainer: Trainer,
    cutter: Cutter,
    problems: Sequence[Problem],
    splits: Sequence[Split],
    *,
    keep_scores: bool = False,
) -> list[Validated]:
    """Train problems on every fold and cut their scores, of each fold and of all together.

    Parameters
    ----------
    trainer : Trainer
        Trains and scores.
    cutter : Cutter
        Cuts.
    problems : sequence of Problem
        What to train.
    splits : sequence of (train, test)
        Rows to train on and rows to validate on.
    keep_scores : bool, default=False
        Whether scores are kept, to be combined with those of other learners.

    Returns
    -------
    list of Validated
        One per problem.
    """
    work = partial(_validate, cutter=cutter, splits=splits, keep_scores=keep_scores)
    return [v for batch in trainer.map_batches(work, problems, splits) for v in batch]


def _validate(
    trainer: Trainer,
    problems: Sequence[Problem],
    *,
    cutter: Cutter,
    splits: Sequence[Split],
    keep_scores: bool,
) -> list[Validated]:
    """Validate one batch; this is what runs in other processes."""
    trainer.check_time()
    folds = [trainer.fit_batch(problems, train) for train, _ in splits]
    scores = [trainer.scores(models, split) for models, split in zip(folds, splits, strict=True)]
    tests = [test for _, test in splits]
    results = []
    for i, problem in enumerate(problems):
        held = [fold[i] for fold in scores]
        together = np.concatenate(held)
        curves = tuple(cutter(problem.label, t, s) for t, s in zip(tests, held, strict=True))
        pooled = curves[0]
        if len(curves) > 1:
            pooled = cutter(problem.label, np.concatenate(tests), together)
        models = [fold[i] for fold in folds]
        optimality = max(model.optimality for model in models)
        converged = all(model.converged for model in models)
        kept = together if keep_scores else None
        results.append(Validated(pooled, curves, optimality, converged, kept))
    return results
