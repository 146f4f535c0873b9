"""Validation: what trained problems can do on rows that they were not trained on."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve
from pseudolinear.learners import Learner
from pseudolinear.sweep._bar import HopelessError
from pseudolinear.sweep._cutter import Cutter
from pseudolinear.sweep._limits import NO_LIMITS, Limits
from pseudolinear.sweep._packing import Arrays, Packing, pack_curves, unpack_curves
from pseudolinear.sweep._rows import Source, Split
from pseudolinear.sweep._trainer import Item, Trainer, fit_batch


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
    limits: Limits = NO_LIMITS,
) -> list[Validated | None]:
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
    limits : Limits, default=NO_LIMITS
        When to give up.

    Returns
    -------
    list of Validated or None
        One per problem; None where the time was up.
    """
    work = partial(_validate, keep_scores=keep_scores, limits=limits)
    large = (cutter, splits)
    kept = trainer.kept(VALIDATED, large, "validated", keep_scores)
    if kept.is_hopeless(problems, limits.bar):
        raise HopelessError
    try:
        return trainer.map_batches(work, problems, splits, large, kept, n_steps=len(splits))
    except HopelessError:
        kept.give_up(problems, limits.bar)
        raise


def _validate(
    item: Item,
    learner: Learner,
    metadata: Mapping[str, Any],
    source: Source,
    cutter: Cutter,
    splits: Sequence[Split],
    *,
    keep_scores: bool,
    limits: Limits,
) -> list[Validated | None]:
    """Validate one batch; this is what runs in other processes."""
    problems, tell = item
    found: list[list[tuple[ErrorCurve, NDArray[np.float64]]]] = [[] for _ in problems]
    optimality, converged = np.full(len(problems), -np.inf), np.ones(len(problems), dtype=bool)
    seconds = 0.0
    for fold, (train, test) in enumerate(splits):
        if limits.late((len(splits) - fold) * seconds):
            return [None] * len(problems)
        began = time.monotonic()
        X, weight = source(train, train), cutter.sample_weight
        models = fit_batch(learner, problems, X, cutter.codes, weight, metadata, train)
        scored = learner.scores(models, source(test, train))
        for own, problem, scores in zip(found, problems, scored, strict=True):
            own.append((cutter(problem.label, test, scores), scores))
        optimality = np.maximum(optimality, [model.optimality for model in models])
        converged &= [model.converged for model in models]
        seconds = time.monotonic() - began
        first = [(p.label, own[0][0]) for p, own in zip(problems, found, strict=True)]
        if fold == 0 and limits.bar is not None and limits.bar.missed(first):
            raise HopelessError
        tell()
    tests = np.concatenate([test for _, test in splits])
    results: list[Validated | None] = []
    for i, (problem, own) in enumerate(zip(problems, found, strict=True)):
        curves, held = zip(*own, strict=True)
        together = np.concatenate(held)
        pooled = curves[0] if len(curves) == 1 else cutter(problem.label, tests, together)
        kept = together if keep_scores else None
        results.append(Validated(pooled, curves, float(optimality[i]), bool(converged[i]), kept))
    return results


def _pack(results: Sequence[Validated]) -> Arrays:
    """Make arrays of what a batch can do: the curves of each problem after those of the last."""
    curves = [curve for one in results for curve in (one.curve, *one.fold_curves)]
    found = pack_curves(curves) | {
        "optimality": np.array([one.optimality for one in results]),
        "converged": np.array([one.converged for one in results]),
    }
    scores = [one.scores for one in results if one.scores is not None]
    if scores:  # a table of classes keeps its order in memory, on which sums of it depend
        found["columns_first"] = np.array([s.flags.f_contiguous for s in scores])
        found["scores"] = np.stack(scores)
    return found


def _unpack(arrays: Arrays) -> list[Validated]:
    optimality, converged = arrays["optimality"].tolist(), arrays["converged"].tolist()
    curves = iter(unpack_curves(arrays))
    n_folds = len(arrays["n_cuts"]) // len(converged) - 1
    scores: list[Any] = [None] * len(converged)
    if "scores" in arrays:
        pairs = zip(arrays["scores"], arrays["columns_first"], strict=True)
        scores = [np.array(s, order="F") if first else s.copy() for s, first in pairs]
    return [
        Validated(next(curves), tuple(next(curves) for _ in range(n_folds)), *rest)
        for rest in zip(optimality, converged, scores, strict=True)
    ]


VALIDATED = Packing(_pack, _unpack)
