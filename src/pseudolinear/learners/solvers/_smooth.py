"""Cost-sensitive linear problems with a smooth loss, solved in batches along chains."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from pseudolinear.learners.solvers._batch import Batch
from pseudolinear.learners.solvers._certificates import measure
from pseudolinear.learners.solvers._chains import Chain, make_chains
from pseudolinear.learners.solvers._design import make_design
from pseudolinear.learners.solvers._one_sided import one_sided
from pseudolinear.learners.solvers._order import Fit, Rows
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.learners.solvers._step import step
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._smooth import store

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

BATCH_LANES = 64  # wider batches gain nothing,
FEATURE_NUMBERS = 1 << 20  # nor do matrices that fall out of the cache, which random access needs,
ROW_NUMBERS = 1 << 24  # or out of all proportion, where they are read in order


def solve_smooth(
    X: Rows,
    Y: np.ndarray,
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    loss: SmoothLoss,
    sample_weight: np.ndarray | None = None,
    classes: np.ndarray | None = None,
    class_costs: np.ndarray | None = None,
    intercept_scaling: float | None = np.inf,
    tol: float = 1e-3,
    max_iter: int = 1000,
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> Fit:
    """Minimise ``|w|^2 / 2 + C sum_i c_i loss(y_i (w.x_i + b))`` for many labels, costs and C.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    Y : ndarray of shape (n, L)
        Labels, 0 or 1.
    labels, cost_fn, cost_fp, C : array-like of shape (p,)
        The problems: column of Y, costs of a missed positive and of a false alarm, and C.
    loss : SmoothLoss
        The loss of the margin.
    sample_weight : ndarray of shape (n,), optional
        Multiplies the costs of the rows.
    classes : ndarray of shape (n,), optional
        Class of each row, from 0 on.
    class_costs : ndarray of shape (p, n_classes), optional
        Multiplies, in each problem, the costs of the rows of a class.
    intercept_scaling : float or None
        inf: the intercept is not regularised; a finite value B: it is the weight of a constant
        feature of value B; None: there is no intercept.
    tol : float
        Relative optimality at which a problem is left: duality gap / objective.
    max_iter : int
        Largest number of iterations spent on a problem.
    start : (ndarray of shape (p, d), ndarray of shape (p,)), optional
        Weights and intercepts to start from, such as the solutions on other rows; of problems that
        differ in C alone, those of the smallest.

    Returns
    -------
    Fit
        ``coef`` (p, d), ``intercept``, ``optimality`` and ``n_iter`` (p,); ``optimality`` exceeds
        ``tol`` for problems that ran into ``max_iter``.
    """
    labels, cost_fn, cost_fp, C = np.broadcast_arrays(*np.atleast_1d(labels, cost_fn, cost_fp, C))
    weight = np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    weight = np.where(weight > TINY, weight, 0.0)  # one over it would overflow
    classes = np.zeros(len(Y), np.intp) if classes is None else classes
    free = intercept_scaling is not None
    ridge = 0.0 if intercept_scaling is None else 1.0 / float(intercept_scaling) ** 2
    Y = np.ascontiguousarray(Y, np.int8)
    design, columns = make_design(X)
    p = len(C)
    class_costs = np.ones((p, 1)) if class_costs is None else class_costs
    chains = make_chains(labels, cost_fn, cost_fp, C, class_costs)
    weights = RowWeights(Y, weight, classes, class_costs.shape[1])
    fit = Fit(np.zeros((p, X.shape[1])), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    if free and ridge == 0.0:
        above, below = weights.totals(labels, cost_fn, cost_fp, class_costs.T)
        side, fit.optimality[:] = one_sided(above, below, C, design.radius, tol)
        tilt = (above - below) / np.maximum(above + below, TINY)
        # without any cost of the other class no minimum need exist
        alone = np.minimum(above, below) == 0.0
        fit.intercept[:] = np.where(alone, tilt * loss.certain, loss.best_constant(tilt))
        chains = [chain for chain in chains if not side[chain.problems].all()]
    n, d = design.shape
    width = min(BATCH_LANES, FEATURE_NUMBERS // d, ROW_NUMBERS // n, len(chains))
    width = max(-(-width // LANES), 1) * LANES
    batch = Batch(design, Y, weights, loss, free, ridge, width, tol)
    queue = deque(chains)
    if start is not None:
        start = start[0][:, columns], start[1]
    while refill(batch, queue, start):
        measure(batch)
        done = batch.alive & ((batch.optimality <= tol) | (batch.iterations >= max_iter))
        if done.any():
            record(batch, np.flatnonzero(done), columns, fit)
            batch.advance(done)
            refill(batch, queue, start)
            measure(batch)
        step(batch)
    return fit


def record(batch: Batch, lanes: np.ndarray, columns: np.ndarray, fit: Fit) -> None:
    """Write the solutions of these lanes into ``fit``."""
    k = np.array([batch.chains[j].problems[batch.position[j]] for j in lanes])
    store(batch.W, lanes, columns, fit.coef, k)
    fit.intercept[k], fit.optimality[k] = batch.b[lanes], batch.optimality[lanes]
    fit.n_iter[k] = batch.iterations[lanes]


def refill(
    batch: Batch, queue: deque[Chain], start: tuple[np.ndarray, np.ndarray] | None = None
) -> bool:
    """Give idle lanes new chains; return whether there is anything left to do."""
    idle = np.flatnonzero(~batch.alive)[: len(queue)]
    if len(idle):
        batch.load(idle, [queue.popleft() for _ in idle], start)
    if not queue:
        batch.compact()
    return bool(batch.alive.any())
