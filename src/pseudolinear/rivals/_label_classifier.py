"""LabelClassifier: what the rivals that score every label share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import fbeta_score
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._validation import check_weights, narrow_indices
from pseudolinear.kinds._targets import Targets
from pseudolinear.measures import FBeta

ALMOST = float(np.finfo(np.float64).eps)  # no probability is nearer to 0 or 1, so logs are finite


class LabelClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers that predict the labels whose score is positive.

    A binary problem is one label, and its larger class the positive one. Children have the
    parameters `beta` and `average`.
    """

    beta: float
    average: str

    _averages: ClassVar[tuple[str, ...]] = ("binary", "micro", "macro", "samples")
    _rows: ClassVar[dict[str, Any]] = {"accept_sparse": "csr", "dtype": np.float64, "order": "C"}

    @abstractmethod
    def _fit(self, X: Any, targets: Targets, weight: NDArray[np.float64] | None) -> None:
        """Train on checked input."""

    @abstractmethod
    def _scores(self, X: Any) -> NDArray[np.float64]:
        """Score checked rows: shape (n_samples, n_labels)."""

    def __sklearn_tags__(self) -> Any:
        """Say what kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = self.average != "binary"
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Two classes, or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        self
            The fitted classifier.
        """
        name = type(self).__name__
        if self.average not in self._averages:
            raise ValueError(
                f"{name}: average must be one of {', '.join(self._averages)}, got {self.average!r}."
            )
        if y is None:
            raise ValueError(f"{name} requires y to be passed, but the target y is None.")
        X = narrow_indices(validate_data(self, X, **self._rows))
        y = y.toarray() if sparse.issparse(y) else np.asarray(y)
        check_consistent_length(X, y)
        weight = check_weights(sample_weight, len(y))
        # Targets knows no average over rows; for its checks that is one over several labels.
        one = self.average == "binary" or y.ndim == 1 or y.shape[1] == 1
        targets = Targets.from_y(y, FBeta(self.beta, average="binary" if one else "micro"), weight)
        if targets.kind == "binary" and self.average == "samples":
            raise ValueError(
                f"{name}: average='samples' is the mean over rows of several labels, but y has "
                "one; use average='binary'."
            )
        self.classes_ = targets.classes
        self._kind = targets.kind
        self._fit(X, targets, weight)
        return self

    def _decision(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of all labels: shape (n_samples, n_labels)."""
        check_is_fitted(self)
        return self._scores(validate_data(self, X, reset=False, **self._rows))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows: positive values are predicted positive.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            The scores.
        """
        scores = self._decision(X)
        return scores[:, 0] if self._kind == "binary" else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes, or the 0/1 matrix of a multilabel problem.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            The predictions.
        """
        positive = (self.decision_function(X) > 0).astype(np.intp)
        return self.classes_[positive] if self._kind == "binary" else positive

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the F-beta of the predictions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            True classes or labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        float
            F-beta, averaged as in training.
        """
        predicted, average = self.predict(X), self.average
        if self._kind == "binary":
            positive, average = self.classes_[1], "binary"
            y, predicted = np.asarray(y) == positive, predicted == positive
        return float(
            fbeta_score(
                y,
                predicted,
                beta=self.beta,
                average=average,
                sample_weight=sample_weight,
                zero_division=0.0,
            )
        )


class LogitClassifier(LabelClassifier):
    """Base of those whose scores are log-odds."""

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the probabilities of the model; a label is predicted from one half.

        They are what the soft F-beta was computed with, not estimates of how often a label
        occurs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, 2) or (n_samples, n_labels)
            Probability of both classes, or of each label of a multilabel problem.
        """
        scores = self._decision(X)
        if self._kind == "binary":
            scores = np.concatenate([-scores, scores], axis=1)
        return np.clip(expit(scores), ALMOST, 1.0 - ALMOST)
