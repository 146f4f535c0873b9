"""The problems of the benchmarks: data sets, and the literature's grid of costs and C."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.problems import DATA
from benchmarks.problems.data import names, read_set
from pseudolinear.datasets import load_dataset
from pseudolinear.learners import LabelProblem, Problem

KINDS = ("binary", "multilabel", "multiclass")
NAMES = ("adult", "scene", "yeast", "enron", "bibtex", "siam500", "rcv1sub")
LABELS = {  # a fixed sample of labels where all would take hours of the peer's time
    "bibtex": range(0, 159, 20),
    "siam500": range(0, 22, 5),
    "rcv1sub": range(10, 101, 20),
}

load_once, read_once = lru_cache(maxsize=1)(load_dataset), lru_cache(maxsize=1)(read_set)


def all_names() -> list[str]:
    """List the sets of the literature, and then all others of the data folder."""
    return [*NAMES, *(name for kind in KINDS for name in names(kind))]


def read(name: str, part: str) -> tuple[Any, np.ndarray]:
    """Return all rows of a part, "train" or "test", and their labels, a column for each.

    Of a multiclass set every class is a label.
    """
    train = part == "train"
    if name not in NAMES:
        X, y = read_once(name)[:2] if train else read_once(name)[2:]
        if y.ndim == 1:
            y = y[:, None] == np.unique(y) if len(np.unique(y)) > 2 else (y > 0)[:, None]
        return X, np.ascontiguousarray(y, dtype=np.int8)
    data = load_once(name, DATA)
    X, Y = (data.X_train, data.Y_train) if train else (data.X_test, data.Y_test)
    return X, Y.reshape(len(Y), -1)


def load(name: str) -> tuple[Any, np.ndarray]:
    """Return two thirds of the training rows, as the literature trains on, and their labels."""
    X, Y = read(name, "train")
    keep = np.random.RandomState(0).permutation(X.shape[0])[: 2 * X.shape[0] // 3]
    return X[keep], np.ascontiguousarray(Y[keep])


def labels_of(name: str, Y: np.ndarray, most: int | None = None) -> list[int]:
    """Return the labels that are run: those of the sample that some row carries.

    Of more than `most` so many are taken, evenly spread.
    """
    labels = [k for k in LABELS.get(name, range(Y.shape[1])) if Y[:, k].any()]
    if most is None or len(labels) <= most:
        return labels
    return [labels[i * len(labels) // most] for i in range(most)]


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
