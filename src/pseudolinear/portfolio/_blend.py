"""Blends: models that are the weighted mean of several learners' models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.learners import Model, Scorer
from pseudolinear.portfolio._scale import Scale


class Part(NamedTuple):
    """A model of a blend: which learner made it, the scale of its scores, and their weight."""

    learner: int
    model: Model
    scale: Scale
    weight: float


@dataclass(frozen=True, eq=False)
class Blend:
    """The weighted mean of the standardised scores of several models of one problem."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class BlendScorer:
    """What scores rows with blends.

    Attributes
    ----------
    learners : tuple of Scorer
        What scores rows with the models of the parts.
    """

    learners: tuple[Scorer, ...]

    def scores(self, models: Sequence[Blend], X: Any) -> list[NDArray[np.float64]]:
        """Score the same rows with several blends; every learner scores all its models at once."""
        total: list[Any] = [0.0] * len(models)
        for i, learner in enumerate(self.learners):
            used = [(k, p) for k, blend in enumerate(models) for p in blend.parts if p.learner == i]
            if not used:
                continue
            scores = learner.scores([part.model for _, part in used], X)
            for (k, part), s in zip(used, scores, strict=True):
                total[k] = total[k] + part.weight * part.scale(s)
        return total
