"""The sweep: train every problem on every fold, and keep what each can do."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.learners._base import Problem
from pseudolinear.measures._measure import Measure
from pseudolinear.search._level_search import LevelSearch, Reached
from pseudolinear.search._shares import level_at, share_of
from pseudolinear.selection._selection import Candidate, Choice, Group, best_cut, select, select_all
from pseudolinear.sweep._training import Split, Trainer, Validated
from pseudolinear.thresholds._cut import combine
from pseudolinear.thresholds._objectives import Objective

if TYPE_CHECKING:
    import pandas as pd


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
    rule : {"f_max", "c_min", "joint", "shrunk", "both"}
        See :func:`select_all`.
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
    by_group : list of list of Candidate
        The candidates of each group, in the order in which they were trained.
    groups : list of Group
        Labels that share a level, with their measure.
    rule : str
        How thresholds and candidates were selected.
    """

    by_group: list[list[Candidate]]
    groups: list[Group]
    rule: str

    def __len__(self) -> int:
        """Return the number of candidates."""
        return sum(map(len, self.by_group))

    def choices(self) -> list[Choice]:
        """Select the best candidates of each group."""
        return select_all(self.groups, self.by_group, self.rule)

    def choices_for(self, objective: Objective) -> list[Choice]:
        """Select the best candidate of each label for a constraint."""
        choices = []
        for group, candidates in zip(self.groups, self.by_group, strict=True):
            kept, cuts = [], []
            for label in group.labels:
                own = [candidate for candidate in candidates if candidate.label == label]
                best, cut = _best_for(objective, [candidate.curve for candidate in own])
                kept.append(own[best])
                cuts.append(cut)
            profile = combine([candidate.curve for candidate in kept], cuts)
            choices.append(Choice(kept, cuts, float(group.measure.value(profile))))
        return choices

    def retarget(
        self, measure: Measure, rule: str, kept: Sequence[Candidate] | None = None
    ) -> SweepResult:
        """Read the candidates for another measure: same costs, other levels and groups.

        Parameters
        ----------
        measure : Measure
            The other measure.
        rule : {"f_max", "c_min", "joint", "shrunk", "both"}
            See :func:`select_all`.
        kept : sequence of Candidate, default=None
            The only candidates to consider; None stands for all.

        Returns
        -------
        SweepResult
            Candidates at the levels where the other measure has the same ratio of costs.
        """
        wanted = None if kept is None else {id(candidate) for candidate in kept}
        pairs = [
            (candidate, share_of(group.measure, group.prevalence, candidate.level))
            for group, candidates in zip(self.groups, self.by_group, strict=True)
            for candidate in candidates
            if wanted is None or id(candidate) in wanted
        ]
        groups = _regrouped(self.groups, measure)
        by_group = [
            [
                replace(c, level=float(level_at(group.measure, group.prevalence, np.array([s]))[0]))
                for c, s in pairs
                if c.label in group.labels
            ]
            for group in groups
        ]
        return SweepResult(by_group, groups, rule)

    def rows(self) -> list[dict[str, Any]]:
        """List one row per candidate and fold, and one for all folds together (fold -1).

        Returns
        -------
        list of dict
            With the keys label (-1 for a multiclass problem), level, cost_fn and cost_fp (or
            costs), the hyper-parameters, fold, threshold, fn, fp, value and optimality (what the
            learner states of its training, relative to its objective; NaN if nothing).
        """
        table = []
        for group, candidates in zip(self.groups, self.by_group, strict=True):
            for candidate in candidates:
                curves = {-1: candidate.curve, **dict(enumerate(candidate.fold_curves))}
                for fold, curve in curves.items():
                    cut, value = best_cut(group, candidate, curve, self.rule)
                    table.append(_row(candidate, fold, curve, cut, value))
        return table

    def labels(self) -> list[dict[str, Any]]:
        """List what was chosen for each label, and how much that varies over the folds.

        Returns
        -------
        list of dict
            With the keys label (-1 for a multiclass problem), n_positive, level, the
            hyper-parameters, threshold, threshold_spread (standard deviation of the thresholds that
            the folds would choose), value and value_spread.
        """
        table = []
        for group, choice in zip(self.groups, self.choices(), strict=True):
            for candidate, cut in zip(choice.candidates, choice.cuts, strict=True):
                folds = [best_cut(group, candidate, x, self.rule) for x in candidate.fold_curves]
                cuts = [
                    curve.thresholds[i]
                    for curve, (i, _) in zip(candidate.fold_curves, folds, strict=True)
                ]
                row = _row(candidate, -1, candidate.curve, cut, choice.value)
                positive = float(candidate.curve.prevalence.sum()) * group.n_samples
                table.append(
                    {name: row[name] for name in ("label", "level")}
                    | dict(candidate.params)
                    | {
                        "n_positive": round(positive),
                        "threshold": row["threshold"],
                        "threshold_spread": float(np.std(cuts, axis=0).max()) if folds else np.nan,
                        "value": float(
                            np.atleast_1d(group.label_measure.value(candidate.curve))[cut]
                        ),
                        "value_spread": float(np.std([v for _, v in folds])) if folds else np.nan,
                    }
                )
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


def _best_for(objective: Objective, curves: Sequence[ErrorCurve]) -> tuple[int, int]:
    """Return which curve an objective prefers, and where to cut it."""
    thresholds = np.concatenate([curve.thresholds for curve in curves])
    fn = np.concatenate([curve.fn for curve in curves])
    fp = np.concatenate([curve.fp for curve in curves])
    order = np.lexsort((fn[:, 0], fp[:, 0]))  # as on one curve: by ascending false positives
    together = ErrorCurve(fn[order], fp[order], curves[0].prevalence, thresholds[order])
    number = int(order[objective.choose(together)[0]])
    starts = np.cumsum([0, *(len(curve.thresholds) for curve in curves)])
    best = int(np.searchsorted(starts, number, side="right")) - 1
    return best, number - int(starts[best])


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
        "optimality": candidate.optimality,
    }


def sweep(trainer: Trainer, measure: Measure, plan: Plan) -> SweepResult:
    """Train the learner for every level, label and setting on every fold.

    Parameters
    ----------
    trainer : Trainer
        The learner and its data.
    measure : Measure
        What is optimised.
    plan : Plan
        Search, hyper-parameters, folds and selection.

    Returns
    -------
    SweepResult
        Every candidate.
    """
    groups = _groups(trainer.targets, measure, trainer.sample_weight)
    searches = [plan.search.search(group.measure, group.prevalence) for group in groups]
    proposed = {i: next(search) for i, search in enumerate(searches)}
    found: list[list[Candidate]] = [[] for _ in groups]
    while proposed:  # one round: all levels that the searches want next are trained together
        wanted = {
            (i, level): _problems(groups[i], level, plan)
            for i, levels in proposed.items()
            for level in levels.tolist()
        }
        # By label, so that the problems of a label share a batch. Problems of equal costs have
        # one key, so nothing is trained twice.
        every = sorted(
            (item for problems in wanted.values() for item in problems.items()),
            key=lambda item: item[0][0] or 0,
        )
        trainer.validate(dict(every), plan.splits, measure, plan.tune_threshold)
        answers: dict[int, list[Choice]] = {i: [] for i in proposed}
        for (i, level), problems in wanted.items():
            candidates = [
                Candidate(p.label, level, p.costs, p.params, *trainer.validated[key][:4])
                for key, p in problems.items()
            ]
            found[i].extend(candidates)
            answers[i].append(select(groups[i], candidates, plan.rule))
        proposed = {}
        for i, choices in answers.items():
            with contextlib.suppress(StopIteration):
                proposed[i] = searches[i].send(_reached(groups[i], choices))
    _warn_of_convergence(list(trainer.validated.values()))
    return SweepResult(found, groups, plan.rule)


def _reached(group: Group, choices: Sequence[Choice]) -> Reached:
    """Tell a search what its levels have reached."""
    errors = np.stack([choice.profile.errors for choice in choices])
    to_pair = group.measure.pair_map(errors.shape[1])
    pairs = (errors[:, None] * to_pair).sum(axis=(-2, -1))
    return Reached(np.array([choice.value for choice in choices]), pairs)


def _problems(group: Group, level: float, plan: Plan) -> dict[tuple[Any, ...], Problem]:
    """Return the problems of a level, by what tells them apart."""
    return {
        (label, costs, j): Problem(label, costs, setting)
        for label, costs in zip(group.labels, _learner_costs(group, level, plan), strict=True)
        for j, setting in enumerate(plan.settings)
    }


def _warn_of_convergence(validated: Sequence[Validated]) -> None:
    failed = [v.optimality for v in validated if not v.converged]
    if failed:
        worst = max(failed)
        warnings.warn(
            f"{len(failed)} of {len(validated)} problems stopped before the learner's tolerance "
            "was reached"
            + ("" if np.isnan(worst) else f" (worst relative gap {worst:.1e})")
            + "; scale the features or raise max_iter.",
            ConvergenceWarning,
            stacklevel=4,
        )


def _groups(
    targets: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
) -> list[Group]:
    """Say which labels share a level."""
    if targets.ndim == 1:
        shares = np.bincount(targets, sample_weight) / (
            len(targets) if sample_weight is None else sample_weight.sum()
        )
        return [Group((None,), measure, shares, len(targets))]
    prevalence = np.average(targets, axis=0, weights=sample_weight)
    if measure.average == "micro":
        return [Group(tuple(range(targets.shape[1])), measure, prevalence, len(targets))]
    return [
        Group((k,), measure.binary(), np.asarray(p), len(targets))
        for k, p in enumerate(prevalence.tolist())
        if 0 < p < 1  # a label of one value has nothing to choose
    ]


def _regrouped(groups: Sequence[Group], measure: Measure) -> list[Group]:
    """Group the labels of a sweep as another measure wants them."""
    first = groups[0]
    if first.labels == (None,):
        if measure.average == "binary":
            raise ValueError(f"{measure!r} is for one label; this sweep has several classes.")
        return [replace(first, measure=measure)]
    labels = tuple(label for group in groups for label in group.labels)
    prevalence = np.concatenate([np.atleast_1d(group.prevalence) for group in groups])
    if measure.average == "micro":
        return [Group(labels, measure, prevalence, first.n_samples)]
    if measure.average == "binary" and len(labels) > 1:
        raise ValueError(
            f"{measure!r} is for one label, got {len(labels)}; use f1_micro or f1_macro."
        )
    return [
        Group((label,), measure.binary(), np.asarray(p), first.n_samples)
        for label, p in zip(labels, prevalence, strict=True)
    ]


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
