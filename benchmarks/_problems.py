"""The problems of the benchmarks: data sets, and the literature's grid of costs and C."""

from __future__ import annotations

import lzma
import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MultiLabelBinarizer

from pseudolinear.learners import Problem

DATA = Path(os.environ.get("PSEUDOLINEAR_DATA", Path(__file__).parents[2] / "shared" / "data"))
SHAPES: dict[str, tuple[int, int | None]] = {  # features and labels; None: binary
    "adult": (123, None),
    "scene": (294, 6),
    "yeast": (103, 14),
    "enron": (1001, 53),
    "bibtex": (1836, 159),
    "siam500": (500, 22),
    "rcv1sub": (47236, 101),
}
LABELS = {  # a fixed sample of labels where all would take hours of the peer's time
    "bibtex": range(0, 159, 20),
    "siam500": range(0, 22, 5),
    "rcv1sub": range(10, 101, 20),
}


def read(name: str, part: str) -> tuple[Any, np.ndarray]:
    """Return all rows of a part, "train" or "test", and their labels."""
    n_features, n_labels = SHAPES[name]
    with lzma.open(DATA / name / f"{part}.svm.xz") as file:
        X, y = load_svmlight_file(
            file, n_features=n_features, multilabel=n_labels is not None, zero_based=False
        )
    if n_labels is None:
        Y = (y > 0).astype(np.int8)[:, None]
    else:
        binarizer = MultiLabelBinarizer(classes=range(n_labels))
        Y = binarizer.fit_transform([map(int, row) for row in y]).astype(np.int8)
    if name in ("scene", "yeast"):
        return np.ascontiguousarray(X.toarray()), Y
    X = sparse.csr_matrix(X)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, Y


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
        Problem(k, (1.0, (2 - t) / t), {"C": float(C)})
        for k in labels
        for t in (np.arange(1, 20) / 10).tolist()
        for C in 2.0 ** np.arange(-6, 7)
    ]


def sample(problems: list[Problem], size: int) -> list[Problem]:
    """Return a fixed random sample of the problems."""
    chosen = np.random.RandomState(0).choice(len(problems), min(size, len(problems)), replace=False)
    return [problems[i] for i in np.sort(chosen)]
