"""Pieces of work: what is computed at once, and stored at once."""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

import pseudolinear
from pseudolinear._classifier import MeasureClassifier
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._learners import make_learner
from pseudolinear.experiments._protocol import LearnerSetting, Source
from pseudolinear.experiments._sources import load_source, split_rows
from pseudolinear.learners._base import Problem

PACKAGES = ("pseudolinear", "numpy", "scipy", "scikit-learn", "numba")
ENGINE = (  # the code that the pieces of the published protocol run
    "_profiles.py",
    "_validation.py",
    "_kernels/*.py",
    "learners/_base.py",
    "learners/_native.py",
    "learners/_linear.py",
    "learners/_kernel.py",
    "learners/_solvers/*.py",
    "datasets/_galaxy.py",
    "rivals/_svm_perf.py",
    "rivals/_simplex_qp.py",
    "experiments/_curves.py",
    "experiments/_learners.py",
    "experiments/_pieces.py",
    "experiments/_sources.py",
)
EVERYTHING = ("_[a-z]*.py", "_kernels/*.py", "learners/**/*.py")  # that today's default runs
MEASURES = {"binary_F1": "f1", "macro_F1": "f1_macro", "micro_F1": "f1_micro"}


@dataclass(frozen=True)
class Piece:
    """All problems of one label, on one split of one data set, with one learner.

    Parameters
    ----------
    source : Source
        Data set.
    checksum : str
        Fingerprint of its rows.
    setting : LearnerSetting
        Learner.
    split, label : int
        Number of the split, and column of the labels.
    """

    source: Source
    checksum: str
    setting: LearnerSetting
    split: int
    label: int

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that the result depends on, but for the versions."""
        learner = asdict(self.setting)
        for name in ("options", "effort"):  # these do not change what is trained
            del learner[name]
        rows = {"name": self.source.name, "checksum": self.checksum}
        return {"data": rows, "learner": learner, "split": self.split, "label": self.label}

    @property
    def code(self) -> tuple[str, ...]:
        """The files whose code computes it."""
        return ENGINE

    def compute(self, data_dir: str | os.PathLike[str] | None) -> Curves:
        """Train all problems on two thirds of the training rows, and cut their scores."""
        data, column = load_source(self.source, data_dir), [self.label]
        train, validation = split_rows(len(data.Y_train), self.split)
        learner = make_learner(self.setting)
        models = learner.fit_batch(
            data.X_train[train], data.Y_train[train][:, column], _problems(self.setting)
        )
        return Curves.from_scores(
            data.Y_train[validation, self.label],
            np.stack(learner.scores(models, data.X_train[validation])),
            data.Y_test[:, self.label],
            np.stack(learner.scores(models, data.X_test)),
            sum(not model.converged for model in models),
        )


@dataclass(frozen=True)
class DefaultPiece:
    """`MeasureClassifier` as it is today, trained on all training rows.

    Parameters
    ----------
    source : Source
        Data set.
    checksum : str
        Fingerprint of its rows.
    measure : str
        Name of the measure in the tables.
    """

    source: Source
    checksum: str
    measure: str

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        rows = {"name": self.source.name, "checksum": self.checksum}
        return {"data": rows, "default": self.measure, "seed": 0}

    @property
    def code(self) -> tuple[str, ...]:
        """The files whose code computes it."""
        return EVERYTHING

    def compute(self, data_dir: str | os.PathLike[str] | None) -> float:
        """Train with all defaults, and return the value on the test rows."""
        data = load_source(self.source, data_dir)
        binary = self.measure == "binary_F1"
        y, y_test = (Y[:, 0] if binary else Y for Y in (data.Y_train, data.Y_test))
        classifier = MeasureClassifier(measure=MEASURES[self.measure], random_state=0)
        return float(classifier.fit(data.X_train, y).score(data.X_test, y_test))


AnyPiece = Piece | DefaultPiece


def key_of(piece: AnyPiece) -> str:
    """Return the key of a piece: a hash of all settings, versions and the code that computes."""
    content = piece.settings | {"versions": versions(piece.code)}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@cache
def versions(patterns: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of the packages that take part, and a hash of the computing code."""
    folder = Path(pseudolinear.__file__).parent
    files = sorted(path for pattern in patterns for path in folder.glob(pattern))
    code = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return {name: version(name) for name in PACKAGES} | {"code": code}


def compute(
    piece: AnyPiece, data_dir: str | os.PathLike[str] | None
) -> tuple[AnyPiece, Curves | float, float]:
    """Compute a piece; return it with its result and the seconds of processor time.

    One thread per process: sums would be rounded differently with another number of threads.
    """
    start = time.process_time()
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # unsolved problems are counted
        result = piece.compute(data_dir)
    return piece, result, time.process_time() - start


def problem_levels(setting: LearnerSetting) -> NDArray[np.float64]:
    """Return the level of each problem, in the order of :class:`Curves`."""
    return np.repeat(setting.levels, setting.n_problems // len(setting.levels))


def _problems(setting: LearnerSetting) -> list[Problem]:
    grid = [
        dict(zip(setting.grid, point, strict=True)) for point in product(*setting.grid.values())
    ]
    return [Problem(0, (1.0, (2 - t) / t), params) for t in setting.levels for params in grid]
