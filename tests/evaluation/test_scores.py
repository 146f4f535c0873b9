"""evaluate, of scores that are cut at a threshold."""

import numpy as np
import pytest

from pseudolinear import evaluate


def test_scores_are_cut_where_it_is_said():
    """As the decisions that they become: of two classes by name, of labels one threshold each."""
    rng = np.random.RandomState(0)
    score, words = rng.uniform(size=60), np.where(rng.uniform(size=60) < 0.4, "spam", "ham")
    found = evaluate(words, score, "f1", threshold=0.3)  # spam is rarer
    expected = evaluate(words, np.where(score >= 0.3, "spam", "ham"), "f1")
    assert found.to_dict() == expected.to_dict()
    Y, scores = rng.uniform(size=(40, 2)) < 0.5, rng.uniform(size=(40, 2))
    found = evaluate(Y.astype(int), scores, "f1_macro", threshold=[0.2, 0.7])
    expected = evaluate(Y.astype(int), (scores >= [0.2, 0.7]).astype(int), "f1_macro")
    assert found.to_dict() == expected.to_dict()
    sets = [{"a"}, {"a", "b"}, set(), {"b"}]
    assert evaluate(sets, [[0.9, 0.1], [0.8, 0.7], [0.2, 0.1], [0, 0.9]], "f1_micro", threshold=0.5)


@pytest.mark.parametrize(
    ("y_true", "y_score", "threshold", "sentence"),
    [
        ([0, 1, 2], [0.1, 0.2, 0.3], 0.2, "3 classes, and one threshold tells two apart"),
        ([0, 1], [0.1, 0.2], [0.1, 0.2], "give one number, or one for each label"),
        ([0, 1], [0.1, np.nan], 0.5, "NaN or infinity"),
        (["b", "b"], [0.1, 0.2], 0.15, "Only the class"),
    ],
)
def test_scores_that_cannot_be_cut(y_true, y_score, threshold, sentence):
    """One sentence each."""
    with pytest.raises(ValueError, match=sentence):
        evaluate(y_true, y_score, threshold=threshold)
