"""Matrices whose columns follow from a few codes per row, and such beside others."""

from pseudolinear.blocks._blocks import Blocks, as_plain
from pseudolinear.blocks._codes import Codes
from pseudolinear.blocks._steps import Steps

__all__ = ["Blocks", "Codes", "Steps", "as_plain"]
