"""SweepResult: every candidate, and the choice that was made among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear._digits import in_digits
from pseudolinear._tables import as_frame
from pseudolinear.bounds import Certificate
from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal, Kind
from pseudolinear.measures import Measure
from pseudolinear.selection import Candidate, Choice, Constrained, Rule
from pseudolinear.sweep._certified import certify_choices
from pseudolinear.sweep._honest import are_parts, choose_by_fold, honest_value, pool, spoil
from pseudolinear.sweep._listed import candidate_rows, label_rows
from pseudolinear.sweep._population import at_prevalence
from pseudolinear.sweep._retargeted import choose_for, keep_by_fold, move_sweep
from pseudolinear.thresholds import Objective

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class SweepResult:
    """Every candidate of a sweep, and the choice that was made.

    Attributes
    ----------
    kind : Kind
        What kind of problem it was.
    goals : list of Goal
        Labels that share a level, with their measure.
    by_goal : list of list of Candidate
        The candidates of each goal, in the order in which they were trained.
    rule : Rule
        How candidates and thresholds were chosen.
    choices : list of Choice
        What was chosen for each goal, and predicts.
    shares : tuple of float
        Weight of the validation rows of each fold, relative to that of all of them.
    blended : bool
        Whether what predicts mixes candidates, so that only its cuts were chosen by the rule.
    promised : bool
        Whether the cuts were not chosen by the rule, but on other rows, for a promise.
    models_kept : bool
        Whether models were kept for another measure or population, and only thresholds chosen.
    kept_by_fold : list of list of list of Candidate
        If models were kept for another measure or population, those that each fold would have kept,
        for each goal; their curves are those of the fold.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> clf.sweep_.labels()[0]["threshold"] == clf.threshold_
    True
    """

    kind: Kind
    goals: list[Goal]
    by_goal: list[list[Candidate]]
    rule: Rule
    choices: list[Choice]
    shares: tuple[float, ...] = ()
    blended: bool = False
    promised: bool = False
    models_kept: bool = False
    kept_by_fold: Sequence[Sequence[Sequence[Candidate]]] = ()

    def __repr__(self) -> str:
        n_labels, n_folds = len(self.chosen), len(self.shares)
        labels = f", {n_labels} labels" if n_labels > 1 else ""
        return (
            f"<SweepResult: {self.kind.name}{labels}, {len(self)} candidates at {self.n_levels} "
            f"levels, {n_folds} fold{'s' * (n_folds != 1)}, value {in_digits(self.value)}>"
        )

    def __len__(self) -> int:
        """Return the number of candidates."""
        return sum(map(len, self.by_goal))

    @property
    def n_levels(self) -> int:
        """Number of levels that were tried, over all goals."""
        return sum(len({candidate.level for candidate in own}) for own in self.by_goal)

    @property
    def value(self) -> float:
        """What the measure gives for the choice on the validation rows."""
        return self.rule.value(self.goals, self.choices)

    @cached_property
    def honest_value(self) -> float | None:
        """What to expect of the choice on other rows; see :func:`honest_value`.

        None under a constraint or a promise, which such a value would say nothing of, and where
        there are no folds of a part of the rows whose curves every candidate has kept.
        """
        aims_elsewhere = self.promised or isinstance(self.rule, Constrained)
        if aims_elsewhere or not self.has_folds:
            return None
        if self.kept_by_fold:
            by_fold = [self.rule.recut(self.goals, own) for own in self.kept_by_fold]
        else:
            by_fold = self.choose_by_fold()
        pairs = zip(self.goals, zip(*by_fold, strict=True), strict=True)
        pooled = [pool(goal, choices, self.shares) for goal, choices in pairs]
        own = self.rule.value(self.goals, pooled)
        worst = [spoil(*pair) for pair in zip(self.goals, self.choices, strict=True)]
        least = self.rule.value(self.goals, worst)
        return max(honest_value(self.value, own, self.shares), least)

    @property
    def _compared(self) -> Sequence[Sequence[Candidate]]:
        """What was chosen among: of a blend, nothing but its cuts."""
        return [choice.candidates for choice in self.choices] if self.blended else self.by_goal

    @property
    def has_folds(self) -> bool:
        """Whether folds of a part of the rows can choose for themselves."""
        n_folds = len(self.shares)
        kept = all(len(c.fold_curves) == n_folds for own in self._compared for c in own)
        return kept and are_parts(self.shares)

    def choose_by_fold(self) -> list[list[Choice]]:
        """Return what each fold alone would have chosen."""
        return choose_by_fold(self.goals, self._compared, self.rule, len(self.shares))

    @property
    def chosen(self) -> dict[int, Candidate]:
        """The chosen candidate of each label."""
        return {c.label: c for choice in self.choices for c in choice.candidates}

    @property
    def thresholds(self) -> dict[int, Any]:
        """The chosen threshold of each label."""
        return {
            candidate.label: threshold
            for choice in self.choices
            for candidate, threshold in zip(choice.candidates, choice.thresholds, strict=True)
        }

    @property
    def movable(self) -> tuple[int, ...]:
        """The labels of which both values were seen, so that they can be moved."""
        shares = {label: float(c.curve.prevalence[0]) for label, c in self.chosen.items()}
        return tuple(label for label, share in shares.items() if 0.0 < share < 1.0)

    @property
    def population(self) -> dict[int, float] | None:
        """Prevalence of each label that the choice is for, if not that of the rows of the fit."""
        if all(goal.seen is None for goal in self.goals):
            return None
        pairs = [(goal.labels, np.atleast_1d(goal.prevalence).tolist()) for goal in self.goals]
        return {k: p for labels, own in pairs for k, p in zip(labels, own, strict=True)}

    @property
    def chosen_as_seen(self) -> dict[int, Candidate]:
        """The chosen candidates with their errors at the prevalence of the rows of the fit."""
        seen: dict[int, float] = {}
        for goal in self.goals:
            if goal.seen is not None:
                seen |= zip(goal.labels, np.atleast_1d(goal.seen).tolist(), strict=True)
        return {k: at_prevalence(candidate, seen) for k, candidate in self.chosen.items()}

    def recut(self, curves: Sequence[ErrorCurve]) -> SweepResult:
        """Choose the thresholds of the chosen candidates anew, on other curves of theirs."""
        own, population = iter(curves), self.population or {}
        by_goal = [
            [
                at_prevalence(replace(candidate, curve=next(own)), population)
                for candidate in choice.candidates
            ]
            for choice in self.choices
        ]
        return replace(self, choices=self.rule.recut(self.goals, by_goal))

    def cut_at(self, cuts: Mapping[int, int]) -> SweepResult:
        """Cut the chosen candidates elsewhere, as was decided on other rows.

        Parameters
        ----------
        cuts : mapping from int to int
            Position on the curve of a label's chosen candidate; others are cut as before.

        Returns
        -------
        SweepResult
            The same candidates, cut there.
        """
        choices = []
        for goal, choice in zip(self.goals, self.choices, strict=True):
            pairs = zip(choice.candidates, choice.cuts, strict=True)
            own = [cuts.get(candidate.label, cut) for candidate, cut in pairs]
            choices.append(Choice.of(goal, choice.candidates, own))
        return replace(self, choices=choices, promised=True)

    def retarget(
        self,
        objective: Measure | Objective,
        selection: Any = "auto",
        *,
        prevalence: Mapping[int, float] | None = None,
        keep_models: bool = False,
    ) -> SweepResult:
        """Choose among the same candidates for another measure, constraint or population.

        Parameters
        ----------
        objective : Measure or Objective
            What to choose for.
        selection : str or Rule, default="auto"
            How to choose for a measure.
        prevalence : mapping from int to float, default=None
            Prevalence of some labels in the population to choose for; others keep theirs.
        keep_models : bool, default=False
            Whether the chosen candidates stay and only their thresholds are chosen anew.

        Returns
        -------
        SweepResult
            Candidates at the levels where the other measure has the same ratio of costs.
        """
        this = keep_by_fold(self) if keep_models else self
        this = move_sweep(this, prevalence) if prevalence else this
        return choose_for(this, objective, selection, keep_models=keep_models)

    def rows(self) -> list[dict[str, Any]]:
        """List one row per candidate and fold, and one for all folds together (fold -1).

        Returns
        -------
        list of dict
            With the keys label (the positive class; a label's name or number; -1 for several
            classes), level, cost_fn and cost_fp (or costs), the hyper-parameters, fold, threshold,
            fn, fp, value and optimality (what the learner states of its training, relative to its
            objective; NaN if nothing). A level above the value of no error, 1 for F1, stands for
            its costs alone.
        """
        return candidate_rows(self)

    def labels(self) -> list[dict[str, Any]]:
        """List what was chosen for each label, and how much that varies over the folds.

        Returns
        -------
        list of dict
            With the keys label (the positive class; a label's name or number; -1 for several
            classes), n_positive, level, the hyper-parameters, threshold, threshold_spread (standard
            deviation of the thresholds that the folds would choose), value and value_spread.
        """
        return label_rows(self)

    def fold_cuts(self, goal: Goal, candidate: Candidate) -> list[tuple[Any, float]]:
        """Return the threshold that each fold alone would choose, and the value that it gives."""
        curves = candidate.fold_curves
        cuts = [self.rule.cut_curve(goal, candidate, curve) for curve in curves]
        pairs = zip(curves, cuts, strict=True)
        return [(curve.thresholds[cut], value) for curve, (cut, value) in pairs]

    def certificate(self) -> Certificate:
        """Bound what is possible; the bounds of several goals are averaged, as their values are.

        Bounds are for measures: under a constraint there are none.
        """
        if isinstance(self.rule, Constrained):
            return Certificate(self.value, ())
        return certify_choices(self.goals, self.by_goal, self.choices)

    def to_pandas(self) -> pd.DataFrame:
        """Return :meth:`rows` as a data frame; needs pandas."""
        return as_frame(self.rows(), "to_pandas", "rows()")
