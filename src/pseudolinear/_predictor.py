"""What a fitted classifier offers: predictions from its decision, and its evidence."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data

from pseudolinear._budgeted import policy_of, resolve_on_sweep
from pseudolinear._decision import Decision
from pseudolinear._fingerprint import fingerprint
from pseudolinear._group_thresholds import GroupThresholds
from pseudolinear._validation import narrow_indices
from pseudolinear.bounds import Certificate
from pseudolinear.extreme import ManyDecision, ManyLabelsFit
from pseudolinear.features import MatrixSchema, Schema, as_rows, describe
from pseudolinear.kinds import read_prevalence
from pseudolinear.learners import Abilities, freeze
from pseudolinear.measures import (
    CostPolicy,
    ExpectedCost,
    Measure,
    Objective,
    get_measure,
    get_ratio,
    has_row_costs,
)
from pseudolinear.portfolio import Fitted, abilities_of, decide, is_portfolio
from pseudolinear.scale import by_parts
from pseudolinear.sweep import Frontier, SweepResult, log_odds_shift
from pseudolinear.thresholds import Budget


def _has_probabilities(predictor: MeasurePredictor) -> bool:
    return predictor._gives_probabilities


class MeasurePredictor(ClassifierMixin, BaseEstimator):
    """Base of :class:`MeasureClassifier`: what needs `decision_` only, or the evidence as well.

    `decision_` predicts and is small; the evidence, `sweep_`, is as large as what was tried, and
    can be dropped by :meth:`slim`.
    """

    estimator: Any
    measure: Any
    cv: Any
    selection: Any
    cost_sensitive: bool
    probabilities: str
    decision_: Decision
    _sweep: SweepResult | None
    _honest: float | None  # of a slimmed classifier
    many_labels_: ManyLabelsFit
    _seen: str | None = None  # fingerprint of the rows of the fit
    _decided_on: tuple[str, ...] = ()  # those of rows that have chosen thresholds since

    @property
    def _is_portfolio(self) -> bool:
        return is_portfolio(self.estimator)

    @property
    def _given(self) -> Any:
        """The estimator; frozen, where it is said to be fitted."""
        prefit = isinstance(self.cv, str) and self.cv == "prefit"
        return freeze(self.estimator) if prefit else self.estimator

    @property
    def _abilities(self) -> list[Abilities]:
        """What the learners can do."""
        return abilities_of(self._given, costs=self.cost_sensitive)

    @property
    def _gives_probabilities(self) -> bool:
        """Whether margins are log-odds."""
        return self._is_portfolio or self._abilities[0].probabilities

    @abstractmethod
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

    @property
    def _objective(self) -> Measure | Objective:
        """What the classifier is for: a measure, or another objective such as a constraint."""
        return get_measure(self.measure)

    @property
    def threshold_(self) -> Any:
        """Threshold of the score; one per label, or per class of a multiclass problem."""
        return self._fitted_decision().threshold

    @property
    def probability_threshold_(self) -> Any:
        """Probability above which the positive class, or each label, is predicted."""
        decision = self._fitted_decision()
        if has_row_costs(self._objective):
            raise AttributeError(
                "Costs by row have no single probability_threshold_: a row is predicted positive "
                "where decision_function, its log-odds and what is at stake there, is positive."
            )
        if not self._gives_probabilities:
            raise AttributeError(
                "This classifier has no probability_threshold_, as its learner gives scores but no "
                "probabilities; threshold_ says where scores are cut."
            )
        return decision.probability_threshold

    @property
    def prevalence_(self) -> Any:
        """Prevalence that the thresholds are for, or None: that of the training rows.

        A number, or one per label; see :meth:`retarget`.
        """
        return self._fitted_decision().prevalence

    @property
    def pos_label_(self) -> Any:
        """The positive class of a binary problem."""
        return self._fitted_decision().kind.positive_label

    @property
    def models_(self) -> list[Any]:
        """The fitted problems."""
        return self._fitted_decision().models

    @property
    def learner_(self) -> Any:
        """What scores rows with the models."""
        return self._fitted_decision().learner

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
                "This classifier was slimmed, so it predicts but has neither sweep_ nor frontier_ "
                "and cannot be retargeted; use the classifier that was fitted."
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

    def slim(self) -> Self:
        """Return a copy without the evidence: it predicts, scores and states its certificate.

        `sweep_`, `frontier_` and `retarget` need the evidence and say so.

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
        """
        check_is_fitted(self)
        other = copy(self)
        if self._sweep is not None:
            other._honest, other._sweep = self._honest_value, None
        if isinstance(self.decision_, ManyDecision):
            other.many_labels_ = replace(self.many_labels_, curves=None)
        return other

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
        >>> int(clf.predict(X).sum()), int(clf.retarget("f2").predict(X).sum())
        (60, 113)

        Where positives are rarer, a row must look more like one:

        >>> int(clf.retarget(prevalence=0.02).predict(X).sum())
        32
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

    @by_parts
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold: positive values are predicted positive.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_labels) or (n_samples, n_classes)
            Of a multiclass problem, the largest one is predicted.
        """
        return self._fitted_decision().decision_function(self._rows(X), X)

    @by_parts
    def predict(self, X: Any) -> Any:
        """Predict classes, or the labels of a multilabel problem.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels), or as y came
            Classes are an array. Labels have the form of the y of `fit`: a 0/1 matrix; a CSR matrix
            if it was sparse; a frame of the same library and columns; or what held a
            collection of labels for each row (list, array or column), each of the type of its
            first row, lists and tuples in the order of `classes_`. What is pandas has the index
            of X.
        """
        return self._fitted_decision().kind.decode(self._predict(X), X)

    @available_if(_has_probabilities)
    @by_parts
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the probability of each class, or of each label.

        They are those of the population of the training rows, or of the one that :meth:`retarget`
        was given, calibrated on held-out rows. The measure is best not at one half but at
        `probability_threshold_`, so rows between both are predicted otherwise than their
        probability says; by default the class that is predicted gets one half there (of several
        classes: as much as the likeliest one), so that the likeliest class is always the predicted
        one. ``probabilities="calibrated"`` leaves them.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
            Probability of each class, or of each label of a multilabel problem.
        """
        agreeing = self.probabilities == "agreeing"
        return self._fitted_decision().predict_proba(self._rows(X), X, agreeing=agreeing)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the measure itself on the given rows; of a constraint, what it is after.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like, sparse matrix, data frame or list of collections
            True classes or labels, as in `fit`; a matrix without names has its columns in the
            order of `classes_`. Columns of a frame are found by name and must be the labels of
            `fit`; a label in collections that `fit` has not seen is never predicted, so that its
            rows count as false negatives, and a warning says so.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        float
            Value of the measure.
        """
        kind = self._fitted_decision().kind
        return kind.score(y, self._predict(X), self._objective_on(X), sample_weight)

    def _objective_on(self, X: Any) -> Measure | Objective:
        """Return what the classifier is for, costs by row being read from rows as they came."""
        objective = self._objective
        return objective.on(X) if isinstance(objective, ExpectedCost) else objective

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

    def _predict(self, X: Any) -> NDArray[Any]:
        """Predict classes, or a 0/1 matrix whatever the form of y was."""
        return self._fitted_decision().predict(self._rows(X), X)

    def _fitted_decision(self) -> Decision:
        check_is_fitted(self)
        return self.decision_

    def _refuse_many(self, what: str, error: type[Exception] = ValueError) -> None:
        """Refuse what there is not for many labels."""
        if isinstance(self._fitted_decision(), ManyDecision):
            raise error(
                f"A fit of many labels has no {what}; models_[0].coef holds its weights, "
                "many_labels_ what was seen, and evaluate and save work as ever."
            )

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

    def _rows(self, X: Any) -> Any:
        """Check rows to predict, and first the costs in them."""
        policy, names = self.decision_.policy, list(getattr(X, "columns", ()))
        if isinstance(policy, CostPolicy) and set(policy.measure.columns) <= set(names):
            policy.measure.on(X)
        return self._check_rows(X, self.decision_.features.schema, reset=False)

    def _schema(self, X: Any) -> Schema:
        """Find out how rows are to be read; a pipeline knows it itself."""
        if all(able.any_rows for able in self._abilities):
            return MatrixSchema()
        return describe(X)

    def _check_rows(self, X: Any, schema: Schema, *, reset: bool) -> Any:
        """Check rows as far as features or learners do not know better what they take."""
        able = self._abilities
        frames = hasattr(X, "columns") and all(one.frames for one in able)
        if frames or not schema.plain or all(one.any_rows for one in able):
            if reset:
                self.__dict__.pop("n_features_in_", None)  # texts and lists may have none
            if _num_samples(X) < 1:
                raise ValueError(f"X has 0 rows; {type(self).__name__} needs at least one.")
            validate_data(self, X, reset=reset, skip_check_array=True)
            return as_rows(X)
        tags = get_tags(self).input_tags
        missing = tags.allow_nan and not sparse.issparse(X)
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if tags.sparse else False,
            ensure_all_finite="allow-nan" if missing else True,
        )
        return narrow_indices(X)
