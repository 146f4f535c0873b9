"""What a classifier gets wrong: of one decision, and at every threshold of a score."""

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._outcomes import Outcomes
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.errors._sparse_outcomes import SparseOutcomes

__all__ = ["ErrorCurve", "ErrorProfile", "Outcomes", "SparseOutcomes"]
