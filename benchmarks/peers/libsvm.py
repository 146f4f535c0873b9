"""LIBSVM, as scikit-learn's SVC: one kernel problem after the other."""

from __future__ import annotations

import time

import numpy as np
from sklearn.svm import SVC

from pseudolinear.learners import Problem


def solve(
    X: np.ndarray, y: np.ndarray, problem: Problem, gamma: float, tol: float = 1e-3
) -> tuple[float, np.ndarray, float]:
    """Return processor seconds, the weights of all rows, and the intercept."""
    costs = dict(enumerate(problem.class_costs))
    svm = SVC(C=problem.params["C"], gamma=gamma, class_weight=costs, tol=tol)
    start = time.process_time()
    svm.fit(X, y)
    seconds = time.process_time() - start
    coef = np.zeros(len(y))
    coef[svm.support_] = svm.dual_coef_[0]
    return seconds, coef, float(svm.intercept_[0])
