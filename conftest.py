"""Names that every docstring example may use."""

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
