"""What single precision may and may not change: passes may be rough, certificates may not."""

import tracemalloc
from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp

from pseudolinear import MeasureClassifier
from pseudolinear.learners import LabelProblem, LinearLearner
from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import _smooth
from pseudolinear.learners.solvers._design import make_design

LOSSES = ("logistic", "squared_hinge")
FORMS = {
    "dense": np.asarray,
    "dense of single precision": np.float32,
    "sparse": sp.csr_array,
    "sparse of single precision": lambda X: sp.csr_array(X, dtype=np.float32),
}


@pytest.fixture
def single(monkeypatch):
    """Let few rows be passed over in single precision, as many are."""
    monkeypatch.setattr(_smooth, "SINGLE_NUMBERS", dict.fromkeys(_smooth.SINGLE_NUMBERS, 0))


def make(n=300, d=10, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6) * 10.0 ** rng.uniform(-1, 1, d)
    Y = (X @ rng.normal(size=(d, 1)) / 5 + rng.normal(size=(n, 1)) > 0.8).astype(np.int8)
    t, C = (a.ravel() for a in np.meshgrid([0.2, 1.0, 1.7], [0.01, 1.0, 100.0], indexing="ij"))
    return X, Y, (np.zeros(len(t), int), (2 - t) / t, np.ones(len(t)), C)


def values(X, Y, spec, fit, loss):
    """Objectives, by plain sums of double precision over the true rows."""
    margins = (2.0 * Y - 1.0) * (X @ fit.coef.T + fit.intercept)
    if loss == "logistic":
        losses = np.logaddexp(0.0, -margins)
    else:
        losses = np.maximum(0.0, 1.0 - margins) ** 2
    _, fn, fp, C = spec
    return 0.5 * (fit.coef**2).sum(axis=1) + C * (np.where(Y > 0, fn, fp) * losses).sum(axis=0)


def rows_of(X):
    return (X.toarray() if sp.issparse(X) else X).astype(np.float64)


@cache
def least(loss, shape, narrow):
    """Objectives that cannot be improved, on rows that single precision has rounded or not."""
    X, Y, spec = make(*shape)
    X = X.astype(np.float32).astype(np.float64) if narrow else X
    return values(X, Y, spec, get_loss(loss).solve(X, Y, *spec, tol=1e-9, max_iter=5000), loss)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "shape", [(300, 10), pytest.param((60, 90), marks=pytest.mark.slow), (40, 700)]
)
@pytest.mark.usefixtures("single")
def test_stated_gaps_bound_the_true_ones(loss, form, shape):
    X, Y, spec = make(*shape)
    X = FORMS[form](X)
    fit = get_loss(loss).solve(X, Y, *spec, tol=1e-3, max_iter=1000)
    assert fit.coef.dtype == np.float64
    assert fit.optimality.max() <= 1e-3
    found, best = values(rows_of(X), Y, spec, fit, loss), least(loss, shape, X.dtype == np.float32)
    assert ((found - best) / found <= fit.optimality + 2e-9).all()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.usefixtures("single")
def test_problems_that_single_precision_cannot_solve_are_solved(loss, monkeypatch):
    monkeypatch.setattr(_smooth, "SINGLE_TOL", 0.0)
    monkeypatch.setattr(_smooth, "SINGLE_ITERATIONS", 3)
    X, Y, spec = make()
    X = X + 1000.0  # scores lose four digits to the mean
    fit = get_loss(loss).solve(X, Y, *spec, tol=1e-8, max_iter=5000)
    assert fit.optimality.max() <= 1e-8


@pytest.mark.parametrize("loss", LOSSES)
def test_problems_do_not_depend_on_the_precision_of_equal_rows(loss):
    X, Y, spec = make()
    X = X.astype(np.float32)
    narrow, wide = (get_loss(loss).solve(x, Y, *spec, tol=1e-9) for x in (X, X.astype(float)))
    assert np.allclose(narrow.coef, wide.coef, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_products_of_single_rows_are_those_of_double_precision(kind):
    X = np.random.default_rng(0).normal(size=(70_000, 20)).astype(np.float32)
    design, _ = make_design(kind(X))
    W, R = np.ones((20, 3)), np.ones((70_000, 3))
    exact = X.astype(np.float64)
    assert np.allclose(design.times(W, np.empty(R.shape)), exact @ W, rtol=1e-12, atol=1e-12)
    assert np.allclose(design.transpose_times(R, np.empty(W.shape)), exact.T @ R, rtol=1e-12)
    parts = [(part, piece.shape[0]) for part, piece in design.pieces()]
    assert sum(size for _, size in parts) == 70_000
    assert len(parts) > 1


def peak(function):
    tracemalloc.start()
    function()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_rows_of_single_precision_are_not_copied():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 400)).astype(np.float32)
    Y = (X[:, :1] + rng.normal(size=(20_000, 1)) > 1).astype(np.int8)
    learner, problem = LinearLearner(), LabelProblem(0, (1.0, 1.0))
    models = learner.fit_batch(X, Y, [problem])  # what is compiled counts as memory as well
    assert peak(lambda: learner.fit_batch(X, Y, [problem])) < X.nbytes
    assert peak(lambda: learner.scores(models, X)) < X.nbytes / 2


def test_a_fit_on_single_rows_decides_as_one_on_double_rows():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(1500, 6)) * [1, 10, 100, 1, 1, 1] + [0, 5, 1e3, 0, 0, 0]).astype("f4")
    y = (X[:, 0] + X[:, 1] / 10 + rng.normal(size=1500) > 2).astype(int)
    narrow, wide = (
        MeasureClassifier("linear", random_state=0).fit(x, y).decision_function(x)
        for x in (X, X.astype(np.float64))
    )
    assert np.abs(narrow - wide).max() < 1e-3 * np.abs(wide).max()
    clear = np.abs(wide) > 1e-3 * np.abs(wide).max()
    assert clear.mean() > 0.99
    assert ((narrow > 0) == (wide > 0))[clear].all()
