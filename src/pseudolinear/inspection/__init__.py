"""Displays: computed numbers with a plot and a table."""

from pseudolinear.inspection._boundary import BoundaryDisplay
from pseudolinear.inspection._cone import ConeDisplay
from pseudolinear.inspection._display import Display
from pseudolinear.inspection._level import LevelDisplay
from pseudolinear.inspection._measure_curve import MeasureCurveDisplay
from pseudolinear.inspection._pareto import ParetoDisplay
from pseudolinear.inspection._surface import SurfaceDisplay

__all__ = [
    "BoundaryDisplay",
    "ConeDisplay",
    "Display",
    "LevelDisplay",
    "MeasureCurveDisplay",
    "ParetoDisplay",
    "SurfaceDisplay",
]
