"""The problems of the benchmarks: data sets, and the literature's grid of costs and C."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pseudolinear.datasets import load_dataset
from pseudolinear.learners import LabelProblem, Problem

DATA = Path(os.environ.get("PSEUDOLINEAR_DATA", Path(__file__).parents[2] / "shared" / "data"))
NAMES = ("adult", "scene", "yeast", "enron", "bibtex", "siam500", "rcv1sub")
LABELS = {  # a fixed sample of labels where all would take hours of the peer's time
    "bibtex": range(0, 159, 20),
    "siam500": range(0, 22, 5),
    "rcv1sub": range(10, 101, 20),
}

load_once = lru_cache(maxsize=1)(load_dataset)


def read(name: str, part: str) -> tuple[Any, np.ndarray]:
    """Return all rows of a part, "train" or "test", and their labels, a column for each."""
    data = load_once(name, DATA)
    X, Y = (data.X_train, data.Y_train) if part == "train" else (data.X_test, data.Y_test)
    return X, Y.reshape(len(Y), -1)


def load(name: str) -> tuple[Any, np.ndarray]:
    """Return two thirds of the training rows, as the literature trains on, and their labels."""
    X, Y = read(name, "train")
    keep = np.random.RandomState(0).permutation(X.shape[0])[: 2 * X.shape[0] // 3]
    return X[keep], np.ascontiguousarray(Y[keep])


def labels_of(name: str, Y: np.ndarray) -> list[int]:
    """Return the labels that are run: those of the sample that some row carries."""
    return [k for k in LABELS.get(name, range(Y.shape[1])) if Y[:, k].any()]


def grid(labels: list[int]) -> list[Problem]:
    """Return the literature's grid: 19 costs by 13 values of C for every label."""
    return [
        LabelProblem(k, ((2 - t) / t, 1.0), {"C": float(C)})
        for k in labels
        for t in (np.arange(1, 20) / 10).tolist()
        for C in 2.0 ** np.arange(-6, 7)
    ]


def sample(problems: list[Problem], size: int) -> list[Problem]:
    """Return a fixed random sample of the problems."""
    chosen = np.random.RandomState(0).choice(len(problems), min(size, len(problems)), replace=False)
    return [problems[i] for i in np.sort(chosen)]
