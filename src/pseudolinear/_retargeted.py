"""What a fitted classifier becomes for another measure or population, without a new sweep."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, Self

from sklearn.base import clone

from pseudolinear._budgeted import resolve_on_sweep
from pseudolinear._group_thresholds import GroupThresholds
from pseudolinear._journal import Journal
from pseudolinear._prepared import PreparedPredictor
from pseudolinear.bounds import Certificate
from pseudolinear.extreme import ManyDecision
from pseudolinear.kinds import read_prevalence
from pseudolinear.measures import Measure, Objective, get_ratio, has_row_costs
from pseudolinear.portfolio import Fitted, decide, train_blends, train_chosen
from pseudolinear.sweep import SweepResult, log_odds_shift
from pseudolinear.thresholds import Budget


class RetargetedPredictor(PreparedPredictor):
    """Base of :class:`MeasureClassifier`: how it moves to another measure or population."""

    def retarget(
        self,
        measure: str | Measure | Objective | None = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
        *,
        prevalence: Any = None,
        **fit_params: Any,
    ) -> Self:
        """Return a classifier for another measure or population; nothing is swept again.

        With the training rows, the candidates that the other measure wants are trained on them:
        the result is that of a fresh fit over the same candidates. Without rows nothing is
        trained: only the thresholds of the models at hand are chosen anew.

        Parameters
        ----------
        measure : str, Measure, Objective or None, default=None
            A measure, or a constraint for each label such as :class:`RecallAtPrecision`. It
            becomes the parameter `measure` of the result; None keeps the one at hand.
        X, y, sample_weight, groups : default=None
            The rows that this classifier was fitted on. For a :class:`Budget`, X alone are rows of
            a usual batch or stream, from which sizes of groups and rules are learnt.
        prevalence : float, array-like of shape (n_labels,) or dict, default=None
            Proportion of positives in the population that thresholds are for, of all labels, of
            each (NaN: as it is) or of some by name. Rows of a class are taken to look as they did
            in training (label shift). None keeps the population at hand.
        **fit_params
            What else it was fitted with.

        Returns
        -------
        MeasureClassifier
            Fitted.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], flip_y=0.1, random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> bool(clf.retarget("f2").predict(X).sum() > clf.predict(X).sum())  # recall counts more
        True

        Where positives are rarer, a row must look more like one:

        >>> bool(clf.retarget(prevalence=0.02).predict(X).sum() < clf.predict(X).sum())
        True
        """
        if measure is None and prevalence is None:
            raise ValueError("retarget needs a measure, a prevalence, or both.")
        other = copy(self)
        if measure is not None:
            other.set_params(measure=measure)
        if isinstance(self._fitted_decision(), ManyDecision):
            return other._recut_many(rows=X is not None or y is not None, prevalence=prevalence)
        if (X is None) != (y is None) and (X is None or not isinstance(other._objective, Budget)):
            raise ValueError("retarget needs both X and y, or neither.")
        self._check_retargetable(other._objective)
        old, population = self.sweep_, None
        if prevalence is not None:
            population = read_prevalence(old.kind, prevalence, old.movable)
            other.__dict__.pop("adaptation_", None)  # was for another population
        goal = resolve_on_sweep(other._objective, old, X, same=measure is None)
        found = old.retarget(goal, self.selection, prevalence=population, keep_models=y is None)
        if y is not None:
            again = self._train_again(found, X, y, sample_weight, groups, fit_params)
            return other._keep(again, X)
        models = [model for model in self.models_ if model is not None]
        decision = decide(found, self.decision_, models)
        calibration = decision.calibration.shifted(log_odds_shift(old.chosen, found.chosen))
        # The policy of a budget was for its own measure.
        bare = replace(decision, calibration=calibration, policy=None)
        return other._keep(Fitted(bare, found), X)

    def _train_again(
        self,
        found: SweepResult,
        X: Any,
        y: Any,
        sample_weight: Any,
        groups: Any,
        fit_params: dict[str, Any],
    ) -> Fitted:
        """Train what a retargeted sweep has chosen."""
        if not self.refit and self.random_state is None:
            raise ValueError("Without refit, retarget needs a random_state to draw the same split.")
        again = clone(self).set_params(estimator=self.estimator)  # clone forgets what is fitted
        members, common = again._prepare(X, y, sample_weight, groups, fit_params, Journal())
        with common.workers:
            if self._is_portfolio:
                return train_blends(members, common, found)
            return train_chosen(members[0], common, found, refit=self.refit)

    def _recut_many(self, *, rows: bool, prevalence: Any) -> Self:
        """Choose the thresholds of many labels anew, from the curves that were kept."""
        if rows or prevalence is not None:
            raise ValueError(
                "A classifier of many labels is retargeted to another measure by its thresholds "
                "alone; leave out X, y and prevalence, or fit again."
            )
        cuts = self.many_labels_.recut(self._objective)
        decision = self.decision_
        threshold = decision.threshold.copy()
        threshold[self.many_labels_.labels] = cuts.thresholds
        self.decision_ = replace(decision, threshold=threshold)
        self.best_score_, self.certificate_ = cuts.value, Certificate(cuts.value, ())
        one = get_ratio(self.measure).binary()
        values = one.of_labels(cuts.profile)
        self.many_labels_ = replace(self.many_labels_, values=values, measure=one)
        return self

    def _check_retargetable(self, goal: Measure | Objective) -> None:
        """Refuse where the sweep does not tell what other thresholds would give."""
        if isinstance(self._fitted_decision().policy, GroupThresholds):
            raise ValueError(
                "This classifier has thresholds per group, which were chosen for its own measure "
                "and population; retarget or adapt the one that it was made from, and choose them "
                "again."
            )
        if has_row_costs(self._objective) or has_row_costs(goal):
            raise ValueError(
                "Costs by row are no function of the errors that a sweep has counted, so they "
                "cannot be retargeted; fit again."
            )
