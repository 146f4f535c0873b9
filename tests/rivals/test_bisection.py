"""Bisection: against Dinkelbach's iteration and all classifiers of small distributions."""

from itertools import product

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    FBeta,
    FBetaOverLabels,
    Jaccard,
    Tversky,
    WeightedAccuracy,
)
from pseudolinear.rivals._bisection import BisectionClassifier
from pseudolinear.rivals._linear_ratio import LinearRatio
from pseudolinear.rivals._plug_in_threshold import plug_in_fixed_point

RATIO = LinearRatio(
    [[2.0, 0, 0.5], [0, 3, 0], [0.2, 0, 1]], [[1.0, 1, 2], [0.5, 2, 1], [1, 1, 0.3]]
)
SEVERAL = [FBeta(average="micro", default_class=1), FBeta(2.0, average="micro", default_class=0)]
SEVERAL += [FBetaOverLabels(default_class=2), Jaccard(average="micro", default_class=0)]
SEVERAL += [WeightedAccuracy(average="micro"), RATIO]
SEVERAL += [BalancedAccuracy(), CohenKappa(), WeightedAccuracy()]  # of all classes
BINARY = [FBeta(), FBeta(0.5), FBeta(pos_label=0), Jaccard(), CohenKappa(), Tversky(0.3, 2.0)]


class Known(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are the features."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return X

    def predict(self, X):
        return self.classes_[X.argmax(axis=1)]


def known(rng, n, n_classes):
    """Give points with probabilities, masses, and a classifier that knows them."""
    p, mass = rng.dirichlet(np.ones(n_classes), n), rng.uniform(0.2, 1.0, n)
    y = np.arange(n) % n_classes
    everything = [(np.arange(n), np.arange(n))]

    def fit(measure, **options):
        clf = BisectionClassifier(
            Known(), measure=measure, errors="expected", cv=everything, **options
        )
        return clf.fit(p, y, sample_weight=mass)

    return p, mass / mass.sum(), fit


def confusion_of(p, mass, predicted):
    return (p * mass[:, None]).T @ np.eye(p.shape[1])[np.asarray(predicted)]


def dinkelbach(p, mass, ratio):
    """Raise the level to the value of its cheapest classifier until it stays."""
    level = -np.inf
    value = ratio.value(confusion_of(p, mass, p.argmax(axis=1)))
    while value > level + 1e-14:
        level = value
        value = ratio.value(confusion_of(p, mass, (p @ ratio.costs(level)).argmin(axis=1)))
    return level


@pytest.mark.parametrize("measure", SEVERAL, ids=repr)
def test_three_classes(measure):
    """Bisection, Dinkelbach's iteration and the best of all 243 classifiers agree."""
    rng = np.random.default_rng(0)
    for _ in range(8):
        p, mass, fit = known(rng, 5, 3)
        clf = fit(measure, tol=1e-9)
        everyone = product(range(3), repeat=5)
        best = max(clf.measure_.value(confusion_of(p, mass, h)) for h in everyone)
        assert clf.best_score_ == pytest.approx(best, abs=1e-9)
        assert dinkelbach(p, mass, clf.measure_) == pytest.approx(best, abs=1e-9)
        assert best <= clf.best_score_ + clf.gap_
        predicted = clf.measure_.value(confusion_of(p, mass, clf.predict(p)))
        assert predicted == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("measure", BINARY, ids=repr)
def test_two_classes(measure):
    """Equal to the fixed point of the plug-in threshold, which is its own proof."""
    rng = np.random.default_rng(1)
    for _ in range(8):
        p, mass, fit = known(rng, 7, 2)
        positive = p[:, 0] if measure.pos_label == 0 else p[:, 1]
        cut = plug_in_fixed_point(positive, measure, sample_weight=mass)
        clf = fit(measure, tol=1e-9)
        assert clf.best_score_ == pytest.approx(cut.value, abs=1e-9)


def test_a_default_class_of_two_is_the_binary_measure():
    rng = np.random.default_rng(2)
    _, _, fit = known(rng, 30, 2)
    a, b = fit(FBeta(2.0)), fit(FBeta(2.0, average="micro", default_class=0))
    assert a.best_score_ == pytest.approx(b.best_score_)


def test_every_level_is_reached_or_shortens_the_interval():
    """With exact classifiers the optimum lies between the best value and the lowest miss."""
    rng = np.random.default_rng(3)
    _, _, fit = known(rng, 200, 3)
    clf = fit(FBeta(average="micro", default_class=0))
    level, value = clf.history_.T
    missed = value < level
    assert clf.gap_ == pytest.approx(level[missed].min() - clf.best_score_)
    assert clf.gap_ <= 1e-6
    assert level[~missed].max(initial=-np.inf) <= clf.best_score_ < level[missed].min()
    assert len(level) <= 25


def test_large_values_are_bracketed_first():
    """A ratio is not bounded by one."""
    rng = np.random.default_rng(4)
    _, _, fit = known(rng, 20, 3)
    small, large = fit(RATIO), fit(LinearRatio(1000 * RATIO.A, RATIO.B), tol=1e-3)
    assert large.best_score_ == pytest.approx(1000 * small.best_score_, abs=1e-3)


@parametrize_with_checks([BisectionClassifier()])
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)


def test_micro_f_of_new_rows():
    """A large default class: micro F of the others rises against plain prediction."""
    X, y = make_classification(
        6000, 12, n_informative=6, n_classes=4, n_clusters_per_class=1,
        weights=[0.8, 0.07, 0.07], class_sep=0.7, random_state=0,
    )  # fmt: skip
    names = np.array(["O", "loc", "org", "per"])[y]
    train, test = slice(0, 3000), slice(3000, None)
    measure = FBeta(average="micro", default_class="O")
    clf = BisectionClassifier(measure=measure, random_state=0).fit(X[train], names[train])
    plain = LogisticRegression(max_iter=1000).fit(X[train], names[train]).predict(X[test])
    reached = clf.score(X[test], names[test])
    assert reached == pytest.approx(measure.score(names[test], clf.predict(X[test])))
    assert reached > measure.score(names[test], plain)
    over = BisectionClassifier(measure=FBetaOverLabels(default_class="O"), random_state=0)
    over.fit(X[train], names[train])
    predicted = over.predict(X[test])
    expected = f1_score(names[test], predicted, labels=["loc", "org", "per"], average="micro")
    assert over.score(X[test], names[test]) == pytest.approx(expected)
    np.testing.assert_array_equal(
        predicted, over.classes_[over.decision_function(X[test]).argmax(axis=1)]
    )


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"measure": "f1_macro"}, "sum of ratios, not one; use FrankWolfeClassifier"),
        ({"measure": "f1"}, "target is multiclass"),
        ({"measure": LinearRatio(np.eye(2), np.ones((2, 2)))}, "but y has 3 classes"),
        ({"measure": FBeta(average="micro", default_class=7)}, "default_class=7 is not one"),
        ({"measure": RATIO, "tol": 0}, "tol must be positive"),
    ],
)
def test_bad_parameters_are_refused(options, match):
    rng = np.random.default_rng(5)
    with pytest.raises(ValueError, match=match):
        BisectionClassifier(**options).fit(rng.normal(size=(60, 2)), np.arange(60) % 3)
