"""Boosted trees trained by LightGBM on rows in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem
from pseudolinear.learners import BoostedModel
from pseudolinear.scale._lanes import EVERY_ROW, Lanes
from pseudolinear.scale._parted_learner import PartedLearner, Trained


@dataclass(frozen=True, eq=False)
class BoostedScorer:
    """Scores of boosted trees.

    Attributes
    ----------
    models : list of BoostedModel
        One per lane.
    """

    models: list[BoostedModel]

    def __call__(self, X: Any) -> NDArray[np.float64]:
        """Score rows, one column per lane."""
        return np.stack([model.scores(np.asarray(X)) for model in self.models], axis=1)

    def take(self, lanes: NDArray[np.intp]) -> BoostedScorer:
        """Return some of the lanes."""
        return BoostedScorer([self.models[lane] for lane in lanes])

    def joined(self, others: Sequence[Any]) -> BoostedScorer:
        """Put the lanes of others side by side."""
        return BoostedScorer([model for one in others for model in one.models])


class PartedBoosting(PartedLearner):
    """Boosted trees: LightGBM keeps a byte per value here, or trains where Dask's partitions are.

    Costs gain nothing with trees, so that a label has one problem; rows of the fold that is left
    out weigh nothing.
    """

    def lanes_at_once(self) -> int:
        """Train one lane after the other."""
        return self.n_folds

    def train(self, lanes: Lanes, stage: str) -> Trained:
        """Boost each lane by itself."""
        models = self._boost(lanes)
        p = len(lanes)
        return Trained(BoostedScorer(models), np.full(p, np.nan), np.ones(p, dtype=bool))

    def fit(self, problems: Sequence[Problem]) -> list[BoostedModel]:
        """Train problems on all rows."""
        return self._boost(Lanes.of(problems, [EVERY_ROW], 1.0))

    def _boost(self, lanes: Lanes) -> list[BoostedModel]:
        above, below = self.totals.costs(lanes)
        sides = [np.array([side]) for side in (above > below).astype(np.intp)]
        open_ = np.flatnonzero(np.minimum(above, below) > 0.0)
        models = [BoostedModel(None, side, 1) for side in sides]
        boosters = self.engine.boost(self.learner, lanes[open_])
        for lane, booster in zip(open_, boosters, strict=True):
            models[lane] = BoostedModel(booster, np.arange(2), 1)
        return models
