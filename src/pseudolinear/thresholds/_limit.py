"""Limit: what a constraint allows, compared with what rows show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import ROUNDING


@dataclass(frozen=True)
class Limit:
    """A number that a constraint keeps above a floor, or below a ceiling.

    Attributes
    ----------
    what : str
        The number, in words.
    asked : float
        The floor or ceiling.
    floor : bool, default=True
        Which of both it is.
    """

    what: str
    asked: float
    floor: bool = True

    def broken(self, found: NDArray[np.float64], names: Sequence[Any] = ()) -> str:
        """Say in a sentence that rows break the limit; empty where they keep it.

        Parameters
        ----------
        found : ndarray of shape (n_labels,)
            The number on these rows; NaN, as of a precision without predictions, says nothing.
        names : sequence, default=()
            Of the labels, where there are several.

        Returns
        -------
        str
            The number of one label; of several, how many break it, and the worst of them.

        Examples
        --------
        >>> from pseudolinear.thresholds._limit import Limit
        >>> precision = Limit("precision", 0.9)
        >>> precision.broken(np.array([0.8]))
        'On these rows the precision is 0.800, below the 0.9 that was asked for.'
        >>> precision.broken(np.array([0.8, 0.95, 0.7]), ["a", "b", "c"])
        'On these rows 2 of 3 labels break the precision of at least 0.9 that was asked for, the \
most c with 0.700.'
        """
        gap = self.asked - found if self.floor else found - self.asked
        gap = np.where(np.isnan(gap), -np.inf, gap)
        broken = gap > ROUNDING
        if not broken.any():
            return ""
        worst = int(gap.argmax())
        value = self._distinct(float(found[worst]))
        if len(found) == 1:
            side = "below" if self.floor else "above"
            return (
                f"On these rows the {self.what} is {value}, {side} the {self.asked:g} that was "
                "asked for."
            )
        bound = f"at {'least' if self.floor else 'most'} {self.asked:g}"
        name = names[worst] if len(names) else worst
        return (
            f"On these rows {broken.sum()} of {len(found)} labels break the {self.what} of {bound} "
            f"that was asked for, the most {name} with {value}."
        )

    def _distinct(self, value: float) -> str:
        """Write a number in as many digits as put it on its side of the limit."""
        sign = 1.0 if self.floor else -1.0
        written = (f"{value:.{digits}f}" for digits in range(3, 16))
        return next((text for text in written if sign * (self.asked - float(text)) > 0), f"{value}")
