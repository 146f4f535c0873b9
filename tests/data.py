"""Real data for tests; a test that needs it is skipped where it is not at hand."""

import lzma
import os
from pathlib import Path

import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MultiLabelBinarizer

DATA = Path(os.environ.get("PSEUDOLINEAR_DATA", Path(__file__).parents[2] / "shared" / "data"))
SHAPES = {"adult": (123, None), "scene": (294, 6), "yeast": (103, 14)}  # features, labels
DENSE = ("scene", "yeast")


def load(name, part="train"):
    """Return X and the 0/1 matrix of labels."""
    path = DATA / name / f"{part}.svm.xz"
    if not path.exists():
        pytest.skip(f"{path} is missing; set PSEUDOLINEAR_DATA to the folder of data sets")
    n_features, n_labels = SHAPES[name]
    with lzma.open(path) as file:
        X, y = load_svmlight_file(
            file, n_features=n_features, multilabel=n_labels is not None, zero_based=False
        )
    X = X.toarray() if name in DENSE else X
    if n_labels is None:
        return X, (y > 0).astype(int)[:, None]
    binarizer = MultiLabelBinarizer(classes=range(n_labels))
    return X, binarizer.fit_transform([map(int, row) for row in y])
