"""What linear models and kernels like: everything as numbers of one scale."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.blocks import as_plain
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views


class ScaledView(View):
    """Scaled numbers, indicators of categories and frequencies of words side by side."""

    name = "scaled"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Note which blocks there are; see :class:`View`."""
        blocks = {"numbers": table.numbers, "indicators": table.categories, "words": table.texts}
        self.blocks = [name for name, block in blocks.items() if block.shape[1]]
        for name in self.blocks:
            views.fitted(name)
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return all blocks; see :class:`View`."""
        return stack([views(name) for name in self.blocks])


def stack(blocks: list[Any]) -> Any:
    """Put matrices side by side; one that is sparse makes all of it sparse."""
    blocks = [as_plain(block) for block in blocks]
    if len(blocks) == 1:
        return blocks[0]
    if any(sparse.issparse(block) for block in blocks):
        return sparse.hstack(blocks, format="csr")
    return np.hstack(blocks)
