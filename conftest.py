"""Names that every docstring example may use."""

import numpy as np
import pytest

import pseudolinear
from pseudolinear import datasets


@pytest.fixture(autouse=True)
def _public_names(doctest_namespace):
    doctest_namespace["np"] = np
    for module in (pseudolinear, datasets):
        doctest_namespace.update({name: getattr(module, name) for name in module.__all__})
