"""The logistic loss."""

from typing import ClassVar

import numpy as np

from pseudolinear.learners.losses._smooth import SmoothLoss
from pseudolinear.loops._constants import TINY

CERTAIN = 40.0  # exp(-40) < 5e-18: larger margins no longer matter in double precision
INSIDE = 1.0 - 1e-15  # largest tilt of the costs that has a finite log-odds


class Logistic(SmoothLoss):
    """``log(1 + exp(-m))`` of the margin m."""

    name: ClassVar[str] = "logistic"
    scores_are_log_odds = True
    certain = CERTAIN
    mixes = True

    @staticmethod
    def pointwise(margin: float, cost: float) -> tuple[float, float, float]:
        """Return loss, fall and curvature, by series that need no call: loops stay vector code.

        Terms are added in pairs and pairs of pairs (Estrin 1960), since a processor would wait for
        each step of Horner's scheme; both quotients are of one division.
        """
        # u = exp(-|m|): Taylor expansion of exp(-|m| / 64), then six squarings; errors of 1e-15 at
        # the most, and of 1e-6 of what is left of the loss where that is 1e-17
        size = abs(margin)
        x = (size if size < CERTAIN else CERTAIN) * (-1 / 64)
        x2 = x * x
        x4 = x2 * x2
        u = (1 / 24 + x * (1 / 120)) + x2 * (1 / 720 + x * (1 / 5040))
        u = u + x4 * (1 / 40320 + x * (1 / 362880))
        u = (1.0 + x) + x2 * (1 / 2 + x * (1 / 6)) + x4 * u
        u *= u
        u *= u
        u *= u
        u *= u
        u *= u
        u *= u
        one, two = 1.0 + u, 2.0 + u
        inverse = 1.0 / (one * two)
        # log(1 + u) = 2 artanh(r), r = u / (2 + u) <= 1/3
        r = u * one * inverse
        t = r * r
        t2 = t * t
        t4 = t2 * t2
        a = (1 / 19 + t * (1 / 21)) + t2 * (1 / 23 + t * (1 / 25))
        a = (1 / 11 + t * (1 / 13)) + t2 * (1 / 15 + t * (1 / 17)) + t4 * a
        a = t * ((1 / 3 + t * (1 / 5)) + t2 * (1 / 7 + t * (1 / 9)) + t4 * a)
        q = (u if margin > 0.0 else 1.0) * (two * inverse)
        value = cost * (2.0 * r * (1.0 + a) + (0.0 if margin > 0.0 else -margin))
        return value, cost * q, cost * q * (1.0 - q)

    @staticmethod
    def curvature(fall: float, cost: float) -> float:
        """Return q (1 - q), where q = fall / cost is the probability of an error."""
        return fall * (1.0 - fall / cost) if fall < cost else 0.0

    def best_constant(self, tilt: np.ndarray) -> np.ndarray:
        """Return the log-odds, 2 artanh(tilt) = log(positive / negative)."""
        return 2.0 * np.arctanh(np.clip(tilt, -INSIDE, INSIDE))

    def mixture_bounds(
        self,
        one: np.ndarray,
        other: np.ndarray,
        cost: np.ndarray,
        share: np.ndarray,
        square: np.ndarray,
    ) -> np.ndarray:
        """Return the values of the mixtures by shares, which exceed no cost.

        The dual is the entropy of alpha / cost, times the cost, less ``|sum(alpha y x)|^2 / 2``.
        """
        mixed = share[:, :1] * one + share[:, 1:] * other
        rate = np.minimum(mixed / np.maximum(cost, TINY), 1.0)
        rest = 1.0 - rate
        # of rates of 0 and 1 the logarithm is finite, and its product 0
        mixed *= np.log(np.maximum(rate, TINY))
        mixed += cost * rest * np.log(np.maximum(rest, TINY))
        value = -mixed.sum(axis=1) - 0.5 * np.einsum("ka,kab,kb->k", share, square, share)
        return np.where(share.min(axis=1) < 0.0, 0.0, value)
