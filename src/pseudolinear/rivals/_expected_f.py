"""The prediction of largest expected F, from the probabilities of independent rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_binary
from pseudolinear.loops._expected_f import expected_f_curve
from pseudolinear.rivals._probabilities import check_probabilities
from pseudolinear.thresholds import first_best

METHODS = ("auto", "exact", "approximate")
LARGEST_RATIO = 1000  # largest numerator and denominator of beta**2 in the exact method
EXACT_STEPS = 1e8  # (q + r) n**2 up to which "auto" is exact: a fifth of a second
ROUNDOFF = 2.0**-53
# 1/c is a sum of exponentials: the trapezoidal rule for the integral of exp(s - c exp(s)).
STEP = 0.27
TAIL = 1e-15
QUADRATURE_ERROR = 1e-14  # relative, for every c from 1 to n


@dataclass(frozen=True, eq=False)
class ExpectedF:
    """The prediction of largest expected F, with what it gives.

    Attributes
    ----------
    predictions : ndarray of shape (n_samples,)
        0 or 1, in the order of the probabilities.
    value : float
        Expected F of the predictions.
    n_positive : int
        How many rows are predicted positive: those of largest probability.
    values : ndarray of shape (n_samples + 1,)
        Expected F of the k most probable rows, for k = 0, 1, ..., n_samples.
    error : float
        Bound on the relative error of every one of the values: that of the approximation, if
        there is one, and that of rounding.

    Examples
    --------
    >>> from pseudolinear.rivals import maximize_expected_f
    >>> best = maximize_expected_f([0.1, 0.8, 0.4])
    >>> best.predictions, best.n_positive
    (array([0, 1, 1]), 2)
    """

    predictions: NDArray[np.intp]
    value: float
    n_positive: int
    values: NDArray[np.float64]
    error: float


def maximize_expected_f(
    probabilities: ArrayLike,
    beta: float = 1.0,
    *,
    zero_division: float = 1.0,
    method: str = "auto",
) -> ExpectedF:
    r"""Find the prediction of largest expected F-beta for a set of independent rows.

    Rows are best predicted together: the k most probable ones are positive, for the k that
    maximises

    .. math:: f(k) = E \frac{(1+\beta^2) \, tp}{k + \beta^2 \, n_+}

    where tp counts the positives among the k rows and :math:`n_+` those among all rows. For
    many rows this tends to the threshold :math:`F^* / (1+\beta^2)` on the probabilities.

    Parameters
    ----------
    probabilities : array-like of shape (n_samples,)
        Probability of each row to be positive; rows are independent.
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    zero_division : float, default=1.0
        F where no row is positive and none is predicted so, from 0 to 1.
    method : {"auto", "exact", "approximate"}, default="auto"
        ``"exact"`` is the algorithm of Ye, Chai, Lee and Chieu (2012). It needs
        ``beta**2 = q / r`` with whole numbers, time (q + r) n^2 and memory n^1.5.
        ``"approximate"`` replaces the division by a sum of some 150 exponentials, whose
        expectations are products. It takes any beta, time n and memory n, and is
        accurate to about 13 digits. ``"auto"`` is exact where that takes a fraction of a second.

    Returns
    -------
    ExpectedF
        Predictions, their value, the values of all k and a bound on the error.

    Examples
    --------
    >>> from pseudolinear.rivals import maximize_expected_f
    >>> best = maximize_expected_f([0.1, 0.8, 0.4])
    >>> best.predictions, best.n_positive
    (array([0, 1, 1]), 2)
    >>> best.values
    array([0.108 , 0.672 , 0.6776, 0.5652])
    """
    p = check_probabilities(probabilities, "probabilities")
    _check_vector(p)
    beta2 = check_settings(beta, zero_division)
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}.")
    order = np.argsort(-p, kind="stable")
    ratio = _choose_ratio(beta2, p.size, method)
    if ratio is None:
        positive, error = _sum_of_exponentials(p[order], beta2)
    else:
        positive = expected_f_curve(p[order], ratio.numerator, ratio.denominator)
        error = 8 * (p.size + 1) * ROUNDOFF
    values = np.concatenate([[zero_division * np.prod(1.0 - p)], positive])
    best = first_best(values)
    predictions = np.zeros(p.size, dtype=np.intp)
    predictions[order[:best]] = 1
    return ExpectedF(predictions, float(values[best]), best, values, error)


def expected_f(
    predictions: ArrayLike,
    probabilities: ArrayLike,
    beta: float = 1.0,
    *,
    zero_division: float = 1.0,
) -> float:
    """Compute the expected F-beta of any prediction for a set of independent rows.

    It takes one pass per term of the sum of exponentials of :func:`maximize_expected_f`, and
    is accurate to about 13 digits.

    Parameters
    ----------
    predictions : array-like of shape (n_samples,)
        0 and 1, or booleans.
    probabilities : array-like of shape (n_samples,)
        Probability of each row to be positive; rows are independent.
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    zero_division : float, default=1.0
        F where no row is positive and none is predicted so, from 0 to 1.

    Returns
    -------
    float
        Expected F.

    Examples
    --------
    >>> from pseudolinear.rivals import expected_f
    >>> expected_f([0, 1, 0], [0.1, 0.8, 0.4])
    0.672
    """
    p = check_probabilities(probabilities, "probabilities")
    _check_vector(p)
    beta2 = check_settings(beta, zero_division)
    positive = check_binary(predictions, "predictions")
    if positive.shape != p.shape:
        raise ValueError(
            f"predictions has the shape {positive.shape} and probabilities {p.shape}; they must "
            "be equal."
        )
    if not positive.any():
        return float(zero_division * np.prod(1.0 - p))
    rows = np.concatenate([p[positive], p[~positive]])
    return float(_sum_of_exponentials(rows, beta2)[0][positive.sum() - 1])


def _check_vector(p: NDArray[np.float64]) -> None:
    if p.ndim != 1 or p.size == 0:
        raise ValueError(
            f"probabilities has the shape {p.shape}; give one number per row, at least one."
        )


def check_settings(beta: float, zero_division: float) -> float:
    """Return beta squared."""
    if not (np.isfinite(beta) and beta > 0):
        raise ValueError(f"beta must be positive and finite, got {beta!r}.")
    if not 0 <= zero_division <= 1:
        raise ValueError(f"zero_division must be between 0 and 1, got {zero_division!r}.")
    return float(beta) ** 2


def _choose_ratio(beta2: float, n: int, method: str) -> Fraction | None:
    """Return beta squared as a fraction, or None where the exact method is not to be used."""
    ratio = Fraction(beta2).limit_denominator(LARGEST_RATIO)
    rational = abs(float(ratio) - beta2) <= 8 * ROUNDOFF * beta2
    if method == "exact" and not (rational and ratio.numerator <= LARGEST_RATIO):
        raise ValueError(
            f"The exact method needs beta**2 = q / r with whole numbers up to {LARGEST_RATIO}, "
            f"got {beta2!r}; use method='approximate'."
        )
    fast = rational and (ratio.numerator + ratio.denominator) * n**2 <= EXACT_STEPS
    return ratio if method == "exact" or (method == "auto" and fast) else None


def _exponentials(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""Give rates y and weights w with :math:`1/c = \sum_m w_m e^{-y_m c}` for c in [1, n].

    The trapezoidal rule for :math:`\int e^{s - c e^s} ds` has, whatever c is, a relative
    error of :math:`2 \sum_m |\Gamma(1 + 2 \pi i m / h)|`, 3e-15 for the step used here, to which
    the two ends add 1e-15 each.
    """
    low, high = np.log(TAIL / n), np.log(-np.log(TAIL))
    y = np.exp(STEP * np.arange(np.floor(low / STEP), np.ceil(high / STEP) + 1))
    return y, STEP * y


def _sum_of_exponentials(p: NDArray[np.float64], beta2: float) -> tuple[NDArray[np.float64], float]:
    r"""Compute the expected F of the first k rows for every k, and bound the relative error.

    F is tp / c, where :math:`c = (k + \beta^2 n_+) / (1 + \beta^2)` lies in [1, n] if tp > 0.
    With 1/c a sum of exponentials, independence turns the expectation of each term,
    :math:`E[tp \, u^{n_+}]`, into :math:`\prod_i (1 - p_i + p_i u)` times
    :math:`\sum_{i \le k} p_i u / (1 - p_i + p_i u)`. All terms are positive, so the relative
    error of 1/c is that of F.
    """
    values, k = np.zeros(p.size), np.arange(1, p.size + 1)
    rates, weights = _exponentials(p.size)
    for y, weight in zip(rates, weights, strict=True):
        x = y / (1.0 + beta2)
        log_product = np.log1p(p * np.expm1(-beta2 * x)).sum()
        seen = slice(int(700.0 / x) + 1)  # beyond, exp(-x k) underflows
        true = p[seen] * np.exp(-beta2 * x)
        expected = np.cumsum(true / ((1.0 - p[seen]) + true))
        values[seen] += weight * np.exp(log_product - x * k[seen]) * expected
    return values, QUADRATURE_ERROR + 8 * (p.size + rates.size) * ROUNDOFF
