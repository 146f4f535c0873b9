"""SweepResult: every candidate, and the choice that was made among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.bounds import Certificate, certify, mean_certificate
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.kinds import Goal, Kind
from pseudolinear.measures import Measure
from pseudolinear.search import level_at, share_of
from pseudolinear.selection import Candidate, Choice, Constrained, Rule, cheapest, get_rule
from pseudolinear.thresholds import Objective, combine, joint_cuts

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

    def __len__(self) -> int:
        """Return the number of candidates."""
        return sum(map(len, self.by_goal))

    @property
    def value(self) -> float:
        """What the measure gives for the choice on the validation rows."""
        return self.rule.value(self.choices)

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

    def recut(self, curves: Sequence[ErrorCurve]) -> SweepResult:
        """Choose the thresholds of the chosen candidates anew, on other curves of theirs."""
        own = iter(curves)
        by_goal = [
            [replace(candidate, curve=next(own)) for candidate in choice.candidates]
            for choice in self.choices
        ]
        return replace(self, choices=self.rule.recut(self.goals, by_goal))

    def retarget(
        self, objective: Measure | Objective, selection: Any = "auto", *, keep_models: bool = False
    ) -> SweepResult:
        """Choose among the same candidates for another measure or a constraint.

        Parameters
        ----------
        objective : Measure or Objective
            What to choose for.
        selection : str or Rule, default="auto"
            How to choose for a measure.
        keep_models : bool, default=False
            Whether the chosen candidates stay and only their thresholds are chosen anew.

        Returns
        -------
        SweepResult
            Candidates at the levels where the other measure has the same ratio of costs.
        """
        goals = self.goals
        if isinstance(objective, Measure):
            goals = self.kind.regroup(goals, objective)
        elif not self.kind.separable:
            raise ValueError(f"{objective!r} is for labels; this sweep has several classes.")
        rule = get_rule(selection if isinstance(objective, Measure) else "auto", goals, objective)
        old = [choice.candidates for choice in self.choices] if keep_models else self.by_goal
        by_goal = _at_other_levels(self.goals, old, goals)
        choices = (rule.recut if keep_models else rule.choose)(goals, by_goal)
        return SweepResult(self.kind, goals, by_goal, rule, choices)

    def rows(self) -> list[dict[str, Any]]:
        """List one row per candidate and fold, and one for all folds together (fold -1).

        Returns
        -------
        list of dict
            With the keys label (its name or number; -1 for a multiclass problem), level, cost_fn
            and cost_fp (or costs), the hyper-parameters, fold, threshold, fn, fp, value and
            optimality (what the learner states of its training, relative to its objective; NaN if
            nothing).
        """
        table = []
        for goal, candidates in zip(self.goals, self.by_goal, strict=True):
            for candidate in candidates:
                curves = {-1: candidate.curve, **dict(enumerate(candidate.fold_curves))}
                for fold, curve in curves.items():
                    cut, value = self.rule.cut_curve(goal, candidate, curve)
                    table.append(self._row(candidate, fold, curve, cut, value))
        return table

    def labels(self) -> list[dict[str, Any]]:
        """List what was chosen for each label, and how much that varies over the folds.

        Returns
        -------
        list of dict
            With the keys label (its name or number; -1 for a multiclass problem), n_positive,
            level, the hyper-parameters, threshold, threshold_spread (standard deviation of the
            thresholds that the folds would choose), value and value_spread.
        """
        return [
            self._label_row(goal, candidate, cut)
            for goal, choice in zip(self.goals, self.choices, strict=True)
            for candidate, cut in zip(choice.candidates, choice.cuts, strict=True)
        ]

    def certificate(self) -> Certificate:
        """Bound what is possible; the bounds of several goals are averaged, as their values are.

        Bounds are for measures: under a constraint there are none.
        """
        if isinstance(self.rule, Constrained):
            return Certificate(self.value, ())
        return mean_certificate(
            [_certify(*one) for one in zip(self.goals, self.by_goal, self.choices, strict=True)]
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return :meth:`rows` as a data frame; needs pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_pandas needs pandas; install it by 'pip install pandas', or use rows()."
            ) from error
        return pd.DataFrame(self.rows())

    def _row(
        self, candidate: Candidate, fold: int, curve: ErrorCurve, cut: int, value: float
    ) -> dict[str, Any]:
        return {
            "label": self.kind.label_name(candidate.label),
            "level": candidate.level,
            **self.kind.cost_columns(candidate.costs),
            **candidate.params,
            "fold": fold,
            "threshold": np.asarray(curve.thresholds[cut]).tolist(),
            "fn": float(curve.fn[cut].sum()),
            "fp": float(curve.fp[cut].sum()),
            "value": value,
            "optimality": candidate.optimality,
        }

    def _label_row(self, goal: Goal, candidate: Candidate, cut: int) -> dict[str, Any]:
        curves = candidate.fold_curves
        folds = [self.rule.cut_curve(goal, candidate, curve) for curve in curves]
        cuts = [curve.thresholds[i] for curve, (i, _) in zip(curves, folds, strict=True)]
        positive = float(candidate.curve.prevalence.sum()) * goal.n_samples
        return {
            "label": self.kind.label_name(candidate.label),
            "level": candidate.level,
            **candidate.params,
            "n_positive": round(positive),
            "threshold": np.asarray(candidate.curve.thresholds[cut]).tolist(),
            "threshold_spread": float(np.std(cuts, axis=0).max()) if folds else np.nan,
            "value": self.rule.label_value(goal, candidate, cut),
            "value_spread": float(np.std([v for _, v in folds])) if folds else np.nan,
        }


def _at_other_levels(
    old: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]], goals: Sequence[Goal]
) -> list[list[Candidate]]:
    """Share candidates among other goals, at the levels where these have the same cost ratio."""
    if goals is old:
        return [list(candidates) for candidates in by_goal]
    pairs = [
        (candidate, share_of(goal.measure, goal.prevalence, candidate.level))
        for goal, candidates in zip(old, by_goal, strict=True)
        for candidate in candidates
    ]
    return [
        [
            replace(c, level=float(level_at(goal.measure, goal.prevalence, np.array([share]))[0]))
            for c, share in pairs
            if c.label in goal.labels
        ]
        for goal in goals
    ]


def _certify(goal: Goal, candidates: Sequence[Candidate], choice: Choice) -> Certificate:
    """Bound what is possible for one goal on its validation rows."""
    if not goal.measure.collapses:
        return Certificate(choice.value, ())
    held_out = goal.on(choice.profile.prevalence)  # whose prevalence the values are of
    levels = sorted({candidate.level for candidate in candidates})
    profiles = [cheapest(held_out, candidates, level).profile for level in levels]
    return certify(
        goal.measure,
        levels,
        ErrorProfile.stack(profiles),
        value=choice.value,
        by_threshold=max(_best_by_threshold(goal, choice), choice.value),
    )


def _best_by_threshold(goal: Goal, choice: Choice) -> float:
    """Return the best value that any thresholds of the chosen scores give."""
    curves = [candidate.curve for candidate in choice.candidates]
    if len(curves) == 1:
        return float(np.max(goal.measure.value(curves[0])))
    return float(goal.measure.value(combine(curves, joint_cuts(curves, goal.measure))))
