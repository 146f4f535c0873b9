"""Embedded problems."""

from pseudolinear.datasets._galaxy import GALAXY_OPTIMUM, make_galaxy
from pseudolinear.datasets._three_points import three_point_profiles

__all__ = ["GALAXY_OPTIMUM", "make_galaxy", "three_point_profiles"]
