"""Pipelines of imbalanced-learn, which draw training rows of their own."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline as make_plain_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import Grid, MeasureClassifier
from pseudolinear.learners import EarlyStoppingLearner

imblearn = pytest.importorskip("imblearn", reason="imbalanced-learn is not installed")
from imblearn.ensemble import BalancedRandomForestClassifier  # noqa: E402
from imblearn.over_sampling import SMOTE  # noqa: E402
from imblearn.pipeline import make_pipeline  # noqa: E402
from imblearn.under_sampling import RandomUnderSampler  # noqa: E402

X, y = make_classification(400, 6, n_informative=4, weights=[0.85], random_state=0)
NAMES = np.where(y, "bad", "good")


def measured(estimator, **params):
    return MeasureClassifier(estimator, search=Grid(2), random_state=0, **params)


class Recorder(RandomUnderSampler):
    """Notes how many rows it is given."""

    seen = []  # noqa: RUF012

    def fit_resample(self, X, y, **params):
        self.seen.append(len(y))
        return super().fit_resample(X, y, **params)


@pytest.mark.parametrize("on", [False, True], ids=["plain", "routing"])
@pytest.mark.parametrize("sampler", [SMOTE(), RandomUnderSampler()], ids=["smote", "under"])
def test_costs_go_into_class_weights(sampler, on):
    """Drawn rows have no weights, but they have classes: the positive one has number 1."""
    with sklearn.config_context(enable_metadata_routing=on):
        pipeline = make_pipeline(StandardScaler(), sampler, LogisticRegression())
        clf = measured(pipeline).fit(X, NAMES)
    assert clf.costs_[0] > clf.costs_[1]
    cost_fn, cost_fp = clf.costs_
    assert clf.models_[0].estimator[-1].class_weight == {0: cost_fp, 1: cost_fn}
    assert clf.pos_label_ == "bad"
    assert len(clf.predict(X)) == len(X)


def test_only_training_rows_are_resampled():
    """Two thirds of the rows in each fold, all of them at the end, and none to predict."""
    Recorder.seen.clear()
    clf = measured(make_pipeline(Recorder(), LogisticRegression())).fit(X, y)
    n_fits = len(Recorder.seen)
    assert set(Recorder.seen[:-1]) <= {266, 267}
    assert Recorder.seen[-1] == len(y)
    clf.predict(X)
    assert len(Recorder.seen) == n_fits


def test_a_sampler_that_takes_all_rows_changes_nothing():
    """Costs as class weights are costs as weights of the rows."""
    everything = imblearn.FunctionSampler()
    with_sampler = measured(make_pipeline(everything, LogisticRegression(tol=1e-8))).fit(X, y)
    plain = measured(make_plain_pipeline(LogisticRegression(tol=1e-8))).fit(X, y)
    assert_allclose(with_sampler.decision_function(X), plain.decision_function(X), atol=1e-3)


def test_several_classes():
    """Every class has the weight of its cost."""
    classes = np.array(["a", "b", "c"])[y + (X[:, 0] > 1.0)]
    pipeline = make_pipeline(SMOTE(k_neighbors=2), LogisticRegression())
    clf = measured(pipeline, measure="f1_macro").fit(X, classes)
    weight = clf.models_[0].estimator[-1].class_weight
    assert_allclose([weight[i] for i in range(3)], clf.costs_)


def test_balanced_forest_takes_costs_as_weights():
    """It draws rows inside, so that weights can follow; routing changes nothing."""
    found = []
    for on in (False, True):
        with sklearn.config_context(enable_metadata_routing=on):
            clf = measured(BalancedRandomForestClassifier(10)).fit(X, y, sample_weight=np.ones(400))
            found.append(clf.decision_function(X))
    assert_array_equal(*found)
    assert clf.feature_importances_.shape == (6,)


def test_what_cannot_be_says_why():
    """No class_weight for the costs; weights of rows; early stopping."""
    boosted = make_pipeline(SMOTE(), GradientBoostingClassifier(n_estimators=5))
    with pytest.raises(TypeError, match=r"behind a sampler.*cost_sensitive=False"):
        measured(boosted).fit(X, y)
    assert measured(boosted, cost_sensitive=False).fit(X, y).score(X, y) > 0.5
    sampled = make_pipeline(SMOTE(), LogisticRegression())
    with pytest.raises(TypeError, match="drawn rows have no weights"):
        measured(sampled).fit(X, y, sample_weight=np.ones(400))
    with pytest.raises(TypeError, match="cannot resample"):
        measured(EarlyStoppingLearner(sampled)).fit(X, y)
