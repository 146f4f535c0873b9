"""Blocks as the solver sees them: every product is that of the blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np

from pseudolinear.blocks import Blocks, Codes
from pseudolinear.learners.solvers._codes_design import CodesDesign
from pseudolinear.learners.solvers._design import SparseDesign, aligned, make_design


class BlockDesign:
    """Designs side by side.

    The radius is that of a box around the blocks: not below the largest norm of a row, which is all
    that the certificates ask for.
    """

    def __init__(self, designs: Sequence[Any]):
        self.designs = list(designs)
        ends = np.cumsum([design.shape[1] for design in self.designs])
        self.parts = [slice(e - b.shape[1], e) for b, e in zip(self.designs, ends, strict=True)]
        self.shape = self.designs[0].shape[0], int(ends[-1])
        steps = any(getattr(design, "ordered", False) for design in self.designs)
        self.ordered = steps and not any(isinstance(one, SparseDesign) for one in self.designs)
        self.radius = np.sqrt(sum(design.radius**2 for design in self.designs))

    def pieces(self) -> Iterator[tuple[slice, Self]]:
        """Yield parts of the rows as designs of their own: all are one."""
        yield slice(None), self

    def times(self, W: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Scores ``X @ W``."""
        spare = aligned(out.shape)
        for number, (design, part) in enumerate(zip(self.designs, self.parts, strict=True)):
            design.times(W[part], spare if number else out)
            if number:
                out += spare
        return out

    def transpose_times(self, R: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Row sums ``X.T @ R``."""
        for design, part in zip(self.designs, self.parts, strict=True):
            design.transpose_times(R, out[part])
        return out

    def squares_times(self, D: np.ndarray) -> np.ndarray:
        """Diagonals of ``X.T @ diag(D[:, j]) @ X``, one column per lane."""
        return np.vstack([design.squares_times(D) for design in self.designs])

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Upper triangle of ``X.T @ diag(weights) @ X``."""
        out = np.zeros((self.shape[1], self.shape[1]))
        for i, (one, rows) in enumerate(zip(self.designs, self.parts, strict=True)):
            out[rows, rows] = one.gram(weights)
            for other, columns in zip(self.designs[i + 1 :], self.parts[i + 1 :], strict=True):
                out[rows, columns] = _between(one, other, weights)
        return out

    @cached_property
    def kernel(self) -> np.ndarray:
        """Inner products of the rows."""
        return sum(design.kernel for design in self.designs)


def _between(one: Any, other: Any, weights: np.ndarray) -> np.ndarray:
    """Return ``one.T @ diag(weights) @ other``; of codes, the other is expanded."""
    if isinstance(one, CodesDesign):
        if isinstance(other, CodesDesign):
            return one.pairs(other.X, weights)
        return _between(other, one, weights).T
    X = one.X if isinstance(one.X, np.ndarray) else one.X.toarray()
    weighted = np.ascontiguousarray(X * weights[:, None])
    return other.transpose_times(weighted, np.empty((other.shape[1], X.shape[1]))).T


def design_of(X: Any) -> tuple[Any, np.ndarray]:
    """Return the design of a matrix of any kind, and the numbers of the columns kept."""
    if isinstance(X, Codes):
        return CodesDesign(X), np.arange(X.shape[1])
    if not isinstance(X, Blocks):
        return make_design(X)
    designs, columns = zip(*map(design_of, X.blocks), strict=True)
    starts = np.cumsum([0, *(block.shape[1] for block in X.blocks)])
    kept = [own + start for own, start in zip(columns, starts, strict=False)]
    return BlockDesign(designs), np.concatenate(kept)
