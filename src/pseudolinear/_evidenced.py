"""What a fitted classifier keeps of its fit: the sweep, and what to expect of other rows."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from pseudolinear._budgeted import policy_of
from pseudolinear._fingerprint import fingerprint
from pseudolinear._group_thresholds import GroupThresholds
from pseudolinear._predictor import MeasurePredictor
from pseudolinear.extreme import ManyDecision, ManyLabelsFit
from pseudolinear.measures import get_ratio, has_row_costs
from pseudolinear.portfolio import Fitted
from pseudolinear.sweep import Frontier, SweepResult
from pseudolinear.thresholds import Budget, combine


class EvidencedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what the fit has seen.

    `decision_` predicts and is small; the evidence, `sweep_`, is as large as what was tried, and
    can be dropped by :meth:`slim`.
    """

    many_labels_: ManyLabelsFit
    _sweep: SweepResult | None
    _honest: float | None  # of a slimmed classifier
    _interval: tuple[float, float] | None  # of a slimmed classifier
    _n_effective: float  # number of rows of equal weight that tell as much as those validated
    _seen: str | None = None  # fingerprint of the rows of the fit
    _decided_on: tuple[str, ...] = ()  # those of rows that have chosen thresholds since

    @property
    def honest_score_(self) -> float:
        """What to expect of the measure on other rows: `best_score_` less what choosing gained."""
        check_is_fitted(self)
        honest = self._honest_value
        if isinstance(self.decision_, ManyDecision):
            raise AttributeError(
                "A fit of many labels has no honest_score_, as it does not keep what each fold "
                "alone would choose; evaluate other rows by clf.evaluate(X, y)."
            )
        if honest is None:
            raise AttributeError(
                "This fit has no honest_score_: it compares what several folds would have chosen "
                "for a measure, and there was a constraint, a budget, a promise, a threshold per "
                "group or one held-out part."
            )
        return honest

    @property
    def _honest_value(self) -> float | None:
        """The same, or None where there is none: the sweep knows neither budgets nor groups."""
        grouped = isinstance(self.decision_.policy, GroupThresholds)
        if grouped or isinstance(self._objective, Budget):
            return None
        return self._honest if self._sweep is None else self._sweep.honest_value

    @property
    def sweep_(self) -> SweepResult:
        """Every candidate, and the choice among them."""
        check_is_fitted(self)
        if isinstance(self.decision_, ManyDecision):
            raise AttributeError(
                "A fit of many labels keeps curves in place of candidates, so it has neither "
                "sweep_ nor frontier_; see many_labels_, and retarget for other measures."
            )
        if self._sweep is None:
            raise AttributeError(
                "This classifier was slimmed, by slim() or by saving it, so it predicts but has "
                "neither sweep_ nor frontier_ and cannot be retargeted; use the classifier that "
                "was fitted, or save it with evidence=True."
            )
        return self._sweep

    @property
    def frontier_(self) -> Frontier:
        """What every measure would get from the candidates of the sweep."""
        if has_row_costs(self._objective):
            raise AttributeError(
                "A sweep with costs by row has no frontier_: it counts costs, not errors."
            )
        return Frontier.from_sweep(self.sweep_)

    @property
    def honest_interval_(self) -> tuple[float, float]:
        """Where the value on other rows lies, at 95 %, from the validation rows of the fit.

        It is the interval of the delta method around `honest_score_`. Rows are taken to be
        independent, also those of one group, and so are labels.
        """
        honest = self.honest_score_  # says why, where there is none
        if has_row_costs(self._objective) and len(self._fitted_decision().models) > 1:
            raise AttributeError("There is no honest_interval_ of costs by row of several labels.")
        if self._sweep is None:
            assert self._interval is not None
            return self._interval
        from pseudolinear.evaluation import honest_interval

        choices, goals = self._sweep.choices, self._sweep.goals
        pairs = [
            (c.curve, cut) for o in choices for c, cut in zip(o.candidates, o.cuts, strict=True)
        ]
        measure = goals[0].measure if len(goals) == 1 else get_ratio(self.measure)
        return honest_interval(
            honest,
            self._sweep.value,
            measure,
            combine(*zip(*pairs, strict=True)),
            self._n_effective / float(np.mean([goal.design_effect for goal in goals])),
        )

    def slim(self) -> Self:
        """Return a copy without the evidence: it predicts, scores and states its certificate.

        `sweep_`, `frontier_` and `retarget` need the evidence and say so; the honest score and its
        interval stay.

        Returns
        -------
        MeasureClassifier
            Fitted, and as small as what it predicts with.

        Examples
        --------
        >>> import pickle
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> len(pickle.dumps(clf.slim())) < len(pickle.dumps(clf)) / 10
        True
        >>> clf.slim().honest_interval_ == clf.honest_interval_
        True
        """
        check_is_fitted(self)
        other = copy(self)
        if self._sweep is not None:
            other._honest = self._honest_value
            other._interval = getattr(self, "honest_interval_", None)
            other._sweep = None
        if isinstance(self.decision_, ManyDecision):
            other.many_labels_ = replace(self.many_labels_, curves=None)
        return other

    def _keep(self, fitted: Fitted, X: Any = None) -> Self:
        """Set the fitted attributes; a budget may learn its rule for a stream from X."""
        for gone in ("promise_", "_decided_on"):  # of other thresholds
            self.__dict__.pop(gone, None)
        self.decision_, self._sweep = fitted.decision, fitted.sweep
        goal = self._objective
        if isinstance(goal, Budget):
            if X is not None:
                X = self._check_rows(X, self.decision_.features.schema, reset=False)
            policy = policy_of(goal, self.decision_, X)
            self.decision_ = replace(self.decision_, policy=policy)
        self.certificate_ = fitted.sweep.certificate()
        self.best_score_ = fitted.sweep.value
        kind, chosen = fitted.decision.kind, fitted.sweep.chosen
        self.classes_ = kind.classes
        shared = len(fitted.sweep.choices) == 1
        self.level_ = kind.levels({k: c.level for k, c in chosen.items()}, shared=shared)
        self.costs_ = kind.costs({k: c.costs for k, c in chosen.items()})
        self.best_params_ = kind.params({k: c.params for k, c in chosen.items()})
        return self

    def _warn_if_seen(self, X: Any) -> None:
        """Warn where rows that must be fresh are those of the fit, or have chosen thresholds."""
        if fingerprint(X) in self._decided_on:
            warnings.warn(
                "These rows have chosen the thresholds, so what they say is too good; give rows "
                "that neither fit nor guarantee nor by_group has seen.",
                stacklevel=3,
            )
        self._warn_if_fitted(X, stacklevel=4)

    def _warn_if_fitted(self, X: Any, stacklevel: int = 3) -> None:
        """Warn where rows are those of the fit."""
        if self._seen is not None and fingerprint(X) == self._seen:
            warnings.warn(
                "These rows are those of fit, so what they say is too good; give rows that took no "
                "part in it, or see honest_score_ and honest_interval_.",
                stacklevel=stacklevel,
            )
