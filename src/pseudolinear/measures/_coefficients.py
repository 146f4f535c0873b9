"""The coefficients of a ratio."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Coefficients(NamedTuple):
    r"""The four parts of :math:`(\alpha_0 + \gamma e) / (\alpha_1 + \delta e)`.

    Attributes
    ----------
    alpha0, alpha1 : float or ndarray
        Constants of numerator and denominator.
    gamma, delta : ndarray of shape (..., 2)
        Factors of false negatives and false positives.

    Examples
    --------
    >>> Jaccard().of_pair(0.25, 0.75)
    Coefficients(alpha0=0.25, gamma=array([-1.,  0.]), alpha1=0.25, delta=array([0., 1.]))
    """

    alpha0: Any
    gamma: NDArray[np.float64]
    alpha1: Any
    delta: NDArray[np.float64]
