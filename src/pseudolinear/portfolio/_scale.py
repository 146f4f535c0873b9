"""Scales: scores of different models made comparable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SATURATED = 7.0  # log-odds of 999 to 1; beyond, scores differ by chance, so they hardly count,
SLOPE = 1e-9  # but they keep their order, which a floor of the precision may need


@dataclass(frozen=True)
class Scale:
    """How scores of one model are brought to a common scale."""

    centre: float
    spread: float

    @classmethod
    def of(
        cls,
        scores: NDArray[np.float64],
        weight: NDArray[np.float64] | None = None,
        *,
        centred: bool = True,
    ) -> Scale:
        """Measure scores, rows by their weight; those of classes keep their common origin, 0."""
        clipped = _flatten(scores)
        centre = float(np.average(clipped, axis=0, weights=weight)) if centred else 0.0
        squares = np.average((clipped - centre) ** 2, axis=0, weights=weight)
        return cls(centre, float(np.sqrt(np.mean(squares))) or 1.0)

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return standardised scores."""
        return (_flatten(scores) - self.centre) / self.spread


def _flatten(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pull saturated scores back, in their order."""
    clipped = np.clip(scores, -SATURATED, SATURATED)
    return clipped + SLOPE * (scores - clipped)
