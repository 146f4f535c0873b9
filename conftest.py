"""Names that every docstring example may use, and what every test leaves behind."""

import os
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import pseudolinear
from pseudolinear import datasets

NEEDED = {  # by examples of modules
    "lightgbm": ["src/pseudolinear/learners/_boosting.py"],
    "onnx": ["src/pseudolinear/_deployed.py", "src/pseudolinear/persistence/onnx/_graph.py"],
}
collect_ignore = [path for name in NEEDED if find_spec(name) is None for path in NEEDED[name]]


@pytest.fixture(autouse=True)
def _public_names(doctest_namespace):
    doctest_namespace["np"] = np
    for module in (pseudolinear, datasets):
        doctest_namespace.update({name: getattr(module, name) for name in module.__all__})


@pytest.fixture(autouse=True)
def _seeded():
    """Let what is fitted without a `random_state` be the same in every run."""
    np.random.seed(int(os.environ.get("PSEUDOLINEAR_SEED", "0")))  # noqa: NPY002, what None draws from


@pytest.fixture(autouse=True)
def _figures_closed():
    """Close what a test drew: pyplot keeps figures, and warns when there are many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
