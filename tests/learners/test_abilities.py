"""Learners declare what they can do, and wrong pairs fail early."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.learners import Abilities, EstimatorLearner, JointLearner, Learner

X, y = make_classification(200, random_state=0)
_, Y = make_multilabel_classification(200, random_state=0)


def test_estimator_learner_is_taken_at_the_main_door():
    """It is what a classifier becomes anyway."""
    wrapped, plain = (
        MeasureClassifier(estimator, random_state=0).fit(X, y)
        for estimator in (EstimatorLearner(LogisticRegression()), LogisticRegression())
    )
    assert (wrapped.predict(X) == plain.predict(X)).all()
    assert wrapped.threshold_ == plain.threshold_


def test_joint_learner_is_taken_at_the_main_door():
    """One forest serves all labels, with the parameters of the forest to try."""
    forest = JointLearner(ExtraTreesClassifier(20, random_state=0))
    classifier = MeasureClassifier(
        forest, measure="f1_macro", param_grid={"min_samples_leaf": [1, 5]}, random_state=0
    ).fit(X, Y)
    assert len({id(model.estimator) for model in classifier.models_}) <= 2
    assert (classifier.costs_ == 1.0).all()


def test_joint_learner_cannot_tell_classes_apart():
    """The sentence names what is missing."""
    with pytest.raises(TypeError, match="JointLearner cannot tell the classes"):
        MeasureClassifier(JointLearner(ExtraTreesClassifier()), measure="f1_macro").fit(X, y)


def test_weights_need_a_learner_that_takes_them():
    """Costs and weights cannot both go through class_weight."""

    class Weightless(RidgeClassifier):
        def fit(self, X, y):
            return super().fit(X, y)

    MeasureClassifier(Weightless()).fit(X, y)
    with pytest.raises(TypeError, match="Weightless has a fit without sample_weight"):
        MeasureClassifier(Weightless()).fit(X, y, sample_weight=np.ones(200))


def test_classifier_without_costs_is_refused():
    """A plain classifier that takes no costs at all cannot be swept."""
    with pytest.raises(TypeError, match="KNeighborsClassifier cannot be swept"):
        MeasureClassifier(KNeighborsClassifier()).fit(X, y)


@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(), make_pipeline(KNeighborsClassifier())]
)
@pytest.mark.parametrize(("target", "measure"), [(y, "f1"), (Y, "f1_macro"), (y, "f1_macro")])
def test_thresholds_alone_suit_any_classifier_with_scores(estimator, target, measure):
    """Nearest neighbours take neither weights nor costs; their scores can be cut all the same."""
    options = {"selection": "largest_value", "cost_sensitive": False, "random_state": 0}
    classifier = MeasureClassifier(estimator, measure=measure, **options).fit(X, target)
    assert (classifier.costs_ == 1.0).all()
    plain = KNeighborsClassifier().fit(X, target)
    natural = clone(classifier).set_params(tune_threshold=False).fit(X, target)
    assert classifier.best_score_ >= natural.best_score_
    if target.ndim == 1:
        assert (natural.predict(X) == plain.predict(X)).all()
    with pytest.raises(TypeError, match="has a fit without sample_weight"):
        classifier.fit(X, target, sample_weight=np.ones(200))


@pytest.mark.parametrize(
    "steps",
    [(), pytest.param((StandardScaler(),), marks=pytest.mark.slow)],
    ids=["alone", "pipeline"],
)
@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsClassifier(),
        MLPClassifier((3,), solver="lbfgs", max_iter=2000, random_state=0),
        GaussianProcessClassifier(1.0**2 * RBF(4.0), optimizer=None),
    ],
    ids=lambda e: type(e).__name__,
)
@pytest.mark.parametrize("kind", ["binary", "classes", "labels"])
def test_thresholds_alone_of_learners_without_weights(estimator, steps, kind):
    """On validation rows no worse than the classifier itself, and the same where nothing is cut."""
    n_classes = {"binary": 2, "classes": 3, "labels": 3}[kind]
    rows, target = make_classification(120, n_classes=n_classes, n_informative=5, random_state=0)
    target = (target[:, None] == np.arange(3)).astype(int) if kind == "labels" else target
    whole = make_pipeline(*steps, estimator) if steps else estimator
    split = [(np.arange(0, 80), np.arange(80, 120))]
    cut, natural = (
        MeasureClassifier(
            whole, measure="f1_macro", selection="largest_value", cv=split, refit=False,
            cost_sensitive=False, tune_threshold=tuned,
        ).fit(rows, target)
        for tuned in (True, False)
    )  # fmt: skip
    assert cut.score(rows[80:], target[80:]) == pytest.approx(cut.best_score_)
    assert cut.best_score_ >= natural.best_score_
    if kind != "labels":
        plain = clone(whole).fit(rows[:80], target[:80])
        assert_array_equal(natural.predict(rows), plain.predict(rows))


def test_a_network_learns_all_labels_at_once():
    """Its probabilities are a matrix with one column per label, not a list of arrays."""
    network = MLPClassifier((5,), solver="lbfgs", max_iter=2000, random_state=0)
    clf = MeasureClassifier(
        JointLearner(network), measure="f1_macro", tune_threshold=False, random_state=0
    ).fit(X, Y)
    assert_array_equal(clf.predict(X), network.fit(X, Y).predict(X))


@pytest.mark.parametrize(
    ("learner", "expected"),
    [
        (LinearLearner(), {"batches", "sparse", "probabilities", "gaps", "threads"}),
        (LinearLearner("hinge"), {"batches", "sparse", "gaps", "threads"}),
        (KernelLearner(kernel="precomputed"), {"batches", "pairwise", "gaps", "threads"}),
        (
            EstimatorLearner(HistGradientBoostingClassifier()),
            {"frames", "missing", "probabilities"},
        ),
        (EstimatorLearner(GaussianNB()), {"probabilities"}),
    ],
    ids=lambda value: "" if isinstance(value, set) else repr(value),
)
def test_declared_abilities(learner, expected):
    """What each can do beyond costs, weights and classes."""
    declared = {name for name, able in vars(learner.abilities).items() if able}
    assert declared == expected | {"costs", "weights", "classes"}


def test_a_learner_of_ones_own_needs_one_class():
    """The nearest mean, with costs as a shift of the threshold, swept like any other."""

    class NearestMean(Learner, BaseEstimator):
        @property
        def abilities(self):
            return Abilities(classes=False, weights=False)

        def parameters(self):
            return []

        def fit_batch(self, X, targets, problems, sample_weight=None):
            return [self._fit(X, p.target(targets), p.costs) for p in problems]

        def _fit(self, X, y, costs):
            class Model:
                optimality, converged = np.nan, True
                w = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
                b = np.log(costs[0] / costs[1])

            return Model()

        def scores(self, models, X):
            return [X @ model.w + model.b for model in models]

    classifier = MeasureClassifier(NearestMean()).fit(X, y)
    assert classifier.score(X, y) > 0.8
    with pytest.raises(TypeError, match="NearestMean"):
        MeasureClassifier(NearestMean(), measure="f1_macro").fit(X, y)


@pytest.mark.parametrize("learner", [EstimatorLearner, JointLearner])
def test_wrapping_learners_can_be_cloned(learner):
    """scikit-learn copies estimators, so learners must be copied as well."""
    again = clone(learner(LogisticRegression(C=3.0), random_state=1))
    assert again.estimator.C == 3.0
    assert again.seeded(7).random_state == 1
    assert learner(LogisticRegression()).seeded(7).random_state == 7
