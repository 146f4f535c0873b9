"""The learners of a fit: one, or several on the same folds, combined."""

from pseudolinear.portfolio._assembly import check_parameters, make_learners, make_members
from pseudolinear.portfolio._common import Common, Fitted, decide
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._portfolio import fit_portfolio
from pseudolinear.portfolio._single import fit_single, train_chosen

__all__ = [
    "Common",
    "Fitted",
    "Member",
    "check_parameters",
    "decide",
    "fit_portfolio",
    "fit_single",
    "make_learners",
    "make_members",
    "train_chosen",
]
