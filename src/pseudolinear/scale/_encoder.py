"""From a part of the rows to a block that can be trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear._draws import number_draws
from pseudolinear._validation import narrow_indices
from pseudolinear.blocks import as_plain
from pseudolinear.features import Features, NumberSums, Table
from pseudolinear.kinds import LabelKind
from pseudolinear.scale._block import Block
from pseudolinear.scale._part import Part
from pseudolinear.scale._reading import part_weight

HELD_OUT = 1 / 3  # of the rows, where they are split only once


@dataclass(frozen=True, eq=False)
class Folds:
    """Which rows validate which problems, by their numbers alone.

    Attributes
    ----------
    n_folds : int
        Number of folds; 1 holds out one third of the rows.
    seed : int
        Seed of the draws.
    """

    n_folds: int
    seed: int

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the fold of rows; those that are never held out have the number after the last."""
        draws = number_draws(numbers, self.seed + 1)
        if self.n_folds == 1:
            return (draws >= HELD_OUT).astype(np.intp)
        return (draws * self.n_folds).astype(np.intp)


@dataclass(frozen=True, eq=False)
class Encoder:
    """Makes a block of a part.

    Attributes
    ----------
    features : Features
        What makes features of rows.
    kind : LabelKind
        What makes 0 and 1 of classes.
    folds : Folds
        Which rows validate.
    view : str
        The view of the rows that is trained on.
    """

    features: Features
    kind: LabelKind
    folds: Folds
    view: str

    __repr__ = brief_repr

    def __call__(self, part: Part) -> Block:
        """Encode the rows of a part."""
        X = as_plain(self.features.encode(plain_rows(part, self.features))(self.view))
        if not sparse.issparse(X):
            X = np.ascontiguousarray(X, dtype=np.float64)
        codes = self.kind.truth(part.y).astype(np.int8)
        return Block(narrow_indices(X), codes, part_weight(part), self.folds.of(part.numbers))

    def sums(self, part: Part) -> NumberSums:
        """Return what the rows of a part add to the scales of numbers."""
        numbers: Any = self.features.views["numbers"]
        sums: NumberSums = numbers.sums(self.table(part), part_weight(part))
        return sums

    def table(self, part: Part) -> Table:
        """Read the rows of a part."""
        return self.features.schema.read(plain_rows(part, self.features))


def plain_rows(part: Part, features: Features) -> Any:
    """Return rows as their schema reads them: a matrix of numbers is checked, and converted."""
    X = part.X
    if not features.schema.plain:
        return X
    try:
        X = X.tocsr() if sparse.issparse(X) else np.asarray(X)
        X = X.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{part.name} holds what is no number: {error}") from error
    values = X.data if sparse.issparse(X) else X
    if np.isinf(values).any() or (sparse.issparse(X) and np.isnan(values).any()):
        raise ValueError(
            f"{part.name} contains infinity, or NaN in sparse rows; give finite numbers."
        )
    return X
