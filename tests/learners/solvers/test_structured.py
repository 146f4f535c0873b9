"""Structured designs: every product, and every solution, is that of the expanded columns."""

import numpy as np
import pytest
from blocks.test_blocks import MAKERS, make_blocks, make_steps
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.utils.extmath import row_norms

from pseudolinear.blocks import Blocks, Steps
from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import solve_hinge, solve_smooth
from pseudolinear.learners.solvers._block_design import design_of
from pseudolinear.learners.solvers._exact import make_preconditioner
from pseudolinear.learners.solvers._low_rank import LowRank, _nystroem

TOL = 1e-4


@pytest.mark.parametrize("make", MAKERS)
def test_products_are_those_of_the_array(make):
    """Products with weights and rows, diagonals and inner products."""
    X, array = make()
    design, columns = design_of(X)
    array, rng = array[:, columns], np.random.RandomState(0)
    (n, d), weights = design.shape, rng.rand(len(array)) * (rng.rand(len(array)) < 0.8)
    W, R = rng.randn(d, 3), rng.randn(n, 3)
    assert_allclose(design.times(W, np.empty((n, 3))), array @ W)
    assert_allclose(design.transpose_times(R, np.empty((d, 3))), array.T @ R, atol=1e-12)
    assert_allclose(design.squares_times(R), (array**2).T @ R, atol=1e-12)
    gram = array.T @ (weights[:, None] * array)
    assert_allclose(np.triu(design.gram(weights)), np.triu(gram), atol=1e-12)
    assert_allclose(design.kernel, array @ array.T, atol=1e-12)
    assert design.radius >= row_norms(array).max() * (1 - 1e-12)


def test_columns_without_entries_are_left_out():
    """Weights come back in the order of the expanded columns, 0 where a column is empty."""
    X, array = make_blocks()
    words = X.blocks[2].tolil()
    words[:, 2] = 0.0
    X.blocks[2] = words.tocsr()
    y = (array[:, 0] > 0).astype(np.int8)[:, None]
    one = np.ones(1)
    fit = solve_smooth(X, y, np.zeros(1, int), one, one, one, get_loss("logistic"), tol=TOL)
    empty = 3 + X.blocks[1].shape[1] + 2
    assert fit.coef.shape == (1, X.shape[1])
    assert np.flatnonzero(fit.coef[0] == 0).tolist().count(empty) == 1


def grid_problems():
    """Return costs and C of a small grid."""
    costs, C = np.meshgrid([0.5, 1.0, 1.5], [0.1, 10.0])
    return np.zeros(6, int), 2 - costs.ravel(), costs.ravel(), C.ravel()


def objective(array, y, fit, problems, loss):
    """Return what is minimised, of every problem."""
    margins = np.where(y > 0, 1, -1) * (array @ fit.coef.T + fit.intercept)
    hinge = np.maximum(1 - margins, 0)
    of_loss = {"logistic": np.log1p(np.exp(-margins)), "hinge": hinge, "squared_hinge": hinge**2}
    cost = np.where(y > 0, problems[1], problems[2])
    return (fit.coef**2).sum(axis=1) / 2 + problems[3] * (cost * of_loss[loss]).sum(axis=0)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("make", MAKERS)
def test_solutions_are_those_of_the_array(make, loss):
    """To the tolerance, whichever way they are reached."""
    X, array = make()
    y = (array @ np.random.RandomState(3).randn(array.shape[1]) > 0.5).astype(np.int8)[:, None]
    problems = grid_problems()
    fits = [solve_smooth(one, y, *problems, get_loss(loss), tol=TOL) for one in (X, array)]
    values = [objective(array, y, fit, problems, loss) for fit in fits]
    assert all(fit.optimality.max() <= TOL for fit in fits)
    assert_allclose(*values, rtol=2 * TOL)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("beside", [False, True])
def test_many_steps_are_solved_by_their_leading_directions(loss, beside):
    """More columns than a factor is worth, alone and beside the numbers."""
    rng = np.random.RandomState(0)
    numbers = rng.randn(1200, 40)
    thresholds = [np.quantile(column, np.linspace(0.02, 0.98, 20)) for column in numbers.T]
    steps = Steps.of(numbers, thresholds)
    X = Blocks([numbers, steps]) if beside else steps
    design, _ = design_of(X)
    assert isinstance(make_preconditioner(design, 1, 8, get_loss(loss)).fallback, LowRank)
    score = np.sin(3 * numbers[:, 0]) + numbers[:, 1] ** 2 + 0.3 * rng.randn(1200)
    y, problems = (score > 1.5).astype(np.int8)[:, None], grid_problems()
    fits = [solve_smooth(one, y, *problems, get_loss(loss), tol=TOL) for one in (X, X.toarray())]
    values = [objective(X.toarray(), y, fit, problems, loss) for fit in fits]
    assert all(fit.optimality.max() <= TOL for fit in fits)
    assert_allclose(*values, rtol=2 * TOL)


@pytest.mark.parametrize("make", MAKERS)
def test_hinges_are_those_of_the_array(make):
    """Its solver is given the expanded columns; dense rows are shifted to their mean first."""
    X, array = make()
    y = (array @ np.random.RandomState(3).randn(array.shape[1]) > 0.5).astype(np.int8)[:, None]
    problems = grid_problems()
    fits = [solve_hinge(one, y, *problems, tol=TOL) for one in (X, array)]
    values = [objective(array, y, fit, problems, "hinge") for fit in fits]
    assert all(fit.optimality.max() <= TOL for fit in fits)
    assert_allclose(*values, rtol=2 * TOL)


def test_flat_losses_have_no_leading_directions():
    """Rows that are all alike, and costs that curve hardly anywhere, still give a solution."""
    X, array = make_steps()
    wide = Blocks([Steps(X.codes[np.zeros(60, int)], X.starts)] * 100)
    assert wide.shape[1] > 640
    y = (array[:, 0] > 0).astype(np.int8)[:, None]
    fit = solve_smooth(wide, y, *grid_problems(), get_loss("logistic"), tol=TOL)
    assert np.isfinite(fit.coef).all()
    assert fit.optimality.max() <= TOL


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_wide_dense_rows_are_solved_by_their_leading_directions(loss):
    """To the objective that the same rows have as a sparse matrix."""
    rng = np.random.RandomState(0)
    array = rng.randn(1100, 5) @ rng.randn(5, 700) / 5 + 0.1 * rng.randn(1100, 700)
    y, problems = (array[:, :3].sum(axis=1) > 1).astype(np.int8)[:, None], grid_problems()
    both = array, sparse.csr_matrix(array)
    fits = [solve_smooth(X, y, *problems, get_loss(loss), tol=TOL) for X in both]
    design, _ = design_of(array)
    assert isinstance(make_preconditioner(design, 1, 8, get_loss(loss)).fallback, LowRank)
    values = [objective(array, y, fit, problems, loss) for fit in fits]
    assert all(fit.optimality.max() <= TOL for fit in fits)
    assert_allclose(*values, rtol=2 * TOL)


def test_a_spectrum_is_that_of_the_matrix():
    """Of a matrix of lower rank all of it; a matrix of zeros is solved by its ridge alone."""
    rng = np.random.RandomState(0)
    A = rng.randn(30, 5)
    H, basis, G = A @ A.T, rng.randn(30, 8), rng.randn(30, 2)
    found = _nystroem(basis, H @ basis)
    assert_allclose(found.vectors @ np.diag(found.values) @ found.vectors.T, H, atol=1e-8)
    assert_allclose(_nystroem(basis, 0 * basis).solve(G), G)
