"""Threshold strategies: each against its own definition, tried out by hand."""

from itertools import product

import numpy as np
import pytest
from data import load
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta, LinearLearner, best_threshold
from pseudolinear.rivals._threshold_strategy import SHARES, STRATEGIES, ThresholdStrategy


def labelled(n=240, n_labels=3, shift=1.0, seed=0):
    """Rows whose labels follow logistic models, some of them rare."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    odds = X @ rng.normal(size=(4, n_labels)) - shift * np.arange(n_labels)
    Y = (rng.random((n, n_labels)) < 1 / (1 + np.exp(-odds))).astype(int)
    return X, Y


def held_out(X, Y, cv):
    """Give log-odds by scikit-learn's cross-validation."""
    model = LogisticRegression()
    scores = [cross_val_predict(model, X, y, cv=cv, method="decision_function") for y in Y.T]
    return np.stack(scores, axis=1)


def cuts_of(scores):
    """Give a threshold below, between and above all scores."""
    s = np.unique(scores)
    return np.concatenate([[s[0] - 1], (s[1:] + s[:-1]) / 2, [s[-1] + 1]])


@parametrize_with_checks([ThresholdStrategy()])
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)


def test_scut_is_the_mean_of_the_best_thresholds_of_the_folds():
    """In each fold every cut is tried; 0 stays where no cut is strictly better."""
    X, Y = labelled(90)
    cv = KFold(3)
    clf = ThresholdStrategy(LogisticRegression(), cv=cv).fit(X, Y)
    for k, y in enumerate(Y.T):
        thresholds = []
        for train, test in cv.split(X):
            scores = LogisticRegression().fit(X[train], y[train]).decision_function(X[test])
            cuts = np.append(0.0, cuts_of(scores))
            values = [f1_score(y[test], scores > c, zero_division=0) for c in cuts]
            best = max(values)
            # Of equal cuts the one with the fewest predictions, but 0 before all others.
            ties = cuts[np.isclose(values, best)]
            thresholds.append(0.0 if values[0] == best else ties.max())
        assert clf.threshold_[k] == pytest.approx(np.mean(thresholds), abs=1e-9)


def test_micro_is_the_best_of_all_combinations_of_cuts():
    """Two labels, every pair of cuts of the held-out scores."""
    X, Y = labelled(36, 2)
    cv = KFold(3)
    clf = ThresholdStrategy(LogisticRegression(), strategy="micro", cv=cv).fit(X, Y)
    scores = held_out(X, Y, cv)
    found = [
        [((s > c) @ y, (s > c).sum()) for c in cuts_of(s)]
        for y, s in zip(Y.T, scores.T, strict=True)
    ]
    best = max(2 * (a[0] + b[0]) / (Y.sum() + a[1] + b[1]) for a, b in product(*found))
    reached = f1_score(Y, (scores > clf.threshold_).astype(int), average="micro")
    assert reached == pytest.approx(best)
    assert clf.measure_ == FBeta(average="micro")


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_rcut_predicts_the_k_best_labels_of_every_row(average):
    """As many as are best on held-out rows, also where scores are equal."""
    X, Y = labelled(n_labels=5, shift=0.5)
    cv = KFold(3)
    clf = ThresholdStrategy(
        LogisticRegression(), strategy="rcut", measure=f"f1_{average}", cv=cv
    ).fit(X, Y)
    scores = held_out(X, Y, cv)
    values = []
    for k in range(1, 6):
        kth = np.sort(scores, axis=1)[:, [-k]]
        values.append(f1_score(Y, (scores >= kth).astype(int), average=average))
    assert clf.k_ == np.argmax(values) + 1
    predicted = clf.predict(X)
    assert (predicted.sum(axis=1) == clf.k_).all()
    np.testing.assert_array_equal(predicted, clf.decision_function(X) > 0)
    same = ThresholdStrategy(LogisticRegression(), strategy="rcut").fit(
        np.repeat(X, 2, axis=0), np.repeat(Y[:, [0, 0, 1, 1]], 2, axis=0)
    )
    assert (same.predict(X).sum(axis=1) == same.k_).all()


def test_pcut_predicts_labels_as_often_as_they_occur_times_a_factor():
    """On held-out rows, to the nearest row; and the factor is the best one of the grid."""
    X, Y = labelled(300)
    cv = KFold(3)
    clf = ThresholdStrategy(LogisticRegression(), strategy="pcut", cv=cv).fit(X, Y)
    scores = held_out(X, Y, cv)
    share = (scores > clf.threshold_).mean(axis=0)
    np.testing.assert_allclose(share, clf.share_ * Y.mean(axis=0), atol=0.5 / len(X) + 1e-9)
    values = []
    for factor in SHARES:
        counts = np.minimum(np.ceil(factor * Y.sum(axis=0) - 0.5).astype(int), len(X))
        predicted = np.argsort(np.argsort(-scores, axis=0), axis=0) < counts
        values.append(f1_score(Y, predicted.astype(int), average="macro", zero_division=0))
    assert clf.share_ == SHARES[np.argmax(values)]


def test_scutfbr_protects_rare_labels():
    """Of two rare labels, the one without signal is given up and the other one kept.

    Over ten draws SCut predicts the hopeless label on a quarter of all rows, by thresholds that
    fit some fold by chance; with fallbacks it is a small part of that.
    """
    shares, f1 = [], []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(3000, 10))
        noise = rng.permutation(3000) % 33 == 0
        signal = X[:, 0] + 0.3 * rng.normal(size=3000) > 2.0
        Y = np.stack([noise, signal], axis=1).astype(int)
        predicted = [
            ThresholdStrategy(strategy=s, random_state=0).fit(X[:1000], Y[:1000]).predict(X[1000:])
            for s in ("scut", "scutfbr")
        ]
        shares.append([p[:, 0].mean() for p in predicted])
        f1.append([f1_score(Y[1000:, 1], p[:, 1]) for p in predicted])
    scut, scutfbr = np.mean(shares, axis=0)
    assert scut > 0.2
    assert scutfbr < scut / 5
    scut, scutfbr = np.mean(f1, axis=0)
    assert scutfbr >= scut - 0.05


@pytest.mark.slow
def test_scutfbr_by_hand():
    """Fallback of each label: judged on a fold by what the other two folds agree on."""
    X, Y = labelled(150, 2, shift=2.0, seed=4)
    cv = KFold(3)
    clf = ThresholdStrategy(LogisticRegression(), strategy="scutfbr", cv=cv).fit(X, Y)
    tests = [test for _, test in cv.split(X)]

    def cut(y, train, test, fbr):
        scores = LogisticRegression().fit(X[train], y[train]).decision_function(X[test])
        natural = f1_score(y[test], scores > 0, zero_division=0)
        best = best_threshold(y[test], scores)
        threshold = best.threshold if best.value > natural else 0.0
        return threshold if max(best.value, natural) > fbr else scores.max()

    for k, y in enumerate(Y.T):
        totals = []
        for fbr in np.arange(1, 9) / 10:
            total = 0.0
            for i, test in enumerate(tests):
                a, b = (tests[j] for j in range(3) if j != i)
                threshold = (cut(y, a, b, fbr) + cut(y, b, a, fbr)) / 2
                model = LogisticRegression().fit(X[np.append(a, b)], y[np.append(a, b)])
                predicted = model.decision_function(X[test]) > threshold
                total += f1_score(y[test], predicted, zero_division=0)
            totals.append(total)
        totals = np.array(totals)
        fbr = (np.flatnonzero(np.isclose(totals, totals.max()))[-1] + 1) / 10
        assert clf.fbr_[k] == pytest.approx(fbr)
        rest = [np.setdiff1d(np.arange(150), test) for test in tests]
        threshold = np.mean([cut(y, r, t, fbr) for r, t in zip(rest, tests, strict=True)])
        assert clf.threshold_[k] == pytest.approx(threshold, abs=1e-6)


@pytest.mark.filterwarnings("ignore:In .* folds and labels no training row")
@pytest.mark.parametrize("strategy", ["scut", "scutfbr"])
def test_a_label_of_one_row_is_not_predicted_everywhere(strategy):
    """Where one fold has the row, its model has not seen the label, and the other folds lack it."""
    X, Y = labelled(90)
    Y[:, 2] = np.arange(90) == 5
    clf = ThresholdStrategy(strategy=strategy, cv=KFold(3)).fit(X, Y)
    if strategy == "scut":
        assert clf.threshold_[2] == 0
    assert clf.predict(X)[:, 2].sum() <= 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_predictions_do_not_depend_on_other_rows(strategy):
    X, Y = labelled(150)
    clf = ThresholdStrategy(strategy=strategy, random_state=0).fit(X, Y)
    together = clf.predict(X)
    alone = np.concatenate([clf.predict(X[[i]]) for i in range(40)])
    np.testing.assert_array_equal(together[:40], alone)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_binary_problem_is_one_label(strategy):
    """Classes of any name; the score is the binary measure of the positive one."""
    X, Y = labelled(200)
    names = np.where(Y[:, 1] == 1, "a", "b")
    measure = FBeta(average="macro", pos_label="a")
    clf = ThresholdStrategy(strategy=strategy, measure=measure, random_state=0).fit(X, names)
    assert isinstance(clf.threshold_, float)
    assert clf.score(X, names) == pytest.approx(f1_score(names, clf.predict(X), pos_label="a"))
    if strategy == "rcut":
        assert (clf.k_, clf.threshold_) == (1, 0.0)


@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(15), LinearSVC(), LinearLearner("hinge")]
)
def test_any_scores_will_do(estimator):
    X, Y = labelled(200)
    clf = ThresholdStrategy(estimator, random_state=0).fit(X, Y)
    assert clf.score(X, Y) > 0.5


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"strategy": "dcut"}, "strategy must be one of scut, scutfbr, rcut, pcut, micro"),
        ({"strategy": "scutfbr", "cv": 2}, "needs three folds"),
        ({"measure": "f1"}, "f1_micro or f1_macro"),
    ],
)
def test_bad_parameters_are_refused(options, match):
    with pytest.raises(ValueError, match=match):
        ThresholdStrategy(**options).fit(*labelled(60))


def test_classes_are_no_labels():
    X, Y = labelled(60)
    with pytest.raises(ValueError, match="target is multiclass; use FrankWolfeClassifier"):
        ThresholdStrategy().fit(X, Y.sum(axis=1))


def test_yeast_gains_over_natural_thresholds():
    """Tuned thresholds raise macro F1 of yeast, joint ones micro F1."""
    X, Y = load("yeast")
    X_test, Y_test = load("yeast", "test")
    predicted = {}
    for strategy in ("scut", "scutfbr", "micro"):
        clf = ThresholdStrategy(strategy=strategy, random_state=0).fit(X, Y)
        predicted[strategy] = clf.predict(X_test)
    natural = (clf.decision_function(X_test) + clf.threshold_ > 0).astype(int)

    def f1(labels, average):
        return f1_score(Y_test, labels, average=average, zero_division=0)

    assert f1(predicted["scut"], "macro") > f1(natural, "macro") + 0.05
    assert f1(predicted["scutfbr"], "macro") > f1(natural, "macro") + 0.03
    assert f1(predicted["micro"], "micro") > f1(natural, "micro") + 0.02
