"""The published protocol on real data; skipped where the data is not at hand."""

import os
from dataclasses import replace

import numpy as np
import pytest
from data import DATA, load, read

from pseudolinear import LinearLearner, MeasureClassifier
from pseudolinear.experiments import PUBLISHED, published_cells
from pseudolinear.experiments._choice import choose, value_on_test
from pseudolinear.experiments._label_piece import LabelPiece, problem_levels

N_SPLITS = 5 if os.environ.get("PSEUDOLINEAR_FUZZ") else 2
OPTIONS = {"none": (False, False), "T": (False, True), "CS": (True, False), "CS&T": (True, True)}
YEAST = {  # F1 in percent by measure, loss and option
    ("f1_macro", "logistic"): {"none": 38.8, "T": 47.4, "CS": 47.4, "CS&T": 47.2},
    ("f1_micro", "logistic"): {"none": 63.3, "T": 64.9, "CS": 65.3, "CS&T": 64.9},
    ("f1_macro", "hinge"): {"T": 46.2, "CS": 47.2, "CS&T": 46.3},
    ("f1_micro", "hinge"): {"none": 64.1, "T": 64.8, "CS": 65.6, "CS&T": 65.2},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "loss", "option"),
    [(*key, option) for key in YEAST for option in YEAST[key]],
)
def test_yeast_reaches_the_published_cells(measure, loss, option):
    """The published protocol: five splits, a third held out, 13 values of C, 19 costs, no refit.

    Within 1.5 points of the published test F1, for which two of the splits are enough; before a
    release there are all. The cell of the SVM without threshold and costs (macro-F1, 39.1) is left
    out: solved to optimality it gives 35.6.
    """
    X, Y = load("yeast")
    X_test, Y_test = load("yeast", "test")
    cost_sensitive, tune_threshold = OPTIONS[option]
    values = []
    for seed in range(N_SPLITS):
        clf = MeasureClassifier.published(
            measure,
            LinearLearner(loss),
            param_grid={"C": 2.0 ** np.arange(-6, 7)},
            cost_sensitive=cost_sensitive,
            tune_threshold=tune_threshold,
            random_state=seed,
        ).fit(X, Y)
        values.append(100 * clf.score(X_test, Y_test))
    assert abs(np.mean(values) - YEAST[measure, loss][option]) < 1.5


@pytest.mark.slow
def test_scene_reaches_the_published_cells_of_the_rbf_kernel():
    """Macro-F1 of one split, with the four smallest values of gamma, within 2.5 points.

    On raw features, or without an intercept in training, it is 5 to 8 points above.
    """
    read("scene")  # skips where the data are missing
    setting = PUBLISHED.learner("SVM-RBF")
    setting = replace(setting, grid=setting.grid | {"gamma": setting.grid["gamma"][:4]})
    source, levels = PUBLISHED.source("scene"), problem_levels(setting)
    labels = [LabelPiece(source, "", setting, 0, label).compute(DATA) for label in range(6)]
    for option in setting.options:
        cuts = choose(labels, levels, option, "F_max", PUBLISHED.levels)
        cell = ("tab_MF_kern", "Scene", "macro_F1", "n/a", "SVM-RBF", option)
        ours = 100 * value_on_test(labels, cuts, "macro_F1")
        assert ours == pytest.approx(published_cells()[cell], abs=2.5)
