"""Curves of many labels in flat arrays are those of one label after the other."""

from __future__ import annotations

import numpy as np
import pytest
from extreme.rows import draw
from scipy import sparse

from pseudolinear import FBeta
from pseudolinear._calibration import SATURATED
from pseudolinear._platt import platt
from pseudolinear.errors import ErrorCurve
from pseudolinear.extreme import LabelCurves
from pseudolinear.extreme._calibration import calibrate
from pseudolinear.kinds import ManyLabels
from pseudolinear.labels import LabelForm


def by_label(scores):
    return np.ascontiguousarray(scores.T).copy()


@pytest.mark.parametrize("digits", [1, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_they_are_the_outlines_of_the_curves_of_each_label(digits, weighted):
    scores, Y = draw(digits=digits)
    weight = np.random.default_rng(1).uniform(0.5, 2, len(scores)) if weighted else None
    curves = LabelCurves.of_scores(by_label(scores), Y, weight)
    for label in range(len(curves)):
        own = curves.take(np.array([label]))
        one = ErrorCurve.from_scores(Y[:, [label]].toarray()[:, 0], scores[:, label], weight)
        one = one.outline()
        np.testing.assert_allclose(own.thresholds, one.thresholds)
        np.testing.assert_allclose(own.fn, one.fn[:, 0], atol=1e-12)
        np.testing.assert_allclose(own.fp, one.fp[:, 0], atol=1e-12)


def test_a_label_without_a_score_in_a_row_is_never_predicted_there():
    """Sparse scores are dense ones whose gaps lie below every cut that is offered."""
    scores, Y = draw(digits=9)
    some = np.random.default_rng(2).random(scores.shape) < 0.3
    listed = sparse.csc_matrix(np.where(some, scores, 0.0))
    sparse_curves = LabelCurves.of_sparse_scores(listed, Y)
    for label in range(Y.shape[1]):
        own = sparse_curves.take(np.array([label]))
        y = Y[:, [label]].toarray()[:, 0].astype(bool)
        flagged = some[:, label] & (scores[:, label] >= own.thresholds[:, None])
        np.testing.assert_allclose(own.fn, (y & ~flagged).mean(axis=1))
        np.testing.assert_allclose(own.fp, (~y & flagged).mean(axis=1))


def test_a_stored_zero_is_a_score_and_a_label_without_any_is_never_predicted():
    scores = sparse.csc_matrix(([0.0, -1.0], [0, 1], [0, 2, 2]), shape=(3, 2))
    Y = sparse.csc_matrix([[1, 1], [0, 0], [1, 0]])
    curves = LabelCurves.of_sparse_scores(scores, Y)
    first, none = curves.take(np.array([0])), curves.take(np.array([1]))
    assert first.fn.min() == pytest.approx(1 / 3)  # the third row has no score
    assert none.fn.tolist() == [pytest.approx(1 / 3)]
    assert none.fp.tolist() == [0.0]


def test_labels_can_be_joined_and_taken_apart():
    scores, Y = draw()
    whole = LabelCurves.of_scores(by_label(scores), Y)
    parts = [
        LabelCurves.of_scores(by_label(scores[:, at]), Y[:, at])
        for at in (slice(0, 2), slice(2, 6))
    ]
    joined = LabelCurves.join(parts).take(np.arange(6))
    assert np.array_equal(joined.starts, whole.starts)
    assert np.array_equal(joined.values(FBeta()), whole.values(FBeta()))


def test_probabilities_of_all_labels_are_those_of_each():
    scores, Y = draw(n_rows=2000, digits=9)
    curves = LabelCurves.of_scores(by_label(scores), Y)
    kind = ManyLabels(np.arange(6), np.zeros(6, bool), LabelForm())
    calibration = calibrate(curves, np.arange(6), kind)
    assert calibration.limit == SATURATED
    for label in range(6):
        one = ErrorCurve.from_scores(Y[:, [label]].toarray()[:, 0], scores[:, label]).outline()
        line = platt(one)
        assert calibration.slope[label] == pytest.approx(line.slope, rel=1e-12)
        assert calibration.intercept[label] == pytest.approx(line.intercept, rel=1e-12)
