"""scikit-learn's metadata routing: weights, groups and the rest go where they are asked for."""

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import Grid, MeasureClassifier
from pseudolinear.learners import JointLearner
from pseudolinear.rivals import ThresholdStrategy

X, y = make_classification(200, 6, weights=[0.7], flip_y=0.1, random_state=0)
WEIGHT = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
GROUPS = np.arange(len(y)) // 4


@pytest.fixture
def routing():
    """Metadata is routed."""
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def measured(estimator="linear", **params):
    return MeasureClassifier(estimator, search=Grid(2), random_state=0, **params)


class Recorder(LogisticRegression):
    """Notes what its fit is given."""

    def fit(self, X, y, sample_weight=None, importance=None):
        self.weight_, self.importance_, self.n_ = sample_weight, importance, len(y)
        return super().fit(X, y, sample_weight)


class Scaler(StandardScaler):
    """Notes the weights that its fit is given."""

    def fit(self, X, y=None, sample_weight=None):
        self.weight_ = sample_weight
        return super().fit(X, y, sample_weight)


class Blocks(BaseEstimator):
    """Splits that only metadata tells."""

    __metadata_request__split = {"block": True}  # noqa: RUF012

    def split(self, X, y=None, groups=None, block=None):
        for one in np.unique(block):
            yield np.flatnonzero(block != one), np.flatnonzero(block == one)

    def get_n_splits(self, X=None, y=None, groups=None, block=None):
        return len(np.unique(block))


BASES = {
    "linear": lambda: "linear",
    "classifier": LogisticRegression,
    "pipeline": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    "calibrated": lambda: CalibratedClassifierCV(LogisticRegression(), cv=2),
    "calibrated pipeline": lambda: make_pipeline(
        StandardScaler(), CalibratedClassifierCV(LogisticRegression(), cv=2)
    ),
    "bagged": lambda: BaggingClassifier(LogisticRegression(), 2),
    "boosted": lambda: AdaBoostClassifier(n_estimators=3),  # does not know routing
    "joint": lambda: JointLearner(make_pipeline(StandardScaler(), LogisticRegression())),
    "list": lambda: ["linear", make_pipeline(StandardScaler(), LogisticRegression())],
}


@pytest.mark.parametrize(
    ("base", "weight"),
    [
        ("linear", WEIGHT),
        ("calibrated pipeline", WEIGHT),
        ("boosted", WEIGHT),
        ("pipeline", None),
        *(
            pytest.param(base, WEIGHT, marks=pytest.mark.slow)
            for base in ("classifier", "pipeline", "calibrated", "bagged", "joint", "list")
        ),
    ],
)
def test_predictions_are_the_same_with_and_without_routing(base, weight):
    """The costs reach every classifier without a request, so routing changes nothing."""
    found = []
    for on in (False, True):
        with sklearn.config_context(enable_metadata_routing=on):
            clf = measured(BASES[base]()).fit(X, y, sample_weight=weight, groups=GROUPS)
            found.append(clf.decision_function(X))
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("backend", ["sequential", "threading"])
def test_costs_reach_the_last_step_beside_requested_weights(routing, backend):
    """The scaler gets the weights of the rows; the classifier the same times the costs."""
    base = make_pipeline(Scaler().set_fit_request(sample_weight=True), Recorder())
    with joblib.parallel_config(backend):  # threads have a configuration of their own
        clf = measured(base, n_jobs=2).fit(X, y, sample_weight=WEIGHT)
    scaler, last = clf.models_[0].estimator
    np.testing.assert_array_equal(scaler.weight_, WEIGHT)
    np.testing.assert_allclose(last.weight_, WEIGHT * np.where(y, *clf.costs_))


def test_other_metadata_follows_requests_and_folds(routing):
    """A value per row goes with its rows, to whoever requested it."""
    base = make_pipeline(StandardScaler(), Recorder().set_fit_request(importance=True))
    clf = measured(base).fit(X, y, importance=np.arange(len(y)))
    np.testing.assert_array_equal(clf.models_[0].estimator[-1].importance_, np.arange(len(y)))
    held = measured(base, cv="holdout", refit=False).fit(X, y, importance=X[:, 0])
    last = held.models_[0].estimator[-1]
    assert len(last.importance_) == last.n_ < len(y)
    assert np.isin(last.importance_, X[:, 0]).all()
    again = held.retarget("f2", X, y, importance=X[:, 0]).models_[0].estimator[-1]
    np.testing.assert_array_equal(again.importance_, last.importance_)


def test_metadata_of_a_classifier_without_pipeline(routing):
    """An alias is resolved, and members of a portfolio get what each has requested."""
    asked = Recorder().set_fit_request(importance="matters")
    deaf = Recorder(C=0.1).set_fit_request(importance=False)
    clf = measured(["linear", asked]).fit(X, y, matters=np.arange(len(y)))
    assert clf.portfolio_
    single = measured(asked).fit(X, y, sample_weight=WEIGHT, matters=WEIGHT)
    np.testing.assert_array_equal(single.models_[0].estimator.importance_, WEIGHT)
    with pytest.raises(TypeError, match="unexpected argument"):
        measured(deaf).fit(X, y, matters=WEIGHT)
    with pytest.raises(UnsetMetadataPassedError, match="set_fit_request"):
        measured(Recorder()).fit(X, y, importance=WEIGHT)


def test_metadata_needs_routing():
    """As in scikit-learn's own meta-estimators."""
    with pytest.raises(ValueError, match="enable_metadata_routing=True"):
        measured(Recorder()).fit(X, y, importance=WEIGHT)


def test_splitter_gets_what_it_requests(routing):
    """Groups under another name, and metadata of a splitter of one's own."""
    named = GroupKFold(3).set_split_request(groups="patient")
    by_name = measured(cv=named).fit(X, y, patient=GROUPS)
    given = measured(cv=GroupKFold(3)).fit(X, y, groups=GROUPS)
    np.testing.assert_array_equal(by_name.decision_function(X), given.decision_function(X))
    block = np.arange(len(y)) % 2
    even = measured(cv=Blocks()).fit(X, y, block=block)
    rows = np.arange(len(y))
    listed = measured(cv=[(rows[block != b], rows[block == b]) for b in (0, 1)]).fit(X, y)
    assert even.best_score_ == listed.best_score_


def test_weights_and_groups_go_through_pipelines_and_searches(routing):
    """They arrive at a classifier inside of a pipeline inside of a search as if given to it."""
    inner = measured(cv=GroupKFold(2)).set_fit_request(sample_weight=True)
    inner.set_score_request(sample_weight=True)
    pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), inner)
    search = GridSearchCV(pipeline, {"measureclassifier__measure": ["f1", "f2"]}, cv=GroupKFold(2))
    search.fit(X, y, sample_weight=WEIGHT, groups=GROUPS)
    best = clone(pipeline[-1]).set_params(measure=search.best_params_["measureclassifier__measure"])
    scaled = StandardScaler().fit_transform(X)
    best.fit(scaled, y, sample_weight=WEIGHT, groups=GROUPS)
    np.testing.assert_array_equal(search.predict(X), best.predict(scaled))


def test_scores_of_cross_validation_are_weighted_as_requested(routing):
    """`score` gets the weights of the held-out rows, `fit` those of the others."""
    clf = measured().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    params = {"sample_weight": WEIGHT, "groups": GROUPS}
    found = cross_val_score(clf, X, y, cv=GroupKFold(2), params=params)
    assert np.array_equal(
        found, cross_validate(clf, X, y, cv=GroupKFold(2), params=params)["test_score"]
    )
    for value, (train, test) in zip(found, GroupKFold(2).split(X, y, GROUPS), strict=True):
        own = clone(clf).fit(X[train], y[train], WEIGHT[train], GROUPS[train])
        assert value == own.score(X[test], y[test], WEIGHT[test])


def test_weights_that_nobody_decided_about_are_an_error(routing):
    """scikit-learn's rule: say whether a classifier wants the weights. Groups it always wants."""
    with pytest.raises(UnsetMetadataPassedError, match="MeasureClassifier"):
        cross_val_score(measured(), X, y, cv=2, params={"sample_weight": WEIGHT})


@pytest.mark.parametrize("on", [False, True])
def test_rivals_give_weights_to_pipelines(on):
    """They wrap pipelines as well."""
    base = make_pipeline(StandardScaler(), LogisticRegression())
    expected = ThresholdStrategy(base, random_state=0).fit(X, y, sample_weight=WEIGHT).predict(X)
    with sklearn.config_context(enable_metadata_routing=on):
        found = ThresholdStrategy(base, random_state=0).fit(X, y, sample_weight=WEIGHT).predict(X)
    np.testing.assert_array_equal(found, expected)
