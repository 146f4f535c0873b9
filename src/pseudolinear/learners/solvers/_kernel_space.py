"""Kernel models for the semismooth Newton method: ``w`` held as coefficients of the rows."""

import numpy as np
from scipy.linalg.lapack import dposv

from pseudolinear.learners.solvers._newton import Bounds
from pseudolinear.loops._ascent import combine
from pseudolinear.loops._constants import TINY


class KernelSpace:
    r"""Expansion :math:`w = \sum_i \beta_i \phi(x_i)` under a Gram matrix K.

    Newton's equation is solved in its dual form, whose size is the number of rows in the band
    (Chapelle 2007, "Training a support vector machine in the primal").

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix.
    y, sw : ndarray of shape (n,)
        Signs and sample weights.
    free_intercept : bool
        Whether there is an (unpenalised) intercept.
    beta, b : ndarray of shape (n,) and float, optional
        Coefficients and intercept to start from.
    """

    certifies = False

    def __init__(
        self,
        K: np.ndarray,
        y: np.ndarray,
        sw: np.ndarray,
        free_intercept: bool,
        beta: np.ndarray | None = None,
        b: float = 0.0,
    ) -> None:
        n = y.size
        self.K, self.y, self.sw, self.free_intercept = K, y, sw, free_intercept
        self.positive = y > 0
        self.beta = np.zeros(n) if beta is None else beta.copy()
        self.f = combine(K, self.beta)
        self.b = b
        self.weighted = np.zeros((2, n))  # sample weight x fraction, by class
        self.G = np.zeros((2, n))  # K weighted
        self._step = (np.zeros(n), np.zeros(n), 0.0)

    def absorb(self, step: np.ndarray, flip: np.ndarray) -> None:
        """Follow a change of the fractions; each changed row costs one row of K."""
        for c, members in enumerate((~self.positive, self.positive)):
            change = np.where(members, step, 0.0)
            self.weighted[c] += change
            self.G[c] += combine(self.K, change)

    def values(self) -> np.ndarray:
        """Return the decision values, found anew."""
        self.f = combine(self.K, self.beta)
        return self.f + self.b

    def reset(self) -> None:
        """Set the class sums to 0."""
        self.weighted[:] = 0.0
        self.G[:] = 0.0

    def square(self, signed: np.ndarray) -> float:
        """Return the squared norm of the class sums, so weighed."""
        return float((signed @ self.weighted) @ (signed @ self.G))

    def reach(self) -> float:
        """Return 0: no gap that is found here is stated."""
        return 0.0

    def primal(self, bounds: Bounds, scale: np.ndarray, hinge: np.ndarray) -> float:
        """Return the objective of the feasible dual variables, which are what is reported."""
        signed = np.array([-bounds.negative, bounds.positive]) * scale
        f = signed @ self.G
        loss = np.maximum(0.0, 1.0 - self.y * (f + self.b)) * self.sw
        return 0.5 * f @ (signed @ self.weighted) + bounds.rows(self.y) @ loss

    def residual(self, bounds: Bounds) -> float:
        """Return the squared distance of the expansion from that of the dual variables."""
        gamma, k_gamma = self._difference(bounds)
        return float(gamma @ k_gamma)

    def newton(
        self, bounds: Bounds, delta: float, band: np.ndarray, surplus: float
    ) -> tuple[np.ndarray, float, float]:
        """Solve for the coefficients of the rows in the band, bordered by the intercept."""
        u = bounds.rows(self.y) * self.sw
        free = np.flatnonzero((band > 0) & (u > 0.0))
        gamma, k_gamma = self._difference(bounds)
        zeta, k_zeta, shift = -gamma, -k_gamma, 0.0
        if free.size:
            M = self.K[np.ix_(free, free)]
            M.reshape(-1)[:: free.size + 1] += delta / u[free]
            rhs = np.column_stack([k_gamma[free], np.ones(free.size)])
            eta, constant = dposv(M.T, rhs, lower=1, overwrite_a=1)[1].T
            if self.free_intercept:
                shift = (eta.sum() + surplus) / constant.sum()
                eta = eta - shift * constant
            spread = np.zeros(u.size)
            spread[free] = eta
            zeta = zeta + spread
            k_zeta = k_zeta + combine(self.K, spread)
        elif self.free_intercept:  # a step of the order of the margin, unless rounding asks for it
            shift = surplus / max(abs(surplus), 1e-9 * u.sum(), TINY)
        self._step = (zeta, k_zeta, shift)
        return k_zeta + shift, float(self.beta @ k_zeta), max(float(zeta @ k_zeta), 0.0)

    def advance(self, t: float) -> None:
        """Move the expansion."""
        zeta, k_zeta, shift = self._step
        self.beta += t * zeta
        self.f += t * k_zeta
        self.b += t * shift

    def _difference(self, bounds: Bounds) -> tuple[np.ndarray, np.ndarray]:
        signed = np.array([-bounds.negative, bounds.positive])
        return self.beta - signed @ self.weighted, self.f - signed @ self.G
