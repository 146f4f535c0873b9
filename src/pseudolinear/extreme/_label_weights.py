"""LabelWeights: one linear model of many labels, its weights sparse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.loops._label_curves import above, sparse_scores

SCORES = 1 << 22  # scores that are held at once: 32 MB


@dataclass(frozen=True, eq=False)
class LabelWeights:
    """Weights and intercepts of many labels.

    Attributes
    ----------
    coef : csr_matrix of shape (n_features, n_labels)
        Weights in single precision, those that hardly matter left out; by feature, since the
        features of a row are few.
    intercept : ndarray of shape (n_labels,)
        What is added; the score of a label without a model is 0.

    Examples
    --------
    >>> from pseudolinear.extreme import LabelWeights
    >>> model = LabelWeights(sparse.csr_matrix(np.eye(2, dtype=np.float32)), np.zeros(2))
    >>> model.predict(sparse.csr_matrix([[2.0, 0.0]]), np.array([1.0, 1.0])).toarray()
    array([[1, 0]], dtype=int8)
    """

    coef: Any
    intercept: NDArray[np.float64]

    __repr__ = brief_repr

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.intercept)

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows: shape (n_samples, n_labels).

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            The rows, in the view that the model was trained on.
        """
        W = self.coef
        if not sparse.issparse(X):
            return np.asarray((W.T @ X.T).T + self.intercept)
        X, out = sparse.csr_matrix(X), np.empty((X.shape[0], self.n_labels))
        sparse_scores(X.indptr, X.indices, X.data, W.indptr, W.indices, W.data, self.intercept, out)
        return out

    def predict(self, X: Any, thresholds: NDArray[np.float64]) -> Any:
        """Predict rows in blocks, so that no dense rows x labels array is ever held.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            The rows.
        thresholds : ndarray of shape (n_labels,)
            Labels with a larger score are predicted.

        Returns
        -------
        csr_matrix of int8, shape (n_samples, n_labels)
            1 where a label is predicted.
        """
        n_samples, size = X.shape[0], max(SCORES // self.n_labels, 1)
        counts, found = np.zeros(n_samples, np.int64), []
        for start in range(0, n_samples, size):
            scores = self.scores(X[start : start + size])
            found.append(above(scores, thresholds, counts[start : start + size]))
        labels = np.concatenate([np.empty(0, np.int32), *found])
        indptr = np.concatenate([[0], np.cumsum(counts)])
        ones = np.ones(len(labels), np.int8)
        return sparse.csr_matrix((ones, labels, indptr), shape=(n_samples, self.n_labels))
