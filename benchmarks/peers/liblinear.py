"""LIBLINEAR: one cost-sensitive linear problem after the other."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from liblinear import liblinear, liblinearutil
from scipy import sparse
from sklearn.svm import LinearSVC

from pseudolinear.learners import Problem

SOLVERS = {"logistic": 0, "squared_hinge": 2}  # the primal ones
BIAS = 100.0  # the literature's constant feature
CLOSE = 1e-2  # to a certified bound, at which the dual solver may stop
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)  # of the primal solvers, the default first


class Solved(NamedTuple):
    """A problem that LIBLINEAR has solved: its time, the solution, and whether it came close."""

    seconds: float
    coef: np.ndarray
    intercept: float
    close: bool = True


def read(X: Any, y: np.ndarray) -> Any:
    """Return rows as LIBLINEAR holds them."""
    return liblinear.problem(np.where(y > 0, 1, -1), sparse.csr_matrix(X), bias=BIAS)


def solve(rows: Any, loss: str, problem: Problem, tol: float = TOLERANCES[0]) -> Solved:
    """Solve a problem by the primal solver of its loss."""
    C, fn = problem.params["C"], problem.costs[0]
    options = f"-s {SOLVERS[loss]} -c {C!r} -e {tol!r} -B {BIAS} -w1 {fn!r} -w-1 1 -q"
    parameter = liblinear.parameter(options)
    start = time.process_time()
    model = liblinearutil.train(rows, parameter)
    seconds = time.process_time() - start
    w = np.array(model.w[: rows.n]) * (1 if model.label[0] == 1 else -1)
    return Solved(seconds, w[:-1], BIAS * w[-1])


def solve_as_well(
    rows: Any, loss: str, problem: Problem, wanted: float, value: Any
) -> tuple[Solved, Solved]:
    """Solve a problem at the default tolerance, and at the loosest that reaches an objective.

    `value` gives the objective of weights and an intercept.
    """
    default = solved = solve(rows, loss, problem)
    for tol in TOLERANCES[1:]:
        if value(solved.coef, solved.intercept) <= wanted:
            break
        solved = solve(rows, loss, problem, tol)
    return default, solved


def solve_hinge(
    X: Any, y: np.ndarray, problem: Problem, bound: float, limits: list[int], value: Any
) -> Solved:
    """Solve a problem by the dual solver, by ever more iterations until it is close to a bound.

    scikit-learn's copy is the only one whose iterations can be raised. `value` gives the objective
    of weights and an intercept.
    """
    costs = dict(enumerate(problem.class_costs))
    for limit in limits:
        svm = LinearSVC(
            loss="hinge", C=problem.params["C"], class_weight=costs, intercept_scaling=BIAS,
            tol=1e-9, max_iter=limit, random_state=0,
        )  # fmt: skip
        start = time.process_time()
        svm.fit(X, y)
        seconds = time.process_time() - start
        w, b = svm.coef_[0], float(svm.intercept_[0])
        close = (value(w, b) + 0.5 * (b / BIAS) ** 2) * (1 - CLOSE) <= bound
        if close:
            break
    return Solved(seconds, w, b, bool(close))
