"""Solvers: arrays of problems in, arrays of solutions out."""

from pseudolinear.learners.solvers._hinge import solve_hinge
from pseudolinear.learners.solvers._kernel import solve_kernel
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._smooth import solve_smooth

__all__ = ["Fit", "solve_hinge", "solve_kernel", "solve_smooth"]
