"""The tables of the data folder, raw where they are raw, for benchmarks in any environment."""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_file

DATA = Path(os.environ.get("PSEUDOLINEAR_DATA", Path(__file__).parents[2] / "shared" / "data"))


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
