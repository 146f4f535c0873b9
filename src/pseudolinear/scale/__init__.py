"""Rows beyond memory and beyond one machine: read, trained on and counted part by part."""

from pseudolinear.scale._array_parts import ArrayParts
from pseudolinear.scale._arrow_files import open_dataset
from pseudolinear.scale._arrow_parts import ArrowParts
from pseudolinear.scale._batch_parts import BatchParts
from pseudolinear.scale._encoder import Folds
from pseudolinear.scale._engine import Engine, LocalEngine
from pseudolinear.scale._fit import PartedFit
from pseudolinear.scale._opening import is_parted, open_engine, open_parts
from pseudolinear.scale._part import Part
from pseudolinear.scale._parts import Parts
from pseudolinear.scale._predicting import by_parts, judge, light
from pseudolinear.scale._svmlight_parts import SvmlightParts

__all__ = [
    "ArrayParts",
    "ArrowParts",
    "BatchParts",
    "Engine",
    "Folds",
    "LocalEngine",
    "Part",
    "PartedFit",
    "Parts",
    "SvmlightParts",
    "by_parts",
    "is_parted",
    "judge",
    "light",
    "open_dataset",
    "open_engine",
    "open_parts",
]
