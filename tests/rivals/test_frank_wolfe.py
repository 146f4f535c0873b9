"""Frank-Wolfe: optimal mixtures of small distributions, and the promises of the classifier."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, recall_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta
from pseudolinear.rivals._frank_wolfe import FrankWolfeClassifier
from pseudolinear.rivals._macro_average import MacroAverage
from pseudolinear.rivals._mixture import Mixture, ascend
from pseudolinear.rivals._recall_means import GMean, HMean, QMean
from pseudolinear.rivals._sample import Sample, equal_costs

MEANS = [GMean(), HMean(), QMean()]
MACRO = MacroAverage(FBeta(average="macro"))


class Known(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are the features."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return X

    def predict(self, X):
        return self.classes_[X.argmax(axis=1)]


def distribution(rng, n=4, n_classes=3):
    """Give a few points with masses and true probabilities."""
    p = rng.dirichlet(np.ones(n_classes), n)
    return Sample(p, p, rng.uniform(0.2, 1.0, n))


def uniform(sample):
    """Give all classes the same chance: the mixture of the constant classifiers."""
    n = sample.n_classes
    return Mixture.of(sample, 1.0 - np.eye(n)[:, None, :] * np.ones((n, n, 1)))


def all_confusions(sample):
    """Give the confusion matrix of every deterministic classifier."""
    mass = (sample.weight / sample.weight.sum())[:, None] * sample.truth
    n, n_classes = sample.truth.shape
    return np.array(
        [mass.T @ np.eye(n_classes)[list(h)] for h in product(range(n_classes), repeat=n)]
    )


def best_mixture(measure, confusions):
    """Maximise over the weights of all deterministic classifiers with scipy."""
    start = np.full(len(confusions), 1 / len(confusions))
    found = minimize(
        lambda w: -measure.value(np.tensordot(w, confusions, axes=1)),
        start,
        jac=lambda w: (
            -np.tensordot(confusions, measure.gradient(np.tensordot(w, confusions, axes=1)), axes=2)
        ),
        bounds=[(0, 1)] * len(confusions),
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": np.ones_like},
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return -found.fun


@pytest.mark.parametrize("measure", MEANS, ids=repr)
def test_optimum_over_all_mixtures(measure):
    """Equal to scipy's optimum within the gap, which no classifier and no mixture exceeds."""
    rng = np.random.default_rng(0)
    for _ in range(2):
        sample = distribution(rng)
        found = ascend(sample, measure, uniform(sample), max_iter=200, tol=1e-7)
        value, gap = found.history[-1]
        best = best_mixture(measure, all_confusions(sample))
        assert value - 1e-9 <= best <= value + gap + 1e-6
        assert measure.value(all_confusions(sample)).max() <= value + gap + 1e-12


@pytest.mark.parametrize("measure", MEANS, ids=repr)
def test_gap_falls_at_least_like_one_over_the_steps(measure):
    """On a larger sample, values rise and the least gap so far falls as the theorem says."""
    rng = np.random.default_rng(1)
    sample = distribution(rng, 2000, 4)
    value, gap = ascend(sample, measure, uniform(sample), max_iter=100, tol=0).history.T
    assert (np.diff(value) >= -1e-12).all()
    steps = np.arange(1, len(gap) + 1)
    assert (np.minimum.accumulate(gap) <= 2 * gap[0] / steps).all()
    assert gap[-1] < 1e-5
    assert value[-1] <= (value + gap).min() + 1e-12  # every bound holds for the last value


@pytest.mark.parametrize("measure", [*MEANS, MACRO], ids=repr)
def test_confusion_matrix_is_that_of_the_frequencies(measure):
    """The mean of the components equals truth times how often each class is chosen."""
    rng = np.random.default_rng(2)
    sample = distribution(rng, 300, 3)
    mixture = ascend(sample, measure, uniform(sample), max_iter=20, tol=0).mixture
    assert mixture.weights.sum() == pytest.approx(1)
    mass = sample.weight / sample.weight.sum()
    confusion = (sample.truth * mass[:, None]).T @ mixture.frequencies(sample.probabilities)
    np.testing.assert_allclose(mixture.confusion, confusion, atol=1e-12)


def test_macro_f_rises_to_a_stationary_point():
    """From any start, to where no classifier gains in first order; often to the best of all."""
    rng = np.random.default_rng(3)
    reached_best = 0
    for _ in range(20):
        sample = distribution(rng, 6)
        plain = Mixture.of(sample, equal_costs(3)[None])
        ascents = [ascend(sample, MACRO, s, 200, 1e-9) for s in (uniform(sample), plain)]
        for found in ascents:
            assert (np.diff(found.history[:, 0]) >= -1e-12).all()
            gradient = MACRO.gradient(found.mixture.confusion)
            gains = ((all_confusions(sample) - found.mixture.confusion) * gradient).sum(axis=(1, 2))
            assert gains.max() == pytest.approx(found.history[-1, 1], abs=1e-9)
            assert gains.max() < 1e-4
        assert ascents[1].history[-1, 0] >= MACRO.value(plain.confusion)
        best = MACRO.value(all_confusions(sample)).max()
        reached_best += max(a.history[-1, 0] for a in ascents) >= best - 1e-6
    assert reached_best >= 15


@parametrize_with_checks([FrankWolfeClassifier()])
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)


@pytest.fixture(scope="module")
def unbalanced():
    """Three overlapping classes, of 80, 15 and 5 percent."""
    rng = np.random.default_rng(4)
    codes = rng.choice(3, 3000, p=[0.8, 0.15, 0.05])
    X = rng.normal(size=(3000, 4)) + 0.9 * np.eye(4)[codes]
    return X, np.array(["none", "some", "much"])[codes]


@pytest.mark.parametrize("errors", ["observed", "expected"])
@pytest.mark.parametrize("measure", ["g_mean", "h_mean", "q_mean", "f1_macro"])
def test_at_least_as_good_as_the_most_probable_class(unbalanced, measure, errors):
    """On held-out rows, whose matrix of plain predictions scikit-learn gives."""
    X, y = unbalanced
    cv = StratifiedKFold(3)
    clf = FrankWolfeClassifier(measure=measure, errors=errors, cv=cv).fit(X, y)
    p = cross_val_predict(LogisticRegression(max_iter=1000), X, y, cv=cv, method="predict_proba")
    truth = p if errors == "expected" else (y[:, None] == clf.classes_).astype(float)
    plain = Sample(p, truth, np.ones(len(y))).confusion(equal_costs(3))
    assert clf.best_score_ >= clf.measure_.value(plain) - 1e-9
    assert clf.best_score_ == pytest.approx(clf.measure_.value(clf.confusion_))
    assert clf.history_.shape == (clf.n_iter_, 2)
    assert clf.gap_ == clf.history_[-1, 1]
    if errors == "expected":
        assert 0 <= clf.gap_ < 1e-4


def test_new_rows_gain_too(unbalanced):
    """Rare classes are found: means of recalls and macro F1 rise against plain prediction."""
    X, y = unbalanced
    train, test = slice(0, 1500), slice(1500, None)
    plain = LogisticRegression().fit(X[train], y[train]).predict(X[test])
    g = FrankWolfeClassifier(random_state=0).fit(X[train], y[train])
    recalls = recall_score(y[test], g.predict(X[test]), average=None)
    assert g.score(X[test], y[test]) == pytest.approx(np.exp(np.log(recalls).mean()))
    assert g.score(X[test], y[test]) > GMean().value(g._confusion_of(y[test], plain, None)) + 0.1
    f = FrankWolfeClassifier(measure="f1_macro", random_state=0).fit(X[train], y[train])
    before = f1_score(y[test], plain, average="macro")
    assert f1_score(y[test], f.predict(X[test]), average="macro") > before + 0.02


def test_random_choice_has_the_frequencies(unbalanced):
    """`sample` draws what `predict_proba` says; `predict` gives the most frequent class."""
    X, y = unbalanced
    clf = FrankWolfeClassifier(measure="g_mean", errors="expected", random_state=0).fit(X, y)
    frequencies = clf.predict_proba(X)
    np.testing.assert_allclose(frequencies.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[frequencies.argmax(axis=1)])
    mixed = np.sort(frequencies, axis=1)[:, -2] > 0.05
    rows = X[np.concatenate([np.flatnonzero(mixed)[:5], [0]])]
    draws = np.array([clf.sample(rows, random_state=i) for i in range(2000)])
    shares = (draws[:, :, None] == clf.classes_).mean(axis=0)
    np.testing.assert_allclose(shares, clf.predict_proba(rows), atol=0.05)
    np.testing.assert_array_equal(clf.sample(X, 7), clf.sample(X, 7))


def test_known_probabilities_give_the_known_optimum():
    """Through the classifier: two classes, G-mean by a fine search over random thresholds."""
    p = np.array([0.05, 0.2, 0.45, 0.9])
    X, y = np.stack([1 - p, p], axis=1), np.array([0, 1, 0, 1])
    clf = FrankWolfeClassifier(
        Known(), errors="expected", cv=[(np.arange(4), np.arange(4))], max_iter=300
    ).fit(X, y)
    best = 0.0
    for k in range(5):  # the k best points are positive, the next one with the chance s
        s = np.linspace(0, 1, 1001)[:, None]
        positive = np.concatenate([np.zeros(4 - k), np.ones(k)])
        if k < 4:
            positive = positive + s * np.eye(4)[3 - k]
        positive = np.broadcast_to(positive, (1001, 4))
        recalls = positive @ p / p.sum(), (1 - positive) @ (1 - p) / (1 - p).sum()
        best = max(best, np.sqrt(recalls[0] * recalls[1]).max())
    assert clf.best_score_ == pytest.approx(best, abs=1e-5)
    assert best <= clf.best_score_ + clf.gap_ + 1e-9


def test_own_measures(unbalanced):
    """Any object with value and gradient; here accuracy, for which nothing beats the plain rule."""

    class Accuracy:
        concave = True

        def value(self, confusion):
            return np.trace(confusion, axis1=-2, axis2=-1)

        def gradient(self, confusion):
            return np.eye(len(confusion))

    X, y = unbalanced
    clf = FrankWolfeClassifier(measure=Accuracy(), random_state=0).fit(X, y)
    plain = LogisticRegression(max_iter=1000).fit(X, y).predict(X)
    assert np.mean(clf.predict(X) == plain) > 0.999


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"measure": "f1_micro"}, ValueError, "use BisectionClassifier"),
        ({"measure": "g_men"}, ValueError, "Unknown measure"),
        ({"errors": "all"}, ValueError, "errors must be one of"),
        ({"estimator": LinearSVC()}, TypeError, "gives no probabilities"),
    ],
)
def test_bad_parameters_are_refused(unbalanced, options, error, match):
    with pytest.raises(error, match=match):
        FrankWolfeClassifier(**options).fit(*unbalanced)


def test_several_labels_are_refused(unbalanced):
    X, y = unbalanced
    with pytest.raises(ValueError, match="chooses one class per row"):
        FrankWolfeClassifier().fit(X, (y[:, None] == ["none", "much"]).astype(int))
