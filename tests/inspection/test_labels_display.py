"""Labels by their value."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pictures import legend, line
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

from pseudolinear.inspection import LabelsDisplay


def _predictions(n_labels, n_samples=400):
    rng = np.random.default_rng(0)
    Y = (rng.random((n_samples, n_labels)) < rng.uniform(0.05, 0.4, n_labels)).astype(int)
    return Y, np.where(rng.random(Y.shape) < 0.2, 1 - Y, Y)


@pytest.mark.parametrize("n_labels", [3, 60])
def test_labels_are_sorted_by_scikit_learns_value(n_labels):
    """Each with its interval around it and the number of its positive rows."""
    Y, predicted = _predictions(n_labels)
    display = LabelsDisplay.from_predictions(Y, predicted, "f1_macro")
    frame = display.frame()
    names = frame["name"].to_numpy()
    values = f1_score(Y, predicted, average=None)
    assert_allclose(frame["value"], np.sort(values)[::-1])
    assert_allclose(frame["value"], values[names])
    assert_array_equal(frame["positives"], Y.sum(axis=0)[names])
    assert (frame["low"] <= frame["value"]).all()
    assert (frame["value"] <= frame["high"]).all()
    assert f"all together: {f1_score(Y, predicted, average='macro'):.3f}" in legend(display.ax_)


def test_few_labels_are_named_with_their_positives():
    """A name with a dollar or of any length is text, from the best at the top."""
    Y, predicted = _predictions(3)
    tags = np.array(["$x$", "b" * 200, "<c>"])
    true, said = ([list(tags[row == 1]) for row in matrix] for matrix in (Y, predicted))
    display = LabelsDisplay.from_predictions(true, said, "f1_macro")
    texts = [text.get_text() for text in display.ax_.get_yticklabels()]
    frame = display.frame()
    for text, name, positives in zip(texts, frame["name"], frame["positives"], strict=True):
        assert text.replace("\\", "").startswith(name[:30])
        assert text.endswith(f"({positives:g})")
        assert len(text) < 60
    display.figure_.canvas.draw()
    assert display.ax_.yaxis_inverted()


def test_an_estimator_is_evaluated_by_its_own_measure(multilabel):
    clf = multilabel("macro")
    X, Y = make_multilabel_classification(200, n_classes=5, n_labels=1, random_state=0)
    X, Y = X[1:], Y[1:]  # all rows are those of the fit
    display = LabelsDisplay.from_estimator(clf, X, Y)
    assert display.overall == pytest.approx(clf.score(X, Y))
    same = LabelsDisplay.from_evaluation(clf.evaluate(X, Y))
    assert_array_equal(same.frame(), display.frame())


def test_points_are_where_the_frame_says():
    Y, predicted = _predictions(3)
    display = LabelsDisplay.from_predictions(Y, predicted, "f1_micro", color="k", marker="s")
    (points,) = (x for x in display.ax_.get_lines() if x.get_marker() == "s")
    assert_allclose(points.get_xdata(), display.frame()["value"])
    assert points.get_color() == "k"
    assert_allclose(line(display.ax_, "all together")[:, 0], display.overall)
