"""Cohen's kappa: agreement beyond chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class CohenKappa(Measure):
    r"""Agreement beyond chance between the true and the predicted labels.

    .. math:: \kappa = \frac{PN - N fn - P fp}{PN + (N - P)(fp - fn)/2}, \quad N = 1 - P

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> CohenKappa().score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """

    name: ClassVar[str] = "cohen_kappa"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        half = (negatives - positives) / 2.0
        return Coefficients(
            positives * negatives,
            np.stack([-negatives, -positives], axis=-1),
            positives * negatives,
            np.stack([-half, half], axis=-1),
        )
