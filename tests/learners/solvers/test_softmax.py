"""Softmax problems end at the optimum of multinomial logistic regression, and know how near."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import logsumexp
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from pseudolinear import FBeta, LinearLearner, MeasureClassifier
from pseudolinear.learners import ClassesProblem
from pseudolinear.learners.solvers import solve_softmax

C = np.array([0.03, 1.0, 30.0, 0.03, 1.0, 30.0])
COSTS = np.array([[1.0, 1.0, 1.0, 1.0]] * 3 + [[1.0, 2.0, 8.0, 0.5]] * 3)
SHAPES = {"few columns": (250, 8), "many columns": (60, 700)}


def data(n=250, d=8):
    return make_classification(
        n, d, n_classes=4, n_informative=6, n_redundant=2, weights=[0.6, 0.2, 0.1], random_state=0
    )


def objective(X, y, W, b, C, costs, ridge=0.0):
    scores = X @ W.T + b
    loss = logsumexp(scores, axis=1) - scores[np.arange(len(y)), y]
    return 0.5 * (W**2).sum() + 0.5 * ridge * (b**2).sum() + C * costs[y] @ loss


def parts(fit, i, K=4):
    own = slice(i * K, (i + 1) * K)
    return fit.coef[own], fit.intercept[own]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_it_is_multinomial_logistic_regression(shape, kind):
    """scikit-learn finds the same weights for all costs and values of C."""
    X, y = data(*SHAPES[shape])
    fit = solve_softmax(kind(X), y, C, COSTS, tol=1e-10)
    assert fit.optimality.max() <= 1e-10
    for i in range(len(C)):
        W, b = parts(fit, i)
        peer = LogisticRegression(C=C[i], solver="newton-cg", tol=1e-10, max_iter=1000)
        peer.fit(X, y, sample_weight=COSTS[i][y])
        assert_allclose(W, peer.coef_, atol=2e-4)
        assert_allclose(b - b.mean(), peer.intercept_ - peer.intercept_.mean(), atol=2e-4)


@pytest.mark.parametrize("scaling", [None, 3.0])
def test_an_intercept_may_be_left_out_or_be_a_feature(scaling):
    """Then it is regularised as the weight of a constant column."""
    X, y = data()
    fit = solve_softmax(X, y, C, COSTS, intercept_scaling=scaling, tol=1e-12)
    X1 = X if scaling is None else np.hstack([X, np.full((len(X), 1), scaling)])
    for i in range(len(C)):
        W, b = parts(fit, i)
        peer = LogisticRegression(C=C[i], fit_intercept=False, solver="newton-cg", tol=1e-10)
        peer.fit(X1, y, sample_weight=COSTS[i][y])
        assert_allclose(W, peer.coef_[:, : X.shape[1]], atol=2e-4)
        if scaling is not None:
            assert_allclose(b, scaling * peer.coef_[:, -1], atol=2e-4)


@pytest.mark.parametrize("scaling", [np.inf, None, 3.0])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tol", [0.3, 1e-2, 1e-4])
def test_the_stated_gap_is_an_upper_bound(shape, scaling, tol):
    """However early a problem is left."""
    X, y = data(*SHAPES[shape])
    ridge = 0.0 if scaling in (np.inf, None) else 1 / scaling**2
    rough = solve_softmax(X, y, C, COSTS, intercept_scaling=scaling, tol=tol)
    best = solve_softmax(X, y, C, COSTS, intercept_scaling=scaling, tol=1e-11)
    for i in range(len(C)):
        found, least = (
            objective(X, y, *parts(fit, i), C[i], COSTS[i], ridge) for fit in (rough, best)
        )
        assert rough.optimality[4 * i] <= tol
        assert found - least <= (rough.optimality[4 * i] + 1e-10) * found


@pytest.mark.parametrize("shift", [10.0, 1e3, 1e11])
def test_the_stated_gap_bounds_that_of_any_start(shift):
    """Also where intercepts are far off, and probabilities below what is computed with."""
    X, y = data()
    start = np.random.RandomState(0).normal(size=(24, 8)), np.tile([shift, 0.0, -shift, 1.0], 6)
    rough = solve_softmax(X, y, C, COSTS, start=start, max_iter=0)
    best = solve_softmax(X, y, C, COSTS, tol=1e-8)
    for i in range(len(C)):
        found, least = (objective(X, y, *parts(fit, i), C[i], COSTS[i]) for fit in (rough, best))
        assert found - least <= (rough.optimality[4 * i] + 1e-8) * found


def test_rows_of_wild_sizes_are_solved_in_a_few_steps():
    """Full steps overshoot there: without a search they led away for hundreds of iterations."""
    X, y = data(600)
    X = X * np.exp(np.random.RandomState(0).normal(size=(600, 1)))
    fit = solve_softmax(X, y, np.array([1.0, 16.0, 256.0]), np.ones((3, 4)))
    assert fit.optimality.max() <= 1e-3
    assert fit.n_iter.max() <= 40


def test_weights_equal_repeated_rows_and_order_is_irrelevant():
    """A row of weight 2 is two rows; problems may come in any order."""
    X, y = data()
    weight = np.random.RandomState(0).randint(0, 3, len(y))
    order = np.random.RandomState(1).permutation(len(C))
    weighted = solve_softmax(X, y, C[order], COSTS[order], sample_weight=weight, tol=1e-10)
    repeated = solve_softmax(X.repeat(weight, axis=0), y.repeat(weight), C, COSTS, tol=1e-10)
    for i, k in enumerate(order):
        assert_allclose(parts(weighted, i)[0], parts(repeated, k)[0], atol=2e-4)


def test_a_solution_to_start_from_is_left_where_it_is():
    """Nothing is done for problems that are solved."""
    X, y = data()
    fit = solve_softmax(X, y, C[:1], COSTS[:1], tol=1e-6)
    again = solve_softmax(X, y, C[:1], COSTS[:1], tol=1e-5, start=fit[:2])
    assert again.n_iter.max() == 0
    assert_allclose(again.coef, fit.coef)


@pytest.mark.parametrize("cost", [1e-6, 1e-10, 1e-12, 1e-14, 1e-17, 1e-30, 1e-310, 0.0])
@pytest.mark.parametrize("rare", [[2], [0], [1, 3], [1, 2, 3]], ids=str)
def test_classes_of_vanishing_cost(rare, cost):
    """Weights are finite, and the objective is that of the other classes alone, or near it."""
    X, y = data()
    costs = np.ones(4)
    costs[rare] = cost
    fit = solve_softmax(X, y, C[:3], np.tile(costs, (3, 1)), tol=1e-4)
    assert fit.optimality.max() <= 1e-4
    assert np.isfinite(fit.coef).all()
    assert np.isfinite(fit.intercept).all()
    rest = np.flatnonzero(~np.isin(y, rare))
    kept, codes = np.unique(y[rest], return_inverse=True)
    one = np.ones((3, len(kept)))
    alone = solve_softmax(X[rest], codes, C[:3], one, tol=1e-8)
    for i in range(3):
        value = objective(X, y, *parts(fit, i), C[i], costs)
        least = objective(X[rest], codes, *parts(alone, i, len(kept)), C[i], one[i])
        more = C[i] * len(y) * (200 * cost + 1e-15)
        assert least * (1 - 1e-8) <= value <= least * (1 + 1e-4) + more


def test_a_class_without_rows_is_never_the_likeliest():
    """As in a fold that a rare class misses."""
    X, y = data()
    rows = y != 2
    fit = solve_softmax(X[rows], y[rows], C, COSTS, tol=1e-6)
    assert fit.optimality.max() <= 1e-6
    for i in range(len(C)):
        W, b = parts(fit, i)
        assert ((X @ W.T + b).argmax(axis=1) != 2).all()


def test_classes_that_can_be_told_apart_exactly_leave_no_rounding_behind():
    """Probabilities of 1 had curvatures just below zero, of which no root can be taken."""
    random = np.random.RandomState(0)
    y = random.randint(0, 3, 120)
    X = 40 * np.eye(3)[y] + random.randn(120, 3)
    weight = random.uniform(0.1, 3.0, 120)
    C = 10.0 ** np.arange(-3, 7)
    fit = solve_softmax(X, y, C, np.tile([1.0, 0.3, 7.0], (10, 1)), sample_weight=weight)
    assert fit.optimality.max() <= 1e-3
    assert np.isfinite(fit.coef).all()


def test_of_two_classes_it_is_the_logistic_loss():
    X, y = data()
    two = LinearLearner("softmax", tol=1e-8).fit(X, y == 0)
    assert_allclose(two.coef_, LinearLearner(tol=1e-8).fit(X, y == 0).coef_)


def test_a_classifier_of_several_classes_has_its_probabilities():
    """Those of scikit-learn's multinomial model, names of classes included."""
    X, y = data()
    names = np.array(["b", "a", "d", "c"])[y]
    ours = LinearLearner("softmax", tol=1e-10).fit(X, names)
    peer = LogisticRegression(solver="newton-cg", tol=1e-10).fit(X, names)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-4)
    assert (ours.predict(X) == peer.predict(X)).all()
    assert ours.optimality_.max() <= 1e-10


def test_a_sweep_takes_it_and_scores_as_log_probabilities():
    """Costs of classes shift the scores by their logarithms where the model is right."""
    X, y = data()
    clf = MeasureClassifier(LinearLearner("softmax"), measure="f1_macro", random_state=0)
    clf.fit(X, y)
    assert clf.sweep_.to_pandas()["optimality"].max() <= 1e-3
    assert FBeta(average="macro").score(y, clf.predict(X)) > 0.6
    learner = LinearLearner("softmax", C=1e-8, tol=1e-8)
    problems = [ClassesProblem(0, costs) for costs in ((1.0,) * 4, (1.0, 2.0, 4.0, 8.0))]
    plain, costly = learner.scores(learner.fit_batch(X, y[:, None], problems), X)
    shift = (costly - plain) - (costly - plain)[:, :1]
    assert_allclose(shift, np.log([[1.0, 2.0, 4.0, 8.0]] * len(y)), atol=1e-3)
