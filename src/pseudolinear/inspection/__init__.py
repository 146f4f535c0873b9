"""Displays: computed data with a plot."""

from pseudolinear.inspection._boundary import BoundaryDisplay

__all__ = ["BoundaryDisplay"]
