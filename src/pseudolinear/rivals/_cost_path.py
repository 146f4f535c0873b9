"""CostPath: all support vector machines between two pairs of costs, exactly."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from pseudolinear._validation import check_binary, check_weights
from pseudolinear.rivals._path_follower import Breakpoint, PathFollower

VIOLATION = 1e-5  # of the conditions of optimality that is worth a warning


@dataclass(frozen=True, eq=False)
class CostPath:
    """Support vector machines along a line of costs; linear between the breakpoints.

    Attributes
    ----------
    start, stop : tuple of float
        Costs of a positive and of a negative row at tau = 0 and tau = 1.
    taus : ndarray of shape (n_breakpoints,)
        Positions of the breakpoints, ascending from 0 to 1. Two are equal where the intercept
        jumps, because no row is on the margin.
    alphas : ndarray of shape (n_breakpoints, n_samples)
        Dual variables there.
    intercepts : ndarray of shape (n_breakpoints,)
        Intercepts there.
    violation : float
        Largest violation of the conditions of optimality at a breakpoint, in units of the margin.

    Examples
    --------
    >>> from pseudolinear.rivals import svm_cost_path
    >>> X = np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
    >>> path = svm_cost_path(X @ X.T, [0, 0, 1, 0, 1], (1.0, 1.0), (4.0, 1.0))
    >>> path.costs(0.5)
    (2.5, 1.0)
    """

    start: tuple[float, float]
    stop: tuple[float, float]
    taus: NDArray[np.float64]
    alphas: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    violation: float

    def costs(self, tau: float) -> tuple[float, float]:
        """Return the costs of a positive and of a negative row."""
        pos, neg = ((1 - tau) * a + tau * b for a, b in zip(self.start, self.stop, strict=True))
        return pos, neg

    def at(self, tau: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the solution anywhere on the path.

        Parameters
        ----------
        tau : float or array-like of shape (n,)
            Positions in [0, 1].

        Returns
        -------
        alpha : ndarray of shape (n_samples,) or (n, n_samples)
            Dual variables.
        intercept : ndarray of shape () or (n,)
            Intercepts.
        """
        tau = np.asarray(tau, dtype=np.float64)
        if not ((tau >= 0) & (tau <= 1)).all():
            raise ValueError(f"tau must be in [0, 1], got {tau[~((tau >= 0) & (tau <= 1))][0]:g}.")
        after = np.searchsorted(self.taus, tau, side="right").clip(1, len(self.taus) - 1)
        before = after - 1
        length = self.taus[after] - self.taus[before]
        share = np.where(length > 0, tau - self.taus[before], 1.0) / np.where(length > 0, length, 1)
        intercept = (1 - share) * self.intercepts[before] + share * self.intercepts[after]
        share = share[..., None]
        return (1 - share) * self.alphas[before] + share * self.alphas[after], intercept

    def scores(self, K: NDArray[np.float64], y: ArrayLike, tau: ArrayLike) -> NDArray[np.float64]:
        """Score rows with the solutions at some positions.

        Parameters
        ----------
        K : ndarray of shape (n_rows, n_samples)
            Kernels of the rows with the training rows.
        y : array-like of shape (n_samples,)
            Classes of the training rows, 0 and 1, or booleans.
        tau : float or array-like of shape (n,)
            Positions in [0, 1].

        Returns
        -------
        ndarray of shape (n_rows,) or (n, n_rows)
            Scores.
        """
        alpha, intercept = self.at(tau)
        signs = np.where(check_binary(y, "y"), 1.0, -1.0)
        return (alpha * signs) @ K.T + intercept[..., None]


def svm_cost_path(
    K: ArrayLike,
    y: ArrayLike,
    start: tuple[float, float],
    stop: tuple[float, float],
    sample_weight: ArrayLike | None = None,
) -> CostPath:
    r"""Follow the kernel support vector machine from one pair of costs to another.

    With the costs :math:`c_i(\tau)` of the rows moving along a line, the solution of

    .. math:: \min_{w, b} \tfrac12 |w|^2
              + \sum_i c_i(\tau) \max(0, 1 - y_i (\langle w, \phi(x_i) \rangle + b))

    is piecewise linear in :math:`\tau`. Each piece solves the equations of the rows on the
    margin, and ends where a row reaches or leaves the margin. With rows of one class only, the
    solution is the constant 1 or -1.

    Parameters
    ----------
    K : array-like of shape (n_samples, n_samples)
        Gram matrix, positive semidefinite.
    y : array-like of shape (n_samples,)
        0 and 1, or booleans.
    start, stop : tuple of float
        Costs of a positive and of a negative row at either end; C times the cost of an error.
    sample_weight : array-like of shape (n_samples,), default=None
        Factor of the cost of each row.

    Returns
    -------
    CostPath
        The solutions.

    References
    ----------
    Bach, Heckerman and Horvitz 2006, Considering cost asymmetry in learning classifiers, JMLR 7.

    Examples
    --------
    >>> from pseudolinear.rivals import svm_cost_path
    >>> X = np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
    >>> path = svm_cost_path(X @ X.T, [0, 0, 1, 0, 1], (1.0, 1.0), (4.0, 1.0))
    >>> alpha, intercept = path.at(0.5)
    >>> path.costs(0.5), alpha.round(3)
    ((2.5, 1.0), array([0.5, 1. , 2.5, 1. , 0. ]))
    """
    K, positive = np.asarray(K, dtype=np.float64), check_binary(y, "y")
    _check_path(K, positive, start, stop)
    weight = check_weights(sample_weight, positive.size)
    rows = np.flatnonzero(np.ones(positive.size) if weight is None else weight)
    signs = np.where(positive[rows], 1.0, -1.0)
    scale = 1.0 if weight is None else weight[rows]
    first, last = (scale * np.where(signs > 0, *pair) for pair in (start, stop))
    gram = K[np.ix_(rows, rows)]
    # The intercept takes up what all rows share, so a centred matrix, of less rounding, will do.
    means = gram.mean(axis=0)
    pieces = _follow(gram - means - means[:, None] + means.mean(), gram, signs, first, last)
    alphas = np.zeros((len(pieces), positive.size))
    alphas[:, rows] = [piece.alpha for piece in pieces]
    intercepts = np.array([piece.intercept for piece in pieces])
    violation = max(piece.violation for piece in pieces)
    if violation > VIOLATION:
        warnings.warn(
            f"The cost path violates its conditions of optimality by {violation:.1e} of the "
            "margin; the Gram matrix may not be positive semidefinite.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return CostPath(
        start,
        stop,
        np.array([piece.tau for piece in pieces]),
        alphas,
        intercepts - alphas[:, rows] @ (signs * means),
        violation,
    )


def _check_path(
    K: NDArray[np.float64],
    positive: NDArray[np.bool_],
    start: tuple[float, float],
    stop: tuple[float, float],
) -> None:
    if positive.ndim != 1 or K.shape != (positive.size, positive.size):
        raise ValueError(
            f"K has the shape {K.shape} and y {positive.shape}; K must be the square Gram matrix "
            "of the rows of y."
        )
    for name, pair in (("start", start), ("stop", stop)):
        if len(pair) != 2 or not all(0 < cost < np.inf for cost in pair):
            raise ValueError(f"{name} must be two positive costs, got {pair!r}.")


def _follow(
    centred: NDArray[np.float64],
    gram: NDArray[np.float64],
    signs: NDArray[np.float64],
    first: NDArray[np.float64],
    last: NDArray[np.float64],
) -> list[Breakpoint]:
    """Follow the costs of the rows from the first to the last."""
    if np.ptp(signs) == 0:
        return [Breakpoint(tau, np.zeros(len(signs)), signs[0], 0.0) for tau in (0.0, 1.0)]
    size = max(centred.diagonal().max(), 1e-3 * gram.diagonal().max()) or 1.0
    follower = PathFollower.from_svc(centred, size, signs, first)
    return follower.follow(first, last - first, np.zeros_like(signs))
