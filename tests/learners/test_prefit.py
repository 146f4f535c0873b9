"""Of a classifier that is fitted already, thresholds alone are chosen, on all rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import (
    cohen_kappa_score,
    f1_score,
    fbeta_score,
    make_scorer,
    precision_score,
    recall_score,
)
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from pseudolinear import (
    FBeta,
    MeasureClassifier,
    RecallAtPrecision,
    best_offsets,
    best_threshold,
    best_thresholds,
)

X, y = make_classification(700, weights=[0.85], n_informative=4, flip_y=0.1, random_state=0)
OLD, NEW = slice(0, 300), slice(300, 700)
XM, YM = make_classification(500, n_classes=3, n_informative=6, random_state=1)
NAMES = np.array(["loc", "O", "per"])[YM]
XL, YL = make_multilabel_classification(500, n_classes=3, random_state=0)


def prefit(estimator, measure="f1", **params):
    """Threshold on the new rows what was trained on the old ones."""
    fitted = FrozenEstimator(clone(estimator).fit(X[OLD], y[OLD]))
    return MeasureClassifier(fitted, measure=measure, **params).fit(X[NEW], y[NEW])


SCORES = {
    "f1": make_scorer(f1_score),
    "f2": make_scorer(fbeta_score, beta=2),
    "cohen_kappa": make_scorer(cohen_kappa_score),
}


@pytest.mark.slow
@pytest.mark.parametrize("measure", SCORES)
@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNB(),
        LogisticRegression(),
        SVC(),
        KNeighborsClassifier(),
        make_pipeline(StandardScaler(), RandomForestClassifier(30, random_state=0)),
    ],
    ids=lambda e: type(e).__name__,
)
def test_the_cut_is_the_best_of_all(estimator, measure):
    """scikit-learn tries 100 thresholds, or those it is given: with all of them it is as good."""
    fitted = clone(estimator).fit(X[OLD], y[OLD])
    rows, target = X[300:420], y[300:420]
    exact = {"selection": "largest_value", "cv": "prefit"}
    clf = MeasureClassifier(fitted, measure=measure, **exact).fit(rows, target)
    score, best = SCORES[measure], {}
    method = "predict_proba" if hasattr(fitted, "predict_proba") else "decision_function"
    found = getattr(fitted, method)(rows)
    cuts = np.unique(found[:, 1] if found.ndim > 1 else found)
    for name, thresholds in (("coarse", 100), ("all", cuts)):
        peer = TunedThresholdClassifierCV(
            fitted, scoring=score, cv="prefit", refit=False, thresholds=thresholds
        ).fit(rows, target)
        best[name] = score(peer, rows, target)
    value = score(clf, rows, target)
    assert value >= best["coarse"] - 1e-12
    assert value == pytest.approx(best["all"], abs=1e-12)
    assert clf.best_score_ == pytest.approx(value)


class Sure(ClassifierMixin, BaseEstimator):
    """Gives the features as its probabilities."""

    classes_ = np.arange(2)

    def fit(self, X, y):
        raise AssertionError("It is fitted.")

    def __sklearn_is_fitted__(self):
        return True

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1) if X.shape[1] == 1 else X

    def predict(self, X):
        return (X[:, 0] if X.shape[1] == 1 else X) > 0.5


@pytest.mark.parametrize(("n_labels", "measure"), [(1, "f1"), (2, "f1_macro")])
def test_tiny_probabilities_are_told_apart(n_labels, measure):
    """Naive Bayes and the like give 1e-30 to some rows and 1e-20 to others."""
    rows = np.repeat([[1e-30], [1e-20]], 10, axis=0).repeat(n_labels, axis=1)
    target = (rows > 1e-25).astype(int)
    clf = MeasureClassifier(FrozenEstimator(Sure()), measure=measure)
    assert clf.fit(rows, target if n_labels > 1 else target[:, 0]).best_score_ == 1.0


class Once(LogisticRegression):
    """Can be fitted once."""

    def fit(self, X, y):
        assert not hasattr(self, "classes_")
        return super().fit(X, y)


@pytest.mark.parametrize("params", [{}, {"refit": False}, {"cost_sensitive": False}, {"cv": 5}])
def test_nothing_is_trained(params):
    """Neither for the folds nor for the refit, whatever the other parameters say."""
    fitted = Once().fit(X[OLD], y[OLD])
    frozen = MeasureClassifier(FrozenEstimator(fitted), **params).fit(X[NEW], y[NEW])
    said = MeasureClassifier(fitted, **(params | {"cv": "prefit"})).fit(X[NEW], y[NEW])
    assert frozen.threshold_ == said.threshold_
    assert_array_equal(frozen.costs_, [1.0, 1.0])
    assert_allclose(
        frozen.decision_function(X), fitted.decision_function(X) - frozen.threshold_, atol=1e-9
    )


def test_a_single_positive_row_is_enough():
    """No fold has to have one, so there is nothing to warn of."""
    fitted = LogisticRegression().fit(X[OLD], y[OLD])
    rows = np.r_[np.flatnonzero(y[NEW] == 0)[:30], np.flatnonzero(y[NEW])[0]] + NEW.start
    clf = MeasureClassifier(FrozenEstimator(fitted)).fit(X[rows], y[rows])
    assert clf.best_score_ == best_threshold(y[rows], fitted.decision_function(X[rows])).value


@pytest.mark.parametrize("positive", ["ham", "spam"])
def test_either_class_may_be_positive(positive):
    """The classifier's columns are found by the names of the classes."""
    names = np.array(["ham", "spam"])[y]
    fitted = LogisticRegression().fit(X[OLD], names[OLD])
    exact = {"selection": "largest_value", "cv": "prefit"}
    clf = MeasureClassifier(fitted, pos_label=positive, **exact).fit(X[NEW], names[NEW])
    sign = 1 if positive == "spam" else -1
    cut = best_threshold(names[NEW] == positive, sign * fitted.decision_function(X[NEW]))
    assert clf.threshold_ == pytest.approx(cut.threshold)
    value = f1_score(names[NEW], clf.predict(X[NEW]), pos_label=positive)
    assert value == pytest.approx(cut.value)


@pytest.mark.parametrize("measure", ["f1_macro", FBeta(average="micro", default_class="O")])
@pytest.mark.parametrize("estimator", [GaussianNB(), RidgeClassifier()])
def test_classes_get_the_offsets_of_their_scores(measure, estimator):
    """As from the scores themselves, whichever class comes first among the codes."""
    fitted = estimator.fit(XM[:200], NAMES[:200])
    clf = MeasureClassifier(fitted, measure=measure, cv="prefit").fit(XM[200:], NAMES[200:])
    method = getattr(fitted, "predict_log_proba", None) or fitted.decision_function
    cut = best_offsets(NAMES[200:], method(XM[200:]), measure, classes=fitted.classes_)
    assert clf.score(XM[200:], NAMES[200:]) == pytest.approx(cut.value)
    assert_allclose(clf.threshold_, cut.threshold)
    natural = clone(clf).set_params(estimator=fitted, tune_threshold=False)
    natural.fit(XM[200:], NAMES[200:])
    assert_array_equal(natural.predict(XM), fitted.predict(XM))


@pytest.mark.parametrize(
    "estimator",
    [
        OneVsRestClassifier(LogisticRegression()),
        OneVsRestClassifier(LinearSVC()),
        MultiOutputClassifier(LogisticRegression()),
        ClassifierChain(LogisticRegression()),
        RandomForestClassifier(20, random_state=0),
        MLPClassifier((5,), solver="lbfgs", max_iter=1000, random_state=0),
    ],
    ids=repr,
)
def test_every_label_gets_the_best_cut_of_its_score(estimator):
    """However the classifier arranges the scores of its labels."""
    fitted = estimator.fit(XL[:200], YL[:200])
    frozen = FrozenEstimator(fitted)
    if hasattr(fitted, "predict_proba"):
        scores = fitted.predict_proba(XL[200:])
    else:
        scores = fitted.decision_function(XL[200:])
    if isinstance(scores, list):
        scores = np.stack([p[:, 1] for p in scores], axis=1)
    for measure, rule in (("f1_macro", "largest_value"), ("f1_micro", "auto")):
        clf = MeasureClassifier(frozen, measure=measure, selection=rule).fit(XL[200:], YL[200:])
        best = best_thresholds(YL[200:], scores, measure)
        assert clf.best_score_ == pytest.approx(best.value)
        assert clf.score(XL[200:], YL[200:]) == pytest.approx(best.value)
    natural = clf.set_params(tune_threshold=False).fit(XL[200:], YL[200:])
    assert_array_equal(natural.predict(XL), fitted.predict(XL))


def test_a_constraint_is_kept_on_the_rows():
    """The most recall among all cuts of the score that have the precision."""
    clf = prefit(LogisticRegression(), RecallAtPrecision(0.9))
    predicted = clf.predict(X[NEW])
    assert precision_score(y[NEW], predicted) >= 0.9
    scores = clf.estimator.decision_function(X[NEW])
    best = best_threshold(y[NEW], scores, RecallAtPrecision(0.9))
    assert recall_score(y[NEW], predicted) == pytest.approx(best.value)


@pytest.mark.parametrize("measure", ["f2", "jaccard", RecallAtPrecision(0.9)])
@pytest.mark.parametrize("rows", [(), (X[NEW], y[NEW])], ids=["alone", "rows"])
@pytest.mark.parametrize("cv", [3, "prefit"])
def test_another_measure_is_another_threshold(measure, rows, cv):
    """A fit for one measure holds the thresholds of all others."""
    fitted = GaussianNB().fit(X[OLD], y[OLD])
    given = fitted if cv == "prefit" else FrozenEstimator(fitted)
    clf = MeasureClassifier(given, cv=cv).fit(X[NEW], y[NEW])
    fresh = MeasureClassifier(given, cv=cv, measure=measure).fit(X[NEW], y[NEW])
    other = clf.retarget(measure, *rows)
    assert other.threshold_ == fresh.threshold_
    assert other.best_score_ == fresh.best_score_


def test_weights_count_rows_though_the_classifier_takes_none():
    """A row of weight three is three rows."""
    weight = np.random.RandomState(0).randint(0, 4, 400) * np.where(y[NEW] == 1, 1, 3)
    fitted = FrozenEstimator(KNeighborsClassifier(15).fit(X[OLD], y[OLD]))
    clf = MeasureClassifier(fitted, selection="largest_value")
    weighted = clone(clf).fit(X[NEW], y[NEW], sample_weight=weight)
    repeated = clone(clf).fit(np.repeat(X[NEW], weight, axis=0), np.repeat(y[NEW], weight))
    assert weighted.threshold_ == repeated.threshold_
    assert weighted.best_score_ == pytest.approx(repeated.best_score_)
    assert weighted.threshold_ != clone(clf).fit(X[NEW], y[NEW]).threshold_


def test_a_clone_keeps_what_is_frozen():
    """As scikit-learn means it."""
    clf = prefit(LogisticRegression())
    again = clone(clf).fit(X[NEW], y[NEW])
    assert again.estimator.estimator is clf.estimator.estimator
    assert again.threshold_ == clf.threshold_


def test_rows_reach_the_classifier_as_it_knows_them():
    """Frames with their names, documents, and sparse matrices of any format."""
    pd, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    plain = prefit(LogisticRegression())
    for change in (lambda rows: pd.DataFrame(rows).add_prefix("x"), sparse.coo_matrix):
        fitted = LogisticRegression().fit(change(X[OLD]), y[OLD])
        clf = MeasureClassifier(FrozenEstimator(fitted)).fit(change(X[NEW]), y[NEW])
        assert_array_equal(clf.predict(change(X)), plain.predict(X))
    words = [("win money " if k else "meet me ") + f"at {i % 7}" for i, k in enumerate(y)]
    reader = make_pipeline(TfidfVectorizer(), KNeighborsClassifier()).fit(words[OLD], y[OLD])
    clf = MeasureClassifier(FrozenEstimator(reader)).fit(words[NEW], y[NEW])
    assert clf.score(words, y) == 1.0


def test_fitted_classifiers_are_combined():
    """A blend of two, in which the worse one counts less, is hardly below the better one."""
    two = [e.fit(X[OLD], y[OLD]) for e in (GaussianNB(), RandomForestClassifier(30))]
    alone = [MeasureClassifier(e, cv="prefit").fit(X[NEW], y[NEW]).best_score_ for e in two]
    together = MeasureClassifier(two, cv="prefit").fit(X[NEW], y[NEW])
    assert together.best_score_ > max(alone) - 0.05
    shares = together.sweep_.choices[0].candidates[0].problem.shares
    best = max(shares, key=lambda share: share.weight)
    assert best.member == int(np.argmax(alone))


FITTED = LogisticRegression().fit(X[OLD], y[OLD])


@pytest.mark.parametrize(
    ("estimator", "params", "target", "error", "message"),
    [
        (LogisticRegression(), {}, y, NotFittedError, "LogisticRegression is not fitted, but a Fr"),
        (None, {}, y, TypeError, "cv='prefit' needs a fitted classifier as estimator, got None"),
        ("auto", {}, y, TypeError, "cv='prefit' needs a fitted classifier as estimator, got 'aut"),
        (LinearRegression().fit(X, y), {}, y, TypeError, "LinearRegression gives no scores"),
        (FITTED, {}, y + 1, ValueError, r"knows the classes \[0, 1\], but y has \[1, 2\]"),
        (
            FITTED,
            {"measure": "f1_macro"},
            np.stack([y, 1 - y], axis=1),
            ValueError,
            r"predicts 1 label\(s\), but y has 2",
        ),
        (
            FITTED,
            {"param_grid": {"C": [1.0]}},
            y,
            ValueError,
            "frozen LogisticRegression has no parameter 'C'; it has none",
        ),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(estimator, params, target, error, message):
    """Before anything is predicted."""
    with pytest.raises(error, match=message):
        MeasureClassifier(estimator, cv="prefit", **params).fit(X, target)


def test_a_pipeline_is_frozen_as_a_whole():
    """Its first steps would be trained on rows that the last step never saw."""
    half = make_pipeline(StandardScaler(), FrozenEstimator(FITTED))
    with pytest.raises(TypeError, match="Only the last step of the pipeline, 'frozenestimator'"):
        MeasureClassifier(half, cost_sensitive=False).fit(X, y)
