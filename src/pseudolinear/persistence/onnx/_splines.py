"""Piecewise linear splines as nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag
from sklearn.preprocessing import SplineTransformer

from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse

ROUNDING = 1e-9  # jumps below are none


class Pieces(NamedTuple):
    """What the columns of one number are a sum of: ramps between knots, and jumps at knots.

    A ramp rises from 0 to 1 from `left` on over `width`, cut at `low` and `high`; `ramps` and
    `jumps` are what it and a jump at one of the knots `at` add to each column, and `base` is what
    they are added to.
    """

    left: NDArray[np.float64]
    width: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    ramps: NDArray[np.float64]
    at: NDArray[np.float64]
    jumps: NDArray[np.float64]
    base: NDArray[np.float64]


def bend(splines: SplineTransformer, graph: Graph, X: str) -> str:
    """Add the columns of splines of degree 1."""
    if splines.degree != 1 or splines.extrapolation not in ("continue", "linear"):
        raise refuse("SplineTransformer", "only degree 1 that goes on as a line is known")
    pieces = [_pieces(splines, number) for number in range(len(splines.bsplines_))]
    left, width, low, high = (_row(pieces, name) for name in ("left", "width", "low", "high"))
    own = graph.columns(X, np.repeat(np.arange(len(pieces)), [len(one.left) for one in pieces]))
    ramps = graph("Div", graph("Sub", own, left), width)
    ramps = graph("Min", graph("Max", ramps, low), high)
    matrix = block_diag(*(one.ramps for one in pieces))
    columns = graph.product(ramps, matrix, _row(pieces, "base"))
    n_jumps = [len(one.at) for one in pieces]
    if not any(n_jumps):
        return columns
    own = graph.columns(X, np.repeat(np.arange(len(pieces)), n_jumps))
    passed = graph("GreaterOrEqual", own, _row(pieces, "at"))
    passed = graph("Cast", passed, to=graph.onnx.TensorProto.DOUBLE)
    jumps = graph.product(passed, block_diag(*(one.jumps for one in pieces)))
    return graph("Add", columns, jumps)


def _pieces(splines: SplineTransformer, number: int) -> Pieces:
    """Read the pieces from what the fitted splines give at the knots, between and beyond.

    Versions of scikit-learn differ in how they go on beyond the knots, so they are asked.
    """
    knots = np.unique(splines.bsplines_[number].t[1:-1])
    widths = np.diff(knots)
    middles, ends = knots[:-1] + widths / 2, knots[[0, -1]] + widths[[0, -1]] * [-1, 1]
    at, middle, beyond = (_columns(splines, number, x) for x in (knots, middles, ends))
    rise = 2 * (middle - at[:-1])
    jumps = np.diff(at, axis=0) - rise
    is_jump = np.abs(jumps).max(axis=1) > ROUNDING
    one, many = np.ones(1), np.ones(len(widths))
    return Pieces(
        left=np.concatenate([knots[:1], knots[:-1], knots[-1:]]),
        width=np.concatenate([widths[:1], widths, widths[-1:]]),
        low=np.concatenate([-np.inf * one, 0 * many, 0 * one]),
        high=np.concatenate([0 * one, many, np.inf * one]),
        ramps=np.vstack([at[:1] - beyond[:1], rise, beyond[1:] - at[-1:]]),
        at=knots[1:][is_jump],
        jumps=jumps[is_jump],
        base=at[0],
    )


def _columns(
    splines: SplineTransformer, number: int, x: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the columns that stand for some values of one number."""
    n_columns = splines.n_features_out_ // len(splines.bsplines_)
    rows = np.repeat(x[:, None], len(splines.bsplines_), axis=1)
    return splines.transform(rows)[:, number * n_columns : (number + 1) * n_columns]


def _row(pieces: list[Pieces], name: str) -> NDArray[np.float64]:
    return np.concatenate([getattr(one, name) for one in pieces])[None, :]
