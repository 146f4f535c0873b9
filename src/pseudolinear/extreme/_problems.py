"""Problems of a block of labels: trained and scored side by side, fold by fold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.learners.losses import get_loss
from pseudolinear.loops._smooth import csr_times

MAX_ITER = 1000
Numbers = NDArray[np.intp]


class Problems(NamedTuple):
    """What is trained: one entry per problem.

    Attributes
    ----------
    labels : ndarray of int
        Column of the labels.
    ratio : ndarray
        Cost of a false negative relative to that of a false positive.
    C : ndarray
        Weight of the losses against the regularisation.
    """

    labels: NDArray[np.intp]
    ratio: NDArray[np.float64]
    C: NDArray[np.float64]

    def part(self, at: Any) -> Problems:
        """Return some of them."""
        return Problems(self.labels[at], self.ratio[at], self.C[at])


class Fold(NamedTuple):
    """A split with its rows in the view that is trained on."""

    X_train: Any
    X_test: Any
    train: Numbers
    test: Numbers


def solve(
    problems: Problems, X: Any, Y: Any, weight: NDArray[np.float64] | None, tol: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Train all problems on some rows, side by side.

    Parameters
    ----------
    problems : Problems
        What is trained.
    X : ndarray or csr_matrix of shape (n_samples, n_features)
        The rows.
    Y : csc_matrix of shape (n_samples, n_labels)
        0/1; only the columns of the problems are made dense.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    tol : float
        Relative duality gap.

    Returns
    -------
    coef : ndarray of shape (n_problems, n_features)
        Weights.
    intercept : ndarray of shape (n_problems,)
        Intercepts.
    """
    labels, column = np.unique(problems.labels, return_inverse=True)
    fit = get_loss("logistic").solve(
        X,
        Y[:, labels].toarray(),
        column.ravel(),
        problems.ratio,
        np.ones(len(column)),
        problems.C,
        sample_weight=weight,
        intercept_scaling=np.inf,
        tol=tol,
        max_iter=MAX_ITER,
    )
    return fit.coef, fit.intercept


def score(X: Any, coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> NDArray[np.float64]:
    """Score rows by all problems: shape (n_samples, n_problems)."""
    if not sparse.issparse(X):
        return np.asarray(X @ coef.T + intercept)
    out = np.empty((X.shape[0], len(coef)))
    csr_times(X.indptr, X.indices, X.data, np.ascontiguousarray(coef.T), out)
    return out + intercept


def validate(
    problems: Problems,
    folds: list[Fold],
    Y: Any,
    weight: NDArray[np.float64] | None,
    tol: float,
) -> LabelCurves:
    """Train problems on every fold and cut the scores of all held-out rows together.

    Returns
    -------
    LabelCurves
        One curve per problem.
    """
    rows = np.concatenate([fold.test for fold in folds])
    scores, end = np.empty((len(problems.C), len(rows))), 0
    for fold in folds:
        own = None if weight is None else weight[fold.train]
        model = solve(problems, fold.X_train, Y[fold.train], own, tol)
        start, end = end, end + len(fold.test)
        scores[:, start:end] = score(fold.X_test, *model).T
    truth = Y[:, problems.labels][rows].tocsc()
    return LabelCurves.of_scores(scores, truth, None if weight is None else weight[rows])
