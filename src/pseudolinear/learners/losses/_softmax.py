"""The softmax loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from pseudolinear.learners.losses._logistic import Logistic
from pseudolinear.learners.losses._loss import Loss
from pseudolinear.learners.solvers import Fit, solve_softmax


class Softmax(Loss):
    """``log(sum_k exp(z_k)) - z_y`` of the scores z of all classes, y the class of the row.

    Of two classes, and of labels, it is the logistic loss of the difference of both scores.
    """

    name: ClassVar[str] = "softmax"
    scores_are_log_odds = True
    takes_class_costs = True
    takes_start = True

    @property
    def solve(self) -> Callable[..., Fit]:
        """Conjugate gradients, all classes of a problem together."""
        return _solve


def _solve(
    X: Any,
    Y: np.ndarray,
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    classes: np.ndarray | None = None,
    class_costs: np.ndarray | None = None,
    **others: Any,
) -> Fit:
    """Solve problems of classes, each of which comes as one problem per class, or of labels."""
    if classes is None or class_costs is None:
        return Logistic().solve(X, Y, labels, cost_fn, cost_fp, C, **others)
    each = class_costs.shape[1]
    return solve_softmax(X, classes, C[::each], class_costs[::each], **others)
