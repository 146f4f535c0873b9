"""The full grid of the literature on real data; skipped where the data is not at hand."""

import warnings

import numpy as np
import pytest
from data import load
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from pseudolinear.learners import KernelLearner, LabelProblem, LinearLearner

POINTWISE = {
    "logistic": lambda m: np.logaddexp(0, -m),
    "squared_hinge": lambda m: np.maximum(0, 1 - m) ** 2,
    "hinge": lambda m: np.maximum(0, 1 - m),
}


def grid(n_labels):
    """Return 19 costs by 13 values of C for every label."""
    return [
        LabelProblem(k, ((2 - t) / t, 1.0), {"C": C})
        for k in range(n_labels)
        for t in np.arange(1, 20) / 10
        for C in 2.0 ** np.arange(-6, 7)
    ]


def liblinear(loss, problem):
    shared = {"C": problem.params["C"], "class_weight": dict(enumerate(problem.class_costs))}
    shared |= {"intercept_scaling": 100.0, "max_iter": 500, "tol": 1e-5}
    if loss == "logistic":
        return LogisticRegression(solver="liblinear", **shared)
    return LinearSVC(loss=loss, dual=loss == "hinge", random_state=0, **shared)


@pytest.mark.slow
@pytest.mark.parametrize("loss", POINTWISE)
@pytest.mark.parametrize("name", ["adult", "scene", "yeast"])
def test_every_problem_of_the_grid_is_solved(name, loss):
    """The certified gap is at most 1e-3 everywhere, and no sampled objective is above LIBLINEAR's.

    LIBLINEAR's solution is a point of our problem too, so its objective without the penalty of
    the intercept cannot be below our optimum.
    """
    X, Y = load(name)
    step = {"adult": 8, "scene": 4, "yeast": 2}[name]
    X, Y = X[::step], Y[::step]
    problems = grid(Y.shape[1])
    models = LinearLearner(loss).fit_batch(X, Y, problems)
    assert max(model.optimality for model in models) <= 1e-3
    for i in np.random.RandomState(0).choice(len(problems), 8, replace=False):
        problem, model = problems[i], models[i]
        y = Y[:, problem.label]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # LIBLINEAR's hinge solver does not converge here
            peer = liblinear(loss, problem).fit(X, y)

        def objective(w, b, y=y, problem=problem):
            margins = np.where(y > 0, 1, -1) * (X @ w + b)
            losses = problem.class_costs[y] @ POINTWISE[loss](margins)
            return 0.5 * w @ w + problem.params["C"] * losses

        ours = objective(model.coef, model.intercept)
        assert ours <= (1 + 1e-3) * objective(peer.coef_[0], peer.intercept_[0])


@pytest.mark.slow
@pytest.mark.parametrize("gamma", [2.0**-6, 1.0, 64.0])
def test_every_kernel_problem_of_the_grid_is_solved(gamma):
    """The certified gap is at most 1e-3 for every cost and C, whatever the width of the kernel."""
    X, Y = load("yeast")
    models = KernelLearner(gamma=gamma).fit_batch(X[::3], Y[::3, :2], grid(2))
    assert max(model.optimality for model in models) <= 1e-3
