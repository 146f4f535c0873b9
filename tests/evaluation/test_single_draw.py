"""One draw, and none that counts: no method claims to know more than the rows tell."""

import numpy as np
import pytest

from pseudolinear import evaluate

METHODS = ["auto", "delta", "bootstrap"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("measure", ["f1", "f2", "mcc"])
def test_one_group_is_one_draw(measure, method):
    """However many rows it has."""
    rng = np.random.RandomState(0)
    y = rng.randint(2, size=200)
    p = np.where(rng.uniform(size=200) < 0.2, 1 - y, y)
    found = evaluate(y, p, measure, method=method, groups=np.zeros(200))
    assert found.interval == pytest.approx((-1.0 if measure == "mcc" else 0.0, 1.0))
    assert found.note.startswith("These rows are a single draw")


@pytest.mark.parametrize("method", METHODS)
def test_what_is_said_of_one_row_fits_its_interval(method):
    """An approximation knows nothing from one row; what is exact says how little that is."""
    found = evaluate([1], [1], method=method)
    assert found.interval == (0.0, 1.0)
    assert found.note.startswith("These rows are a single draw")
    assert found.labels[0].recall_interval == (0.0, 1.0)
    exact = evaluate([1], [1], method="exact")
    assert 0.0 < exact.interval[0] < 0.1
    assert exact.note == ""


def test_the_bootstrap_of_an_empty_union_knows_nothing():
    """No resample has a positive row or prediction, and yet others may."""
    found = evaluate(np.zeros(50, int), np.zeros(50, int), method="bootstrap")
    assert found.interval == (0.0, 1.0)
    assert found.note.startswith("With no positive row and no positive prediction")


@pytest.mark.parametrize("method", METHODS)
def test_a_label_without_rows_widens_the_interval_by_its_share(method):
    """As much as the mean can move, whatever the method."""
    rng = np.random.RandomState(0)
    Y = (rng.uniform(size=(100, 2)) < 0.4).astype(int)
    P = np.where(rng.uniform(size=Y.shape) < 0.1, 1 - Y, Y)
    known = evaluate(Y, P, "f1_macro", method=method).interval
    none = np.zeros((100, 1), int)
    found = evaluate(np.hstack([Y, none]), np.hstack([P, none]), "f1_macro", method=method)
    assert found.interval == pytest.approx((known[0] * 2 / 3, known[1] * 2 / 3 + 1 / 3), abs=1e-9)
