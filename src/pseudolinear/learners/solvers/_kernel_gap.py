"""The duality gap of kernel problems, with what rounding adds to it."""

import numpy as np

from pseudolinear.loops._ascent import certificate
from pseudolinear.loops._constants import MARGIN_EPS, TINY


def margin_rounding(diagonal: np.ndarray, coef: np.ndarray) -> float:
    """Bound the rounding of margins ``K coef``, whose terms may be far larger than their sum.

    No entry of a Gram matrix exceeds the root of the product of its two diagonal entries.
    """
    norms = np.sqrt(np.maximum(diagonal, 0.0))
    return MARGIN_EPS * (1.0 + float(norms.max(initial=0.0) * (norms @ np.abs(coef))))


def kernel_gap(
    K: np.ndarray, y: np.ndarray, u: np.ndarray, coef: np.ndarray, b: float
) -> tuple[float, np.ndarray]:
    """Return the relative gap of signed dual variables as they are, and the errors ``y - K coef``.

    Variables that were found as fractions of large bounds u are rounded by shares of these bounds,
    so what a method believed of its fractions need not hold for the variables.
    """
    error = y - K @ coef
    slack, primal = certificate(y, np.minimum(y * u, 0.0), np.maximum(y * u, 0.0), coef, error, b)
    slack += margin_rounding(K.diagonal(), coef) * u.sum()
    return slack / max(primal, TINY), error
