"""Which levels to try next; a search sees numbers only."""

from pseudolinear.search._bisection import Bisection
from pseudolinear.search._bracket import Bracket
from pseudolinear.search._cone import Cone
from pseudolinear.search._dinkelbach import Dinkelbach
from pseudolinear.search._grid import Grid
from pseudolinear.search._level_search import LevelSearch, Reached

__all__ = ["Bisection", "Bracket", "Cone", "Dinkelbach", "Grid", "LevelSearch", "Reached"]
