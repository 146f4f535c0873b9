"""Linear models for the semismooth Newton method: ``w`` held as a vector of weights."""

import numpy as np
from scipy import sparse
from scipy.linalg.lapack import dposv, spotrf
from sklearn.utils.extmath import row_norms

from pseudolinear.learners.solvers._design import unsigned
from pseudolinear.learners.solvers._newton import Bounds
from pseudolinear.learners.solvers._order import Rows
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._newton import combine, csr_absorb, dense_absorb
from pseudolinear.loops._stale import conjugate

STALE_COLUMNS = 256  # from here a factor costs more than a few steps with the last one
STALE_STEPS = 6  # their number
SOLVED = 0.1  # share of the residual at which they end
STALE = 0.15  # share of the residual above which a new factor is due


class LinearSpace:
    """Weights of the columns of X; a free intercept is the weight of its last column.

    Parameters
    ----------
    X : ndarray or csr_matrix of shape (n, d)
        Rows; the last column is constant 1 if the intercept is free.
    y, sw : ndarray of shape (n,)
        Signs and sample weights.
    free_intercept : bool
        Whether the last weight is free of the penalty.
    """

    certifies = True

    def __init__(
        self,
        X: Rows,
        y: np.ndarray,
        sw: np.ndarray,
        free_intercept: bool,
    ) -> None:
        d = X.shape[1]
        self.X, self.y, self.sw, self.free_intercept = X, y, sw, free_intercept
        if sparse.issparse(X):
            self.arrays = *unsigned(X), X.data
        squares = (row_norms(X, squared=True) - self.free_intercept)[sw > 0]
        self.radius = float(np.sqrt(squares.max(initial=0.0)))
        self.mass = np.array([sw[y < 0].sum(), sw[y > 0].sum()])
        self.penalty = np.ones(d)
        if free_intercept:
            self.penalty[-1] = 0.0
        self.w = np.zeros(d)
        self.z = np.zeros(d)
        self.V = np.zeros((2, d))
        self.H = np.zeros((2, d, d))
        self._M, self._R = np.zeros((d, d)), np.zeros((d, d), np.float32)
        self._by_gradients = sparse.issparse(X) and d >= STALE_COLUMNS
        self._fresh = False  # whether the last factor is good for once more

    def absorb(self, step: np.ndarray, flip: np.ndarray) -> None:
        """Follow a change of the fractions and of the band."""
        if sparse.issparse(self.X):
            csr_absorb(*self.arrays, self.y, self.sw, step, flip, self.V, self.H)
        else:
            dense_absorb(self.X, self.y, self.sw, step, flip, self.V, self.H)

    def values(self) -> np.ndarray:
        """Return the decision values, found anew."""
        return self.X @ self.w

    def reset(self) -> None:
        """Set the class sums to 0."""
        self.V[:] = 0.0

    def square(self, signed: np.ndarray) -> float:
        """Return the squared norm of the class sums, so weighed."""
        v = signed @ self.V
        return float((self.penalty * v) @ v)

    def reach(self) -> float:
        """Return the largest norm of a row times that of the weights, and the intercept."""
        norm = np.sqrt((self.penalty * self.w) @ self.w)
        return float(self.radius * norm + abs(self.w[-1]) * self.free_intercept)

    def primal(self, bounds: Bounds, scale: np.ndarray, hinge: np.ndarray) -> float:
        """Return the objective of the current weights."""
        return 0.5 * (self.penalty * self.w) @ self.w + np.array(bounds) @ hinge

    def residual(self, bounds: Bounds) -> float:
        """Return the squared distance of the weights from the dual variables' weights."""
        return float(self.penalty @ self._gradient(bounds) ** 2)

    def newton(
        self, bounds: Bounds, delta: float, band: np.ndarray, surplus: float
    ) -> tuple[np.ndarray, float, float]:
        """Solve ``(penalty + sum_band u/delta x x') z = v - penalty w``."""
        curvature = self.penalty.copy()
        if self.free_intercept:  # without rows in the band, a step of the order of the margin
            heaviest = 1e-9 * (np.array(bounds) @ self.mass)
            curvature[-1] += heaviest if band.any() else max(abs(surplus), heaviest, TINY)
        g = self._gradient(bounds)
        if self._by_gradients:
            self._follow(bounds, delta, band, curvature, g)
        else:
            self._solve(bounds, delta, curvature, g)
        penalised = self.penalty * self.z
        return self.X @ self.z, float(penalised @ self.w), float(penalised @ self.z)

    def _solve(self, bounds: Bounds, delta: float, curvature: np.ndarray, g: np.ndarray) -> None:
        """Solve by a factor of the matrix."""
        combine(self.H, bounds.negative / delta, bounds.positive / delta, curvature, self._M)
        diagonal = self._M.diagonal().copy()
        self.z, info = dposv(self._M.T, -g, lower=1, overwrite_a=1)[1:]
        if info:  # rounding has made the matrix indefinite: fall back on a scaled gradient
            self.z = -g / np.maximum(diagonal, 1.0)

    def _follow(
        self, bounds: Bounds, delta: float, band: np.ndarray, curvature: np.ndarray, g: np.ndarray
    ) -> None:
        """Solve by conjugate gradients with the last factor, or a new one if that was too old.

        A factor in single precision takes half as long to make, and stays in the cache. The upper
        triangle is LAPACK's lower one, of which OpenBLAS makes a factor in half the time.
        """
        new, failed = not self._fresh, 0
        if new:
            combine(self.H, bounds.negative / delta, bounds.positive / delta, curvature, self._R)
            failed = spotrf(self._R.T, lower=1, overwrite_a=1, clean=0)[1]
        rows = np.flatnonzero(band)
        weights = bounds.rows(self.y[rows]) * self.sw[rows] / delta
        arrays = *self.arrays, rows, weights, curvature, self._R, g
        self.z, left = conjugate(*arrays, SOLVED, 0 if failed else STALE_STEPS)
        self._fresh = left <= STALE
        if new and not self._fresh:  # the matrix is too ill-conditioned for single precision
            self._solve(bounds, delta, curvature, g)

    def advance(self, t: float) -> None:
        """Move the weights."""
        self.w += t * self.z

    def _gradient(self, bounds: Bounds) -> np.ndarray:
        return self.penalty * self.w - np.array([-bounds.negative, bounds.positive]) @ self.V
