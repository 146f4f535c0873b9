"""SoftFLoss: one minus the F-beta of probabilities, and the descent on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse.linalg import LinearOperator
from scipy.special import expit

AXES: dict[str, Any] = {"binary": (0, 1), "micro": (0, 1), "macro": 0, "samples": 1}


@dataclass(frozen=True, eq=False)
class SoftFLoss:
    r"""One minus F-beta, where a score s counts as the probability :math:`p = 1 / (1 + e^{-s})`.

    .. math:: 1 - \tilde F = \frac{\beta^2 \sum_i y_i (1 - p_i) + \sum_i (1 - y_i) p_i}
              {\beta^2 \sum_i y_i + \sum_i p_i}

    The sums run over all rows and labels, over the rows of each label, or over the labels of
    each row. As the scores grow, it becomes that of the decisions :math:`s > 0`.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels)
        Labels, 0 or 1.
    beta : float, default=1.0
        Weight of recall against precision.
    average : {"binary", "micro", "macro", "samples"}, default="binary"
        One ratio for everything; the mean over the labels; or the mean over the rows.
    weight : ndarray of shape (n_samples,), default=None
        Weight of each row.

    Examples
    --------
    >>> from pseudolinear.rivals._soft_f_loss import SoftFLoss
    >>> loss, gradient = SoftFLoss(np.array([[1], [0]]))(np.array([[0.0], [0.0]]))
    >>> loss, gradient.shape
    (0.5, (2, 1))
    """

    Y: NDArray[Any]
    beta: float = 1.0
    average: str = "binary"
    weight: NDArray[np.float64] | None = None

    def __call__(self, scores: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Evaluate scores.

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_labels)
            Log-odds of the labels.

        Returns
        -------
        loss : float
            One minus the soft F-beta; 1 for a ratio without positives and predictions.
        gradient : ndarray of shape (n_samples, n_labels)
            Its derivative by each score.
        """
        axis, b2 = AXES[self.average], self.beta**2
        rows = np.ones((len(self.Y), 1)) if self.weight is None else self.weight[:, None]
        # Both probabilities are needed to full precision: near the end one of them is tiny.
        p, q = expit(scores), expit(-scores)
        errors = (rows * np.where(self.Y, b2 * q, p)).sum(axis, keepdims=True)
        mass = (rows * (b2 * self.Y + p)).sum(axis, keepdims=True)
        mass = np.where(mass > 0, mass, np.inf)
        losses = np.where(np.isfinite(mass), errors / mass, 1.0)
        share = rows / rows.sum() if self.average == "samples" else 1.0 / losses.size
        # A row has the costs of the level reached: F if negative, 1 + beta^2 - F if not.
        costs = np.where(self.Y, -b2 - losses, 1.0 - losses)
        return float((share * losses).sum()), share * rows * costs / mass * p * q


class Descent(NamedTuple):
    """Where the descent ended.

    Attributes
    ----------
    theta : ndarray
        The best parameters.
    n_iter : int
        Number of iterations, over all starts and slopes.
    converged : bool
        Whether the search that led there ended before its largest number of iterations.
    """

    theta: NDArray[np.float64]
    n_iter: int
    converged: bool


@dataclass(frozen=True, eq=False)
class SoftFProblem:
    r"""Find the :math:`\theta` of least :math:`1 - \tilde F(\lambda A\theta)` plus a penalty.

    The penalty is :math:`\frac12 \sum_j q_j (\theta_j - c_j)^2`. The objective has many local
    optima, so the slope :math:`\lambda` rises step by step (Jansche 2005).

    Parameters
    ----------
    loss : SoftFLoss
        What is minimised.
    design : LinearOperator of shape (n_samples * n_labels, n_parameters)
        The matrix A: from parameters to scores, row by row.
    precision : ndarray of shape (n_parameters,)
        The factors q of the penalty.
    centre : ndarray of shape (n_parameters,) or float, default=0.0
        The parameters c that have no penalty.
    """

    loss: SoftFLoss
    design: LinearOperator
    precision: NDArray[np.float64]
    centre: NDArray[np.float64] | float = 0.0

    def __call__(
        self, theta: NDArray[np.float64], slope: float
    ) -> tuple[float, NDArray[np.float64]]:
        """Return the penalised loss and its gradient."""
        scores = slope * self.design.matvec(theta).reshape(self.loss.Y.shape)
        loss, gradient = self.loss(scores)
        away = theta - self.centre
        pull = self.precision * away
        return loss + 0.5 * float(pull @ away), slope * self.design.rmatvec(gradient.ravel()) + pull

    def descend(
        self,
        starts: Sequence[NDArray[np.float64]],
        slopes: Sequence[float],
        tol: float,
        max_iter: int,
    ) -> Descent:
        """Descend from every start through all slopes; return the best point at the last slope."""
        found = [Descent(start, 0, True) for start in starts]
        for start in starts:
            theta, n_iter = start, 0
            for slope in slopes:
                end = minimize(
                    self,
                    theta,
                    args=(slope,),
                    jac=True,
                    method="L-BFGS-B",
                    options={"gtol": tol, "maxiter": max_iter},
                )
                theta, n_iter = end.x, n_iter + end.nit
            found.append(Descent(theta, n_iter, end.status != 1))
        best = min(found, key=lambda descent: self(descent.theta, slopes[-1])[0])
        return best._replace(n_iter=sum(descent.n_iter for descent in found))


def check_descent(alpha: float, slopes: Sequence[float]) -> None:
    """Refuse a penalty or slopes that make no sense."""
    if not (np.isfinite(alpha) and alpha >= 0):
        raise ValueError(f"alpha must not be negative, got {alpha!r}.")
    if not len(slopes) or not min(slopes) > 0:
        raise ValueError(f"slopes must be positive numbers, at least one, got {slopes!r}.")
