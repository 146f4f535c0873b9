"""Thresholds per group against fairlearn's ThresholdOptimizer, on its own objectives."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from pseudolinear import ErrorProfile, best_group_thresholds, get_measure

CONSTRAINTS = {
    "demographic_parity": "selection_rate",
    "true_positive_rate_parity": "recall",
    "false_positive_rate_parity": "false_positive_rate",
    "equalized_odds": ("recall", "false_positive_rate"),
}


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose rows are scores."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_ours_is_never_worse_on_the_rows_that_chose(constraint, measure):
    """With the same bound on the same scores; values are expected over the draws."""
    postprocessing = pytest.importorskip("fairlearn.postprocessing")
    for seed in range(10):
        rng = np.random.default_rng(seed)
        groups = rng.choice(["a", "b", "c"], 600, p=[0.5, 0.3, 0.2])
        y = (rng.random(600) < np.where(groups == "a", 0.4, 0.25)).astype(int)
        score = y + rng.normal(0, np.where(groups == "b", 1.5, 0.8))
        ours = best_group_thresholds(
            y, score, groups, measure, rate=CONSTRAINTS[constraint], within=0.0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = postprocessing.ThresholdOptimizer(
                estimator=Given(), constraints=constraint, objective=f"{measure}_score",
                prefit=True, predict_method="decision_function",
            ).fit(score[:, None], y, sensitive_features=groups)  # fmt: skip
            flagged = theirs._pmf_predict(score[:, None], sensitive_features=groups)[:, 1]
        profile = ErrorProfile(((1 - flagged) * y).mean(), (flagged * (1 - y)).mean(), y.mean())
        assert ours.value >= get_measure(measure).value(profile) - 1e-9
        assert max(ours.gap(rate) for rate in ours.rates) <= 1e-7
