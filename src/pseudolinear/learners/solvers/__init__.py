"""Solvers: arrays of problems in, arrays of solutions out."""

from pseudolinear.learners.solvers._design import times
from pseudolinear.learners.solvers._gram import CachedGram
from pseudolinear.learners.solvers._hinge import solve_hinge
from pseudolinear.learners.solvers._kernel import solve_kernel
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._smooth import solve_smooth
from pseudolinear.learners.solvers._softmax import solve_softmax

__all__ = [
    "CachedGram",
    "Fit",
    "solve_hinge",
    "solve_kernel",
    "solve_smooth",
    "solve_softmax",
    "times",
]
