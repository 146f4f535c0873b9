"""Where classifiers in the plane change their prediction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pictures import legend, line, points
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from pseudolinear.inspection import BoundaryDisplay


@pytest.fixture(scope="module")
def plane(data):
    return data[0][:, :2], data[1]


def test_boundaries_are_where_the_decision_changes(plane):
    """Of linear classifiers straight lines, with a legend that tells them apart."""
    X, y = plane
    models = {
        name: LogisticRegression(class_weight=weight).fit(X, y)
        for name, weight in (("plain", None), ("balanced", "balanced"))
    }
    display = BoundaryDisplay.from_estimators(models, X, y, resolution=50)
    assert legend(display.ax_) == ["negative", "positive", "plain", "balanced"]
    for name, model in models.items():
        (piece,) = display.pieces(name)
        assert_allclose(model.decision_function(piece), 0, atol=1e-10)


def test_the_frame_is_what_is_drawn(plane):
    """The rows by class, and every piece of a boundary that has several."""
    X, y = plane
    model = SVC(gamma=20).fit(X[:200], y[:200])
    display = BoundaryDisplay.from_estimators({"svc": model}, X, y, resolution=60)
    frame = display.frame().set_index("name")
    features = frame[["first", "second"]]
    for value, name in enumerate(("negative", "positive")):
        assert_array_equal(features.loc[name], X[y == value])
        assert_array_equal(points(display.ax_, name), X[y == value])
    drawn = line(display.ax_, "svc")
    assert_array_equal(drawn[~np.isnan(drawn[:, 0])], features.loc["svc"])
    n_pieces = frame.loc["svc", "piece"].max() + 1
    assert np.isnan(drawn[:, 0]).sum() == n_pieces + 1 > 2  # no line joins two pieces


def test_a_classifier_that_never_changes_its_mind_has_no_boundary(plane):
    """It is named all the same."""
    X, y = plane
    model = LogisticRegression().fit(X, y)
    model.coef_[:] = 0.0
    display = BoundaryDisplay.from_estimators({"constant": model}, X, y, resolution=10)
    assert display.pieces("constant") == []
    assert legend(display.ax_)[-1] == "constant"
