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
from pseudolinear.sweep import pack_models, unpack_models


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
        for lane in open_:
            models[lane] = self._boosted(lanes[[lane]])
        return models

    def _boosted(self, lane: Lanes) -> BoostedModel:
        """Boost one lane, or take the trees that were kept of it."""
        diary = self.diary(lane, "boosting")
        kept = None if diary is None else diary.read()
        if kept is not None:
            model: BoostedModel = unpack_models(kept)[0]
            return model
        (booster,) = self.engine.boost(self.learner, lane)
        model = BoostedModel(booster, np.arange(2), 1)
        if diary is not None:
            diary.write(pack_models([model]) or {})
        return model
