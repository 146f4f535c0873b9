"""Rows without a loss may be left out of a problem: its solution and its bound stay the same."""

import numpy as np
import pytest
import scipy.sparse as sp
from objectives import objectives

from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import _exact, _newton_lanes, _shrinking
from pseudolinear.learners.solvers._batch import Batch
from pseudolinear.learners.solvers._chains import make_chains
from pseudolinear.learners.solvers._design import make_design
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.learners.solvers._smooth import portions
from pseudolinear.learners.solvers._truncated_newton import truncated_newton
from pseudolinear.loops._constants import LANES

LOSS = get_loss("squared_hinge")
C = np.array([0.02, 0.5, 4.0, 30.0, 200.0])


def make(n=400, d=60, seed=0):
    rng = np.random.RandomState(seed)
    X = sp.csr_array(rng.randn(n, d) * (rng.rand(n, d) < 0.2))
    Y = (X @ rng.randn(d, 2) + 0.5 * rng.randn(n, 2) > 1.5).astype(np.int8)
    labels, ratio, scales = (a.ravel() for a in np.meshgrid([0, 1], [0.3, 1.0, 4.0], C))
    return X, Y, (labels, ratio, np.ones(len(ratio)), scales)


@pytest.fixture
def shrunk(monkeypatch):
    """Let few rows be enough, and count how often some are left out and come back."""
    seen = {"dropped": 0, "restored": 0}
    take, put = Batch.take_rows, Batch.put_rows

    def counted(self, name, work, *args):
        seen[name] += 1
        work(self, *args)

    monkeypatch.setattr(Batch, "take_rows", lambda self, *a: counted(self, "dropped", take, *a))
    monkeypatch.setattr(Batch, "put_rows", lambda self, *a: counted(self, "restored", put, *a))
    monkeypatch.setattr(_newton_lanes, "ITERATIONS", 0)  # which takes most of such problems
    monkeypatch.setattr(_shrinking, "FEATURES", 0)
    monkeypatch.setattr(_shrinking, "ROWS", 100)
    monkeypatch.setattr(_shrinking, "FEWEST", 20)
    return seen


@pytest.mark.parametrize("scaling", [None, 10.0, np.inf])
@pytest.mark.parametrize("weighted", [False, True])
def test_problems_of_all_rows_are_solved_to_the_gap_that_is_stated(shrunk, scaling, weighted):
    X, Y, problems = make()
    weight = np.random.RandomState(1).rand(len(Y)) if weighted else None
    fit = LOSS.solve(X, Y, *problems, sample_weight=weight, intercept_scaling=scaling, tol=1e-4)
    assert shrunk["dropped"] > 0
    # a dense matrix keeps all of its rows
    exact = LOSS.solve(
        X.toarray(), Y, *problems, sample_weight=weight, intercept_scaling=scaling, tol=1e-9
    )
    ridge = 0.0 if scaling is None else 0.5 * scaling**-2.0
    weight = 1.0 if weight is None else weight
    found = objectives(X, Y, problems, fit, weight) + ridge * fit.intercept**2
    best = objectives(X, Y, problems, exact, weight) + ridge * exact.intercept**2
    assert fit.optimality.max() <= 1e-4
    assert (found <= best * (1 + fit.optimality + 1e-8)).all()


def test_rows_that_were_left_out_too_early_come_back(shrunk, monkeypatch):
    monkeypatch.setattr(_shrinking, "REACH", -0.7)  # rows with a loss are left out as well
    X, Y, problems = make()
    fit = LOSS.solve(X, Y, *problems, tol=1e-4)
    best = objectives(X, Y, problems, LOSS.solve(X.toarray(), Y, *problems, tol=1e-9))
    assert shrunk["restored"] > 0
    assert (objectives(X, Y, problems, fit) <= best * (1 + 1e-4 + 1e-8)).all()


def test_newtons_equation_on_the_active_rows(monkeypatch):
    X, Y, _ = make()
    design, _ = make_design(X)
    weights = RowWeights(Y, np.ones(len(Y)), np.zeros(len(Y), np.intp), 1)
    batch = Batch(design, Y, weights, LOSS, True, 0.0, LANES, tol=1e-12)
    one = np.ones(1)
    chains = make_chains(np.array([0]), 2 * one, one, 5 * one, np.ones((1, 1)), np.array([True]))
    rng = np.random.RandomState(0)
    batch.load(np.array([0]), chains, (rng.randn(1, X.shape[1]), rng.randn(1)))
    batch.loss.second_derivative(batch.R, *batch.rows, batch.D)
    batch.G[:, 0] = batch.W[:, 0] + batch.scale[0] * batch.Q[:, 0]
    batch.gb = batch.scale * batch.sums[1]
    batch.objective = np.ones(LANES)
    monkeypatch.setattr("pseudolinear.learners.solvers._truncated_newton.SHARE", 1e-9)
    monkeypatch.setattr("pseudolinear.learners.solvers._truncated_newton.STEPS", 10_000)
    found = truncated_newton(batch, 0)
    ones = np.column_stack([X.toarray(), np.ones(len(Y))])  # with the intercept
    H = ones.T @ (batch.scale[0] * batch.D[:, :1] * ones)
    H[:-1, :-1] += np.eye(X.shape[1])
    best = np.linalg.solve(H, np.append(batch.G[:, 0], batch.gb[0]))[:-1]
    np.testing.assert_allclose(found, best, rtol=1e-4, atol=1e-4 * np.abs(best).max())


@pytest.mark.parametrize("scaling", [None, np.inf])
def test_rough_steps_of_newton_lead_to_the_optimum(monkeypatch, scaling):
    monkeypatch.setattr(_exact.Newton, "PATIENCE", 1)
    monkeypatch.setattr(_exact.Newton, "JUMP_PATIENCE", 1)
    monkeypatch.setattr(_exact.Newton, "SLOW_ROWS", 0)  # no factors:
    monkeypatch.setattr(_exact.Newton, "ROWS", 0)
    monkeypatch.setattr(_exact.Newton, "COLD_ROWS", 0)
    monkeypatch.setattr(_exact.Cholesky, "FEATURES", 0)
    monkeypatch.setattr(_exact.Cholesky, "MANY_FEATURES", 0)
    steps = []
    rough = truncated_newton
    monkeypatch.setattr(_exact, "truncated_newton", lambda *args: steps.append(1) or rough(*args))
    X, Y, problems = make()
    fit = LOSS.solve(X, Y, *problems, intercept_scaling=scaling, tol=1e-6)
    exact = LOSS.solve(X.toarray(), Y, *problems, intercept_scaling=scaling, tol=1e-9)
    assert steps
    assert fit.optimality.max() <= 1e-6
    best = objectives(X, Y, problems, exact)
    assert (objectives(X, Y, problems, fit) <= best * (1 + 2e-6)).all()


def test_portions_fill_registers_and_never_part_a_label():
    labels = np.repeat(np.arange(7), [3, 9, 2, 2, 2, 2, 1])
    n = len(labels)
    ratios = np.arange(1.0, n + 1.0)
    chains = make_chains(labels, ratios, np.ones(n), np.ones(n), np.ones((n, 1)), np.ones(n, bool))
    found = portions(chains)
    assert [chain for portion in found for chain in portion] == chains
    assert all(len(portion) >= LANES for portion in found[:-1])
    held = [{chain.label for chain in portion} for portion in found]
    assert sum(map(len, held)) == 7
