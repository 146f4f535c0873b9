"""Fits for every name that people try: what they reach, and what they report."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    jaccard_score,
    make_scorer,
    matthews_corrcoef,
)
from sklearn.model_selection import ShuffleSplit, cross_val_score

from pseudolinear import (
    LinearLearner,
    MeasureClassifier,
    PrecisionAtRecall,
    RecallAtPrecision,
    best_threshold,
    get_measure,
)

BINARY = ("f1", "mcc", "g_mean", "accuracy", "balanced_accuracy", "cohen_kappa")
OF_CLASSES = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "cohen_kappa": cohen_kappa_score,
    "f1_weighted": lambda *y, **kw: f1_score(*y, average="weighted", **kw),
    "jaccard_weighted": lambda *y, **kw: jaccard_score(*y, average="weighted", **kw),
}


@pytest.fixture(scope="module")
def binary():
    return make_classification(300, weights=[0.85], flip_y=0.1, random_state=0)


@pytest.fixture(scope="module")
def multiclass():
    X, y = make_classification(
        400, n_classes=4, n_informative=6, weights=[0.6, 0.2, 0.1], random_state=1
    )
    return X, np.array(["no", "low", "mid", "high"])[y]


@pytest.fixture(scope="module")
def multilabel():
    return make_multilabel_classification(300, n_classes=4, n_labels=1, random_state=0)


def weights(y):
    return np.random.default_rng(0).integers(0, 3, len(y))


def held_out(measure, X, y, weight=None, **params):
    """Fit on one split without a refit; return the classifier and the rows it was chosen on."""
    split = next(ShuffleSplit(1, test_size=0.4, random_state=0).split(X))
    params = {"estimator": "linear", "cv": [split], "refit": False, "random_state": 0} | params
    clf = MeasureClassifier(measure=measure, **params)
    return clf.fit(X, y, sample_weight=weight), split[1]


@pytest.mark.parametrize("estimator", ["linear", LogisticRegression()], ids=["native", "any"])
@pytest.mark.parametrize("name", BINARY)
def test_binary_value_is_that_of_the_held_out_rows(binary, name, estimator):
    """No answer that ignores X is better, and the value is the measure of the predictions."""
    X, y = binary
    weight = weights(y)
    clf, rows = held_out(name, X, y, weight, estimator=estimator)
    measure = get_measure(name)
    predicted = clf.predict(X[rows])
    assert clf.best_score_ == pytest.approx(measure.score(y[rows], predicted, weight[rows]))
    for constant in (0, 1):
        trivial = measure.score(y[rows], np.full(len(rows), constant), weight[rows])
        assert clf.best_score_ >= trivial - 1e-12


@pytest.mark.parametrize("estimator", ["linear", LogisticRegression()], ids=["native", "any"])
@pytest.mark.parametrize("name", OF_CLASSES)
def test_value_of_classes_is_that_of_the_held_out_rows(multiclass, name, estimator):
    """The same of several classes, by scikit-learn's functions."""
    X, y = multiclass
    weight = weights(y)
    clf, rows = held_out(name, X, y, weight, estimator=estimator)
    peer = OF_CLASSES[name]
    value = peer(y[rows], clf.predict(X[rows]), sample_weight=weight[rows])
    assert clf.best_score_ == pytest.approx(value)
    assert clf.score(X[rows], y[rows], weight[rows]) == pytest.approx(value)
    for constant in np.unique(y):
        trivial = peer(y[rows], np.full(len(rows), constant), sample_weight=weight[rows])
        assert clf.best_score_ >= trivial - 1e-12


@pytest.mark.parametrize(
    "objective", ["mcc", "g_mean", RecallAtPrecision(0.35), PrecisionAtRecall(0.77)], ids=str
)
def test_no_threshold_of_the_chosen_scores_is_better(binary, objective):
    """Every cut of the candidate was looked at, on the rows that chose it."""
    X, y = binary
    clf, rows = held_out(objective, X, y)
    best = best_threshold(y[rows], clf.decision_function(X[rows]), objective)
    assert clf.best_score_ == pytest.approx(best.value, abs=1e-12)


@pytest.mark.parametrize("name", ["mcc", "g_mean", "balanced_accuracy", "f1_weighted"])
def test_classifiers_clone_print_pickle_and_go_into_scikit_learn(binary, name):
    """A name is a parameter like any other."""
    X, y = binary
    clf = clone(MeasureClassifier("linear", measure=name, random_state=0))
    assert f"measure='{name}'" in repr(clf)
    again = pickle.loads(pickle.dumps(clf.fit(X, y)))
    assert_array_equal(again.predict(X), clf.predict(X))
    assert cross_val_score(clf, X, y, cv=2).min() > 0


def test_matthews_correlation_goes_with_labels_portfolios_and_retarget(binary, multilabel):
    """Of several labels it is the mean of scikit-learn's."""
    X, Y = multilabel
    clf = MeasureClassifier("linear", measure="mcc", random_state=0).fit(X, Y)
    columns = zip(Y.T, clf.predict(X).T, strict=True)
    assert clf.score(X, Y) == pytest.approx(np.mean([matthews_corrcoef(*two) for two in columns]))
    X, y = binary
    two = [LinearLearner(), LinearLearner("hinge")]
    portfolio = MeasureClassifier(two, measure="mcc", random_state=0).fit(X, y)
    alone = [row["value"] for row in portfolio.portfolio_]
    assert portfolio.best_score_ >= min(alone)
    kappa = MeasureClassifier("linear", measure="cohen_kappa", random_state=0).fit(X, y)
    fresh = MeasureClassifier("linear", measure="mcc", random_state=0).fit(X, y)
    assert kappa.retarget("mcc", X, y).best_score_ == pytest.approx(fresh.best_score_)
    assert kappa.retarget("mcc").best_score_ <= fresh.best_score_ + 1e-12
    assert not fresh.certificate_.statements


def test_weighted_average_is_maximised_label_by_label(multilabel):
    """Chosen by largest value it is the macro classifier; the value is the weighted mean."""
    X, Y = multilabel
    fits = {
        name: MeasureClassifier(
            "linear", measure=name, selection="largest_value", random_state=0
        ).fit(X, Y)
        for name in ("f1_macro", "f1_weighted")
    }
    weighted, macro = fits["f1_weighted"], fits["f1_macro"]
    assert_array_equal(weighted.predict(X), macro.predict(X))
    values = [row["value"] for row in weighted.sweep_.labels()]
    assert weighted.best_score_ == pytest.approx(np.average(values, weights=Y.mean(axis=0)))
    assert weighted.frontier_.value("f1_weighted") == pytest.approx(weighted.best_score_)
    certificate = weighted.certificate_
    assert certificate.value == pytest.approx(weighted.best_score_)
    assert certificate["threshold"].gap == pytest.approx(0)
    ceilings = [
        MeasureClassifier("linear", cv=list(_folds(weighted, X, Y)), random_state=0)
        .fit(X, y)
        .certificate_["cone"]
        .ceiling
        for y in Y.T
    ]
    expected = np.average(ceilings, weights=Y.mean(axis=0))
    assert certificate["cone"].ceiling == pytest.approx(expected)


def _folds(clf, X, Y):
    seed = np.random.RandomState(clf.random_state).randint(np.iinfo(np.int32).max)
    return clf.sweep_.kind.folds(3, seed, grouped=False).split(X, Y)


@pytest.mark.parametrize("selection", ["auto", "largest_value", "least_cost", "both"])
def test_weighted_value_is_that_of_the_held_out_rows(multilabel, selection):
    """Whatever the rule: the weights are those of the rows that the value is of."""
    X, Y = multilabel
    clf, rows = held_out("f1_weighted", X, Y, selection=selection)
    value = f1_score(Y[rows], clf.predict(X[rows]), average="weighted")
    assert clf.best_score_ == pytest.approx(value)
    assert clf.certificate_.value == pytest.approx(value)


def test_both_averages_weigh_labels_as_the_measure_does(multilabel):
    """The mean of the weighted and the micro average is at least that of either choice alone."""
    X, Y = multilabel

    def together(selection):
        clf, rows = held_out("f1_weighted", X, Y, selection=selection)
        predicted = clf.predict(X[rows])
        return sum(f1_score(Y[rows], predicted, average=a) for a in ("weighted", "micro"))

    assert together("both") >= together("largest_value") - 1e-12


@pytest.mark.parametrize("rows", [False, True], ids=["thresholds", "trained"])
def test_retargeting_between_averages_uses_the_weights(multilabel, rows):
    """The same sweep answers both."""
    X, Y = multilabel
    macro = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    other = macro.retarget("f1_weighted", *((X, Y) if rows else ()))
    values = [row["value"] for row in other.sweep_.labels()]
    assert other.best_score_ == pytest.approx(np.average(values, weights=Y.mean(axis=0)))
    back = other.retarget("f1_macro", *((X, Y) if rows else ()))
    assert_allclose(back.threshold_, macro.threshold_)


@pytest.mark.parametrize("name", OF_CLASSES)
def test_retargeting_among_measures_of_classes(multiclass, name):
    """Plain names are read for the classes of the sweep."""
    X, y = multiclass
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, y).retarget(name)
    assert clf.score(X, y) == pytest.approx(OF_CLASSES[name](y, clf.predict(X)))


def test_balanced_accuracy_of_classes_agrees_with_scikit_learn_on_few_classes(multiclass):
    """Rows of two of the classes alone are still scored as a problem of four."""
    X, y = multiclass
    clf = MeasureClassifier("linear", measure="balanced_accuracy", random_state=0).fit(X, y)
    rows = np.flatnonzero(np.isin(y, ["no", "low"]) & np.isin(clf.predict(X), ["no", "low"]))
    expected = balanced_accuracy_score(y[rows], clf.predict(X[rows]))
    assert clf.score(X[rows], y[rows]) == pytest.approx(expected)
    one = rows[y[rows] == "low"]
    assert clf.score(X[one], y[one]) == pytest.approx(np.mean(clf.predict(X[one]) == "low"))


def test_balanced_accuracy_weighs_classes_by_their_rarity(multiclass):
    """Its costs are those of class_weight="balanced"."""
    X, y = multiclass
    clf = MeasureClassifier("linear", measure="balanced_accuracy", random_state=0).fit(X, y)
    _, rows = np.unique(y, return_counts=True)
    assert_allclose(clf.costs_, rows.max() / rows)


@pytest.mark.parametrize("name", ["f1_macro", "f1_weighted", "balanced_accuracy", "cohen_kappa"])
def test_classes_without_weight_take_no_part(multiclass, name):
    """Rows that weigh nothing neither break the costs nor hide what the others tell."""
    X, y = multiclass
    weight = (y != "high").astype(float)
    clf = MeasureClassifier("linear", measure=name, random_state=0).fit(X, y, sample_weight=weight)
    assert np.isfinite(clf.costs_).all()
    constant = get_measure(name).score(y, np.full(len(y), "no"), weight)
    assert clf.best_score_ > constant + 0.1


@pytest.mark.parametrize("search", ["grid", "bracket", "bisection", "dinkelbach"])
def test_kappa_of_classes_goes_with_every_search(multiclass, search):
    """But with the cone, which needs a single pair of errors."""
    X, y = multiclass
    grid = {"C": [1.0]}
    clf = MeasureClassifier(
        "linear", measure="cohen_kappa", search=search, param_grid=grid, random_state=0
    ).fit(X, y)
    scorer = make_scorer(cohen_kappa_score)
    assert scorer(clf, X, y) == pytest.approx(clf.score(X, y))
    assert clf.best_score_ > 0.3
    with pytest.raises(ValueError, match="no single pair of errors"):
        clone(clf).set_params(search="cone").fit(X, y)
