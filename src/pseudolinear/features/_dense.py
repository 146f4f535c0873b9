"""Everything as few columns without zeros to leave out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.blocks import as_plain
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views


class DenseView(View):
    """Scaled numbers, indicators of categories and topics of texts side by side, as an array."""

    name = "dense"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Note which blocks there are; see :class:`View`."""
        blocks = {"numbers": table.numbers, "indicators": table.categories, "topics": table.texts}
        self.blocks = [name for name, block in blocks.items() if block.shape[1]]
        for name in self.blocks:
            views.fitted(name)
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return all blocks; see :class:`View`."""
        blocks = [as_plain(views(name)) for name in self.blocks]
        blocks = [b.toarray() if sparse.issparse(b) else b for b in blocks]
        return blocks[0] if len(blocks) == 1 else np.hstack(blocks)
