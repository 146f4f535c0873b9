"""Facts about mixtures of two solutions, which stand for the problems between them."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import _smooth
from pseudolinear.learners.solvers._between import SPAN, make_brackets

LOSSES = ("logistic", "squared_hinge")
T = np.arange(1, 20) / 10


@pytest.fixture(autouse=True)
def few_features(monkeypatch):
    """Let mixtures be tried on small data, where they would not pay."""
    monkeypatch.setattr(_smooth, "MIXTURE_FEATURES", (1, 10_000))


def make(n=150, d=12, seed=0):
    rng = np.random.RandomState(seed)
    X = rng.randn(n, d) * (rng.rand(n, d) < 0.5)
    return X, (X @ rng.randn(d, 2) + rng.randn(n, 2) > 0.8).astype(np.int8)


def grid(C=(0.05, 1.0, 30.0)):
    label, t, C = (a.ravel() for a in np.meshgrid((0, 1), T, C, indexing="ij"))
    return label, (2 - t) / t, np.ones(len(t)), C


def objective(X, y, w, b, fn, fp, C, loss, ridge=0.0):
    m = np.where(y > 0, 1, -1) * (X @ w + b)
    losses = np.logaddexp(0, -m) if loss == "logistic" else np.maximum(0, 1 - m) ** 2
    return 0.5 * (w @ w + ridge * b * b) + C * losses @ np.where(y > 0, fn, fp)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scaling", [None, 1.0, np.inf])
def test_the_gap_of_a_mixture_bounds_its_distance_from_the_optimum(loss, scaling):
    """Problems that took no iteration are mixtures; their optimum is found at a finer tolerance."""
    X, Y = make()
    spec = grid()
    ridge = 0.0 if scaling is None else 1 / scaling**2
    options = {"intercept_scaling": scaling, "max_iter": 5000}
    rough = get_loss(loss).solve(X, Y, *spec, tol=1e-3, **options)
    exact = get_loss(loss).solve(X, Y, *spec, tol=1e-9, **options)
    mixed = np.flatnonzero(rough.n_iter == 0)
    assert len(mixed) >= 20
    assert rough.optimality.max() <= 1e-3
    for p in mixed:
        y, costs = Y[:, spec[0][p]], (a[p] for a in spec[1:])
        costs = tuple(costs)
        ours = objective(X, y, rough.coef[p], rough.intercept[p], *costs, loss, ridge)
        best = objective(X, y, exact.coef[p], exact.intercept[p], *costs, loss, ridge)
        assert ours - best <= (rough.optimality[p] + 1e-9) * ours


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("case", range(20))
def test_any_mixture_of_dual_points_bounds_the_optimum(loss, case):
    """Whatever the dual points of two problems with other costs: brute force is never below."""
    rng = np.random.RandomState(case)
    X = rng.randn(15, 3)
    y = np.where(np.arange(15) % 3 > 0, 1.0, -1.0)
    fn, share = np.array([0.3, 4.0]), np.array([0.4, 0.6])
    ends = [np.where(y > 0, cost, 1.0) for cost in fn]
    cost = share @ np.array(ends)
    duals = [c * rng.rand(15) for c in ends]
    for dual in duals:  # the intercept is free
        positive, negative = dual[y > 0].sum(), dual[y < 0].sum()
        dual[y > 0] *= min(1.0, negative / positive)
        dual[y < 0] *= min(1.0, positive / negative)
    V = np.array([(dual * y) @ X for dual in duals])
    each = (np.array(part)[None] for part in (*duals, cost, share, V @ V.T))
    (bound,) = get_loss(loss).mixture_bounds(*each)

    def value(z):
        m = y * (X @ z[:3] + z[3])
        losses = np.logaddexp(0, -m) if loss == "logistic" else np.maximum(0, 1 - m) ** 2
        return 0.5 * z[:3] @ z[:3] + cost @ losses

    best = minimize(value, np.zeros(4), method="Nelder-Mead", options={"maxiter": 4000}).fun
    assert 0.0 < bound <= best * (1 + 1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_best_mixture_is_that_of_a_general_purpose_minimiser(loss):
    rng = np.random.RandomState(3)
    one, other, cost = rng.randn(40), rng.randn(40), rng.rand(40)
    pos = (rng.rand(40) < 0.5).astype(np.int8)
    Q = np.diag([0.7, 0.4, 0.1])
    Q[0, 1] = Q[1, 0] = 0.2

    def value(x):
        m = np.where(pos > 0, 1, -1) * (x[0] * one + x[1] * other + x[2])
        losses = np.logaddexp(0, -m) if loss == "logistic" else np.maximum(0, 1 - m) ** 2
        return 0.5 * x @ Q @ x + cost @ losses

    x = np.zeros(3)
    found = get_loss(loss).lowest_mixture(one, other, x, pos, cost, Q, True, 1e-12)
    best = minimize(value, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(found, best.fun, rtol=1e-9)
    np.testing.assert_allclose(found, value(x), rtol=1e-12)


def test_brackets_reach_no_further_than_their_span_and_leave_no_problem_out():
    groups = np.repeat([0, 1, -1], 19)
    ratio = np.tile(np.log((2 - T) / T), 3)
    brackets = make_brackets(groups, ratio)
    inner = np.concatenate([bracket.inner for bracket in brackets])
    assert len(np.unique(inner)) == len(inner)
    assert (groups[inner] >= 0).all()
    for low, high, between in brackets:
        assert ratio[high] - ratio[low] <= SPAN
        assert groups[low] == groups[high]
        assert ((ratio[low] < ratio[between]) & (ratio[between] < ratio[high])).all()
        assert not np.isin([low, high], inner).any()


@pytest.mark.parametrize("loss", LOSSES)
def test_costs_in_any_unit_and_weights_of_rows_and_classes(loss):
    """Costs (2 - t, t) are those of a smaller C; weights of zero and class costs are theirs."""
    X, Y = make()
    rng = np.random.RandomState(0)
    t = np.tile(T, 2)
    label = np.repeat([0, 1], len(T))
    options = {
        "sample_weight": rng.randint(0, 3, len(X)).astype(float),
        "classes": rng.randint(0, 2, len(X)),
        "class_costs": np.tile([0.5, 2.0], (len(t), 1)),
    }
    rough = get_loss(loss).solve(X, Y, label, 2 - t, t, np.ones(len(t)), **options)
    exact = get_loss(loss).solve(X, Y, label, 2 - t, t, np.ones(len(t)), tol=1e-9, **options)
    assert (rough.n_iter == 0).any()
    costs = options["sample_weight"] * options["class_costs"][0][options["classes"]]
    for p in range(len(t)):
        y = Y[:, label[p]]
        m = [np.where(y > 0, 1, -1) * (X @ f.coef[p] + f.intercept[p]) for f in (rough, exact)]
        c = costs * np.where(y > 0, 2 - t[p], t[p])
        ours, best = (
            0.5 * f.coef[p] @ f.coef[p]
            + c @ (np.logaddexp(0, -a) if loss == "logistic" else np.maximum(0, 1 - a) ** 2)
            for f, a in zip((rough, exact), m, strict=True)
        )
        assert ours - best <= (rough.optimality[p] + 1e-9) * ours


@pytest.mark.parametrize("loss", LOSSES)
def test_sparse_rows_with_empty_columns(loss):
    X, Y = make()
    wide = np.zeros((len(X), 40))
    wide[:, 5:17] = X
    narrow, other = (get_loss(loss).solve(A, Y, *grid()) for A in (X, sp.csr_array(wide)))
    assert other.optimality.max() <= 1e-3
    np.testing.assert_allclose(other.coef[:, 5:17], narrow.coef, atol=1e-6)
    assert not other.coef[:, :5].any()
