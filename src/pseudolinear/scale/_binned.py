"""Rows as LightGBM keeps them: a byte per value, read block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.learners import BoostingLearner, import_lightgbm
from pseudolinear.scale._block import TILE, Block
from pseudolinear.scale._lanes import Lanes


@dataclass(frozen=True, eq=False)
class Binned:
    """All rows in bins, which every lane is trained on.

    Attributes
    ----------
    data : lightgbm.Dataset
        The bins.
    blocks : sequence of Block
        Where labels and weights are.
    """

    data: Any
    blocks: Sequence[Block]

    @classmethod
    def of(cls, blocks: Sequence[Block], learner: BoostingLearner) -> Binned:
        """Let LightGBM read blocks."""
        lightgbm = import_lightgbm()

        class Rows(lightgbm.Sequence):  # type: ignore[name-defined]
            batch_size = TILE

            def __init__(self, block: Block) -> None:
                self.block = block

            def __getitem__(self, rows: Any) -> NDArray[np.float64]:
                return np.asarray(self.block.X[rows], dtype=np.float64)

            def __len__(self) -> int:
                return len(self.block)

        options = {"max_bin": learner.bins, "verbose": -1}
        data = lightgbm.Dataset(
            [Rows(block) for block in blocks],
            categorical_feature=list(learner.categorical),
            free_raw_data=False,
            params=options,
        )
        return cls(data, blocks)

    def boost(self, learner: BoostingLearner, lanes: Lanes, lane: int, threads: int) -> Any:
        """Train the trees of one lane."""
        truth = [block.codes[:, lanes.label[lane]] for block in self.blocks]
        weight = [lane_weight(block, lanes, lane) for block in self.blocks]
        self.data.set_label(np.concatenate(truth))
        self.data.set_weight(np.concatenate(weight))
        options = learner.options(2) | {"num_threads": threads}
        return import_lightgbm().train(options, self.data, learner.n_trees)


def lane_weight(block: Block, lanes: Lanes, lane: int) -> NDArray[np.float64]:
    """Return what the rows of a block weigh in a lane: nothing in the fold that is left out."""
    positive = block.codes[:, lanes.label[lane]] > 0
    costs = np.where(positive, lanes.cost_fn[lane], lanes.cost_fp[lane])
    return block.weight * costs * (block.fold != lanes.fold[lane])
