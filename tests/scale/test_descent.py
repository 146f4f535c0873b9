"""The solver that needs passes only, against the one in memory."""

import numpy as np
import pytest
from part_rows import table, texts

from pseudolinear import LinearLearner
from pseudolinear._problem import LabelProblem
from pseudolinear.measures import FBeta
from pseudolinear.scale._block import Block
from pseudolinear.scale._engine import LocalEngine
from pseudolinear.scale._lanes import Lanes
from pseudolinear.scale._parted_linear import PartedLinear
from pseudolinear.scale._slopes import slopes
from pseudolinear.scale._totals import total


def learner_on(X, y, few=1.0, **params):
    """Return what trains on blocks; its sample is a part of the rows."""
    rng = np.random.default_rng(0)
    weight, fold = rng.random(len(y)), rng.integers(0, 3, len(y))
    block = Block(X, y[:, None].astype(np.int8), weight, fold)
    blocks = [block.take(np.arange(i, min(i + 500, len(y)))) for i in range(0, len(y), 500)]
    rows = np.flatnonzero(rng.random(len(y)) < few)
    sample = block.take(rows)
    sample.weight[:] /= few
    engine = LocalEngine(blocks)
    totals = engine.reduce("", total, 3)
    return PartedLinear(engine, sample, totals, LinearLearner(**params), 3, FBeta()), block


def objective(X, y, weight, w, b, problem, loss):
    """Return what is minimised, written out."""
    margin = np.where(y > 0, 1, -1) * (X @ w + b)
    cost = weight * np.where(y > 0, *problem.costs)
    each = np.logaddexp(0, -margin) if loss == "logistic" else np.maximum(0, 1 - margin) ** 2
    return w @ w / 2 + problem.params["C"] * cost @ each


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("rows", [table, texts])
@pytest.mark.parametrize("few", [1.0, 0.1])
def test_objective_is_within_the_stated_gap(loss, rows, few):
    """Whatever the sample was that it started from."""
    X, y = rows(2000)
    learner, block = learner_on(X, y, few, loss=loss, tol=1e-3)
    problems = [LabelProblem(0, (1.5, 0.5), {"C": C}) for C in (0.1, 1.0)]
    exact = LinearLearner(loss, tol=1e-9).fit_batch(X, y[:, None], problems, block.weight)
    for problem, model, best in zip(problems, learner.fit(problems), exact, strict=True):
        assert model.optimality <= 1e-3
        found, least = (
            objective(X, y, block.weight, m.coef, m.intercept, problem, loss) for m in (model, best)
        )
        assert found - least <= 1e-3 * found
        assert found >= least * (1 - 1e-9)


def test_folds_leave_out_their_rows():
    """A lane of a fold is a fit without these rows."""
    X, y = table(1500)
    learner, block = learner_on(X, y, tol=1e-8)
    problem = LabelProblem(0, (1.0, 1.0), {"C": 1.0})
    trained = learner.train(Lanes.of([problem], range(3), 1.0), "training")
    for fold in range(3):
        own = block.fold != fold
        (alone,) = LinearLearner(tol=1e-10).fit_batch(
            X[own], y[own, None], [problem], block.weight[own]
        )
        np.testing.assert_allclose(trained.scorer.weights[:, fold], alone.coef, atol=1e-3)


@pytest.mark.parametrize("rows", [table, texts])
def test_slopes_are_derivatives(rows):
    """Against differences of the losses."""
    X, y = rows(300)
    rng = np.random.default_rng(1)
    block = Block(X, y[:, None].astype(np.int8), rng.random(300), rng.integers(0, 3, 300))
    lanes = Lanes.of([LabelProblem(0, (2.0, 1.0), {"C": 1.0})], [1], 1.0)
    W, b, step = rng.normal(size=(X.shape[1], 1)), rng.normal(size=1), 1e-6

    def at(W, b):
        return slopes(block, W, b, lanes, "logistic", 3)

    move = rng.normal(size=W.shape)
    here, up, down = at(W, b), at(W + step * move, b), at(W - step * move, b)
    slope = (up.sums[0] - down.sums[0]) / (2 * step)
    assert slope == pytest.approx((here.by_weight * move).sum(axis=0), rel=1e-5)
    up, down = at(W, b + step), at(W, b - step)
    assert here.sums[1] == pytest.approx((up.sums[0] - down.sums[0]) / (2 * step), rel=1e-5)
    assert here.sums[2] == pytest.approx((up.sums[1] - down.sums[1]) / (2 * step), rel=1e-5)


def test_folds_without_positives_get_a_constant():
    """What is trained on one class predicts it."""
    X, y = table(600)
    y = np.zeros_like(y)
    y[:30] = 1
    learner, block = learner_on(X, y)
    block.fold[:] = np.where(y > 0, 0, 1 + np.arange(len(y)) % 2)
    engine = LocalEngine([block])
    learner = PartedLinear(engine, block, engine.reduce("", total, 3), LinearLearner(), 3, FBeta())
    (found,) = learner.validated([LabelProblem(0, (1.0, 1.0), {"C": 1.0})])
    assert found.converged
    assert (
        learner.train(Lanes.of([LabelProblem(0, (1.0, 1.0))], [0], 1.0), "").scorer.intercepts < 0
    )
