"""Training: batches of problems through the folds, in parallel, nothing twice."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from tqdm import tqdm

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.learners._base import Learner, Model, Problem
from pseudolinear.measures._measure import Measure
from pseudolinear.thresholds._classes import natural_curve, offset_curve

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
T = TypeVar("T")


class OutOfTimeError(Exception):
    """The time budget is spent."""


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


@dataclass(eq=False)
class Trainer:
    """A learner with its data, and all that it has trained so far.

    Attributes
    ----------
    learner : Learner
        What is trained.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows.
    targets : ndarray of shape (n_samples, n_labels) or (n_samples,)
        0/1 labels, or the class codes of a multiclass problem.
    sample_weight : ndarray of shape (n_samples,) or None
        Weight of each row, in training and validation.
    pairwise : bool
        Whether X is a Gram matrix.
    n_jobs : int or None
        Number of parallel jobs; the result does not depend on it.
    verbose : bool
        Whether to show a progress bar.
    keep_scores : bool
        Whether the scores of the validation rows are kept, to be combined with other learners'.
    deadline : float or None
        Time (``time.monotonic()``) after which no more batches are started.
    """

    learner: Learner
    X: Any
    targets: NDArray[Any]
    sample_weight: NDArray[np.float64] | None
    pairwise: bool = False
    n_jobs: int | None = None
    verbose: bool = False
    keep_scores: bool = False
    deadline: float | None = None
    validated: dict[Hashable, Validated] = field(default_factory=dict)

    def validate(
        self,
        problems: Mapping[Hashable, Problem],
        splits: Sequence[Split],
        measure: Measure,
        tune_threshold: bool,
    ) -> None:
        """Train problems on every fold and keep what they can do under their keys."""
        new = {key: problem for key, problem in problems.items() if key not in self.validated}
        tasks = [
            delayed(_validate)(self, batch, splits, measure, tune_threshold)
            for batch in self._batches(list(new.values()))
        ]
        results = _in_parallel(tasks, self.n_jobs, self.verbose)
        self.validated.update(zip(new, (v for batch in results for v in batch), strict=True))

    def fit(self, problems: Sequence[Problem], rows: NDArray[np.intp]) -> list[Model]:
        """Train problems on the given rows."""
        tasks = [delayed(_fit)(self, batch, rows) for batch in self._batches(problems)]
        return [model for batch in _in_parallel(tasks, self.n_jobs, False) for model in batch]

    def rows(self, rows: NDArray[np.intp], train: NDArray[np.intp]) -> Any:
        """Return some of the rows; of a Gram matrix only the columns of the training rows."""
        X = _safe_indexing(self.X, rows)
        return X[:, train] if self.pairwise else X

    def curve(
        self,
        problem: Problem,
        rows: NDArray[np.intp],
        scores: NDArray[np.float64],
        measure: Measure,
        tune_threshold: bool,
    ) -> ErrorCurve:
        """Cut the scores of some rows: where it is worth it, or at the natural threshold."""
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        return _curve(problem.target(self.targets[rows]), scores, measure, tune_threshold, weight)

    def _batches(self, problems: Sequence[Problem]) -> list[list[Problem]]:
        """Cut the problems into batches, of whole labels where they fit, for any number of jobs."""
        size = self.learner.batch_size(self.X)
        batches: list[list[Problem]] = []
        for _, group in groupby(problems, key=lambda problem: problem.label):
            own = list(group)
            if batches and len(batches[-1]) + len(own) <= size:
                batches[-1].extend(own)
            else:
                batches.extend(own[start : start + size] for start in range(0, len(own), size))
        return batches

    def __getstate__(self) -> dict[str, Any]:
        """Leave the results at home when work is sent to other processes."""
        return {**self.__dict__, "validated": {}}


def _fit(trainer: Trainer, problems: Sequence[Problem], rows: NDArray[np.intp]) -> Sequence[Model]:
    X, weight = trainer.rows(rows, rows), trainer.sample_weight
    weight = None if weight is None else weight[rows]
    return trainer.learner.fit_batch(X, trainer.targets[rows], problems, weight)


def _validate(
    trainer: Trainer,
    problems: Sequence[Problem],
    splits: Sequence[Split],
    measure: Measure,
    tune_threshold: bool,
) -> list[Validated]:
    """Train a batch on every fold and cut its scores, of each fold and of all together."""
    if trainer.deadline is not None and time.monotonic() > trainer.deadline:
        raise OutOfTimeError
    tests = [test for _, test in splits]
    folds = [_fit(trainer, problems, train) for train, _ in splits]
    scores = [
        trainer.learner.scores(models, trainer.rows(test, train))
        for models, (train, test) in zip(folds, splits, strict=True)
    ]

    def curve(problem: Problem, rows: NDArray[np.intp], s: NDArray[np.float64]) -> ErrorCurve:
        return trainer.curve(problem, rows, s, measure, tune_threshold)

    results = []
    for i, problem in enumerate(problems):
        held = [fold[i] for fold in scores]
        together = np.concatenate(held)
        curves = tuple(curve(problem, test, s) for test, s in zip(tests, held, strict=True))
        pooled = curves[0]
        if len(curves) > 1:
            pooled = curve(problem, np.concatenate(tests), together)
        models = [fold[i] for fold in folds]
        optimality = max(model.optimality for model in models)
        converged = all(model.converged for model in models)
        kept = together if trainer.keep_scores else None
        results.append(Validated(pooled, curves, optimality, converged, kept))
    return results


def _curve(
    y: NDArray[np.intp],
    scores: NDArray[np.float64],
    measure: Measure,
    tune_threshold: bool,
    sample_weight: NDArray[np.float64] | None,
) -> ErrorCurve:
    """Return the cuts worth choosing, or the natural one."""
    if scores.ndim == 2:
        if tune_threshold:
            return offset_curve(y, scores, measure, sample_weight)
        return natural_curve(y, scores, sample_weight)
    if not tune_threshold:
        two = natural_curve(y, np.stack([-scores, scores], axis=1), sample_weight)
        return ErrorCurve(two.fn[:, 1:], two.fp[:, 1:], two.prevalence[1:], np.zeros(1))
    return ErrorCurve.from_scores(y.astype(bool), scores, sample_weight).outline()


def _in_parallel(tasks: Iterable[Any], n_jobs: int | None, verbose: bool) -> list[Any]:
    tasks = list(tasks)
    if not verbose:
        return Parallel(n_jobs=n_jobs)(tasks)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator")
    return list(tqdm(parallel(tasks), total=len(tasks), desc="sweep", unit="batch"))
