"""Rival: what the estimators of this room share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_consistent_length
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._validation import (
    check_magnitudes,
    check_one_type,
    check_sparse,
    check_training_weights,
    narrow_indices,
)


class Rival(ClassifierMixin, BaseEstimator):
    """Base of the rivals: checks what comes in, and decodes what is predicted.

    Children train in `_fit`, which sets `classes_`, and predict in `_predict`.
    """

    classes_: NDArray[Any]

    @property
    def _row_options(self) -> dict[str, Any]:
        """How `validate_data` is to check rows."""
        return {"accept_sparse": "csr", "dtype": np.float64}

    @abstractmethod
    def _fit(self, X: Any, y: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        """Train on checked rows."""

    @abstractmethod
    def _predict(self, X: Any) -> NDArray[Any]:
        """Predict for checked rows: classes, or a 0/1 matrix of labels."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train, and choose costs or thresholds on held-out rows where the method has them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Classes of any type; or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, in training and in counting errors.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X = self._check_rows(X, reset=True)
        y = check_sparse(y, "y").toarray() if sparse.issparse(y) else np.asarray(y)
        check_one_type(y, "y")
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        check_consistent_length(X, y)
        self._fit(X, y, check_training_weights(sample_weight, len(y)))
        return self

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
        return self._predict(self._new_rows(X))

    def _check_parameters(self) -> None:
        """Refuse parameters that are wrong whatever the data."""

    def _check_choice(self, name: str, allowed: Sequence[str]) -> None:
        if getattr(self, name) not in allowed:
            raise ValueError(
                f"{type(self).__name__}: {name} must be one of {', '.join(allowed)}, "
                f"got {getattr(self, name)!r}."
            )

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        X = validate_data(self, check_sparse(X), reset=reset, **self._row_options)
        return narrow_indices(check_magnitudes(X))

    def _new_rows(self, X: Any) -> Any:
        """Check rows that are to be predicted."""
        check_is_fitted(self)
        return self._check_rows(X, reset=False)
