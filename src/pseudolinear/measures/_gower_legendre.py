"""The Gower-Legendre index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class GowerLegendre(Measure):
    r"""Share of right predictions, with errors counted half in the denominator.

    .. math:: \frac{tp + tn}{tp + (fn + fp)/2 + tn}

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> GowerLegendre().score([1, 1, 0, 0], [1, 0, 0, 0])
    0.857
    """

    name: ClassVar[str] = "gower_legendre"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = positives + negatives
        return Coefficients(mass, np.array([-1.0, -1.0]), mass, np.array([-0.5, -0.5]))
