"""What linear models like, every block as what it is."""

from __future__ import annotations

from typing import Any

from pseudolinear.blocks import Blocks
from pseudolinear.features._scaled import ScaledView
from pseudolinear.features._table import Table
from pseudolinear.features._view import Views


class CodedView(ScaledView):
    """The columns of the view ``"scaled"``, categories as codes and words sparse."""

    name = "coded"

    def transform(self, table: Table, views: Views) -> Any:
        """Return all blocks; see :class:`View`."""
        blocks = [views(name) for name in self.blocks]
        return blocks[0] if len(blocks) == 1 else Blocks(blocks)
