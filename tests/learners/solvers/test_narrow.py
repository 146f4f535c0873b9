"""Exact Newton steps on few features: what is special about them, besides what all must respect."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import _narrow, _smooth
from pseudolinear.learners.solvers._certificates import duality_gap
from pseudolinear.learners.solvers._smooth import run
from pseudolinear.loops._crew import crew
from pseudolinear.loops._packed import solve_packed

LOSSES = ("logistic", "squared_hinge")


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """Let nothing be left to the method for many features."""

    def refuse(*args):
        raise AssertionError("a problem was not solved")

    monkeypatch.setattr(_smooth, "run", refuse)


@pytest.fixture(autouse=True)
def single(monkeypatch):
    """Use single precision for as few rows as tests can afford."""
    monkeypatch.setattr(_narrow, "SINGLE_ROWS", 0)


def make(n=200, d=6, seed=0, labels=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-1, 1, d)
    scores = X @ rng.normal(size=(d, labels)) / 5 + rng.normal(size=(n, labels))
    return X, (scores > 0.8).astype(np.int8)


def grid(labels=2):
    """Return labels, costs and C of problems, more of them than there are lanes."""
    axes = np.meshgrid(range(labels), np.linspace(0.1, 1.9, 50), [0.01, 1.0, 100.0], indexing="ij")
    label, t, C = (axis.ravel() for axis in axes)
    return label.astype(int), 2.0 - t, t, C


def gradients(X, y, fit, cost, loss):
    """Return gradients of one objective by weights and intercept, and the size of their terms."""
    sign = 2.0 * y - 1.0
    margins = sign[:, None] * (X @ fit.coef.T + fit.intercept)
    fall = 1 / (1 + np.exp(margins)) if loss == "logistic" else 2 * np.maximum(0.0, 1 - margins)
    terms = -cost * sign[:, None] * fall
    return fit.coef.T + X.T @ terms, terms.sum(axis=0), np.abs(terms).sum(axis=0)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_vanish(loss):
    X, Y = make()
    label, fn, fp, C = grid()
    fit = get_loss(loss).solve(X, Y, label, fn, fp, C, tol=1e-10)
    assert fit.optimality.max() <= 1e-10
    for k in range(2):
        own = label == k
        part = fit._replace(coef=fit.coef[own], intercept=fit.intercept[own])
        cost = C[own] * np.where(Y[:, [k]] > 0, fn[own], fp[own])
        of_weights, of_intercept, size = gradients(X, Y[:, k], part, cost, loss)
        norms = np.linalg.norm(of_weights, axis=0)
        assert (norms <= 1e-3 * (np.linalg.norm(part.coef, axis=1) + size)).all()
        assert (np.abs(of_intercept) <= 1e-3 * size).all()


def objective(weights, X, y, cost, loss):
    """Return the objective of one problem and its gradient; the last weight is the intercept."""
    sign, coef, intercept = 2.0 * y - 1.0, weights[:-1], weights[-1]
    margins = sign * (X @ coef + intercept)
    if loss == "logistic":
        losses, fall = np.logaddexp(0.0, -margins), 1.0 / (1.0 + np.exp(margins))
    else:
        losses, fall = np.maximum(0.0, 1.0 - margins) ** 2, 2.0 * np.maximum(0.0, 1.0 - margins)
    terms = -cost * sign * fall
    return coef @ coef / 2 + cost @ losses, np.append(coef + X.T @ terms, terms.sum())


@pytest.mark.parametrize("loss", LOSSES)
def test_gaps_bound_the_distance_to_the_optimum(loss):
    X, Y = make(n=100, d=4)
    label, fn, fp, C = (part[::23] for part in grid())
    fit = get_loss(loss).solve(X, Y, label, fn, fp, C, tol=1e-3)
    for k, w, b, gap in zip(range(len(C)), fit.coef, fit.intercept, fit.optimality, strict=True):
        y = Y[:, label[k]]
        own = X, y, C[k] * np.where(y > 0, fn[k], fp[k]), loss
        x = np.append(w, b)
        value = objective(x, *own)[0]
        options = {"gtol": 1e-9 * value, "maxiter": 1000}
        best = minimize(objective, x, args=own, jac=True, options=options)
        assert value - best.fun <= gap * value + 1e-9 * value
        assert value <= (1 + 1e-6) * best.fun


@pytest.mark.parametrize("loss", LOSSES)
def test_gaps_are_those_of_the_gradients(loss):
    X, Y = make()
    label, fn, fp, C = (part[::7] for part in grid())
    fit = get_loss(loss).solve(X, Y, label, fn, fp, C)
    for k, w, b, gap in zip(range(len(C)), fit.coef, fit.intercept, fit.optimality, strict=True):
        y = Y[:, label[k]]
        cost = C[k] * np.where(y > 0, fn[k], fp[k])
        value, gradient = objective(np.append(w, b), X, y, cost, loss)
        margins = (2.0 * y - 1.0) * (X @ w + b)
        bend = 2.0 * (margins < 1.0)
        if loss == "logistic":
            bend = 1.0 / (2.0 + np.exp(margins) + np.exp(-margins))
        radius = np.linalg.norm(X, axis=1).max()
        bound = duality_gap(gradient[:-1] @ gradient[:-1], gradient[-1], cost @ bend, radius)
        np.testing.assert_allclose(gap, bound / value, rtol=1e-3, atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shift", [0.0, 100.0])
def test_the_precision_of_hessians_changes_steps_and_not_what_they_lead_to(
    loss, shift, monkeypatch
):
    X, Y = make()
    found = get_loss(loss).solve(X + shift, Y, *grid(), tol=1e-6)
    assert found.optimality.max() <= 1e-6
    monkeypatch.setattr(_narrow, "LARGEST_SINGLE", 0.0)
    expected = get_loss(loss).solve(X + shift, Y, *grid(), tol=1e-6)
    assert expected.optimality.max() <= 1e-6
    np.testing.assert_allclose(found.coef, expected.coef, atol=1e-2)


@pytest.mark.parametrize("loss", LOSSES)
def test_single_precision_that_does_not_lead_down_is_given_up(loss, monkeypatch):
    X, Y = make()
    expected = get_loss(loss).solve(X, Y, *grid(), tol=1e-6)
    solve, given = _narrow.solve_packed, set()

    def spoil(systems, steps):
        given.add(systems.dtype.name)
        solve(systems, steps)
        if systems.dtype == np.float32:
            steps *= -1.0

    monkeypatch.setattr(_narrow, "solve_packed", spoil)
    found = get_loss(loss).solve(X, Y, *grid(), tol=1e-6)
    assert given == {"float32", "float64"}
    assert found.optimality.max() <= 1e-6
    np.testing.assert_allclose(found.coef, expected.coef, atol=1e-2)


def test_weights_that_single_precision_cannot_hold_are_no_obstacle():
    X, Y = make()
    problem = np.array([0]), [1.0], [1.0]
    fit = get_loss("logistic").solve(
        X, Y, *problem, [1e-40], sample_weight=np.full(len(X), 1e40), tol=1e-6
    )
    expected = get_loss("logistic").solve(X, Y, *problem, [1.0], tol=1e-6)
    np.testing.assert_allclose(fit.coef, expected.coef, atol=1e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_newton_takes_few_steps_along_a_chain(loss):
    X, Y = make()
    fit = get_loss(loss).solve(X, Y, *grid(), tol=1e-3)
    assert fit.n_iter.mean() < 5


@pytest.mark.parametrize("loss", LOSSES)
def test_costs_of_classes_are_weights_of_their_rows(loss):
    X, Y = make()
    classes, costs = np.arange(len(X)) % 3, np.array([[1.0, 3.0, 0.5]])
    problem = np.array([0]), [0.7], [1.3], [2.0]
    a = get_loss(loss).solve(X, Y, *problem, classes=classes, class_costs=costs, tol=1e-9)
    b = get_loss(loss).solve(X, Y, *problem, sample_weight=costs[0, classes], tol=1e-9)
    np.testing.assert_allclose(a.coef, b.coef, atol=1e-6)
    np.testing.assert_allclose(a.intercept, b.intercept, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_solution_as_start_is_kept(loss):
    X, Y = make()
    problem = np.array([0]), [1.0], [1.0], [1.0]
    found = get_loss(loss).solve(X, Y, *problem, tol=1e-6)
    again = get_loss(loss).solve(X, Y, *problem, tol=1e-6, start=(found.coef, found.intercept))
    assert again.n_iter.max() == 0
    np.testing.assert_array_equal(again.coef, found.coef)


@pytest.mark.parametrize("loss", LOSSES)
def test_threads_do_not_change_a_bit(loss):
    X, Y = make(n=5000)
    alone = get_loss(loss).solve(X, Y, *grid())
    with crew.hired(2):
        together = get_loss(loss).solve(X, Y, *grid())
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)


def test_packed_systems_are_solved():
    rng = np.random.default_rng(0)
    d, lanes = 7, 16
    A = rng.normal(size=(lanes, d, 2 * d))
    A, g = A @ A.transpose(0, 2, 1), rng.normal(size=(d, lanes))
    S = np.empty((d, lanes))
    solve_packed(np.concatenate([A[(slice(None), *np.tril_indices(d))].T, g]), S)
    np.testing.assert_allclose(S.T, np.linalg.solve(A, g.T[..., None])[..., 0], rtol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_steps_that_are_no_numbers_leave_no_trace(loss, monkeypatch):
    """The method for many features starts as if there had been none."""
    monkeypatch.setattr(_smooth, "run", run)
    X, Y = make()
    expected = get_loss(loss).solve(X, Y, *grid(), tol=1e-9)
    monkeypatch.setattr(_narrow, "solve_packed", lambda systems, S: S.fill(np.nan))
    found = get_loss(loss).solve(X, Y, *grid(), tol=1e-9)
    assert found.optimality.max() <= 1e-9
    np.testing.assert_allclose(found.coef, expected.coef, atol=1e-3)
    np.testing.assert_allclose(found.intercept, expected.intercept, atol=1e-3)
