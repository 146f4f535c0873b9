"""Facts about kernel support vector machines that ``solve_kernel`` must respect."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from pseudolinear.learners.solvers import _ascent_path as ascent
from pseudolinear.learners.solvers._kernel import solve_kernel

TOL = 1e-3


def make(n=150, d=5, n_labels=2):
    """Return data with a curved boundary and noise."""
    rng = np.random.RandomState(0)
    X = rng.randn(n, d)
    score = (X[:, :n_labels] ** 2) - 1.3 + 0.5 * rng.randn(n, n_labels)
    return X, (score > 0).astype(np.int8)


def grid(n_labels=2):
    """Return a small sweep."""
    k, cost, C = np.meshgrid(range(n_labels), [9.0, 1.0, 0.2], [0.02, 1.0, 30.0])
    return k.ravel(), cost.ravel(), np.full(k.size, 0.8), C.ravel()


def objectives(K, Y, problems, fit, sw=1.0):
    """Return the primal objectives of a fit."""
    values = []
    for k, fn, fp, C, coef, b in zip(*problems, fit.dual_coef, fit.intercept, strict=True):
        y = np.where(Y[:, k] > 0, 1.0, -1.0)
        f = K @ coef
        loss = np.maximum(0.0, 1.0 - y * (f + b))
        values.append(0.5 * coef @ f + C * (np.where(y > 0, fn, fp) * sw) @ loss)
    return np.array(values)


@pytest.mark.parametrize("gamma", [2.0**-6, 0.25, 2.0, 64.0])
def test_reaches_the_optimum_of_libsvm(gamma):
    """Every problem is as good as LIBSVM's solution at high accuracy."""
    X, Y = make()
    K = rbf_kernel(X, gamma=gamma)
    problems = grid()
    fit = solve_kernel(K, Y, *problems, tol=TOL)
    assert fit.optimality.max() <= TOL
    ours = objectives(K, Y, problems, fit)
    for i, (k, fn, fp, C) in enumerate(zip(*problems, strict=True)):
        svc = SVC(C=C, gamma=gamma, class_weight={0: fp, 1: fn}, tol=1e-8).fit(X, Y[:, k])
        coef = np.zeros(len(X))
        coef[svc.support_] = svc.dual_coef_[0]
        one = tuple(field[i : i + 1] for field in problems)
        peer = fit._replace(dual_coef=coef[None], intercept=svc.intercept_)
        best = objectives(K, Y, one, peer)[0]
        assert best * (1 - 1e-6) <= ours[i] <= best * (1 + TOL)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_dual_variables_are_feasible(fit_intercept):
    """Dual variables respect sign, bounds and, with an intercept, balance."""
    X, Y = make()
    problems = grid()
    fit = solve_kernel(rbf_kernel(X), Y, *problems, fit_intercept=fit_intercept)
    for k, fn, fp, C, coef in zip(*problems, fit.dual_coef, strict=True):
        y = np.where(Y[:, k] > 0, 1.0, -1.0)
        bound = C * np.where(y > 0, fn, fp)
        assert (y * coef).min() >= 0.0
        assert np.all(y * coef <= bound * (1 + 1e-12))
        assert not fit_intercept or abs(coef.sum()) <= 1e-9 * np.abs(coef).sum()
    assert fit_intercept or not fit.intercept.any()


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gap_bounds_the_distance_to_the_optimum(fit_intercept):
    """A loose fit is no worse than its stated gap, measured against a tight one."""
    X, Y = make()
    K = rbf_kernel(X)
    problems = grid()
    loose = solve_kernel(K, Y, *problems, fit_intercept=fit_intercept, tol=0.05)
    tight = solve_kernel(K, Y, *problems, fit_intercept=fit_intercept, tol=1e-7)
    assert tight.optimality.max() <= 1e-7
    high, low = objectives(K, Y, problems, loose), objectives(K, Y, problems, tight)
    assert np.all(high * (1 - loose.optimality) <= low * (1 + 1e-9))
    assert np.all(low <= high * (1 + 1e-7))


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_ascent_and_newton_agree(monkeypatch, fit_intercept):
    """The fallback of a slow ascent ends at the same optimum."""
    X, Y = make()
    K = rbf_kernel(X, gamma=0.05)
    problems = grid()
    ascent = solve_kernel(K, Y, *problems, tol=1e-7, fit_intercept=fit_intercept)
    monkeypatch.setattr("pseudolinear.learners.solvers._ascent_path.ASCENT_STEPS", 0)
    newton = solve_kernel(K, Y, *problems, tol=1e-7, fit_intercept=fit_intercept)
    np.testing.assert_allclose(
        objectives(K, Y, problems, newton), objectives(K, Y, problems, ascent), rtol=1e-6
    )


def test_batch_equals_one_by_one():
    """A warm start ends where a cold start ends."""
    X, Y = make()
    K = rbf_kernel(X)
    problems = grid()
    together = objectives(K, Y, problems, solve_kernel(K, Y, *problems, tol=1e-6))
    for i in range(0, together.size, 5):
        alone = tuple(field[i : i + 1] for field in problems)
        fit = solve_kernel(K, Y, *alone, tol=1e-6)
        np.testing.assert_allclose(objectives(K, Y, alone, fit), together[i], rtol=1e-6)


def test_weights_equal_repeated_rows():
    """An integer weight is a repetition, weight 0 an absence."""
    X, Y = make()
    repeat = np.random.RandomState(1).randint(0, 4, len(X))
    problems = grid()
    K = rbf_kernel(X)
    weighted = solve_kernel(K, Y, *problems, sample_weight=repeat, tol=1e-5)
    long, Y_long = rbf_kernel(np.repeat(X, repeat, axis=0)), np.repeat(Y, repeat, axis=0)
    # rbf_kernel's default gamma depends on the columns only
    repeated = solve_kernel(long, Y_long, *problems, tol=1e-5)
    np.testing.assert_allclose(
        objectives(K, Y, problems, weighted, repeat),
        objectives(long, Y_long, problems, repeated),
        rtol=1e-5,
    )


@pytest.mark.parametrize("K", [np.eye(60), np.ones((60, 60)), np.zeros((60, 60))])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_degenerate_kernels(K, fit_intercept):
    """Unrelated rows, equal rows, no rows at all; tiny and huge C; a single positive."""
    Y = np.zeros((60, 2), np.int8)
    Y[:20, 0] = Y[5, 1] = 1
    k, C = (a.ravel() for a in np.meshgrid([0, 1], [1e-6, 1.0, 1e4]))
    fit = solve_kernel(K, Y, k, np.full(6, 3.0), np.ones(6), C, fit_intercept=fit_intercept)
    assert np.isfinite(fit.dual_coef).all()
    assert fit.optimality.max() <= TOL


@pytest.mark.parametrize("seed", [0, 4, 6])
def test_rounding_does_not_carry_newtons_method_away(monkeypatch, seed):
    """More free variables than dimensions: wherever it takes over, it ends at one optimum."""
    rng = np.random.RandomState(seed)
    X = rng.randn(120, 8) * (rng.rand(120, 8) < 0.6)
    Y = (X @ rng.randn(8, 2) + rng.randn(120, 2) > 0.7).astype(np.int8)
    k, cost, C = (v.ravel() for v in np.meshgrid([0, 1], [9.0, 1.5, 1.0, 0.2], [0.05, 1.0, 20.0]))
    problems, K = (k, cost, np.full(k.size, 0.8), C), X @ X.T
    values = []
    for steps in (1, 2, 4, 12, 1000):
        monkeypatch.setattr(ascent, "ASCENT_STEPS", steps)
        fit = solve_kernel(K, Y, *problems, tol=1e-6, max_iter=100)
        assert fit.optimality.max() <= 1e-6
        values.append(objectives(K, Y, problems, fit))
    assert np.all(np.max(values, axis=0) * (1 - 1e-6) <= np.min(values, axis=0))


@pytest.mark.parametrize("gamma", [2.0**-6, 0.25, 2.0])
def test_what_ascent_has_reached_is_not_lost(monkeypatch, gamma):
    """Where Newton's method comes to nothing better, the point before it is reported."""
    monkeypatch.setattr(ascent, "ASCENT_STEPS", 2)
    X, Y = make()
    K, one = (
        rbf_kernel(X, gamma=gamma),
        (np.zeros(1, int), np.ones(1), np.ones(1), np.full(1, 30.0)),
    )
    with monkeypatch.context() as patch:
        patch.setattr(ascent, "WholeGram", ())  # no matrix is one that Newton's method knows
        before = solve_kernel(K, Y, *one, tol=1e-9)
    assert before.optimality[0] > 1e-9
    for max_iter in (0, 1, 2, 5):
        after = solve_kernel(K, Y, *one, tol=1e-9, max_iter=max_iter)
        assert after.optimality[0] <= before.optimality[0]


def exact_gap(X, y, u, coef, b):
    """Return the gap of dual variables, made feasible, with more digits than the solver has."""
    X, y, u, coef = (np.asarray(a, dtype=np.longdouble) for a in (X, y, u, coef))
    w = coef @ X
    primal = 0.5 * w @ w + u @ np.maximum(0.0, 1.0 - y * (X @ w + b))
    alpha = np.clip(y * coef, 0.0, u)
    sums = np.array([alpha[y < 0].sum(), alpha[y > 0].sum()])
    alpha = alpha * np.where(y > 0, sums.min() / sums[1], sums.min() / sums[0])
    v = (alpha * y) @ X
    return float((primal - alpha.sum() + 0.5 * v @ v) / primal)


@pytest.mark.parametrize("tiny", [1e-4, 1e-6, 1e-8, 1e-10])
def test_a_stated_gap_is_never_below_the_true_one(tiny):
    """Also where one class costs next to nothing, and the objective is near its rounding."""
    rng = np.random.RandomState(0)
    X = 30.0 * rng.randn(300, 8) * (rng.rand(300, 8) < 0.6)
    Y = np.column_stack([X @ rng.randn(8) + 30.0 * rng.randn(300) > 20.0, np.arange(300) < 3])
    k, light, C = (v.ravel() for v in np.meshgrid([0, 1], [tiny, 1 / tiny], [0.01, 1.0, 64.0]))
    problems = k.astype(int), np.minimum(light, 1.0), np.minimum(1 / light, 1.0), C
    fit = solve_kernel(X @ X.T, Y.astype(np.int8), *problems, tol=TOL)
    assert fit.optimality.max() <= TOL
    solved = np.flatnonzero(fit.dual_coef.any(axis=1))  # others are constants, by a bound
    assert solved.size
    for i in solved:
        y = np.where(Y[:, k[i]], 1.0, -1.0)
        u = C[i] * np.where(y > 0, problems[1][i], problems[2][i])
        true = exact_gap(X, y, u, fit.dual_coef[i], fit.intercept[i])
        assert true <= fit.optimality[i] + 1e-5 * TOL  # what rounding of the matrix leaves


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n", [65, 98, 150])
def test_a_stated_gap_holds_for_bounds_that_are_hardly_reached(n, fit_intercept):
    """At huge C dual variables are tiny fractions of their bounds, and these are rounded."""
    rng = np.random.RandomState(n)
    X = rng.randn(n, 3)
    Y = (X[:, :1] > 0.2).astype(np.int8)
    C = 10.0 ** np.arange(4, 10)
    costs = np.full(C.size, 1.2), np.full(C.size, 0.8)
    K = rbf_kernel(X, gamma=1.0)
    fit = solve_kernel(K, Y, np.zeros(C.size, int), *costs, C, fit_intercept=fit_intercept)
    y, K = np.where(Y[:, 0] > 0, 1.0, -1.0), K.astype(np.longdouble)
    for i, coef in enumerate(fit.dual_coef.astype(np.longdouble)):
        f = K @ coef
        u = C[i] * np.where(y > 0, costs[0][i], costs[1][i])
        primal = 0.5 * coef @ f + u @ np.maximum(0.0, 1.0 - y * (f + fit.intercept[i]))
        dual = coef @ y - 0.5 * coef @ f
        assert primal - dual <= fit.optimality[i] * primal
