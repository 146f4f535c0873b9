"""Portfolio: several learners on the same folds, and the combination that the measure wants."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.kinds._targets import Targets
from pseudolinear.learners._base import Learner, Model
from pseudolinear.learners._estimator import EstimatorLearner
from pseudolinear.learners._joint import JointLearner
from pseudolinear.learners._kernel import KernelLearner, scale_of
from pseudolinear.learners._linear import LinearLearner
from pseudolinear.measures._measure import Measure
from pseudolinear.search._grid import Grid
from pseudolinear.search._level_search import LevelSearch
from pseudolinear.selection._selection import Candidate, Choice, Group, even_out, lean
from pseudolinear.sweep._sweep import Plan, SweepResult, sweep
from pseudolinear.sweep._training import OutOfTimeError, Trainer
from pseudolinear.thresholds._cut import combine
from pseudolinear.thresholds._labels import joint_cuts
from pseudolinear.thresholds._rounding import first_best

C_VALUES = (2.0**-4, 2.0**-1, 2.0**2, 2.0**5)
BLEND_TRUST = 500.0  # positive rows at which a label weighs as much as all labels together
BEST_SETS = 3  # sets of members whose mean is taken: the best one is best partly by chance
SATURATED = 7.0  # log-odds of 999 to 1; beyond, scores differ by chance

Shares = Mapping[int | None, NDArray[np.float64]]  # weights of the combined learners, by label


@dataclass(frozen=True, eq=False)
class Member:
    """One learner of a portfolio, with what is tried of it.

    Attributes
    ----------
    name : str
        Its name in tables.
    learner : Learner
        What is trained.
    settings : sequence of mapping
        Hyper-parameters to try.
    search : LevelSearch
        Levels to try.
    cost_sensitive : bool
        Whether it is trained with the costs of the level, or with equal ones.
    """

    name: str
    learner: Learner
    settings: Sequence[Mapping[str, Any]]
    search: LevelSearch
    cost_sensitive: bool = True


def auto_members(X: Any, targets: Targets, seed: int) -> list[Member]:
    """Choose the learners that suit the shape of the data, the cheapest first.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The rows.
    targets : Targets
        How many labels there are.
    seed : int
        Seed of the trees.

    Returns
    -------
    list of Member
        Linear models always; a second linear loss where features are many. Kernel machines up
        to 6,000 rows. Extra trees up to 2,000 features, all labels in one forest; up to 6,000
        rows a second forest, which looks at more features per split. Boosting, one model per
        label, where labels times features are at most 2,000.
    """
    n_samples, n_features = X.shape
    n_labels = targets.codes.shape[1] if targets.codes.ndim == 2 else len(targets.order)
    by_C = [{"C": C} for C in C_VALUES]
    members = [Member("linear", LinearLearner(), by_C, Grid(4))]
    if n_features > 1000:
        members.append(Member("svm", LinearLearner("squared_hinge"), by_C, Grid(4)))
    if n_samples <= 6000:
        scale = scale_of(X)
        settings = [{"C": C, "gamma": g * scale} for g in (1.0, 3.0) for C in (1.0, 4.0)]
        members.append(Member("kernel", KernelLearner(), settings, Grid(2)))
    learn_forest: Callable[[Any, int], Learner]
    learn_forest = JointLearner if targets.kind == "multilabel" else EstimatorLearner
    trees: dict[str, Learner] = {}
    if n_features <= 2000:
        forest = ExtraTreesClassifier(200, min_samples_leaf=1 if n_samples <= 5000 else 5)
        trees["forest"] = learn_forest(_dense_first(X, forest), seed)
        if n_samples <= 6000:
            per_split = max(1, min(3 * n_features // 10, 100))
            wide = ExtraTreesClassifier(200, min_samples_leaf=2, max_features=per_split)
            trees["wide forest"] = learn_forest(_dense_first(X, wide), seed)
    if n_labels * n_features <= 2000:
        boosting = HistGradientBoostingClassifier(max_leaf_nodes=15)
        trees["boosting"] = EstimatorLearner(_dense_first(X, boosting), seed)
    members.extend(
        Member(name, learner, [{}], Grid(), cost_sensitive=False) for name, learner in trees.items()
    )
    return members


def _dense_first(X: Any, estimator: Any) -> Any:
    """Put a step before trees that makes sparse rows dense: they refuse them or get slow."""
    if not sparse.issparse(X):
        return estimator
    return make_pipeline(FunctionTransformer(_to_dense, accept_sparse=True), estimator)


def _to_dense(X: Any) -> NDArray[np.float64]:
    return X.toarray()


@dataclass(frozen=True, eq=False)
class Scale:
    """How scores of one model are brought to a common scale."""

    centre: float
    spread: float

    @classmethod
    def of(cls, scores: NDArray[np.float64], weight: NDArray[np.float64] | None = None) -> Scale:
        """Measure scores, rows by their weight; those of classes keep their common origin."""
        clipped = np.clip(scores, -SATURATED, SATURATED)
        centre = float(np.average(clipped, axis=0, weights=weight)) if scores.ndim == 1 else 0.0
        squares = np.average((clipped - centre) ** 2, axis=0, weights=weight)
        return cls(centre, float(np.sqrt(np.mean(squares))) or 1.0)

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return standardised scores."""
        return (np.clip(scores, -SATURATED, SATURATED) - self.centre) / self.spread


class Part(NamedTuple):
    """A model of a blend: which member made it, the scale of its scores, and their weight."""

    member: int
    model: Model
    scale: Scale
    weight: float


@dataclass(frozen=True, eq=False)
class Blend:
    """The weighted mean of the standardised scores of several models of one problem."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class PortfolioLearner:
    """What scores rows with blends of the members' models.

    Attributes
    ----------
    members : list of Member
        The learners.
    """

    members: Sequence[Member]

    def scores(self, models: Sequence[Blend], X: Any) -> list[NDArray[np.float64]]:
        """Score the same rows with several blends; every member scores all its models at once."""
        total: list[Any] = [0.0] * len(models)
        for i, member in enumerate(self.members):
            used = [(k, p) for k, blend in enumerate(models) for p in blend.parts if p.member == i]
            if not used:
                continue
            scores = member.learner.scores([part.model for _, part in used], X)
            for (k, part), s in zip(used, scores, strict=True):
                total[k] = total[k] + part.weight * part.scale(s)
        return total


class Portfolio(NamedTuple):
    """A trained portfolio.

    Attributes
    ----------
    sweep : SweepResult
        The candidates of all members and the chosen combinations.
    choices : list of Choice
        What was chosen for each group.
    models : list of Blend
        One per label.
    learner : PortfolioLearner
        What scores rows with them.
    table : list of dict
        What each member contributed.
    """

    sweep: SweepResult
    choices: list[Choice]
    models: list[Blend]
    learner: PortfolioLearner
    table: list[dict[str, Any]]


def fit_portfolio(
    trainers: Sequence[tuple[Member, Trainer]],
    plans: Sequence[Plan],
    measure: Measure,
    max_seconds: float | None,
) -> Portfolio:
    """Sweep every member on the same folds, combine them, and train what is used on all rows.

    Parameters
    ----------
    trainers : sequence of (Member, Trainer)
        The members with their data, the cheapest first.
    plans : sequence of Plan
        How each is swept.
    measure : Measure
        What is optimised.
    max_seconds : float or None
        Once so much of it is spent that training the chosen ones on all rows would not fit in,
        no further member is tried; the first one always is.

    Returns
    -------
    Portfolio
        Blends and how they were chosen.
    """
    start = time.monotonic()
    n_folds = len(plans[0].splits)
    entries, sweeps, table = [], [], []
    for i, ((member, trainer), plan) in enumerate(zip(trainers, plans, strict=True)):
        trainer.keep_scores = True
        if max_seconds is not None and i > 0:
            trainer.deadline = start + max_seconds * n_folds / (n_folds + 1)
        began = time.monotonic()
        row: dict[str, Any] = {"learner": member.name, "value": np.nan, "candidates": 0}
        table.append(row)
        try:
            found = sweep(trainer, measure, plan)
        except OutOfTimeError:
            row |= {"seconds": time.monotonic() - began, "labels": 0, "note": "out of time"}
            continue
        entry, choices = _enter(member, trainer, plan, found)
        entries.append(entry)
        sweeps.append(found)
        value = float(np.mean([choice.value for choice in choices]))
        row |= {"value": value, "candidates": len(found), "seconds": time.monotonic() - began}
        trainer.keep_scores = False
    groups, rows = sweeps[0].groups, np.concatenate([test for _, test in plans[0].splits])
    first, plan = trainers[0][1], plans[0]

    def cut(label: int | None, scores: NDArray[np.float64]) -> ErrorCurve:
        problem = entries[0].candidates[label].problem
        return first.curve(problem, rows, scores, measure, plan.tune_threshold)

    weight = None if first.sample_weight is None else first.sample_weight[rows]
    choices, shares = blend(groups, entries, cut, weight)
    models = _train(groups, entries, shares, weight)
    for number, entry in enumerate(entries):
        row = next(row for row in table if row["learner"] == entry.member.name)
        row |= {"labels": sum(own[number] > 0 for own in shares.values()), "note": ""}
    by_group = [list(choice.candidates) for choice in choices]
    for entry, found in zip(entries, sweeps, strict=True):
        for own, candidates in zip(by_group, found.by_group, strict=True):
            own.extend(_named(candidate, entry.member.name) for candidate in candidates)
    learner = PortfolioLearner([entry.member for entry in entries])
    return Portfolio(SweepResult(by_group, groups, plan.rule), choices, models, learner, table)


def _named(candidate: Candidate, name: str) -> Candidate:
    return replace(candidate, params={"learner": name, **candidate.params})


def _enter(
    member: Member, trainer: Trainer, plan: Plan, found: SweepResult
) -> tuple[Entry, list[Choice]]:
    """Choose the member's candidates and keep their scores alone."""
    choices = found.choices()
    chosen = {c.label: c for choice in choices for c in choice.candidates}
    settings = list(plan.settings)
    scores = {
        label: trainer.validated[label, c.costs, settings.index(c.params)].scores
        for label, c in chosen.items()
    }
    trainer.validated.clear()
    return Entry(member, trainer, chosen, scores), choices


def _train(
    groups: Sequence[Group],
    entries: Sequence[Entry],
    shares: Shares,
    weight: NDArray[np.float64] | None,
) -> list[Blend]:
    """Train on all rows what the combinations use."""
    parts: dict[int | None, list[Part]] = {label: [] for group in groups for label in group.labels}
    for i, entry in enumerate(entries):
        labels = [label for label in parts if shares[label][i] > 0]
        if not labels:
            continue
        problems = [entry.candidates[label].problem for label in labels]
        models = entry.trainer.fit(problems, np.arange(len(entry.trainer.targets)))
        for label, model in zip(labels, models, strict=True):
            scale = Scale.of(entry.scores[label], weight)
            parts[label].append(Part(i, model, scale, shares[label][i]))
    return [Blend(tuple(parts[label])) for label in parts]


@dataclass(frozen=True, eq=False)
class Entry:
    """What a member brings to the combination.

    Attributes
    ----------
    member : Member
        Who brings it.
    trainer : Trainer
        The member's learner with its data.
    candidates : dict
        Its chosen candidate, by label.
    scores : dict
        The scores of that candidate on the validation rows, by label.
    """

    member: Member
    trainer: Trainer
    candidates: Mapping[int | None, Candidate]
    scores: Mapping[int | None, Any]


def blend(
    groups: Sequence[Group],
    entries: Sequence[Entry],
    cut: Callable[[int | None, NDArray[np.float64]], ErrorCurve],
    weight: NDArray[np.float64] | None = None,
) -> tuple[list[Choice], Shares]:
    """Choose the best combination of members for every label, or for all jointly.

    Sets of members are compared by the mean of their standardised scores; of four members or more
    the mean of the best sets is taken. A label of a macro average weighs its own evidence against
    that of all labels by its number of positive rows; a micro average takes one combination for
    all labels.

    Parameters
    ----------
    groups : sequence of Group
        One, or one per label.
    entries : sequence of Entry
        What the members bring.
    cut : callable
        Cuts the scores of a label on the validation rows.
    weight : ndarray or None
        Weight of each validation row.

    Returns
    -------
    choices : list of Choice
        One per group, with the cuts of the combined scores.
    shares : mapping
        The weight of every entry in the combination, by label.
    """
    labels = [label for group in groups for label in group.labels]
    scores = {label: _standardised(entries, label, weight) for label in labels}

    def candidates(shares: Shares) -> dict[int | None, Candidate]:
        return {
            label: _combined(entries, label, own, cut(label, np.tensordot(own, scores[label], 1)))
            for label, own in shares.items()
        }

    sets = _sets(len(entries))
    tried = [candidates(dict.fromkeys(labels, own)) for own in sets]
    values = np.array([[_cut_best(g, t).value for g in groups] for t in tried])
    gains = values - values.mean(axis=0)
    n_positive = np.array([group.n_positive for group in groups])
    evidence = lean(gains, gains.mean(axis=1)[:, None], n_positive, BLEND_TRUST)
    n_best = BEST_SETS if len(entries) > BEST_SETS else 1
    best = np.argsort(-evidence, axis=0, kind="stable")[:n_best]
    shares = {
        label: sets[chosen].mean(axis=0)
        for group, chosen in zip(groups, best.T, strict=True)
        for label in group.labels
    }
    combined = candidates(shares)
    if len(groups) > 1:
        return even_out(groups, [combined[label] for label in labels]), shares
    return [_cut_best(groups[0], combined)], shares


def _sets(n: int) -> NDArray[np.float64]:
    """Return the sets of n entries that are tried, each as a row of equal weights.

    All sets of up to five; of more, ones, twos and all.
    """
    sizes = range(1, n + 1) if n <= 5 else (1, 2, n)
    subsets = [list(subset) for size in sizes for subset in combinations(range(n), size)]
    return np.stack([np.eye(n)[subset].mean(axis=0) for subset in subsets])


def _standardised(
    entries: Sequence[Entry], label: int | None, weight: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the scores of a label by every entry, on a common scale."""
    held = [entry.scores[label] for entry in entries]
    return np.stack([Scale.of(scores, weight)(scores) for scores in held])


def _combined(
    entries: Sequence[Entry],
    label: int | None,
    shares: NDArray[np.float64],
    curve: ErrorCurve,
) -> Candidate:
    """Describe a combination as a candidate; level and costs are those of its first member."""
    used = [entry for entry, share in zip(entries, shares, strict=True) if share > 0]
    own = [entry.candidates[label] for entry in used]
    return Candidate(
        label,
        own[0].level,
        own[0].costs,
        {e.member.name: dict(c.params) for e, c in zip(used, own, strict=True)},
        curve,
        (),
        max(c.optimality for c in own),
        all(c.converged for c in own),
    )


def _cut_best(group: Group, by_label: Mapping[int | None, Candidate]) -> Choice:
    candidates = [by_label[label] for label in group.labels]
    curves = [candidate.curve for candidate in candidates]
    if len(curves) > 1:
        cuts = joint_cuts(curves, group.measure)
    else:
        cuts = [first_best(np.atleast_1d(group.measure.value(curves[0])))]
    return Choice(candidates, cuts, float(group.measure.value(combine(curves, cuts))))
