"""Blends: models that are the weighted mean of several learners' models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem
from pseudolinear.features import Encoded
from pseudolinear.learners import Model, Scorer
from pseudolinear.portfolio._scale import Scale


class Share(NamedTuple):
    """What a member brings to a blend: its problem, the scale of its scores, and their weight."""

    member: int
    problem: Problem
    scale: Scale
    weight: float


@dataclass(frozen=True)
class BlendProblem(Problem):
    """Problems of one label, by several members, whose scores are mixed.

    Attributes
    ----------
    shares : tuple of Share
        What is mixed.
    log_odds : Scale
        What makes log-odds of the mixture.
    """

    shares: tuple[Share, ...] = ()
    log_odds: Scale = field(default_factory=Scale)

    __repr__ = brief_repr

    @property
    def class_costs(self) -> NDArray[np.float64]:
        """Those of the first problem."""
        return self.shares[0].problem.class_costs

    @property
    def log_costs(self) -> float | NDArray[np.float64]:
        """Those of all problems, mixed as their scores are."""
        own = [s.weight / s.scale.spread * np.asarray(s.problem.log_costs) for s in self.shares]
        return np.sum(own, axis=0) / self.log_odds.spread

    def join(self, class_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn the scores of classes into those of the label, as every problem of it does."""
        return self.shares[0].problem.join(class_scores)


@dataclass(frozen=True, eq=False)
class Blend:
    """The weighted mean of the standardised scores of several models, as log-odds.

    Attributes
    ----------
    shares : tuple of Share
        Scales and weights.
    models : tuple of Model
        One per share.
    log_odds : Scale
        What makes log-odds of the mean.
    """

    shares: tuple[Share, ...]
    models: tuple[Model, ...]
    log_odds: Scale

    __repr__ = brief_repr


@dataclass(frozen=True, eq=False)
class BlendScorer:
    """What scores rows with blends.

    Attributes
    ----------
    learners : tuple of Scorer
        What scores rows with the models of each member.
    views : tuple of str
        The view of the rows that each member likes.
    """

    learners: tuple[Scorer, ...]
    views: tuple[str, ...]

    @property
    def name(self) -> str:
        """How messages and tables call it."""
        return f"a blend of {len(self.learners)} learners"

    def scores(self, models: Sequence[Blend], X: Encoded) -> list[NDArray[np.float64]]:
        """Score the same rows with several blends; every learner scores all its models at once."""
        total: list[Any] = [0.0] * len(models)
        for i, (learner, view) in enumerate(zip(self.learners, self.views, strict=True)):
            used = [
                (k, share, model)
                for k, blend in enumerate(models)
                for share, model in zip(blend.shares, blend.models, strict=True)
                if share.member == i
            ]
            if not used:
                continue
            scores = learner.scores([model for _, _, model in used], X(view))
            for (k, share, _), s in zip(used, scores, strict=True):
                total[k] = total[k] + share.weight * share.scale(s)
        return [blend.log_odds(s) for blend, s in zip(models, total, strict=True)]
