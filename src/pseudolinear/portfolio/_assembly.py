"""From the parameters of a classifier to the members of its fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sklearn.model_selection import ParameterGrid

from pseudolinear.features import GIVEN, FoldFeatures
from pseudolinear.kinds import Kind
from pseudolinear.learners import Abilities, Learner, as_learner
from pseudolinear.measures import Measure
from pseudolinear.portfolio._auto import EFFORTS, auto_members, named_member
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._metadata import Metadata
from pseudolinear.search import LevelSearch, get_search

# What names such as "auto" stand for takes anything: features make it what each learner likes.
ANYTHING = Abilities(sparse=True, missing=True, probabilities=True)


def list_estimators(estimator: Any, *, costs: bool) -> list[str | Learner]:
    """Return the names and learners that a parameter `estimator` stands for.

    Parameters
    ----------
    estimator : "auto", name, classifier, learner or list of them
        See :class:`MeasureClassifier`.
    costs : bool
        Whether classifiers have to take costs.

    Returns
    -------
    list of str or Learner
        At least one.
    """
    if isinstance(estimator, list) and not estimator:
        raise ValueError("estimator is an empty list; give at least one classifier.")
    listed = estimator if isinstance(estimator, list) else [estimator]
    return [one if isinstance(one, str) else as_learner(one, costs=costs) for one in listed]


def abilities_of(estimator: Any, *, costs: bool) -> list[Abilities]:
    """Return what the learners of a parameter `estimator` can do."""
    listed = list_estimators(estimator, costs=costs)
    return [ANYTHING if isinstance(one, str) else one.abilities for one in listed]


def is_portfolio(estimator: Any) -> bool:
    """Tell whether several learners are combined."""
    return isinstance(estimator, list) or (isinstance(estimator, str) and estimator == "auto")


def check_parameters(
    estimator: Any, grid: Any, effort: str, *, refit: bool, costs: bool
) -> list[Learner]:
    """Return the learners, or say which parameters of a classifier do not go together.

    Parameters
    ----------
    estimator : object
        See :func:`list_estimators`.
    grid, effort, refit, costs
        Parameters of :class:`MeasureClassifier`.

    Returns
    -------
    list of Learner
        Those that are not given by name.
    """
    listed = list_estimators(estimator, costs=costs)
    learners = [one for one in listed if not isinstance(one, str)]
    if effort not in EFFORTS:
        raise ValueError(f"effort must be one of {', '.join(EFFORTS)}, got {effort!r}.")
    if is_portfolio(estimator) and grid is not None:
        raise ValueError(
            "param_grid is for a single estimator; in a portfolio, list the estimators with "
            "the parameters to try."
        )
    pairwise = any(learner.abilities.pairwise for learner in learners)
    if not refit and (pairwise or is_portfolio(estimator)):
        raise ValueError(
            "A portfolio or a precomputed kernel needs refit=True, so that all rows count."
        )
    return learners


@dataclass(frozen=True, eq=False)
class Assembly:
    """Turns the parameters of a classifier into members.

    Attributes
    ----------
    folds : FoldFeatures
        The rows.
    kind : Kind
        The kind of problem.
    measure : Measure
        What is maximised.
    search : str or LevelSearch
        Levels to try; ``"auto"`` leaves them to the member.
    grid : dict, list of dict or None
        Hyper-parameters to try; None leaves them to the member.
    costs : bool
        Whether learners are trained with costs.
    effort : str
        How much of a portfolio is tried.
    metadata : Metadata
        What the fit was given beside rows and classes.
    """

    folds: FoldFeatures
    kind: Kind
    measure: Measure
    search: Any
    grid: Any
    costs: bool
    effort: str
    metadata: Metadata

    def members(self, estimator: Any, seed: int) -> list[Member]:
        """Return what is trained, and what is tried of it.

        Parameters
        ----------
        estimator : object
            See :func:`list_estimators`.
        seed : int
            Seed of learners that draw at random.

        Returns
        -------
        list of Member
            One, or those of a portfolio.
        """
        members = []
        for i, one in enumerate(list_estimators(estimator, costs=self.costs)):
            if isinstance(one, Learner):
                members.append(self._given(one, i))
            elif one == "auto":
                found = auto_members(self.folds.table, self.kind, self.effort)
                members.extend(self._adapted(member) for member in found)
            else:
                members.append(self._adapted(named_member(one, self.folds.table, self.kind)))
        return [
            replace(member, learner=member.learner.seeded(seed).for_classes(self.kind.code_classes))
            for member in members
        ]

    def _given(self, learner: Learner, number: int) -> Member:
        """Make a member of a learner that the user chose; it gets rows as they are if it can."""
        sensitive = self.costs and learner.abilities.costs
        return Member(
            f"{learner.name}-{number}",
            learner,
            self._settings(learner),
            self._search(learner, sensitive),
            sensitive,
            self._view(learner.abilities),
            self.metadata.of(learner),
        )

    def _adapted(self, member: Member) -> Member:
        """Let the parameters of the user take the place of the member's own."""
        sensitive = self.costs and member.cost_sensitive
        if self.grid is not None:
            member = replace(member, settings=self._settings(member.learner))
        if sensitive and self.search != "auto":
            member = replace(member, search=self._search(member.learner, sensitive))
        return replace(member, cost_sensitive=sensitive)

    def _view(self, able: Abilities) -> str:
        if self.folds.schema.plain or able.any_rows:
            return GIVEN
        if not able.missing:
            return "scaled"
        return GIVEN if self.folds.schema.categorical and able.frames else "trees"

    def _search(self, learner: Learner, sensitive: bool) -> LevelSearch:
        """Several levels cost little where they are trained at once, or need no training."""
        at_once = learner.abilities.batches or not sensitive
        return get_search(self.search, self.measure, at_once=at_once)

    def _settings(self, learner: Learner) -> Sequence[dict[str, Any]]:
        settings = list(ParameterGrid({} if self.grid is None else self.grid))
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
