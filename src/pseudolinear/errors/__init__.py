"""What a classifier gets wrong: of one decision, and at every threshold of a score."""

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._outcomes import Outcomes
from pseudolinear.errors._profile import ErrorProfile

__all__ = ["ErrorCurve", "ErrorProfile", "Outcomes"]
