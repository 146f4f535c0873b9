"""Real data for tests; a test that needs it is skipped where it is not at hand."""

import os
from pathlib import Path

import pytest

from pseudolinear.datasets import load_dataset

DATA = Path(os.environ.get("PSEUDOLINEAR_DATA", Path(__file__).parents[2] / "shared" / "data"))


def read(name):
    """Return a data set."""
    try:
        return load_dataset(name, DATA)
    except FileNotFoundError as error:
        pytest.skip(str(error))


def load(name, part="train"):
    """Return X and the 0/1 matrix of labels, of one column where the problem is binary."""
    data = read(name)
    X, Y = (data.X_train, data.Y_train) if part == "train" else (data.X_test, data.Y_test)
    return X, Y.reshape(len(Y), -1)
