"""Problems of classes: each class against the rest or all at once, all of them in one batch."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from pseudolinear import FBeta, KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.learners import ClassesProblem

LEARNERS = {
    "logistic": lambda **more: LinearLearner("logistic", **more),
    "squared_hinge": lambda **more: LinearLearner("squared_hinge", **more),
    "hinge": lambda **more: LinearLearner("hinge", **more),
    "softmax": lambda **more: LinearLearner("softmax", **more),
    "kernel": lambda **more: KernelLearner(**more),
}
COSTS = ((1.0, 1.0, 1.0), (1.0, 2.0, 8.0), (3.0, 1.0, 1.5))


@pytest.fixture(scope="module")
def data():
    return make_classification(
        300, 12, n_classes=3, n_informative=6, weights=[0.7, 0.2], random_state=1
    )


@pytest.fixture(scope="module", params=LEARNERS)
def make(request):
    return LEARNERS[request.param]


def grid():
    """Problems over costs and C, in no particular order."""
    problems = [ClassesProblem(0, costs, {"C": C}) for C in (0.1, 1.0, 10.0) for costs in COSTS]
    return [problems[i] for i in np.random.RandomState(0).permutation(len(problems))]


def test_a_batch_gives_what_the_problems_give_one_by_one(make, data):
    """Classes, costs and C side by side end at the optimum of each problem alone."""
    X, y = data
    weight = np.random.RandomState(0).uniform(0.5, 2.0, len(y))
    learner, problems = make(tol=1e-8), grid()
    models = learner.fit_batch(X, y[:, None], problems, weight)
    together = learner.scores(models, X)
    for problem, scores in zip(problems, together, strict=True):
        alone = learner.fit_batch(X, y[:, None], [problem], weight)
        assert_allclose(scores, learner.scores(alone, X)[0], atol=5e-3)


def test_each_class_is_told_from_the_rest_with_the_weights_of_all_classes(data):
    """scikit-learn's logistic regression finds the same weights, class by class."""
    X, y = data
    problems = grid()
    models = LinearLearner(tol=1e-10).fit_batch(X, y[:, None], problems)
    for problem, model in zip(problems, models, strict=True):
        for k, of_class in enumerate(model.models):
            peer = LogisticRegression(C=problem.params["C"], solver="newton-cholesky", tol=1e-10)
            peer.fit(X, y == k, sample_weight=problem.class_costs[y])
            assert_allclose(of_class.coef, peer.coef_[0], atol=1e-3)


def test_problems_of_different_target_columns_keep_them_apart(data):
    """A batch may hold classes of two columns; each is trained on its own."""
    X, y = data
    targets = np.stack([y, y[::-1]], axis=1)
    learner = LinearLearner(tol=1e-8)
    problems = [ClassesProblem(k, COSTS[1]) for k in (1, 0, 1)]
    together = learner.scores(learner.fit_batch(X, targets, problems), X)
    for problem, scores in zip(problems, together, strict=True):
        single = ClassesProblem(0, problem.costs)
        alone = learner.fit_batch(X, targets[:, [problem.label]], [single])
        assert_allclose(scores, learner.scores(alone, X)[0], atol=1e-3)


@pytest.mark.parametrize("weight", [1e-12, 1e-14, 1e-18, 1e-30, 1e-200, 1e-310])
@pytest.mark.parametrize("rare", [0, 2])
def test_a_class_of_vanishing_weight_is_as_good_as_left_out(make, data, rare, weight):
    """It converges, without warnings of rounding, to the scores of the other classes alone."""
    X, y = data
    learner = make(tol=1e-4) if make is not LEARNERS["kernel"] else make(tol=1e-4, gamma=0.05)
    problems = grid()
    models = learner.fit_batch(X, y[:, None], problems, np.where(y == rare, weight, 1.0))
    without = learner.fit_batch(X, y[:, None], problems, np.where(y == rare, 0.0, 1.0))
    assert all(model.converged for model in models)
    others = [k for k in range(3) if k != rare]
    for found, expected in zip(learner.scores(models, X), learner.scores(without, X), strict=True):
        assert (found[:, rare] < 0).all()
        assert_allclose(found[:, others], expected[:, others], atol=0.1)


@pytest.mark.parametrize("measure", ["f1_macro", FBeta(average="micro", default_class=0)], ids=str)
def test_a_fit_survives_a_class_of_vanishing_weight(make, data, measure):
    """The classes that do weigh something are told apart as without it."""
    X, y = data
    weight = np.where(y == 2, 1e-15, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = MeasureClassifier(make(), measure=measure, random_state=0).fit(X, y, weight)
    rows = y != 2
    plain = LogisticRegression().fit(X[rows], y[rows])
    f1 = FBeta()
    ours = f1.score(y[rows] == 1, fitted.predict(X[rows]) == 1)
    assert ours >= f1.score(y[rows] == 1, plain.predict(X[rows]) == 1) - 0.05


LOSSES = {
    "logistic": lambda m: np.logaddexp(0.0, -m),
    "squared_hinge": lambda m: np.maximum(1.0 - m, 0.0) ** 2,
    "hinge": lambda m: np.maximum(1.0 - m, 0.0),
}


def objective(loss, model, X, positive, costs, C):
    margin = np.where(positive, 1.0, -1.0) * (X @ model.coef + model.intercept)
    return 0.5 * model.coef @ model.coef + C * costs @ LOSSES[loss](margin)


@pytest.mark.parametrize("cost", [1e-6, 1e-9, 1e-12, 1e-18, 1e-300, 0.0])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_class_of_vanishing_cost_leaves_the_optimum_of_the_others(data, loss, cost):
    """Weights are finite, gaps are stated, and the objective is not above the reference."""
    X, y = data
    rare, tol, rest = 2, 1e-4, np.flatnonzero(y != 2)
    problems = [ClassesProblem(0, (1.0, 2.0, cost), {"C": C}) for C in (0.01, 1.0, 100.0)]
    models = LinearLearner(loss, tol=tol).fit_batch(X, y[:, None], problems)
    exact = LinearLearner(loss, tol=1e-6).fit_batch(X[rest], y[rest, None], problems)
    for problem, model, reference in zip(problems, models, exact, strict=True):
        C, costs = problem.params["C"], problem.class_costs[y]
        assert model.optimality <= tol
        assert np.isfinite(model.coef).all()
        assert np.isfinite(model.intercept).all()
        for k in (0, 1):
            found = objective(loss, model.models[k], X, y == k, costs, C)
            best = objective(loss, reference.models[k], X, y == k, costs, C)  # with the rare rows
            assert found <= best * (1 + 2 * tol)
        alone = objective(loss, model.models[rare], X, y == rare, costs, C)
        assert alone <= 100.0 * C * costs[y == rare].sum() + C * costs.sum() * 1e-15


@pytest.mark.parametrize("cost", [0.0, 1e-12])
def test_a_class_that_a_fold_misses_is_never_the_likeliest(make, data, cost):
    """Whether its errors would cost something or not."""
    X, y = data
    rows = np.flatnonzero(y != 1)
    learner, problems = make(), [ClassesProblem(0, (1.0, c, 2.0)) for c in (1.0, cost)]
    models = learner.fit_batch(X[rows], y[rows, None], problems)
    for model, scores in zip(models, learner.scores(models, X[rows]), strict=True):
        assert model.converged
        assert (scores.argmax(axis=1) != 1).all()
