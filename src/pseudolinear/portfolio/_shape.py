"""Shape: what decides which members take part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scipy import sparse

from pseudolinear.features import Table
from pseudolinear.kinds import Kind


@dataclass(frozen=True, eq=False)
class Shape:
    """What decides which members take part.

    Attributes
    ----------
    table : Table
        The rows.
    kind : Kind
        The kind of problem.
    """

    table: Table
    kind: Kind

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.table)

    @property
    def n_outputs(self) -> int:
        """Number of labels, or of classes."""
        return self.kind.n_outputs

    @property
    def n_columns(self) -> int:
        """Number of columns that trees see; those of texts count for nothing."""
        return self.table.numbers.shape[1] + self.table.categories.shape[1]

    @property
    def categorical(self) -> list[int]:
        """Which of these columns are categories."""
        return list(range(self.table.numbers.shape[1], self.n_columns))

    @property
    def is_text(self) -> bool:
        """Whether there is nothing but text, or a sparse matrix so wide that it may be one."""
        numbers: Any = self.table.numbers
        return not self.n_columns or (sparse.issparse(numbers) and numbers.shape[1] > WIDE)

    @property
    def work(self) -> int:
        """How many values trees of all outputs have to look at."""
        return self.n_samples * self.n_columns * self.n_outputs


WIDE = 400  # columns of a sparse matrix from which its rows are taken for texts
