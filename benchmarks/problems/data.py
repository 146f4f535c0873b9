"""The tables of the data folder, raw where they are raw, for benchmarks in any environment."""

from __future__ import annotations

import json
import lzma
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MultiLabelBinarizer

from benchmarks.problems import DATA

OLDER = [  # sets of the data folder that its list does not name
    {"name": name, "kind": "multilabel", "n_features": n_features, "n_labels": n_labels}
    for name, n_features, n_labels in [
        ("scene", 294, 6), ("yeast", 103, 14), ("enron", 1001, 53), ("siam500", 500, 22),
        ("rcv1sub", 47236, 101), ("bibtex", 1836, 159),
    ]
]  # fmt: skip


class Table(NamedTuple):
    """Training and test rows; frames of raw columns, a column of texts, or scaled numbers."""

    name: str
    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any
    text: bool


def names(kind: str) -> list[str]:
    """List the data sets of a kind, the smallest first."""
    sets = [one for one in json.loads((DATA / "more.json").read_text()) if one["kind"] == kind]
    return [one["name"] for one in sorted(sets, key=lambda s: s["n_train"] * s["n_features"])]


def read_table(name: str) -> Table:
    """Read a binary data set, 1 being the positive class."""
    about = next(s for s in json.loads((DATA / "more.json").read_text()) if s["name"] == name)
    parts = []
    for part in ("train", "test"):
        if about["raw"]:
            frame = pd.read_csv(DATA / name / f"raw_{part}.csv.xz")
            y = frame.pop("target").to_numpy()
            parts += [frame.iloc[:, 0].fillna("") if about["text"] else frame, y]
        else:
            with lzma.open(DATA / name / f"{part}.svm.xz") as file:
                X, y = load_svmlight_file(file, n_features=about["n_features"], zero_based=False)
            parts += [pd.DataFrame(X.toarray()).add_prefix("x"), (y > 0).astype(np.intp)]
    return Table(name, *parts, text=about["text"])


def read_set(name: str) -> tuple[Any, np.ndarray, Any, np.ndarray]:
    """Read a multilabel or multiclass set: rows and labels for training, rows and labels to test.

    Rows are dense where more than half of the values are not zero.
    """
    sets = [*json.loads((DATA / "more.json").read_text()), *OLDER]
    about = next(one for one in sets if one["name"] == name)
    multilabel, parts = about["kind"] == "multilabel", []
    for part in ("train", "test"):
        with lzma.open(DATA / name / f"{part}.svm.xz") as file:
            X, y = load_svmlight_file(
                file, n_features=about["n_features"], multilabel=multilabel, zero_based=False
            )
        if multilabel:
            y = MultiLabelBinarizer(classes=range(about["n_labels"])).fit_transform(
                [map(int, row) for row in y]
            )
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
        parts += [X.toarray() if 2 * X.nnz > np.prod(X.shape) else X, np.asarray(y, dtype=np.intp)]
    return parts[0], parts[1], parts[2], parts[3]
