"""The logistic loss."""

from typing import ClassVar

import numpy as np

from pseudolinear.learners.losses._smooth import SmoothLoss
from pseudolinear.loops._mixtures import entropy_of_mixture

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
        """Return loss, fall and curvature, by series that need no call: loops stay vector code."""
        # u = exp(-|m|): Taylor expansion of exp(-|m| / 64), then six squarings
        size = abs(margin)
        x = (size if size < CERTAIN else CERTAIN) / -64.0
        u = x * (1 / 40320 + x * (1 / 362880 + x * (1 / 3628800 + x / 39916800)))
        u = x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * (1 / 5040 + u))))
        u = 1.0 + x * (1.0 + x * (1 / 2 + x * (1 / 6 + u)))
        u *= u
        u *= u
        u *= u
        u *= u
        u *= u
        u *= u
        # log(1 + u) = 2 artanh(r), r = u / (2 + u) <= 1/3
        r = u / (2.0 + u)
        t = r * r
        a = t * (1 / 17 + t * (1 / 19 + t * (1 / 21 + t * (1 / 23 + t / 25))))
        a = t * (1 / 9 + t * (1 / 11 + t * (1 / 13 + t * (1 / 15 + a))))
        a = t * (1 / 3 + t * (1 / 5 + t * (1 / 7 + a)))
        q = (u if margin > 0.0 else 1.0) / (1.0 + u)
        value = cost * (2.0 * r * (1.0 + a) + (0.0 if margin > 0.0 else -margin))
        return value, cost * q, cost * q * (1.0 - q)

    @staticmethod
    def curvature(fall: float, cost: float) -> float:
        """Return q (1 - q), where q = fall / cost is the probability of an error."""
        return fall * (1.0 - fall / cost) if fall < cost else 0.0

    def best_constant(self, tilt: np.ndarray) -> np.ndarray:
        """Return the log-odds, 2 artanh(tilt) = log(positive / negative)."""
        return 2.0 * np.arctanh(np.clip(tilt, -INSIDE, INSIDE))

    def mixture_bound(
        self,
        one: np.ndarray,
        other: np.ndarray,
        cost: np.ndarray,
        share: np.ndarray,
        square: np.ndarray,
    ) -> float:
        """Return the value of the mixture by shares, which exceeds no cost.

        The dual is the entropy of alpha / cost, times the cost, less ``|sum(alpha y x)|^2 / 2``.
        """
        if share.min() < 0.0:
            return 0.0
        return float(entropy_of_mixture(one, other, cost, *share) - 0.5 * share @ square @ share)
