"""The squared hinge on sparse rows, by Newton steps of eight problems to a register."""

import numpy as np
import pytest
import scipy.sparse as sp
from objectives import objectives

from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import _newton_lanes, _special
from pseudolinear.loops._crew import crew

LOSS = get_loss("squared_hinge")
C = 2.0 ** np.arange(-6, 7, 3)


@pytest.fixture(autouse=True)
def all_shapes(monkeypatch):
    """Let few features do for the method, and rows that are not very sparse."""
    monkeypatch.setattr(_special, "NARROW_NUMBERS", 0)
    monkeypatch.setattr(_special, "SPARSE_FEATURES", 0)
    monkeypatch.setattr(_special, "SPARSE_DENSITY", 1.0)


def make(n=300, d=60, seed=0, labels=3):
    rng = np.random.RandomState(seed)
    X = sp.csr_array(rng.randn(n, d) * (rng.rand(n, d) < 0.2))
    Y = (X @ rng.randn(d, labels) + 0.5 * rng.randn(n, labels) > 1.0).astype(np.int8)
    label, ratio, scale = (a.ravel() for a in np.meshgrid(range(labels), [0.3, 1.0, 9.0], C))
    return X, Y, (label, ratio, np.ones(len(ratio)), scale)


def solve_dense(X, Y, *problems, **options):
    """Solve by the method that dense rows take."""
    return LOSS.solve(X.toarray(), Y, *problems, tol=1e-9, **options)


@pytest.mark.parametrize("scaling", [None, np.inf])
@pytest.mark.parametrize("shape", [(300, 60), (40, 90), (90, 90), (900, 12)])
@pytest.mark.parametrize("weighted", [False, True])
def test_stated_gaps_bound_the_true_ones(scaling, shape, weighted):
    X, Y, problems = make(*shape)
    weight = np.random.RandomState(1).randint(0, 3, len(Y)) * 1.0 if weighted else None
    options = {"sample_weight": weight, "intercept_scaling": scaling}
    fit = LOSS.solve(X, Y, *problems, tol=1e-4, **options)
    best = solve_dense(X, Y, *problems, **options)
    weight = 1.0 if weight is None else weight
    ours, lowest = (objectives(X, Y, problems, f, weight) for f in (fit, best))
    assert fit.optimality.max() <= 1e-4
    assert (ours - lowest <= (fit.optimality + 1e-8) * ours).all()


def test_costs_of_classes():
    X, Y, problems = make(labels=2)
    rng = np.random.RandomState(0)
    classes, p = rng.randint(0, 3, len(Y)), len(problems[0])
    options = {"classes": classes, "class_costs": rng.rand(p, 3) * [1.0, 0.0, 5.0]}
    fit = LOSS.solve(X, Y, *problems, **options)
    best = solve_dense(X, Y, *problems, **options)
    for k in range(p):
        one = [np.atleast_1d(a[k]) for a in problems]
        weight = options["class_costs"][k][classes]
        ours, lowest = (
            objectives(X, Y, one, type(f)(*(a[k : k + 1] for a in f)), weight)[0]
            for f in (fit, best)
        )
        assert fit.optimality[k] <= 1e-3
        assert ours - lowest <= (fit.optimality[k] + 1e-8) * ours


def test_what_is_not_solved_in_time_is_left_to_batches(monkeypatch):
    X, Y, problems = make()
    monkeypatch.setattr(_newton_lanes, "ITERATIONS", 1)
    fit = LOSS.solve(X, Y, *problems)
    ours, lowest = (objectives(X, Y, problems, f) for f in (fit, solve_dense(X, Y, *problems)))
    assert fit.optimality.max() <= 1e-3
    assert (ours - lowest <= (fit.optimality + 1e-8) * ours).all()


def test_problems_that_run_out_of_iterations_say_so():
    X, Y, problems = make()
    fit = LOSS.solve(X, Y, *problems, tol=1e-5, max_iter=1)
    assert np.isfinite(fit.coef).all()
    assert fit.optimality.max() > 1e-5


def test_solutions_are_starts():
    """Of a problem that is solved already the first step says that it is."""
    X, Y, (label, ratio, below, scale) = make()
    some = [a[scale == 1.0] for a in (label, ratio, below, scale)]
    fit = solve_dense(X, Y, *some)
    again = LOSS.solve(X, Y, *some, start=(fit.coef, fit.intercept))
    assert (again.n_iter <= 1).all()


def test_rows_of_single_precision():
    X, Y, problems = make()
    single = X.astype(np.float32)
    fit = LOSS.solve(single, Y, *problems)
    best = solve_dense(single.astype(np.float64), Y, *problems)
    ours, lowest = (objectives(X, Y, problems, f) for f in (fit, best))
    np.testing.assert_allclose(ours, lowest, rtol=1.1e-3)


def test_threads_change_nothing():
    X, Y, problems = make()
    alone = LOSS.solve(X, Y, *problems)
    with crew.hired(1):
        together = LOSS.solve(X, Y, *problems)
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("seed", range(5))
def test_rows_that_are_empty_alike_or_opposite(seed):
    rng = np.random.RandomState(seed)
    X, Y, problems = make(60, 30, seed)
    rows = rng.randint(0, 60, 150)
    sign = rng.choice([-1.0, 0.0, 1.0], 150)
    X, Y = sp.csr_array(X.toarray()[rows] * sign[:, None]), np.ascontiguousarray(Y[rows])
    fit = LOSS.solve(X, Y, *problems)
    ours, lowest = (objectives(X, Y, problems, f) for f in (fit, solve_dense(X, Y, *problems)))
    assert fit.optimality.max() <= 1e-3
    assert (ours - lowest <= (fit.optimality + 1e-8) * ours).all()


@pytest.mark.parametrize("large", [1e3, 1e5])
def test_large_costs(large):
    """Dual variables as large as C cancel to weights of the order of one."""
    X, Y, (label, ratio, below, scale) = make()
    problems = label, ratio, below, large * scale
    fit = LOSS.solve(X, Y, *problems)
    ours, lowest = (objectives(X, Y, problems, f) for f in (fit, solve_dense(X, Y, *problems)))
    assert fit.optimality.max() <= 1e-3
    assert (ours - lowest <= (fit.optimality + 1e-8) * ours).all()


def test_rows_at_the_margin():
    """Many equal rows of both classes have their margins near one, where losses begin."""
    rng = np.random.RandomState(0)
    X = sp.csr_array((rng.rand(400, 20) < 0.1) * 1.0)
    Y = (rng.rand(400, 1) < 0.1 + 0.3 * (X @ rng.rand(20, 1) > 0.5)).astype(np.int8)
    scale = 2.0 ** np.arange(-2, 9)
    problems = np.zeros(11, int), np.full(11, 9.0), np.ones(11), scale
    fit = LOSS.solve(X, Y, *problems, tol=1e-4)
    ours, lowest = (objectives(X, Y, problems, f) for f in (fit, solve_dense(X, Y, *problems)))
    assert fit.optimality.max() <= 1e-4
    assert fit.n_iter.max() <= 20
    assert (ours - lowest <= (fit.optimality + 1e-8) * ours).all()


@pytest.mark.parametrize("size", [1e-25, 1e-19, 1e19, 1e60])
def test_numbers_whose_squares_single_precision_cannot_hold(size):
    """Rows and C in other units have the same solutions, in other units."""
    X, Y, (label, ratio, below, scale) = make(100, 20)
    usual = LOSS.solve(X, Y, label, ratio, below, scale, tol=1e-5)
    fit = LOSS.solve(size * X, Y, label, ratio, below, scale / size**2, tol=1e-5)
    assert fit.optimality.max() <= 1e-5
    np.testing.assert_allclose(size * fit.coef, usual.coef, atol=0.02 * np.abs(usual.coef).max())
