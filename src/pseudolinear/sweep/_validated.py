"""Validation: what trained problems can do on rows that they were not trained on."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve
from pseudolinear.learners import Learner, Model
from pseudolinear.loops._crew import crew, row_blocks
from pseudolinear.sweep._bar import HopelessError
from pseudolinear.sweep._cutter import Cutter, FoldCurves
from pseudolinear.sweep._limits import NO_LIMITS, Limits
from pseudolinear.sweep._packing import Arrays, Packing, pack_curves, unpack_curves
from pseudolinear.sweep._rows import Source, Split
from pseudolinear.sweep._trainer import Item, Trainer, fit_batch

OPERATIONS = 64  # multiplications that a score costs to be sorted and cut


class Validated(NamedTuple):
    """What a problem can do on rows that it was not trained on.

    Attributes
    ----------
    curve : ErrorCurve
        Errors on all validation rows together, along the thresholds worth choosing.
    fold_curves : sequence of ErrorCurve
        The same for each fold.
    optimality : float
        The worst optimality that the learner states over the folds.
    converged : bool
        Whether the learner reached its tolerance on every fold.
    scores : ndarray or None
        Scores of all validation rows, fold after fold, where they are kept.
    """

    curve: ErrorCurve
    fold_curves: Sequence[ErrorCurve]
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
    labels, tests = [problem.label for problem in problems], [test for _, test in splits]

    def scored(split: Split) -> tuple[Sequence[Model], Sequence[NDArray[np.float64]]]:
        train, test = split
        X, weight = source(train, train), cutter.sample_weight
        models = fit_batch(learner, problems, X, cutter.codes, weight, metadata, train)
        scores = learner.scores(models, source(test, train))
        tell()
        return models, scores

    by_fold: list[Sequence[NDArray[np.float64]]] = []
    optimality, converged = np.full(len(problems), -np.inf), np.ones(len(problems), dtype=bool)
    seconds, left = 0.0, len(splits)
    for folds in _rounds(splits, limits):
        if limits.late(left * seconds):
            return [None] * len(problems)
        began = time.monotonic()
        for models, scores in crew.share(scored, folds):
            by_fold.append(scores)
            optimality = np.maximum(optimality, [model.optimality for model in models])
            converged &= [model.converged for model in models]
        seconds, left = time.monotonic() - began, left - len(folds)
        if limits.bar is not None and left == len(splits) - 1:
            first = cutter.folds(labels, tests[:1], _joined(by_fold[:1]))
            if limits.bar.missed([(k, own.together) for k, own in zip(labels, first, strict=True)]):
                raise HopelessError
    held = _joined(by_fold)
    kept = [_own(column) if keep_scores else None for column in held]
    blocks = row_blocks(len(labels), OPERATIONS * sum(map(len, held)))

    def cut(block: slice) -> list[FoldCurves]:
        return cutter.folds(labels[block], tests, held[block])

    curves = chain.from_iterable(crew.share(cut, blocks))
    found = zip(curves, optimality.tolist(), converged.tolist(), kept, strict=True)
    return [Validated(*own, *rest) for own, *rest in found]


def _rounds(splits: Sequence[Split], limits: Limits) -> list[Sequence[Split]]:
    """Say which folds may be trained at once: with a deadline none, with a bar not the first."""
    alone = len(splits) if limits.deadline is not None else int(limits.bar is not None)
    return [*([split] for split in splits[:alone]), *([splits[alone:]] if splits[alone:] else [])]


def _own(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores that may outlive those of other problems, and are not sorted with them."""
    return scores if scores.base is None else scores.copy()


def _joined(by_fold: list[Sequence[NDArray[np.float64]]]) -> Any:
    """Put the scores of the folds one after the other; those of a fold are dropped when copied."""
    if by_fold[0][0].ndim > 1:
        return [np.concatenate(own) for own in zip(*by_fold, strict=True)]
    held = np.empty((len(by_fold[0]), sum(len(scored[0]) for scored in by_fold)))
    end = 0
    while by_fold:
        scored = by_fold.pop(0)
        start, end = end, end + len(scored[0])
        for row, own in zip(held, scored, strict=True):
            row[start:end] = own
    return held


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
