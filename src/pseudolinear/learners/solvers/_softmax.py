"""Cost-sensitive linear problems of several classes with the softmax loss, along chains."""

from __future__ import annotations

from collections import deque

import numpy as np
from scipy.special import logsumexp

from pseudolinear.blocks import as_plain
from pseudolinear.learners.solvers._chains import make_chains
from pseudolinear.learners.solvers._design import make_design
from pseudolinear.learners.solvers._one_sided import VANISHING
from pseudolinear.learners.solvers._order import Fit, Rows
from pseudolinear.learners.solvers._softmax_batch import SoftmaxBatch, constant_scores
from pseudolinear.learners.solvers._softmax_precondition import SoftmaxPreconditioner
from pseudolinear.learners.solvers._softmax_step import step
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import store
from pseudolinear.loops._softmax import FLOOR

BATCH_LANES = 64  # wider batches gain nothing,
ROW_NUMBERS = 1 << 24  # nor do matrices out of all proportion


def solve_softmax(
    X: Rows,
    classes: np.ndarray,
    C: np.ndarray,
    class_costs: np.ndarray,
    sample_weight: np.ndarray | None = None,
    intercept_scaling: float | None = np.inf,
    tol: float = 1e-3,
    max_iter: int = 1000,
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> Fit:
    """Minimise ``|W|^2 / 2 + C sum_i c_i (log sum_k exp(z_ik) - z_iy)``, z = X W + b, y the class.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    classes : ndarray of shape (n,)
        Class of each row, from 0 on.
    C : ndarray of shape (p,)
        Weight of the losses in each problem.
    class_costs : ndarray of shape (p, K)
        Cost c of a row of each class.
    sample_weight, intercept_scaling, tol, max_iter
        As in :func:`solve_smooth`.
    start : (ndarray of shape (p * K, d), ndarray of shape (p * K,)), optional
        Weights and intercepts to start from.

    Returns
    -------
    Fit
        Of every class of every problem: ``coef`` (p * K, d), ``intercept``, ``optimality`` and
        ``n_iter`` (p * K,), the last two the same for all classes of a problem.
    """
    p, K = class_costs.shape
    weight = np.ones(len(classes)) if sample_weight is None else np.asarray(sample_weight, float)
    weight = np.where(weight > TINY, weight, 0.0)
    free = intercept_scaling is not None
    ridge = 0.0 if intercept_scaling is None else 1.0 / float(intercept_scaling) ** 2
    design, columns = make_design(as_plain(X))
    one, wanted = np.ones(p), np.ones(p, bool)
    size = p * K
    fit = Fit(
        np.zeros((size, X.shape[1])), np.zeros(size), np.zeros(size), np.zeros(size, np.int64)
    )
    if free and ridge == 0.0:
        costs = class_costs * np.bincount(classes, weight, K)
        fit.intercept[:] = constant_scores(costs).ravel()  # 0 for the class of most costs
        solved, gap = constant(costs, C, design.radius, tol)
        fit.optimality[:] = gap.repeat(K)
        wanted = ~solved
    chains = make_chains(np.zeros(p, np.intp), one, one, C, class_costs, wanted)
    slots = max(min(BATCH_LANES // K, ROW_NUMBERS // (len(classes) * K), len(chains)), 1)
    batch = SoftmaxBatch(design, classes, weight, free, ridge, K, slots)
    preconditioner = SoftmaxPreconditioner(design.shape[1])
    queue = deque(chains)
    if start is not None:
        start = start[0][:, columns], start[1]
    while queue or batch.alive.any():
        idle = np.flatnonzero(~batch.alive)[: len(queue)]
        if len(idle):
            batch.load(idle, [queue.popleft() for _ in idle], start)
            preconditioner.renew()
        elif not batch.alive.all():
            batch.compact()
            preconditioner.renew()
        batch.measure()
        done = batch.alive & ((batch.optimality <= tol) | (batch.iterations >= max_iter))
        if done.any():
            for m in np.flatnonzero(done):
                record(batch, int(m), columns, fit)
            batch.advance(done)
        else:
            step(batch, preconditioner)
    return fit


def constant(
    costs: np.ndarray, C: np.ndarray, radius: float, tol: float
) -> tuple[np.ndarray, np.ndarray]:
    """Find the problems with free intercepts that constant scores solve to the tolerance.

    As for labels, see ``one_sided``: with a the total cost of all classes but the largest, the
    objective at W = 0 is at least C a, and the gradient in W at most 2 sqrt(2) C a times the
    largest norm of a row.

    Returns
    -------
    solved, gap : ndarray of shape (p,)
        Whether it does, and the bound of the relative duality gap (0 where it does not).
    """
    most = costs.max(axis=1)
    rest = np.maximum(costs.sum(axis=1) - most, 0.0)
    rest[np.count_nonzero(costs, axis=1) <= 1] = 0.0
    gap = 4.0 * C * rest * radius**2
    solved = (rest == 0.0) | ((rest <= VANISHING * most) & (gap <= tol))
    return solved, np.where(solved, gap, 0.0)


def record(batch: SoftmaxBatch, m: int, columns: np.ndarray, fit: Fit) -> None:
    """Write the solution of slot m into ``fit``.

    What all classes share changes no loss, so it goes: the objective only falls.
    """
    lanes = batch.lanes(np.array([m]))
    k = batch.chains[m].problems[batch.position[m]] * batch.n_classes + np.arange(batch.n_classes)
    store(batch.W, lanes, columns, fit.coef, k)
    fit.n_iter[k], fit.optimality[k] = batch.iterations[m], batch.optimality[m]
    known, b = batch.present[lanes] > 0.0, batch.known_b[lanes]
    cost = batch.chains[m].class_costs * batch.weight_of_class
    fit.coef[k[known]] -= fit.coef[k[known]].mean(axis=0)
    if batch.free and batch.ridge == 0.0:
        b -= (cost * known) @ b / (cost * known).sum()
    fit.intercept[k] = np.where(known, b, -FLOOR)
    if cost[~known].any():
        fit.optimality[k] = with_all_classes(batch, m, fit.intercept[k])


def with_all_classes(batch: SoftmaxBatch, m: int, b: np.ndarray) -> float:
    """Return the relative optimality of slot m if classes of vanishing costs count as well.

    Further rows and classes only raise the objective, so the bound still holds.
    """
    scores = batch.V[:, batch.lanes(np.array([m]))] + b
    loss = logsumexp(scores, axis=1) - scores[np.arange(len(scores)), batch.codes]
    costs = batch.weight * batch.chains[m].class_costs[batch.codes]
    objective = 0.5 * batch.norm2[m] + batch.scale[m] * (costs @ loss)
    return float((objective - batch.bound[m]) / max(objective, TINY))
