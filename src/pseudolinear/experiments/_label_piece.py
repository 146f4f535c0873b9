"""LabelPiece: all problems of one label, and what is kept of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.datasets import Dataset
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._learners import make_learner
from pseudolinear.experiments._piece import Folder, Piece
from pseudolinear.experiments._protocol import LearnerSetting
from pseudolinear.experiments._sources import load_source, split_rows
from pseudolinear.learners import LabelProblem, Learner
from pseudolinear.measures import FBeta


@dataclass(frozen=True)
class LabelPiece(Piece[Curves]):
    """All problems of one label, on one split of one data set, with one learner.

    Parameters
    ----------
    source, checksum
        See :class:`Piece`.
    setting : LearnerSetting
        Learner.
    split, label : int
        Number of the split, and column of the labels.
    """

    setting: LearnerSetting
    split: int
    label: int

    @property
    def settings(self) -> dict[str, Any]:
        """What is trained on which rows."""
        learner = asdict(self.setting)
        for name in ("options", "effort"):  # these do not change what is trained
            del learner[name]
        return {"learner": learner, "split": self.split, "label": self.label}

    def compute(self, data_dir: Folder) -> Curves:
        """Train all problems and cut their scores."""
        data = load_source(self.source, data_dir)
        return train(make_learner(self.setting), self.setting, data, self.split, self.label)

    def pack(self, result: Curves) -> bytes:
        """Pack all arrays."""
        return result.to_bytes()

    def unpack(self, blob: bytes) -> Curves:
        """Unpack all arrays."""
        return Curves.from_bytes(blob)


def train(
    learner: Learner, setting: LearnerSetting, data: Dataset, split: int, label: int
) -> Curves:
    """Train all problems of a label on two thirds of the training rows, and cut their scores.

    Parameters
    ----------
    learner : Learner
        What is trained.
    setting : LearnerSetting
        Its problems.
    data : Dataset
        The rows.
    split, label : int
        Number of the split, and column of the labels.

    Returns
    -------
    Curves
        The errors on the other third and on the test rows.
    """
    fitted, held = split_rows(len(data.Y_train), split)
    targets = data.Y_train[:, [label]]
    models = learner.fit_batch(data.X_train[fitted], targets[fitted], problems_of(setting))
    return Curves.from_scores(
        data.Y_train[held, label],
        np.stack(learner.scores(models, data.X_train[held])),
        data.Y_test[:, label],
        np.stack(learner.scores(models, data.X_test)),
        sum(not model.converged for model in models),
    )


def problems_of(setting: LearnerSetting) -> list[LabelProblem]:
    """Return what is trained for a label: for each level all hyper-parameters."""
    names, points = list(setting.grid), list(product(*setting.grid.values()))
    problems = []
    for level in setting.levels:
        cost_fn, cost_fp = FBeta().costs(level)
        costs = (float(cost_fn / cost_fp), 1.0)  # as in the literature, relative to a negative row
        problems += [LabelProblem(0, costs, dict(zip(names, p, strict=True))) for p in points]
    return problems


def problem_levels(setting: LearnerSetting) -> NDArray[np.float64]:
    """Return the level of each problem, in the order of :class:`Curves`."""
    return np.repeat(setting.levels, setting.n_problems // len(setting.levels))
