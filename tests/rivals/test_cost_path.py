"""The path of support vector machines over costs, against refits."""

import numpy as np
import pytest
from data import load
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta, best_threshold
from pseudolinear.rivals._cost_path import svm_cost_path
from pseudolinear.rivals._cost_path_svc import CostPathSVC


@parametrize_with_checks([CostPathSVC(), CostPathSVC(kernel="precomputed")])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def gap(K, y, alpha, intercept, cost):
    """Return the duality gap of a solution, per unit of cost."""
    signs = np.where(y, 1, -1)
    scores = K @ (signs * alpha)
    loss = np.maximum(0.0, 1.0 - signs * (scores + intercept))
    return (alpha * signs @ scores + cost @ loss - alpha.sum()) / cost.sum()


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("stop", [(19.0, 1.0), (0.3, 1.0), (0.5, 4.0)])
def test_path_equals_refits(kernel, stop):
    """At any costs on the way the scores are those of a machine trained with these costs."""
    X, y = make_classification(150, 5, weights=[0.7], flip_y=0.1, random_state=0)
    K = rbf_kernel(X, gamma=0.2) if kernel == "rbf" else X @ X.T
    path = svm_cost_path(K, y, (1.0, 1.0), stop)
    assert len(path.taus) > 20
    assert path.violation < 1e-10
    for tau in (0.0, 0.123, 0.5, 0.87, 1.0):
        pos, neg = path.costs(tau)
        svc = SVC(kernel="precomputed", class_weight={0: neg, 1: pos}, tol=1e-8).fit(K, y)
        # LIBSVM keeps the kernel in single precision; the gap below is the sharper proof.
        assert path.scores(K, y, tau) == pytest.approx(svc.decision_function(K), abs=1e-3)
        alpha, intercept = path.at(tau)
        assert abs(gap(K, y, alpha, intercept, np.where(y, pos, neg))) < 1e-11


def test_path_is_linear_between_breakpoints():
    """Half-way between two breakpoints the mean of both is optimal."""
    X, y = make_classification(60, 4, flip_y=0.2, random_state=1)
    K = rbf_kernel(X)
    path = svm_cost_path(K, y, (1.0, 1.0), (5.0, 1.0))
    for before, after in zip(path.taus[:-1], path.taus[1:], strict=True):
        if after > before:
            tau = (before + after) / 2
            cost = np.where(y, *path.costs(tau))
            assert abs(gap(K, y, *path.at(tau), cost)) < 1e-11


def test_there_and_back():
    """The path from the other end passes through the same machines."""
    X, y = make_classification(100, 4, flip_y=0.2, random_state=2)
    K = rbf_kernel(X)
    there = svm_cost_path(K, y, (1.0, 2.0), (6.0, 0.5))
    back = svm_cost_path(K, y, (6.0, 0.5), (1.0, 2.0))
    taus = np.linspace(0, 1, 50)
    assert there.scores(K, y, taus) == pytest.approx(back.scores(K, y, 1 - taus), abs=1e-8)


@pytest.mark.parametrize("kind", ["integers", "bits", "copies", "constant"])
def test_degenerate_rows(kind):
    """Equal rows, points of a lattice and rows without information are no obstacle.

    Many rows then reach the margin at once, the Gram matrix is singular, and the margin
    is empty at times, where the intercept jumps.
    """
    rng = np.random.default_rng(0)
    for trial in range(20):
        n, d = rng.integers(2, 50), rng.integers(1, 4)
        X = rng.normal(size=(n, d))
        if kind == "copies":
            X = X[rng.integers(0, n // 3 + 1, n)]
        X = {"integers": np.round(X), "bits": X > 0, "constant": 0 * X}.get(kind, X) * 1.0
        y = rng.permutation(np.append([0, 1], rng.integers(0, 2, n - 2)))
        K = X @ X.T if trial % 2 else rbf_kernel(X, gamma=0.3)
        start, stop = (tuple(10.0 ** rng.uniform(-2, 2, size=2)) for _ in range(2))
        path = svm_cost_path(K, y, start, stop)
        assert path.violation < 1e-6
        for tau in (0.0, rng.random(), 1.0):
            alpha, intercept = path.at(tau)
            cost = np.where(y, *path.costs(tau))
            assert (alpha >= -1e-9).all()
            assert (alpha <= cost + 1e-9).all()
            assert abs(np.where(y, 1, -1) @ alpha) < 1e-8 * cost.sum()
            assert abs(gap(K, y, alpha, intercept, cost)) < 1e-7


def test_two_rows_by_hand():
    """Rows at -1 and 1: alpha = min(both costs, 1/2); the intercept is free below that."""
    X = np.array([[-1.0], [1.0]])
    path = svm_cost_path(X @ X.T, [0, 1], (0.1, 1.0), (1.1, 1.0))
    for tau in (0.0, 0.2, 0.39, 0.41, 0.8):
        alpha, _ = path.at(tau)
        assert alpha == pytest.approx(np.full(2, min(0.1 + tau, 0.5)))


def test_one_class_is_a_constant():
    path = svm_cost_path(np.eye(3), [0, 0, 0], (1.0, 1.0), (2.0, 1.0))
    assert path.scores(np.eye(3), [0, 0, 0], 0.5).tolist() == [-1.0, -1.0, -1.0]


def test_weights_are_copies():
    """A row of weight two costs what two copies of it cost, and one of weight zero nothing."""
    rng = np.random.default_rng(0)
    X, y = make_classification(60, 4, flip_y=0.2, random_state=3)
    weight = rng.integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), weight)
    K = rbf_kernel(X)
    path = svm_cost_path(K, y, (1.0, 1.0), (5.0, 1.0), weight)
    copies = svm_cost_path(K[np.ix_(rows, rows)], y[rows], (1.0, 1.0), (5.0, 1.0))
    taus = np.linspace(0, 1, 20)
    assert path.scores(K, y, taus) == pytest.approx(
        copies.scores(K[:, rows], y[rows], taus), abs=1e-7
    )
    assert not path.alphas[:, weight == 0].any()


def test_choice_is_the_best_of_refits():
    """No costs of a grid, each refitted and cut at its best, beat the chosen point."""
    X, y = make_classification(300, 5, weights=[0.85], flip_y=0.1, random_state=0)
    train, test = np.arange(200), np.arange(200, 300)
    clf = CostPathSVC(cv=[(train, test)], gamma=0.2).fit(X, y)
    assert clf.best_score_ == clf.values_.max()
    for cost in (1.0, 2.0, 4.0, 8.0, 16.0, 19.0):
        svc = SVC(gamma=0.2, class_weight={1: cost}, tol=1e-8).fit(X[train], y[train])
        cut = best_threshold(y[test], svc.decision_function(X[test]))
        # Between two breakpoints scores may change places, on one row or two.
        assert clf.best_score_ >= cut.value - 0.02
    pos, neg = clf.costs_
    svc = SVC(gamma=0.2, class_weight={0: neg, 1: pos}, tol=1e-8).fit(X, y)
    expected = svc.decision_function(X) - clf.threshold_
    assert clf.decision_function(X) == pytest.approx(expected, abs=1e-3)


def test_positive_class_may_be_the_smaller():
    X, y = make_classification(150, 5, weights=[0.8], flip_y=0.1, random_state=0)
    names = np.array(["no", "yes"])[y]
    flipped = np.array(["b", "a"])[y]
    plain = CostPathSVC(random_state=0).fit(X, names)
    other = CostPathSVC(FBeta(pos_label="a"), random_state=0).fit(X, flipped)
    assert ((plain.predict(X) == "yes") == (other.predict(X) == "a")).all()


def test_sparse_rows_give_the_same():
    X, y = make_classification(100, 5, flip_y=0.1, random_state=0)
    dense = CostPathSVC(random_state=0).fit(X, y)
    csr = CostPathSVC(random_state=0).fit(sparse.csr_matrix(X), y)
    assert csr.decision_function(sparse.csr_matrix(X)) == pytest.approx(
        dense.decision_function(X), abs=1e-8
    )


def test_a_matrix_that_is_no_gram_matrix_is_told():
    """Without curvature there is no path: an error or a warning, never a silent answer."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 30))
    y = np.arange(30) % 2
    with pytest.raises((ValueError, ConvergenceWarning), match="positive semidefinite"):
        svm_cost_path(A + A.T, y, (1.0, 1.0), (5.0, 1.0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.eye(3), [0, 1], (1, 1), (2, 1)), "square Gram matrix"),
        ((np.eye(2), [0, 1], (1, 0), (2, 1)), "start must be two positive costs"),
        ((np.eye(2), [0, 1], (1, 1), (2,)), "stop must be two positive costs"),
        ((np.eye(2), [1, 2], (1, 1), (2, 1)), "only 0 and 1"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        svm_cost_path(*arguments)


def test_bad_kernel_and_tau():
    X, y = make_classification(30, random_state=0)
    with pytest.raises(ValueError, match="kernel must be one of rbf, poly"):
        CostPathSVC(kernel="cosine").fit(X, y)
    with pytest.raises(ValueError, match=r"tau must be in \[0, 1\], got 2"):
        svm_cost_path(X @ X.T, y, (1, 1), (2, 1)).at(2.0)


def test_yeast_gains_from_the_path():
    """On a rare label a machine with equal costs finds nothing; one from the path does."""
    X, Y = load("yeast")
    X_test, Y_test = load("yeast", "test")
    X, y, y_test = X[:500], Y[:500, 9], Y_test[:, 9]
    plain = f1_score(y_test, SVC().fit(X, y).predict(X_test))
    clf = CostPathSVC(random_state=0).fit(X, y)
    assert f1_score(y_test, clf.predict(X_test)) > plain + 0.05
