"""Preconditioners against the systems that they stand for."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers._batch import FEATURES, ROWS, Batch
from pseudolinear.learners.solvers._certificates import measure
from pseudolinear.learners.solvers._chains import make_chains
from pseudolinear.learners.solvers._design import make_design
from pseudolinear.learners.solvers._exact import Newton, make_preconditioner
from pseudolinear.learners.solvers._precondition import Cholesky, Diagonal, RowCholesky
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.learners.solvers._stacked_cholesky import StackedCholesky

N, D, LABELS = 60, 12, 5


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def batch_of(X, C, rng):
    """Return a batch at its start, one lane for each label."""
    Y = (rng.random((N, LABELS)) < 0.3).astype(np.int8)
    labels, ones = np.arange(LABELS), np.ones(LABELS)
    weights = RowWeights(Y, rng.uniform(0.5, 2.0, N), np.zeros(N, np.intp), 1)
    loss = get_loss("logistic")
    batch = Batch(make_design(X)[0], Y, weights, loss, free=True, ridge=0.0, lanes=8, tol=1e-3)
    problems = labels, 2.0 * ones, ones, np.full(LABELS, C), np.ones((LABELS, 1))
    batch.load(labels, make_chains(*problems, np.ones(LABELS, bool)))
    measure(batch)
    batch.loss.second_derivative(batch.R, *batch.rows, batch.D)
    return batch


def newton_direction(X, batch, lane):
    """Solve the lane's Newton system of weights and intercept for its gradient in the weights."""
    A = np.column_stack([X, np.ones(N)])
    H = A.T @ (batch.scale[lane] * batch.D[:, lane, None] * A)
    H[np.arange(D), np.arange(D)] += 1.0
    return np.linalg.solve(H, np.append(batch.G[:, lane], 0.0))[:D]


@pytest.mark.parametrize("C", [0.1, 100.0])
@pytest.mark.parametrize("kind", [Cholesky, StackedCholesky, RowCholesky])
def test_one_lane_of_a_label_gets_its_newton_direction(kind, C, rng):
    X = 3.0 * rng.normal(size=(N, D))
    batch = batch_of(X, C, rng)
    preconditioner = StackedCholesky(batch.design) if kind is StackedCholesky else kind()
    preconditioner.direction(batch)
    for lane in range(LABELS):
        expected = newton_direction(X, batch, lane)
        error = np.abs(batch.U[:, lane] - expected).max()
        # rows of curvature below half of the penalty's are left out of factors in their space
        assert error <= (0.2 if kind is RowCholesky else 1e-6) * np.abs(expected).max()
    assert not batch.U[:, LABELS:].any()


def test_stack_keeps_the_factors_of_labels_that_come_later(rng):
    X = rng.normal(size=(N, D))
    batch = batch_of(X, 1.0, rng)
    stacked = StackedCholesky(batch.design)
    batch.alive[2:] = False
    stacked.direction(batch)
    assert not batch.U[:, 2:].any()
    batch.alive[:LABELS] = True
    stacked.direction(batch)
    assert len(stacked.inverses) == LABELS
    for lane in range(LABELS):
        assert batch.U[:, lane] == pytest.approx(newton_direction(X, batch, lane), rel=1e-4)


def test_hessians_of_many_labels_do_not_lose_what_is_far_from_zero(rng):
    """Single precision loses nothing to columns that lie far from 0: all is around the mean row."""
    X = rng.normal(size=(N, D)) + 1e4
    weights, centres = rng.random((N, 5)), X.mean(axis=0) + rng.normal(size=(5, D))
    weights[rng.random((N, 5)) < 0.3] = 0.0
    for k, H in enumerate(make_design(X)[0].grams(weights, centres, np.float32)):
        A = X - centres[k]
        assert pytest.approx(A.T @ (weights[:, k, None] * A), rel=1e-4, abs=1e-4) == H


def test_stack_survives_a_hessian_that_rounding_made_singular(rng):
    X = np.repeat(rng.normal(size=(N, 1)), D, axis=1)  # twelve times the same feature
    batch = batch_of(1e6 * X, 1e8, rng)
    StackedCholesky(batch.design).direction(batch)
    slopes = np.einsum("ij,ij->j", batch.U, batch.G)[:LABELS]
    assert np.isfinite(batch.U).all()
    assert (slopes > 0.0).all()  # still a direction of descent


def test_an_objective_without_curvature_keeps_its_gradient(rng):
    """Rows that all are far from the boundary bend nothing: the penalty alone is left."""
    batch = batch_of(rng.normal(size=(N, D)), 1.0, rng)
    batch.D[:] = 0.0
    RowCholesky().direction(batch)
    assert np.array_equal(batch.U[:, :LABELS], batch.G[:, :LABELS])


def test_rows_that_hardly_bend_the_objective_stay_out_of_the_factor(rng):
    X = sparse.csr_array(rng.normal(size=(N, D)))
    batch, rows = batch_of(X, 1e-3, rng), RowCholesky()
    rows.direction(batch)
    bends = [len(kept) for kept, _, _ in rows.systems.values()]
    assert max(bends) == 1  # the heaviest alone: no row comes to half of the penalty
    assert np.abs(batch.U - batch.G)[:, :LABELS].max() <= 0.1 * np.abs(batch.G).max()


def test_slow_lanes_of_sparse_rows_take_heavy_rows_first_and_all_rows_later(rng):
    """At first Newton's direction is that of an objective which light rows do not bend."""
    X = 3.0 * rng.normal(size=(N, D))
    batch = batch_of(sparse.csr_array(X), 0.02, rng)
    newton, curvature = Newton(Diagonal((D, 8))), batch.D.copy()
    batch.iterations[:] = newton.PATIENCE + 1
    newton.direction(batch)
    bend = batch.scale * curvature * np.square(X).sum(axis=1)[:, None]
    batch.D = np.where(bend >= RowCholesky.HEAVY, curvature, 0.0)
    assert 0 < np.count_nonzero(batch.D[:, 0]) < N
    for lane in range(LABELS):
        assert batch.U[:, lane] == pytest.approx(newton_direction(X, batch, lane), rel=1e-6)
    batch.D = curvature
    batch.iterations[:] = 2 * newton.PATIENCE + 1
    newton.direction(batch)
    for lane in range(LABELS):
        assert batch.U[:, lane] == pytest.approx(newton_direction(X, batch, lane), rel=1e-6)


def test_arrays_of_a_batch_share_no_memory(rng):
    """Its loops are compiled for that: they do not look before they write."""
    batch = batch_of(rng.normal(size=(N, D)), 1.0, rng)
    batch.alive[3:] = False
    batch.compact()
    arrays = [getattr(batch, name) for name in (*FEATURES, *ROWS, "sums", "pos", "class_costs")]
    for one, other in combinations(arrays, 2):
        assert not np.shares_memory(one, other)


def test_rows_with_few_entries_need_no_factors():
    """A factor for each label would take longer than the passes that it spares."""
    rng = np.random.RandomState(0)
    loss, squared_hinge = get_loss("logistic"), get_loss("squared_hinge")
    light, heavy = (
        make_design(sparse.random(300, 200, density, "csr", random_state=rng))[0]
        for density in (0.02, 0.2)
    )
    assert isinstance(make_preconditioner(light, 1, 8, loss).fallback, Diagonal)
    assert isinstance(make_preconditioner(heavy, 1, 8, loss).fallback, Cholesky)
    assert isinstance(make_preconditioner(light, 1, 8, squared_hinge).fallback, Cholesky)
