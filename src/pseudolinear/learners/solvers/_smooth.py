"""Cost-sensitive linear problems with a smooth loss, solved in batches along chains."""

from __future__ import annotations

from collections import deque

import numpy as np
import scipy.sparse as sp

from pseudolinear.learners.solvers._batch import LANES, Batch, Chain
from pseudolinear.learners.solvers._design import make_design
from pseudolinear.loops._smooth import store

BATCH_LANES = 64  # wider batches gain nothing,
FEATURE_NUMBERS = 1 << 20  # nor do matrices that fall out of the cache, which random access needs,
ROW_NUMBERS = 1 << 24  # or out of all proportion, where they are read in order
CERTAIN = 40.0  # score of a class that is alone, logistic loss: error probability below 1e-17


def solve_smooth(
    X: np.ndarray | sp.csr_array,
    Y: np.ndarray,
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    loss: str = "logistic",
    sample_weight: np.ndarray | None = None,
    intercept_scaling: float | None = np.inf,
    tol: float = 1e-3,
    max_iter: int = 1000,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Minimise ``|w|^2 / 2 + C sum_i c_i loss(y_i (w.x_i + b))`` for many labels, costs and C.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    Y : ndarray of shape (n, L)
        Labels, 0 or 1.
    labels, cost_fn, cost_fp, C : array-like of shape (p,)
        The problems: column of Y, costs of a missed positive and of a false alarm, and C.
    loss : {"logistic", "squared_hinge"}
        ``log(1 + exp(-m))`` or ``max(0, 1 - m)^2`` of the margin m.
    sample_weight : ndarray of shape (n,), optional
        Multiplies the costs of the rows.
    intercept_scaling : float or None
        inf: the intercept is not regularised; a finite value B: it is the weight of a constant
        feature of value B; None: there is no intercept.
    tol : float
        Relative optimality at which a problem is left: duality gap / objective.
    max_iter : int
        Largest number of iterations spent on a problem.

    Returns
    -------
    coef : ndarray of shape (p, d)
    intercept, optimality, n_iter : ndarrays of shape (p,)
        ``optimality`` exceeds ``tol`` for problems that ran into ``max_iter``.
    """
    problems = np.broadcast_arrays(*np.atleast_1d(labels, cost_fn, cost_fp, C))
    weight = np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    free = intercept_scaling is not None
    ridge = 0.0 if intercept_scaling is None else 1.0 / float(intercept_scaling) ** 2
    Y = np.ascontiguousarray(Y, np.int8)
    design, columns = make_design(X)
    total = len(problems[0])
    coef, intercept = np.zeros((total, X.shape[1])), np.zeros(total)
    optimality, n_iter = np.zeros(total), np.zeros(total, np.int64)

    above, below = weight @ Y, weight @ (1 - Y)
    chains = make_chains(*problems)
    if free and ridge == 0.0:
        # a class without cost: a constant score does, and no minimum need exist
        alone = np.sign(problems[1] * above[problems[0]]) - np.sign(
            problems[2] * below[problems[0]]
        )
        intercept[:] = alone * (CERTAIN if loss == "logistic" else 1.0)
        chains = [chain for chain in chains if not alone[chain.problems[0]]]
    n, d = design.shape
    width = min(BATCH_LANES, FEATURE_NUMBERS // d, ROW_NUMBERS // n, len(chains))
    width = max(-(-width // LANES), 1) * LANES
    batch = Batch(design, Y, weight, loss, free, ridge, width, tol)
    queue = deque(chains)
    while refill(batch, queue):
        batch.gradient()
        done = batch.alive & ((batch.optimality <= tol) | (batch.iterations >= max_iter))
        if done.any():
            lanes = np.flatnonzero(done)
            k = np.array([batch.chains[j].problems[batch.position[j]] for j in lanes])
            store(batch.W, lanes, columns, coef, k)
            intercept[k], optimality[k] = batch.b[lanes], batch.optimality[lanes]
            n_iter[k] = batch.iterations[lanes]
            batch.advance(done)
            refill(batch, queue)
            batch.gradient()
        batch.step()
    return coef, intercept, optimality, n_iter


def refill(batch: Batch, queue: deque[Chain]) -> bool:
    """Give idle lanes new chains; return whether there is anything left to do."""
    idle = np.flatnonzero(~batch.alive)[: len(queue)]
    if len(idle):
        batch.load(idle, [queue.popleft() for _ in idle])
    if not queue:
        batch.compact()
    return bool(batch.alive.any())


def make_chains(
    labels: np.ndarray, cost_fn: np.ndarray, cost_fp: np.ndarray, C: np.ndarray
) -> list[Chain]:
    """Sort the problems into chains: same label and same ratio of the costs, by increasing scale.

    Costs are written scale * (ratio, 1), or scale * (1, 0) if false alarms cost nothing.
    """
    one_sided = cost_fp == 0.0
    ratio = np.where(one_sided, np.inf, cost_fn / np.where(one_sided, 1.0, cost_fp))
    scale = C * np.where(one_sided, cost_fn, cost_fp)
    order = np.lexsort((scale, ratio, labels))
    order = order[scale[order] > 0.0]
    new = (np.diff(labels[order]) != 0) | (ratio[order][1:] != ratio[order][:-1])
    return [
        Chain(int(labels[part[0]]), float(ratio[part[0]]), scale[part], part)
        for part in np.split(order, np.flatnonzero(new) + 1)
        if len(part)
    ]
