"""From the parameters of a classifier to the members of its fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sklearn.model_selection import ParameterGrid

from pseudolinear.kinds import Kind
from pseudolinear.learners import Learner, LinearLearner, as_learner
from pseudolinear.measures import Measure
from pseudolinear.portfolio._auto import C_VALUES, auto_members
from pseudolinear.portfolio._member import Member
from pseudolinear.search import LevelSearch, get_search


def make_learners(estimator: Any, *, costs: bool = True) -> list[Learner]:
    """Return the learners that a parameter `estimator` stands for.

    Parameters
    ----------
    estimator : None, "auto", classifier, learner or list of them
        See :class:`MeasureClassifier`; of ``"auto"`` the first learner, which always takes part.
    costs : bool, default=True
        Whether classifiers have to take costs.

    Returns
    -------
    list of Learner
        At least one.
    """
    if estimator is None or estimator == "auto":
        return [LinearLearner()]
    if isinstance(estimator, str):
        raise TypeError(
            f"estimator must be a classifier, a list of them, 'auto' or None, got {estimator!r}."
        )
    if not isinstance(estimator, list):
        return [as_learner(estimator, costs=costs)]
    if not estimator:
        raise ValueError("estimator is an empty list; give at least one classifier.")
    return [as_learner(one, costs=costs) for one in estimator]


def check_parameters(
    estimator: Any, grid: Any, max_seconds: float | None, *, refit: bool, costs: bool
) -> list[Learner]:
    """Return the learners, or say which parameters of a classifier do not go together.

    Parameters
    ----------
    estimator : object
        See :func:`make_learners`.
    grid, max_seconds, refit, costs
        Parameters of :class:`MeasureClassifier`.

    Returns
    -------
    list of Learner
        At least one.
    """
    learners, portfolio = make_learners(estimator, costs=costs), isinstance(estimator, str | list)
    if portfolio and grid is not None:
        raise ValueError(
            "param_grid is for a single estimator; in a portfolio, list the estimators with "
            "the parameters to try."
        )
    if max_seconds is not None and not portfolio:
        raise ValueError(
            "max_seconds is for portfolios; give estimator='auto' or a list of estimators."
        )
    pairwise = any(learner.abilities.pairwise for learner in learners)
    if not refit and (pairwise or portfolio):
        raise ValueError(
            "A portfolio or a precomputed kernel needs refit=True, so that all rows count."
        )
    return learners


def make_members(
    estimator: Any,
    X: Any,
    kind: Kind,
    measure: Measure,
    seed: int,
    *,
    search: Any,
    grid: Any,
    costs: bool,
) -> list[Member]:
    """Return what is trained, and what is tried of it.

    Parameters
    ----------
    estimator : object
        See :func:`make_learners`.
    X : array-like of shape (n_samples, n_features)
        The rows.
    kind : Kind
        The kind of problem.
    measure : Measure
        What is maximised.
    seed : int
        Seed of learners that draw at random.
    search : str or LevelSearch
        Levels to try.
    grid : dict, list of dict or None
        Hyper-parameters to try.
    costs : bool
        Whether learners are trained with costs.

    Returns
    -------
    list of Member
        One, or those of a portfolio.
    """
    if estimator == "auto":
        members = auto_members(X, kind)
        if search != "auto":
            members = [_with_search(member, search, measure) for member in members]
    else:
        if grid is None:
            grid = {"C": C_VALUES} if estimator is None else {}
        members = [
            Member(
                f"{learner.name}-{i}",
                learner,
                _settings(grid, learner),
                _search(search, measure, learner, costs and learner.abilities.costs),
                costs and learner.abilities.costs,
            )
            for i, learner in enumerate(make_learners(estimator, costs=costs))
        ]
    return [
        replace(member, learner=member.learner.seeded(seed).for_classes(kind.code_classes))
        for member in members
    ]


def _with_search(member: Member, search: Any, measure: Measure) -> Member:
    if not member.cost_sensitive:
        return member
    return replace(member, search=_search(search, measure, member.learner, True))


def _search(search: Any, measure: Measure, learner: Learner, sensitive: bool) -> LevelSearch:
    """Several levels cost little where they are trained at once, or need no training."""
    return get_search(search, measure, at_once=learner.abilities.batches or not sensitive)


def _settings(grid: Any, learner: Learner) -> Sequence[dict[str, Any]]:
    settings = list(ParameterGrid(grid))
    if not settings:
        raise ValueError("param_grid is empty; give at least one setting, or None.")
    known = learner.parameters()
    for name in {name for setting in settings for name in setting}:
        if name not in known:
            raise ValueError(
                f"param_grid: {learner.name} has no parameter {name!r}; it has "
                f"{', '.join(sorted(known)) or 'none'}."
            )
    return settings
