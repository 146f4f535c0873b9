"""SoftFClassifier: a logistic model trained for the soft F-beta."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator
from scipy.special import ndtri
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from pseudolinear.learners import LabelProblem
from pseudolinear.learners._linear import LinearLearner
from pseudolinear.measures import FBeta
from pseudolinear.rivals._soft_f_loss import Descent, SoftFLoss, SoftFProblem
from pseudolinear.rivals._soft_f_rival import SoftFRival

START_LEVELS = (0.125, 0.25, 0.5, 0.75)  # of the largest level; 0.5 is plain logistic regression


class SoftFClassifier(SoftFRival):
    r"""Logistic model trained for the soft F-beta (Jansche 2005).

    It minimises

    .. math:: 1 - \tilde F_\beta(\lambda (w x + b)) + \tfrac{\alpha}{2} |w|^2

    where :math:`\tilde F_\beta` counts each row as predicted positive with its probability. The
    objective is not convex: the slope :math:`\lambda` rises step by step, the descent starts from
    logistic regressions with several costs and from random weights, and the best result is kept.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision.
    average : {"binary", "micro", "macro", "samples"}, default="binary"
        One label; the counts of all labels together; the mean over the labels; or the mean over
        the rows (instance-wise F). Of several labels, the penalty is the mean over them.
    alpha : float, default=1e-3
        Weight of the penalty; the intercept is not penalised.
    slopes : sequence of float, default=(1, 2, 4)
        Slopes of the logistic function, one after the other.
    n_restarts : int, default=2
        Number of random starts.
    tol : float, default=1e-5
        Largest entry of the gradient at which a descent ends.
    max_iter : int, default=1000
        Largest number of iterations per start and slope.
    random_state : int, RandomState instance or None, default=None
        Seed of the random starts.

    Attributes
    ----------
    classes_ : ndarray
        The two classes; of a multilabel problem the column numbers.
    coef_ : ndarray of shape (n_labels, n_features)
        Weights, times the last slope.
    intercept_ : ndarray of shape (n_labels,)
        Intercepts, times the last slope.
    soft_f_ : float
        Soft F-beta of the training rows.
    n_iter_ : int
        Number of iterations, of all starts together.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from pseudolinear.datasets import make_galaxy
    >>> from pseudolinear.rivals import SoftFClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_galaxy(2000, random_state=0)
    >>> clf = SoftFClassifier(random_state=0).fit(X, y)
    >>> FBeta().score(y, LogisticRegression().fit(X, y).predict(X)) < clf.score(X, y)
    True
    """

    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]

    def __init__(
        self,
        *,
        beta: float = 1.0,
        average: str = "binary",
        alpha: float = 1e-3,
        slopes: Sequence[float] = (1.0, 2.0, 4.0),
        n_restarts: int = 2,
        tol: float = 1e-5,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.beta = beta
        self.average = average
        self.alpha = alpha
        self.slopes = slopes
        self.n_restarts = n_restarts
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _fit_labels(self, X: Any, codes: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        Y = codes
        starts = self._starts(X, Y, weight)
        # A macro average decomposes into one problem per label.
        groups = np.arange(Y.shape[1])[:, None] if self.average == "macro" else [slice(None)]
        descents = [self._descend(X, Y[:, g], starts[:, g], weight) for g in groups]
        theta = np.concatenate([d.theta.reshape(-1, X.shape[1] + 1) for d in descents])
        self.coef_ = self.slopes[-1] * theta[:, :-1]
        self.intercept_ = self.slopes[-1] * theta[:, -1]
        self.soft_f_ = 1.0 - SoftFLoss(Y, self.beta, self.average, weight)(self._decision(X))[0]
        self.n_iter_ = sum(d.n_iter for d in descents)
        failed = sum(not d.converged for d in descents)
        if failed:
            warnings.warn(
                f"{failed} of {len(descents)} problems stopped at max_iter={self.max_iter}; scale "
                "the features or raise max_iter.",
                ConvergenceWarning,
                stacklevel=5,
            )

    def _descend(
        self,
        X: Any,
        Y: NDArray[Any],
        starts: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
    ) -> Descent:
        n_labels = Y.shape[1]
        average = "micro" if self.average == "macro" else self.average
        precision = np.full(starts.shape[1:], self.alpha / n_labels)
        precision[:, -1] = 0.0
        problem = SoftFProblem(
            SoftFLoss(Y, self.beta, average, weight), linear_scores(X, n_labels), precision.ravel()
        )
        flat = list(starts.reshape(len(starts), -1))
        return problem.descend(flat, self.slopes, self.tol, self.max_iter)

    def _starts(
        self, X: Any, Y: NDArray[Any], weight: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Give weights and intercepts: shape (n_starts, n_labels, n_features + 1)."""
        n_labels, n_features = Y.shape[1], X.shape[1]
        levels = np.array(START_LEVELS) * (1.0 + self.beta**2)
        costs = [tuple(FBeta(self.beta).costs(level)) for level in levels]
        problems = [LabelProblem(k, c) for c in costs for k in range(n_labels)]
        models = LinearLearner().fit_batch(X, Y, problems, weight)
        logistic = np.array([[*m.coef, m.intercept] for m in models])
        logistic = logistic.reshape(len(levels), n_labels, n_features + 1)
        rng = check_random_state(self.random_state)
        rows = np.full(X.shape[0], 1.0 / X.shape[0]) if weight is None else weight / weight.sum()
        coef = rng.standard_normal((self.n_restarts * n_labels, n_features))
        scores = X @ coef.T
        mean = rows @ scores
        spread = np.sqrt(rows @ (scores - mean) ** 2)
        spread = np.where(spread > 0, spread, 1.0)
        # A normal score cut here has as many positives as the label.
        cut = np.tile(ndtri(np.clip(rows @ Y, 0.01, 0.99)), self.n_restarts)
        chance = np.column_stack([coef / spread[:, None], cut - mean / spread])
        return np.concatenate([logistic, chance.reshape(-1, n_labels, n_features + 1)])

    def _decision(self, X: Any) -> NDArray[np.float64]:
        return X @ self.coef_.T + self.intercept_


def linear_scores(X: Any, n_labels: int) -> LinearOperator:
    """Return the linear map from weights and intercepts, label by label, to scores."""
    n_samples, n_features = X.shape

    def scores(theta: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = theta.reshape(n_labels, n_features + 1)
        return (X @ weights[:, :-1].T + weights[:, -1]).ravel()

    def adjoint(gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = gradient.reshape(n_samples, n_labels)
        return np.column_stack([(X.T @ columns).T, columns.sum(axis=0)]).ravel()

    shape = (n_samples * n_labels, n_labels * (n_features + 1))
    return LinearOperator(shape, matvec=scores, rmatvec=adjoint, dtype=np.float64)
