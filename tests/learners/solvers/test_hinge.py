"""Facts about linear support vector machines that every method of ``solve_hinge`` must respect."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

from pseudolinear.learners.solvers import _hinge as hinge
from pseudolinear.learners.solvers import _linear_space as linear_space
from pseudolinear.learners.solvers._hinge import solve_hinge
from pseudolinear.loops._newton import line_search, slope

METHODS = {"features": (10**9, 0), "gram": (0, 10**9), "coordinates": (0, 0)}
TOL = 1e-3


@pytest.fixture(params=METHODS)
def method(request, monkeypatch):
    """Force one of the three methods."""
    columns, rows = METHODS[request.param]
    monkeypatch.setattr(hinge, "MAX_NEWTON_COLUMNS", columns)
    monkeypatch.setattr(hinge, "MAX_GRAM_ROWS", rows)
    return request.param


def make(method="features", n=120, n_labels=2, noise=1.0):
    """Return noisy linear data with an offset, wide for the method that is for wide data."""
    rng = np.random.RandomState(0)
    d, density = (200, 0.1) if method == "coordinates" else (8, 0.6)
    X = rng.randn(n, d) * (rng.rand(n, d) < density)
    Y = X @ rng.randn(d, n_labels) + noise * rng.randn(n, n_labels) > 0.7
    return X, Y.astype(np.int8)


def grid(n_labels=2):
    """Return a small sweep."""
    k, cost, C = np.meshgrid(range(n_labels), [9.0, 1.5, 1.0, 0.2], [0.05, 1.0, 20.0])
    return k.ravel(), cost.ravel(), np.full(k.size, 0.8), C.ravel()


def objective(X, y, problem, coef, intercept, sw=None, scaling=np.inf):
    """Return the primal objective of one problem."""
    _, cost_fn, cost_fp, C = problem
    penalty = 0.5 * coef @ coef
    if scaling is not None and np.isfinite(scaling):
        penalty += 0.5 * (intercept / scaling) ** 2
    loss = np.maximum(0.0, 1.0 - np.where(y > 0, 1, -1) * (X @ coef + intercept))
    u = C * np.where(y > 0, cost_fn, cost_fp) * (1.0 if sw is None else sw)
    return penalty + u @ loss


def objectives(X, Y, problems, fit, sw=None, scaling=np.inf):
    """Return the primal objectives of a fit."""
    return np.array(
        [
            objective(X, Y[:, p[0]], p, w, b, sw, scaling)
            for p, w, b in zip(zip(*problems, strict=True), fit.coef, fit.intercept, strict=True)
        ]
    )


def test_reaches_the_optimum_of_libsvm(method):
    """The free-intercept optimum is the one LIBSVM finds with a linear kernel."""
    X, Y = make(method)
    problems = grid()
    fit = solve_hinge(X, Y, *problems, tol=TOL)
    assert fit.optimality.max() <= TOL
    ours = objectives(X, Y, problems, fit)
    for i, (k, fn, fp, C) in enumerate(zip(*problems, strict=True)):
        svc = SVC(kernel="linear", C=C, class_weight={0: fp, 1: fn}, tol=1e-7).fit(X, Y[:, k])
        best = objective(X, Y[:, k], (k, fn, fp, C), svc.coef_[0], svc.intercept_[0])
        assert best * (1 - 1e-6) <= ours[i] <= best * (1 + TOL)


@pytest.mark.parametrize("offset", [1e4, 1e5])
@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_gaps_hold_for_columns_far_from_zero(form, seed, offset):
    """A free intercept makes up for an offset; of dense rows it is taken off before."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 50))
    signal = X[:, 0] + rng.normal(size=400)
    Y = (signal > np.quantile(signal, 0.95)).astype(np.int8)[:, None]
    for C in (30.0, 90.0):
        problem = np.zeros(1, int), np.ones(1), np.ones(1), np.array([C])
        best = solve_hinge(X, Y, *problem, tol=1e-6, max_iter=5000)
        moved = best._replace(intercept=best.intercept - offset * best.coef.sum(axis=1))
        fit = solve_hinge(form(X + offset), Y, *problem, tol=TOL, max_iter=300)
        found, least = (objectives(X + offset, Y, problem, one) for one in (fit, moved))
        assert fit.optimality >= (found - least) / found - 1e-9
        assert form is not np.asarray or fit.optimality <= TOL


@pytest.mark.parametrize("scaling", [None, 1.0, 100.0, np.inf])
def test_gap_bounds_the_distance_to_the_optimum(method, scaling):
    """A loose fit is no worse than its stated gap, measured against a tight one."""
    X, Y = make(method)
    problems = grid()
    loose = solve_hinge(X, Y, *problems, intercept_scaling=scaling, tol=0.05)
    tight = solve_hinge(X, Y, *problems, intercept_scaling=scaling, tol=1e-6, max_iter=20000)
    assert tight.optimality.max() <= 1e-6
    high = objectives(X, Y, problems, loose, scaling=scaling)
    low = objectives(X, Y, problems, tight, scaling=scaling)
    assert np.all(high * (1 - loose.optimality) <= low * (1 + 1e-9))
    assert np.all(low <= high * (1 + 1e-6))


def test_methods_agree():
    """Features, Gram matrix and coordinates have one optimum."""
    X, Y = make("coordinates")
    problems = grid()
    values = []
    for columns, rows in METHODS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hinge, "MAX_NEWTON_COLUMNS", columns)
            patch.setattr(hinge, "MAX_GRAM_ROWS", rows)
            fit = solve_hinge(X, Y, *problems, tol=1e-6, max_iter=20000)
        values.append(objectives(X, Y, problems, fit))
    np.testing.assert_allclose(values[1], values[0], rtol=2e-6)
    np.testing.assert_allclose(values[2], values[0], rtol=2e-6)


def test_batch_equals_one_by_one(method):
    """A warm start and company in a batch end where a cold start ends."""
    X, Y = make(method)
    problems = grid()
    together = objectives(X, Y, problems, solve_hinge(X, Y, *problems, tol=1e-5, max_iter=20000))
    for i in range(0, together.size, 5):
        alone = tuple(field[i : i + 1] for field in problems)
        fit = solve_hinge(X, Y, *alone, tol=1e-5, max_iter=20000)
        np.testing.assert_allclose(objectives(X, Y, alone, fit), together[i], rtol=1e-5)


def test_dense_equals_csr(method):
    """The storage of X does not matter."""
    X, Y = make(method)
    problems = grid()
    dense = solve_hinge(X, Y, *problems, tol=1e-6, max_iter=20000)
    csr = solve_hinge(sparse.csr_matrix(X), Y, *problems, tol=1e-6, max_iter=20000)
    np.testing.assert_allclose(
        objectives(X, Y, problems, csr), objectives(X, Y, problems, dense), rtol=2e-6
    )


def test_weights_equal_repeated_rows(method):
    """An integer weight is a repetition, weight 0 an absence."""
    X, Y = make(method)
    repeat = np.random.RandomState(1).randint(0, 4, X.shape[0])
    problems = grid()
    weighted = solve_hinge(X, Y, *problems, sample_weight=repeat, tol=1e-5, max_iter=20000)
    long = np.repeat(X, repeat, axis=0), np.repeat(Y, repeat, axis=0)
    repeated = solve_hinge(*long, *problems, tol=1e-5, max_iter=20000)
    np.testing.assert_allclose(
        objectives(X, Y, problems, weighted, repeat),
        objectives(*long, problems, repeated),
        rtol=1e-5,
    )


def test_one_class_is_a_constant(method):
    """Without positives, or without their cost, the free intercept alone is optimal."""
    X, Y = make(method)
    Y[:, 0] = 0
    fit = solve_hinge(
        X, Y, np.array([0, 1]), np.array([1.0, 0.0]), np.ones(2), np.array([1.0, 1.0])
    )
    np.testing.assert_array_equal(fit.coef, 0.0)
    np.testing.assert_array_equal(fit.intercept, -1.0)


DEGENERATE = {
    "duplicates": lambda X: np.repeat(X[:40], 3, axis=0),
    "zero_rows": lambda X: X * (np.arange(X.shape[0]) % 3 > 0)[:, None],
    "zero_and_constant_columns": lambda X: np.hstack([X, 0 * X[:, :2], 0 * X[:, :2] + 3.0]),
    "scales": lambda X: X * 10.0 ** np.linspace(-3, 2, X.shape[1]),
    "all_zero": lambda X: 0.0 * X,
    "wide": lambda X: np.random.RandomState(3).randn(X.shape[0], 300),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_features(method, case):
    """Awkward features end with the stated gap (coordinate descent needs passes on bad scales)."""
    X, Y = make(method)
    X = DEGENERATE[case](X)
    if method == "coordinates" and case == "scales":
        pytest.skip("coordinate descent is not meant for badly scaled columns")
    fit = solve_hinge(X, Y, *grid(), tol=TOL, max_iter=5000)
    assert np.isfinite(fit.coef).all()
    assert np.isfinite(fit.intercept).all()
    assert fit.optimality.max() <= TOL


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_extreme_costs(method, noise):
    """A single positive, separable rows, tiny and huge C."""
    X, Y = make(method, noise=noise)
    Y[:, 1] = 0
    Y[7, 1] = 1
    k, C = np.meshgrid([0, 1], [1e-6, 1e-3, 1.0, 1e3])
    C = np.minimum(C, 10.0) if method == "coordinates" else C
    ones = np.ones(k.size)
    fit = solve_hinge(X, Y, k.ravel(), 19 * ones, ones, C.ravel(), tol=TOL, max_iter=5000)
    assert np.isfinite(fit.coef).all()
    assert fit.optimality.max() <= TOL


def test_line_search_is_not_carried_away_by_a_curvature_of_rounding():
    """Where no row is in the band, the minimum lies at the next kink, not at infinity."""
    f, y = np.array([-0.2, -0.2, -0.2]), np.array([-1.0, 1.0, 1.0])
    df, a, sw = np.full(3, -0.01), np.array([1.0, 0.9, 0.9]), np.ones(3)
    bounds, delta, tiny = (1.0, 0.4), 0.3, 1e-33
    before = slope(f, df, y, *bounds, sw, a, delta, 0.0)[0]
    t = line_search(f, df, y, *bounds, sw, a, delta, 0.0, tiny, 0.0)
    after = slope(f, df, y, *bounds, sw, a, delta, t)[0]
    assert before < 0
    assert abs(after) <= 0.1 * abs(before)


@pytest.mark.filterwarnings("ignore:Solver terminated early")
@pytest.mark.parametrize("tiny", [1e-6, 1e-8, 1e-10, 1e-12])
def test_a_class_of_vanishing_cost(method, tiny):
    """A stated gap is true where one class costs next to nothing: no score is better than ours."""
    X, Y = make(method, n=300, n_labels=1)
    X = 30.0 * X
    Y = np.hstack([Y, np.arange(300)[:, None] < 3]).astype(np.int8)
    label, light, C = (v.ravel() for v in np.meshgrid([0, 1], [tiny, 1 / tiny], [0.01, 1.0, 64.0]))
    problems = label.astype(int), np.minimum(light, 1.0), np.minimum(1 / light, 1.0), C
    fit = solve_hinge(X, Y, *problems, tol=TOL, max_iter=3000)
    assert fit.optimality.max() <= TOL
    ours = objectives(X, Y, problems, fit)
    for i, (k, fn, fp, c) in enumerate(zip(*problems, strict=True)):
        svc = SVC(kernel="linear", C=c, class_weight={0: fp, 1: fn}, tol=1e-9, max_iter=2000)
        svc.fit(X, Y[:, k])
        rivals = [(svc.coef_[0], svc.intercept_[0]), (0 * X[0], -1.0), (0 * X[0], 1.0)]
        best = min(objective(X, Y[:, k], (k, fn, fp, c), w, b) for w, b in rivals)
        assert ours[i] * (1 - fit.optimality[i]) <= best * (1 + 1e-9)


def test_many_free_variables(monkeypatch):
    """Wide rows of two classes alike in size, separable or nearly, at a large C."""
    monkeypatch.setattr(hinge, "MAX_NEWTON_COLUMNS", 0)
    monkeypatch.setattr(hinge, "MAX_GRAM_ROWS", 0)
    rng = np.random.RandomState(0)
    X = sparse.random(500, 700, density=0.05, format="csr", random_state=rng)
    X = sparse.csr_matrix(X.multiply(0.95 ** (np.arange(700) / 10)))
    y = (X @ rng.randn(700) + 0.3 * rng.randn(500) > 0.1).astype(np.int8)[:, None]
    C = 2.0 ** np.arange(0, 10, 3)
    problems = np.zeros(C.size, int), np.ones(C.size), np.ones(C.size), C
    fit = solve_hinge(X, y, *problems, tol=TOL, max_iter=150)
    assert fit.optimality.max() <= TOL
    dense = X.toarray()
    ours = objectives(dense, y, problems, fit)
    for value, c in zip(ours, C, strict=True):
        svc = SVC(kernel="linear", C=c, tol=1e-6).fit(dense, y[:, 0])
        best = objective(dense, y[:, 0], (0, 1.0, 1.0, c), svc.coef_[0], svc.intercept_[0])
        assert best * (1 - 1e-6) <= value <= best * (1 + TOL)


def test_classes_that_balance_each_other(method):
    """Where both classes pull alike, rounding is all that moves the intercept, and not by one."""
    X = np.repeat([[1.0, 3.0], [2.0, 1.0], [3.0, 3.0], [4.0, 1.0]], 4, axis=0)
    Y = np.repeat([0, 1, 0, 1], 4)[:, None].astype(np.int8)
    ratio, C = (a.ravel() for a in np.meshgrid([0.25, 1.0, 4.0], 2.0 ** np.arange(-6, 7)))
    fit = solve_hinge(X, Y, np.zeros(39, np.intp), ratio, np.ones(39), C, max_iter=500)
    assert fit.optimality.max() <= 1e-3


@pytest.mark.parametrize("common", [0.0, 1e4])
def test_factors_in_single_precision(monkeypatch, common):
    """Conjugate gradients with them end where exact steps end, whatever the condition."""
    X, Y = make(n=300)
    X += common * X[:, :1]  # columns that are nearly the same
    problems = grid()
    exact = solve_hinge(X, Y, *problems, tol=TOL)
    monkeypatch.setattr(linear_space, "STALE_COLUMNS", 0)
    fit = solve_hinge(sparse.csr_matrix(X), Y, *problems, tol=TOL)
    assert max(exact.optimality.max(), fit.optimality.max()) <= TOL
    ours, theirs = objectives(X, Y, problems, fit), objectives(X, Y, problems, exact)
    np.testing.assert_allclose(ours, theirs, rtol=TOL / (1 - TOL))
