"""Names that every docstring example may use."""

from importlib.util import find_spec

import numpy as np
import pytest

import pseudolinear
from pseudolinear import datasets

if find_spec("lightgbm") is None:
    collect_ignore = ["src/pseudolinear/learners/_boosting.py"]


@pytest.fixture(autouse=True)
def _public_names(doctest_namespace):
    doctest_namespace["np"] = np
    for module in (pseudolinear, datasets):
        doctest_namespace.update({name: getattr(module, name) for name in module.__all__})
