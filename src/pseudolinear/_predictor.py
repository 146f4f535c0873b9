"""What a fitted classifier predicts, and the decision that it predicts with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data

from pseudolinear._decision import Decision
from pseudolinear._validation import check_sparse, column_names, narrow_indices
from pseudolinear.extreme import ManyDecision
from pseudolinear.features import (
    MatrixSchema,
    Schema,
    TextSchema,
    as_rows,
    check_given,
    describe,
    without_mask,
)
from pseudolinear.learners import Abilities, freeze
from pseudolinear.measures import (
    CostPolicy,
    ExpectedCost,
    Measure,
    Objective,
    get_measure,
    has_row_costs,
)
from pseudolinear.portfolio import abilities_of, is_portfolio
from pseudolinear.scale import by_parts


def _has_probabilities(predictor: MeasurePredictor) -> bool:
    return predictor._gives_probabilities


class MeasurePredictor(ClassifierMixin, BaseEstimator):
    """Base of :class:`MeasureClassifier`: what needs `decision_` only."""

    estimator: Any
    measure: Any
    cv: Any
    selection: Any
    cost_sensitive: bool
    probabilities: str
    decision_: Decision

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

    @by_parts
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold, above which a label is predicted.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_labels) or (n_samples, n_classes)
            Of two classes, the second of `classes_` is predicted where it is positive, as in
            scikit-learn, whichever is `pos_label_`. Of a multiclass problem, the largest one is
            predicted.
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

    def _objective_on(self, X: Any) -> Measure | Objective:
        """Return what the classifier is for, costs by row being read from rows as they came."""
        objective = self._objective
        return objective.on(X) if isinstance(objective, ExpectedCost) else objective

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

    def _rows(self, X: Any) -> Any:
        """Check rows to predict, and first the costs in them."""
        policy = self.decision_.policy
        if isinstance(policy, CostPolicy) and (
            set(policy.measure.columns) <= set(column_names(X) or ())
        ):
            policy.measure.on(X)
        return self._check_rows(X, self.decision_.features.schema, reset=False)

    def _schema(self, X: Any) -> Schema:
        """Find out how rows are to be read; a pipeline knows it itself."""
        if all(able.any_rows for able in self._abilities):
            return MatrixSchema()
        check_given(X, texts=True)
        return describe(X)

    def _check_rows(self, X: Any, schema: Schema, *, reset: bool) -> Any:
        """Check rows as far as features or learners do not know better what they take."""
        X = without_mask(X)
        able = self._abilities
        any_rows = all(one.any_rows for one in able)  # a pipeline may begin with anything
        if not any_rows:
            check_given(X, texts=isinstance(schema, TextSchema))
        check_sparse(X)
        frames = hasattr(X, "columns") and all(one.frames for one in able)
        if frames or not schema.plain or any_rows:
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
