"""The learners of a fit: one, or several on the same folds, combined."""

from pseudolinear.portfolio._assembly import (
    Assembly,
    abilities_of,
    check_parameters,
    is_portfolio,
    list_estimators,
)
from pseudolinear.portfolio._auto import C_VALUES
from pseudolinear.portfolio._blend import Blend, BlendProblem
from pseudolinear.portfolio._common import Common, Fitted, decide
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._metadata import Metadata, add_parts
from pseudolinear.portfolio._portfolio import fit_portfolio, train_blends
from pseudolinear.portfolio._priced import price_goals, read_row_costs
from pseudolinear.portfolio._single import fit_single, train_chosen

__all__ = [
    "C_VALUES",
    "Assembly",
    "Blend",
    "BlendProblem",
    "Common",
    "Fitted",
    "Member",
    "Metadata",
    "abilities_of",
    "add_parts",
    "check_parameters",
    "decide",
    "fit_portfolio",
    "fit_single",
    "is_portfolio",
    "list_estimators",
    "price_goals",
    "read_row_costs",
    "train_blends",
    "train_chosen",
]
