"""Facts the batched solver of the smooth losses must respect."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import _special

LOSSES = ("logistic", "squared_hinge")
T = np.array([0.1, 0.7, 1.0, 1.5, 1.9])


@pytest.fixture(autouse=True, params=[0, 1 << 28], ids=["general", "narrow"])
def narrow(request, monkeypatch):
    """Solve by the method for many features, and by that for few."""
    monkeypatch.setattr(_special, "NARROW_NUMBERS", request.param)


def solve_smooth(*problems, loss="logistic", **options):
    return get_loss(loss).solve(*problems, **options)


def make(n=120, d=8, seed=0, labels=2):
    rng = np.random.RandomState(seed)
    X = rng.randn(n, d) * (rng.rand(n, d) < 0.5)
    Y = (X @ rng.randn(d, labels) + rng.randn(n, labels) > 0.8).astype(np.int8)
    return X, Y


def problems(labels=(0, 1), C=(0.02, 1.0, 50.0), t=T):
    label, t, C = (a.ravel() for a in np.meshgrid(labels, t, C, indexing="ij"))
    return label, (2 - t) / t, np.ones(len(t)), C


def objective(X, y, w, b, cost_fn, cost_fp, C, loss, weight=1.0, ridge=0.0):
    m = np.where(y > 0, 1, -1) * (X @ w + b)
    losses = np.logaddexp(0, -m) if loss == "logistic" else np.maximum(0, 1 - m) ** 2
    costs = weight * np.where(y > 0, cost_fn, cost_fp)
    return 0.5 * (w @ w + ridge * b**2) + C * losses @ costs


def values(X, Y, spec, solution, loss, **kwargs):
    return np.array(
        [
            objective(X, Y[:, k], w, b, fn, fp, c, loss, **kwargs)
            for w, b, k, fn, fp, c in zip(solution[0], solution[1], *spec, strict=True)
        ]
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scaling", [None, 1.0, 100.0, np.inf])
@pytest.mark.parametrize("shape", [(120, 8), (30, 60)])
def test_agrees_with_general_purpose_minimiser(loss, scaling, shape):
    X, Y = make(*shape)
    spec = problems(labels=[0], t=T[::2])
    ridge = 0.0 if scaling is None else 1 / scaling**2
    found = solve_smooth(X, Y, *spec, loss=loss, intercept_scaling=scaling, tol=1e-6)
    assert found[2].max() <= 1e-6
    ours = values(X, Y, spec, found, loss, ridge=ridge)
    for k, (label, fn, fp, C) in enumerate(zip(*spec, strict=True)):

        def f(z, args=(Y[:, label], fn, fp, C)):
            y, fn, fp, C = args
            b = 0.0 if scaling is None else z[-1]
            s = np.where(y > 0, 1.0, -1.0)
            m = s * (X @ z[:-1] + b)
            c = C * np.where(y > 0, fn, fp)
            slope = -1 / (1 + np.exp(m)) if loss == "logistic" else -2 * np.maximum(0, 1 - m)
            r = c * s * slope
            grad = np.r_[z[:-1] + X.T @ r, 0.0 if scaling is None else r.sum() + ridge * b]
            return objective(X, y, z[:-1], b, fn, fp, C, loss, ridge=ridge), grad

        best = minimize(
            f,
            np.zeros(X.shape[1] + 1),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9},
        ).fun
        assert ours[k] <= best * (1 + 2e-6)
        assert ours[k] >= best * (1 - 1e-5)  # the reference itself converges to about this


@pytest.mark.parametrize("loss", LOSSES)
def test_stated_optimality_bounds_the_true_one(loss):
    X, Y = make(labels=3)
    spec = problems(labels=range(3))
    rough = solve_smooth(X, Y, *spec, loss=loss, tol=1e-2)
    exact = solve_smooth(X, Y, *spec, loss=loss, tol=1e-11, max_iter=5000)
    true = values(X, Y, spec, rough, loss) / values(X, Y, spec, exact, loss) - 1
    assert np.all(true <= rough[2] * (1 + 1e-2) + 1e-10)


@pytest.mark.parametrize("loss", LOSSES)
def test_batch_equals_one_by_one_and_warm_equals_cold(loss):
    X, Y = make()
    spec = problems()
    together = solve_smooth(X, Y, *spec, loss=loss, tol=1e-11, max_iter=5000)
    for k in range(len(spec[0])):
        alone = solve_smooth(
            X, Y, *(a[k : k + 1] for a in spec), loss=loss, tol=1e-11, max_iter=5000
        )
        np.testing.assert_allclose(alone[0][0], together[0][k], atol=2e-4)
        np.testing.assert_allclose(alone[1][0], together[1][k], atol=2e-4)


@pytest.mark.parametrize("loss", LOSSES)
def test_order_of_problems_is_irrelevant(loss):
    X, Y = make()
    spec = problems()
    order = np.random.RandomState(0).permutation(len(spec[0]))
    a = solve_smooth(X, Y, *spec, loss=loss)
    b = solve_smooth(X, Y, *(s[order] for s in spec), loss=loss)
    for x, y in zip(a, b, strict=True):
        np.testing.assert_allclose(x[order], y, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("d", [8, 700])
def test_dense_equals_csr(loss, d):
    X, Y = make(60, d)
    spec = problems()
    dense = solve_smooth(X, Y, *spec, loss=loss, tol=1e-6)
    sparse = solve_smooth(sp.csr_array(X), Y, *spec, loss=loss, tol=1e-6)
    np.testing.assert_allclose(
        values(X, Y, spec, dense, loss), values(X, Y, spec, sparse, loss), rtol=2e-6
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_equal_repeated_rows(loss):
    X, Y = make()
    times = np.random.RandomState(1).randint(0, 4, len(X))
    spec = problems()
    a = solve_smooth(X, Y, *spec, loss=loss, sample_weight=times.astype(float), tol=1e-9)
    b = solve_smooth(np.repeat(X, times, 0), np.repeat(Y, times, 0), *spec, loss=loss, tol=1e-9)
    np.testing.assert_allclose(a[0], b[0], atol=1e-3)
    np.testing.assert_allclose(
        values(X, Y, spec, a, loss, weight=times),
        values(X, Y, spec, b, loss, weight=times),
        rtol=1e-8,
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_costs_and_c_only_matter_as_products(loss):
    X, Y = make()
    label, fn, fp, C = problems()
    a = solve_smooth(X, Y, label, fn, fp, C, loss=loss, tol=1e-9)
    b = solve_smooth(X, Y, label, fn * 4, fp * 4, C / 4, loss=loss, tol=1e-9)
    np.testing.assert_allclose(a[0], b[0], atol=1e-8)


@pytest.mark.parametrize("loss", LOSSES)
def test_intercept_is_optimal(loss):
    """Unregularised: residuals weighted by the costs cancel between the classes."""
    X, Y = make()
    spec = problems(C=(1.0,))
    found = solve_smooth(X, Y, *spec, loss=loss, tol=1e-9)
    for w, b, k, fn, fp, _ in zip(found[0], found[1], *spec, strict=True):
        s = np.where(Y[:, k] > 0, 1.0, -1.0)
        m = s * (X @ w + b)
        alpha = 1 / (1 + np.exp(m)) if loss == "logistic" else 2 * np.maximum(0, 1 - m)
        alpha *= np.where(s > 0, fn, fp)
        assert abs(alpha @ s) <= 1e-3 * alpha.sum()


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scaling", [None, 1.0, np.inf])
@pytest.mark.parametrize("shape", [(40, 700), (300, 700), (300, 30), (2000, 20), (30, 60)])
def test_stated_optimality_is_an_upper_bound(loss, scaling, shape):
    """Few rows or few features, exact or approximate Newton steps: the dual bounds must hold."""
    X, Y = make(*shape)
    spec = problems(C=2.0 ** np.arange(-6, 7, 3))
    ridge = 0.0 if scaling is None else 1 / scaling**2
    for A in (X, sp.csr_array(X)):
        found = solve_smooth(A, Y, *spec, loss=loss, intercept_scaling=scaling)
        best = solve_smooth(A, Y, *spec, loss=loss, intercept_scaling=scaling, tol=1e-8)
        assert found[2].max() <= 1e-3
        assert best[2].max() <= 1e-8
        ours, lowest = (values(X, Y, spec, f, loss, ridge=ridge) for f in (found, best))
        assert (ours - lowest <= (found[2] + 1e-9) * ours).all()


def degenerate():
    rng = np.random.RandomState(0)
    X, Y = make(60, 6)
    single = np.zeros((60, 1), np.int8)
    single[7] = 1
    constant = X.copy()
    constant[:, 2], constant[:, 4] = 3.0, 0.0
    wild = X * 10.0 ** np.arange(-3, 3)
    apart = (X[:, :1] > 0).astype(np.int8)
    yield "duplicates", np.repeat(X, 3, 0), np.repeat(Y, 3, 0)
    yield "zero rows", X * (np.arange(60) % 3 > 0)[:, None], Y
    yield "all zero", X * 0, Y
    yield "zero and constant columns", constant, Y
    yield "single positive", X, single
    yield "wild scales", wild, Y
    yield "separable", X, apart
    yield "n < d", rng.randn(5, 40), np.array([[0], [1], [1], [0], [1]], np.int8)
    yield "two rows", rng.randn(2, 3), np.array([[0], [1]], np.int8)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("case", list(degenerate()), ids=lambda c: c[0])
def test_degenerate_input(loss, case):
    _, X, Y = case
    spec = problems(labels=[0], C=(1e-8, 1.0, 1e4))
    for A in (X, sp.csr_array(X)):
        coef, b, optimality, _ = solve_smooth(A, Y, *spec, loss=loss, max_iter=5000)
        assert np.isfinite(coef).all()
        assert np.isfinite(b).all()
        assert optimality.max() <= 1e-3


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scaling", [None, 1.0, np.inf])
def test_class_without_cost(loss, scaling):
    X, Y = make()
    Y[:, 1] = 0
    spec = (
        np.array([0, 0, 1, 0]),
        np.array([0.0, 1.0, 1.0, 0.0]),
        np.array([1.0, 0.0, 1.0, 0.0]),
        np.ones(4),
    )
    found = solve_smooth(X, Y, *spec, loss=loss, intercept_scaling=scaling)
    assert found[2].max() <= 1e-3
    if scaling == np.inf:
        assert not found[0].any()
        np.testing.assert_array_equal(np.sign(found[1]), [-1, 1, -1, 0])
        assert values(X, Y, spec, found, loss).max() < 1e-12


def test_reports_lack_of_convergence():
    X, Y = make()
    _, _, optimality, n_iter = solve_smooth(X, Y, *problems(), tol=1e-12, max_iter=2)
    assert n_iter.max() == 2
    assert optimality.max() > 1e-12


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_a_problem_beyond_rounding_is_given_up_soon(loss):
    """Where C is so large that no gap can be certified, hundreds of iterations say as much."""
    rng = np.random.RandomState(0)
    X = rng.randn(12, 8)
    Y = (rng.rand(12, 1) < 0.5).astype(np.int8)
    fit = get_loss(loss).solve(X, Y, 0, 1.0, 1.0, np.array([1e20]), max_iter=100_000)
    assert np.isfinite(fit.coef).all()
    assert (fit.optimality <= 1e-3).all() or fit.n_iter.max() < 5000


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [1e15, 1e20, 1e30])
def test_solutions_stay_finite_where_rounding_makes_hessians_singular(loss, C):
    """Two equal columns, separable classes: only the penalty makes the Hessian regular."""
    X = np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [-2.0, 0.0, 0.0]])
    Y = np.array([[1], [0], [0], [0]])
    fit = solve_smooth(X, Y, [0], [1.5], [0.5], [C], loss=loss, max_iter=100)
    assert np.isfinite(fit.coef).all()
    assert np.isfinite(fit.intercept).all()
    scores = X @ fit.coef[0] + fit.intercept[0]
    assert scores[0] > scores[1:].max()
