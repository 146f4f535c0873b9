"""Cost-sensitive linear problems with a smooth loss, solved in batches along chains."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from pseudolinear.learners.solvers._batch import Batch
from pseudolinear.learners.solvers._between import Between, Bracket, make_brackets
from pseudolinear.learners.solvers._block_design import design_of
from pseudolinear.learners.solvers._certificates import measure
from pseudolinear.learners.solvers._chains import Chain, full_registers, make_chains
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, precision
from pseudolinear.learners.solvers._one_sided import one_sided
from pseudolinear.learners.solvers._order import Fit, Rows
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.learners.solvers._shrinking import Shrinking, shrinks
from pseudolinear.learners.solvers._special import special_method
from pseudolinear.learners.solvers._step import step
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._smooth import store

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

# Up to so many rows x lanes the calls take longer than what they do: batches are wider.
FEW_NUMBERS, FEW_LANES = 1 << 16, 256
BATCH_LANES = 64  # elsewhere wider batches gain nothing,
FEATURE_NUMBERS = 1 << 20  # nor do matrices that fall out of the cache, which random access needs,
ROW_NUMBERS = 1 << 24  # or out of all proportion, where they are read in order
# rows x lanes from which passes wait for the memory: single precision, later for sparse rows, where
# random access takes the time, never for blocks of codes, always for rows of that kind, which every
# pass in double precision would have to make double
SINGLE_NUMBERS = {"float64": 1 << 20, "float32": 0, "sparse": 1 << 22, "blocks": 1 << 62}
SINGLE_TOL = 1e-5  # if it can come close to what is wanted,
SINGLE_ITERATIONS = 40  # until it turns out that it cannot

MIXTURE_TOL = 1e-5  # mixtures of solutions rarely come closer to an optimum, and cost more than
MIXTURE_FEATURES = (400, 100_000)  # what they spare where features are few, or weights long
Start = tuple[np.ndarray, np.ndarray]


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
    X : ndarray, CSR matrix, Codes or Blocks of shape (n, d)
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
    design, columns = design_of(X)
    p = len(C)
    class_costs = np.ones((p, 1)) if class_costs is None else class_costs
    weights = RowWeights(Y, weight, classes, class_costs.shape[1])
    fit = Fit(np.zeros((p, X.shape[1])), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    wanted = np.ones(p, bool)
    if free and ridge == 0.0:
        above, below = weights.totals(labels, cost_fn, cost_fp, class_costs.T)
        side, fit.optimality[:] = one_sided(above, below, C, design.radius, tol)
        tilt = (above - below) / np.maximum(above + below, TINY)
        # without any cost of the other class no minimum need exist
        alone = np.minimum(above, below) == 0.0
        fit.intercept[:] = np.where(alone, tilt * loss.certain, loss.best_constant(tilt))
        wanted = side == 0
    problems = labels, cost_fn, cost_fp, C, class_costs
    cost = C * np.maximum(cost_fn, cost_fp) * class_costs.max(axis=1)
    heaviest = cost.max(initial=0.0) * weight.max(initial=0.0)
    heaviest *= design.radius**2
    method = special_method(design, loss, heaviest, ridge, tol)
    if method is not None:
        chains = make_chains(*problems, wanted)
        for chain in chains:
            fit.optimality[chain.problems] = np.inf
        start = (fit.coef, fit.intercept) if start is None else start
        method(design, Y, weights, free, chains, tol, max_iter, columns, start, fit)
        wanted &= ~(fit.optimality <= tol)
        start = fit.coef, fit.intercept
    brackets: list[Bracket] = []
    fewest, most = MIXTURE_FEATURES
    if loss.mixes and tol >= MIXTURE_TOL and fewest <= design.shape[1] <= most:
        brackets = make_brackets(*groups_of(*problems, wanted))

    def solve(which: np.ndarray, start: Start | None, links: bool = False) -> None:
        if not which.any():
            return
        chains = make_chains(*problems, which)
        if links:  # each has a start of its own
            chains = [link for chain in chains for link in chain.cut(len(chain.problems))]
        kind = {SparseDesign: "sparse", DenseDesign: precision(X).__name__}.get(
            type(design), "blocks"
        )
        for some in portions(chains) if shrinks(design, loss) else [chains]:
            shape = shape_of_batch(design.shape, len(some), tol, SINGLE_NUMBERS[kind])
            batch = Batch(design, Y, weights, loss, free, ridge, shape[0], tol, shape[1])
            run(batch, deque(some), columns, max_iter, start, fit)

    inner = np.zeros(p, bool)
    for bracket in brackets:
        inner[bracket.inner] = True
    solve(wanted & ~inner, start)
    if brackets:
        costs = C * cost_fn, C * cost_fp, class_costs
        between = Between(design, columns, Y, weights, loss, labels, *costs, free, ridge, tol)
        between.fill(brackets, fit)
        solve(inner & (fit.optimality > tol), (fit.coef, fit.intercept), links=True)
    return fit


def groups_of(
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    class_costs: np.ndarray,
    wanted: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of groups that differ in the ratio of costs alone, and its logarithms."""
    usable = wanted & (cost_fn * C > 0.0) & (cost_fp * C > 0.0)
    ratio = np.log(np.where(usable, cost_fn, 1.0)) - np.log(np.where(usable, cost_fp, 1.0))
    _, groups = np.unique(np.column_stack([labels, C, class_costs]), axis=0, return_inverse=True)
    return np.where(usable, groups.ravel(), -1), ratio


def portions(chains: list[Chain]) -> list[list[Chain]]:
    """Cut chains into portions that fill a register, none of which shares a label with another.

    Labels need other rows, and so do small and large C: of what is alike, more can be left out.
    """
    found: list[list[Chain]] = []
    for chain in sorted(chains, key=lambda chain: (chain.label, chain.scales[0])):
        if not found or (len(found[-1]) >= LANES and chain.label != found[-1][-1].label):
            found.append([])
        found[-1].append(chain)
    return found


def run(
    batch: Batch,
    queue: deque[Chain],
    columns: np.ndarray,
    max_iter: int,
    start: Start | None,
    fit: Fit,
) -> None:
    """Solve chains in the lanes of a batch."""
    shrinking = Shrinking(batch)
    while refill(batch, queue, start, columns, shrinking):
        done = finished(batch, max_iter, shrinking)
        if done.any():
            record(batch, np.flatnonzero(done), columns, fit)
            batch.advance(done)
            refill(batch, queue, start, columns, shrinking)
            shrinking.drop(batch)
            measure(batch)
        step(batch)


def shape_of_batch(
    shape: tuple[int, int], n_chains: int, tol: float, single_numbers: int
) -> tuple[int, bool]:
    """Return the number of lanes, and whether what is kept of rows is of single precision."""
    n, d = shape
    most = max(BATCH_LANES, min(FEW_NUMBERS // n, FEW_LANES))
    most = full_registers(min(most, FEATURE_NUMBERS // d, n_chains))
    single = n * most >= single_numbers and tol >= SINGLE_TOL
    return full_registers(min(most, (ROW_NUMBERS << single) // n)), single


def finished(batch: Batch, max_iter: int, shrinking: Shrinking) -> np.ndarray:
    """Say which lanes are done.

    What single precision says of a lane is verified in double, what some rows say with all.
    """
    measure(batch)
    given_up = (batch.iterations >= max_iter) | batch.stalled()
    done = batch.alive & ((batch.optimality <= batch.tol) | given_up)
    if batch.single and done.any():
        batch.evaluate(np.flatnonzero(done))
        measure(batch)
        done &= (batch.optimality <= batch.tol) | given_up
    if done.any() and not shrinking.holds(batch, np.flatnonzero(done)):
        shrinking.restore(batch)
        measure(batch)
        done &= (batch.optimality <= batch.tol) | given_up
    if batch.single and (batch.iterations[~done] > SINGLE_ITERATIONS).any():
        batch.widen()
        measure(batch)
    return done


def record(batch: Batch, lanes: np.ndarray, columns: np.ndarray, fit: Fit) -> None:
    """Write the solutions of these lanes into ``fit``."""
    each = zip(lanes.tolist(), batch.position[lanes].tolist(), strict=True)
    k = np.array([batch.chains[j].problems[position] for j, position in each])
    store(batch.W, lanes, columns, fit.coef, k)
    fit.intercept[k], fit.optimality[k] = batch.b[lanes], batch.optimality[lanes]
    fit.n_iter[k] = batch.iterations[lanes]


def refill(
    batch: Batch,
    queue: deque[Chain],
    start: Start | None,
    columns: np.ndarray,
    shrinking: Shrinking,
) -> bool:
    """Give idle lanes new chains; return whether there is anything left to do.

    New chains need all rows: while some are left out, they wait until all lanes are idle.
    """
    idle = np.flatnonzero(~batch.alive)[: len(queue)]
    if len(idle) and (shrinking.kept is None or not batch.alive.any()):
        shrinking.restore(batch)
        chains = [queue.popleft() for _ in idle]
        first = [chain.problems[0] for chain in chains]
        batch.load(idle, chains, start and (start[0][first][:, columns], start[1][first]))
    if not queue:
        batch.compact()
    return bool(batch.alive.any())
