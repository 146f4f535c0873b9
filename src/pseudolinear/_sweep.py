"""The sweep: train every problem on every fold, and keep what each can do."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing
from tqdm import tqdm

from pseudolinear._levels import LevelSearch
from pseudolinear._measure import Measure
from pseudolinear._offsets import natural_curve, offset_curve
from pseudolinear._profiles import ErrorCurve
from pseudolinear._selection import Candidate, Choice, Group, best_cut, select
from pseudolinear.learners._base import Learner, Problem

if TYPE_CHECKING:
    import pandas as pd

Validated = tuple[ErrorCurve, tuple[ErrorCurve, ...], bool]  # pooled, per fold, converged
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Plan:
    """How a sweep is carried out.

    Attributes
    ----------
    search : LevelSearch
        Which levels to try.
    settings : sequence of mapping
        Hyper-parameters of the learner to try at every level.
    splits : sequence of (train, test)
        Rows to train on and rows to validate on.
    rule : {"f_max", "c_min"}
        See :func:`select`.
    cost_sensitive : bool
        Whether the learner sees the costs of the level, or equal ones.
    tune_threshold : bool
        Whether scores are cut where it is best, or at their natural threshold.
    normalization : {"ratio", "raw", "sum1"}
        Scale of the costs: divided by that of a negative row, as they are, or with sum 1.
    """

    search: LevelSearch
    settings: Sequence[Mapping[str, Any]]
    splits: Sequence[Split]
    rule: str
    cost_sensitive: bool
    tune_threshold: bool
    normalization: str


@dataclass(frozen=True, eq=False)
class SweepResult:
    """Every candidate of a sweep.

    Attributes
    ----------
    candidates : list of Candidate
        In the order in which they were trained.
    groups : list of Group
        Labels that share a level, with their measure.
    rule : str
        How thresholds and candidates were selected.
    """

    candidates: list[Candidate]
    groups: list[Group]
    rule: str

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.candidates)

    def choices(self) -> list[Choice]:
        """Select the best candidates of each group."""
        return [select(group, self._of(group), self.rule) for group in self.groups]

    def rows(self) -> list[dict[str, Any]]:
        """List one row per candidate and fold, and one for all folds together (fold -1).

        Returns
        -------
        list of dict
            With the keys label (-1 for a multiclass problem), level, cost_fn and cost_fp (or
            costs), the hyper-parameters, fold, threshold, fn, fp and value.
        """
        table = []
        for group in self.groups:
            for candidate in self._of(group):
                curves = {-1: candidate.curve, **dict(enumerate(candidate.fold_curves))}
                for fold, curve in curves.items():
                    cut, value = best_cut(group, candidate, curve, self.rule)
                    table.append(_row(candidate, fold, curve, cut, value))
        return table

    def to_pandas(self) -> pd.DataFrame:
        """Return :meth:`rows` as a data frame; needs pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_pandas needs pandas; install it by 'pip install pandas', or use rows()."
            ) from error
        return pd.DataFrame(self.rows())

    def _of(self, group: Group) -> list[Candidate]:
        return [c for c in self.candidates if c.label in group.labels]


def _row(
    candidate: Candidate, fold: int, curve: ErrorCurve, cut: int, value: float
) -> dict[str, Any]:
    binary = candidate.label is not None
    threshold = curve.thresholds[cut]
    costs = {"cost_fn": candidate.costs[1], "cost_fp": candidate.costs[0]}
    return {
        "label": candidate.label if binary else -1,
        "level": candidate.level,
        **(costs if binary else {"costs": candidate.costs}),
        **candidate.params,
        "fold": fold,
        "threshold": float(threshold) if np.ndim(threshold) == 0 else threshold.tolist(),
        "fn": float(curve.fn[cut].sum()),
        "fp": float(curve.fp[cut].sum()),
        "value": value,
    }


def sweep(
    learner: Learner,
    X: Any,
    targets: NDArray[Any],
    measure: Measure,
    plan: Plan,
    *,
    sample_weight: NDArray[np.float64] | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> SweepResult:
    """Train the learner for every level, label and setting on every fold.

    Parameters
    ----------
    learner : Learner
        What is trained.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows.
    targets : ndarray of shape (n_samples, n_labels) or (n_samples,)
        0/1 labels, or the class codes of a multiclass problem.
    measure : Measure
        What is optimised.
    plan : Plan
        Search, hyper-parameters, folds and selection.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weight of each row, in training and validation.
    n_jobs : int, default=None
        Number of parallel jobs; the result does not depend on it.
    verbose : bool, default=False
        Whether to show a progress bar.

    Returns
    -------
    SweepResult
        Every candidate.
    """
    groups = _groups(targets, measure, sample_weight)
    trained: dict[tuple[Any, ...], Validated] = {}
    candidates: list[Candidate] = []
    searches = {i: plan.search.search(g.measure, g.prevalence) for i, g in enumerate(groups)}
    proposed = {i: next(search) for i, search in searches.items()}
    while proposed:  # one round: the levels that all searches want next, in one batch
        tasks = {
            (i, level, j, label): Problem(label, costs, setting)
            for i, levels in proposed.items()
            for level in levels.tolist()
            for label, costs in zip(
                groups[i].labels, _learner_costs(groups[i], level, plan), strict=True
            )
            for j, setting in enumerate(plan.settings)
        }
        # Equal costs at different levels are one problem: nothing is trained twice.
        new = {(p.label, p.costs, k[2]): p for k, p in tasks.items()}
        new = {key: problem for key, problem in new.items() if key not in trained}
        problems = list(new.values())
        size = learner.batch_size
        batches = [problems[start : start + size] for start in range(0, len(problems), size)]
        results = _in_parallel(
            (
                delayed(_validate)(learner, X, targets, batch, measure, plan, sample_weight)
                for batch in batches
            ),
            len(batches),
            n_jobs,
            verbose,
        )
        trained.update(
            zip(new, (validated for batch in results for validated in batch), strict=True)
        )
        round_candidates = {
            key: Candidate(p.label, key[1], p.costs, p.params, *trained[p.label, p.costs, key[2]])
            for key, p in tasks.items()
        }
        candidates.extend(round_candidates.values())
        answers = {
            i: np.array([_reached(groups[i], round_candidates, i, t, plan.rule) for t in levels])
            for i, levels in proposed.items()
        }
        proposed = {}
        for i, values in answers.items():
            try:
                proposed[i] = searches[i].send(values)
            except StopIteration:
                continue
    _warn_of_convergence([validated[-1] for validated in trained.values()])
    return SweepResult(candidates, groups, plan.rule)


def _warn_of_convergence(converged: Sequence[bool]) -> None:
    failed = len(converged) - sum(converged)
    if failed:
        warnings.warn(
            f"{failed} of {len(converged)} problems stopped before the learner's tolerance was "
            "reached; scale the features or raise max_iter.",
            ConvergenceWarning,
            stacklevel=4,
        )


def _reached(
    group: Group, candidates: dict[tuple[Any, ...], Candidate], i: int, level: float, rule: str
) -> float:
    """Return the value that the group reaches with the candidates of one level."""
    own = [c for key, c in candidates.items() if key[0] == i and key[1] == level]
    return select(group, own, rule).value


def _groups(
    targets: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
) -> list[Group]:
    """Say which labels share a level."""
    if targets.ndim == 1:
        shares = np.bincount(targets, sample_weight) / (
            len(targets) if sample_weight is None else sample_weight.sum()
        )
        return [Group((None,), measure, shares)]
    prevalence = np.average(targets, axis=0, weights=sample_weight)
    if measure.average == "micro":
        return [Group(tuple(range(targets.shape[1])), measure, prevalence)]
    return [Group((k,), measure.binary(), np.asarray(p)) for k, p in enumerate(prevalence)]


def _learner_costs(group: Group, level: float, plan: Plan) -> list[tuple[float, ...]]:
    """Return what an error on a row of each class costs, for each label of the group."""
    if group.labels == (None,):
        costs = _class_costs(group, level)[None]
    else:
        costs = group.label_costs(level)[:, ::-1]  # (cost_fp, cost_fn): by class of the row
    if not plan.cost_sensitive:
        costs = np.ones_like(costs)
    elif plan.normalization == "ratio":
        has_reference = group.labels != (None,) or group.measure.average == "micro"
        costs = costs / (costs[:, :1] if has_reference else costs.min(axis=1, keepdims=True))
    elif plan.normalization == "sum1":
        costs = costs / costs.sum(axis=1, keepdims=True)
    return [tuple(row) for row in costs.tolist()]


def _class_costs(group: Group, level: float) -> NDArray[np.float64]:
    """Turn the costs of a multiclass profile into one weight per class.

    An error on a row of class i that is given class j costs ``cost_fn[i] + cost_fp[j]``; learners
    take one weight per row, so the second part is averaged over the wrong classes.
    """
    measure, prevalence = group.measure, group.prevalence
    if measure.average == "macro":
        # The gradient of the mean of ratios: each class by its own denominator, at fn = fp.
        c = measure.of_pair(prevalence, 1.0 - prevalence)
        costs = measure.costs(level, prevalence) / np.asarray(c.alpha1)[..., None]
    else:
        costs = measure.costs(level, prevalence)
    others = (costs[:, 1].sum() - costs[:, 1]) / (len(costs) - 1)
    return np.asarray(costs[:, 0] + others)


def _validate(
    learner: Learner,
    X: Any,
    targets: NDArray[Any],
    problems: Sequence[Problem],
    measure: Measure,
    plan: Plan,
    sample_weight: NDArray[np.float64] | None,
) -> list[Validated]:
    """Train a batch on every fold; return what each problem can do."""
    scores: list[list[NDArray[np.float64]]] = [[] for _ in problems]
    converged = [True] * len(problems)
    for train, test in plan.splits:
        weight = None if sample_weight is None else sample_weight[train]
        models = learner.fit_batch(_safe_indexing(X, train), targets[train], problems, weight)
        held_out = _safe_indexing(X, test)
        for i, model in enumerate(models):
            scores[i].append(model.scores(held_out))
            converged[i] &= model.converged

    def curve(problem: Problem, rows: NDArray[np.intp], s: NDArray[np.float64]) -> ErrorCurve:
        weight = None if sample_weight is None else sample_weight[rows]
        return _curve(problem.target(targets[rows]), s, measure, plan.tune_threshold, weight)

    tests = [test for _, test in plan.splits]
    results: list[Validated] = []
    for problem, held, reached in zip(problems, scores, converged, strict=True):
        folds = tuple(curve(problem, test, s) for test, s in zip(tests, held, strict=True))
        pooled = folds[0]
        if len(folds) > 1:
            pooled = curve(problem, np.concatenate(tests), np.concatenate(held))
        results.append((pooled, folds, reached))
    return results


def _curve(
    y: NDArray[np.intp],
    scores: NDArray[np.float64],
    measure: Measure,
    tune: bool,
    sample_weight: NDArray[np.float64] | None,
) -> ErrorCurve:
    """Return the cuts worth choosing: those on the hull, or the natural one."""
    if scores.ndim == 2:
        if tune:
            return offset_curve(y, scores, measure, sample_weight)
        return natural_curve(y, scores, sample_weight)
    if not tune:
        two = natural_curve(y, np.stack([-scores, scores], axis=1), sample_weight)
        return ErrorCurve(two.fn[:, 1:], two.fp[:, 1:], two.prevalence[1:], np.zeros(1))
    curve = ErrorCurve.from_scores(y, scores, sample_weight)
    return curve[curve.hull()]


def _in_parallel(
    tasks: Iterable[Any], n_tasks: int, n_jobs: int | None, verbose: bool
) -> list[Any]:
    if not verbose:
        return Parallel(n_jobs=n_jobs)(tasks)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator")
    return list(tqdm(parallel(tasks), total=n_tasks, desc="sweep", unit="batch"))
