"""Settings and data that the tests share."""

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import configuration, settings

from pseudolinear import ErrorProfile

# Nothing is written to the tree.
configuration.set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "hypothesis")
EXAMPLES = int(os.environ.get("PSEUDOLINEAR_EXAMPLES", "15"))  # of each property
settings.register_profile("fixed", max_examples=EXAMPLES, deadline=None, derandomize=True)
settings.load_profile("fixed")


BESIDE = {"rivals", "onnx", "plain"}  # folders beside the classifier: rivals and exports


def pytest_collection_modifyitems(items):
    """Check one configuration of an estimator class quickly, and all others among the slow tests.

    The first one in a file is the quick one; what is beside the classifier is slow as a whole.
    """
    first = {}
    for item in items:
        if item.path.parent.name in BESIDE:
            item.add_marker(pytest.mark.slow)
        params = item.callspec.params if hasattr(item, "callspec") else {}
        if {"estimator", "check"} <= params.keys():
            estimator = params["estimator"]
            quick = first.setdefault((item.path, type(estimator)), estimator)
            if quick is not estimator:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def three_points():
    """Profiles of the classifiers A to H: three points, masses and probabilities of 1 given."""
    mass, probability = np.array([0.65, 0.30, 0.05]), np.array([0.70, 0.40, 0.15])
    rows = ["000", "001", "010", "100", "101", "110", "111", "011"]
    positive = np.array([[int(digit) for digit in row] for row in rows])
    fn = (1 - positive) @ (mass * probability)
    fp = positive @ (mass * (1 - probability))
    return ErrorProfile(fn[:, None], fp[:, None], mass @ probability)
