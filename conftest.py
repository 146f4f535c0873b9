"""Names that every docstring example may use."""

import numpy as np
import pytest

import pseudolinear


@pytest.fixture(autouse=True)
def _public_names(doctest_namespace):
    doctest_namespace["np"] = np
    doctest_namespace.update({name: getattr(pseudolinear, name) for name in pseudolinear.__all__})
