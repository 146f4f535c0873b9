"""Displays: computed numbers with a plot and a table."""

from pseudolinear.inspection._boundary import BoundaryDisplay
from pseudolinear.inspection._cone import ConeDisplay
from pseudolinear.inspection._display import Display
from pseudolinear.inspection._labels import LabelsDisplay
from pseudolinear.inspection._level import LevelDisplay
from pseudolinear.inspection._measure_curve import MeasureCurveDisplay
from pseudolinear.inspection._pareto import ParetoDisplay
from pseudolinear.inspection._surface import SurfaceDisplay
from pseudolinear.inspection._sweep_display import SweepDisplay
from pseudolinear.inspection._threshold import ThresholdDisplay

__all__ = [
    "BoundaryDisplay",
    "ConeDisplay",
    "Display",
    "LabelsDisplay",
    "LevelDisplay",
    "MeasureCurveDisplay",
    "ParetoDisplay",
    "SurfaceDisplay",
    "SweepDisplay",
    "ThresholdDisplay",
]
