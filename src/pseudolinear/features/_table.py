"""Table: rows as blocks of columns that are encoded alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.features._category_block import CategoryBlock
from pseudolinear.features._text_block import TextBlock


@dataclass(frozen=True, eq=False)
class Table:
    """Rows, read: every block holds the columns of one role.

    Attributes
    ----------
    numbers : ndarray or CSR matrix of shape (n_samples, n_numbers)
        Numbers, booleans as 0 and 1, parts of dates; NaN where one is missing.
    categories : CategoryBlock of shape (n_samples, n_categories)
        Strings; None where one is missing.
    texts : TextBlock of shape (n_samples, n_texts)
        Free text and strings that hardly repeat; empty where one is missing.
    """

    numbers: Any
    categories: CategoryBlock
    texts: TextBlock

    __repr__ = brief_repr

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.numbers.shape[0]

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Return some rows."""
        return Table(self.numbers[rows], self.categories.take(rows), self.texts.take(rows))
