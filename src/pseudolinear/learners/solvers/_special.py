"""Methods for rows of a special shape, and what these are.

Their bounds were chosen by time on the grid of the literature; see docs/developing/engine.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.learners.solvers._chains import Chain
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign
from pseudolinear.learners.solvers._narrow import solve_narrow
from pseudolinear.learners.solvers._newton_lanes import NewtonLanes
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.learners.solvers._shrinking import shrinks
from pseudolinear.loops._constants import LANES
from pseudolinear.loops._crew import crew

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

CURVATURE = 1e8  # along a row, from which rounding is left where dual variables cancel
TOL = 1e-5  # what dual points can prove, as long as that will do
RADII = 1e-12, 1e12  # norms of rows whose squares, and costs beside them, single precision holds

SPARSE_FEATURES = 400  # from which factors of Hessians take longer than conjugate gradients
SPARSE_DENSITY = 0.05  # on rows that are as sparse as that

NARROW_NUMBERS = 1 << 28  # rows x squared number of products of two columns: few features


def special_method(
    design: Any, loss: SmoothLoss, heaviest: float, ridge: float, tol: float
) -> Callable[..., None] | None:
    """Return what solves chains of problems faster than batches do, if there is anything.

    It need not solve all of them: what takes it too long is for batches to finish.

    Parameters
    ----------
    design : DenseDesign, SparseDesign or another
        The rows.
    loss : SmoothLoss
        The loss.
    heaviest : float
        What a problem is curved by along a row, at the most.
    ridge : float
        Penalty of the intercept.
    tol : float
        Relative duality gap asked for.
    """
    if suits_narrow(design):
        return partial(solve_narrow, loss, ridge)
    squared_hinge = isinstance(design, SparseDesign) and loss.curvature_jumps
    if not squared_hinge or ridge > 0.0 or heaviest > CURVATURE or tol < TOL:
        return None
    least, most = RADII
    if not least <= design.radius <= most:
        return None
    return solve_in_lanes if suits_lanes(design) or shrinks(design, loss) else None


def solve_in_lanes(
    design: SparseDesign,
    Y: np.ndarray,
    weights: RowWeights,
    free: bool,
    chains: Sequence[Chain],
    tol: float,
    max_iter: int,
    columns: np.ndarray,
    start: tuple[np.ndarray, np.ndarray],
    fit: Fit,
) -> None:
    """Solve chains of problems, as many side by side as there are lanes, and fill ``fit``."""
    idle: list[NewtonLanes] = []  # one for each thread: new memory takes its time

    def solve(some: Sequence[Chain]) -> None:
        try:
            lanes = idle.pop()
        except IndexError:
            lanes = NewtonLanes(design, Y, weights, free)
        lanes.solve(some, tol, max_iter, columns, start, fit)
        idle.append(lanes)

    crew.share(solve, registers(chains))


def registers(chains: Sequence[Chain]) -> list[list[Chain]]:
    """Put chains into registers, of few labels each: their problems need other rows."""
    found: list[list[Chain]] = []
    for _, own in groupby(chains, key=lambda chain: chain.label):
        rest = list(own)
        if found and len(found[-1]) + len(rest) <= LANES:
            found[-1] += rest
        else:
            found += [rest[i : i + LANES] for i in range(0, len(rest), LANES)]
    return found


def suits_narrow(design: Any) -> bool:
    """Say whether features are so few that exact Newton steps of all problems are the shortest way.

    They use products of any two columns, which take longer the more they are.
    """
    n, d = design.shape
    n_products = (d + 1) * (d + 2) // 2
    return isinstance(design, DenseDesign | SparseDesign) and n * n_products**2 <= NARROW_NUMBERS


def suits_lanes(design: SparseDesign) -> bool:
    """Say whether rows are wide and very sparse."""
    n, d = design.shape
    return d >= SPARSE_FEATURES and design.X.nnz <= SPARSE_DENSITY * n * d
