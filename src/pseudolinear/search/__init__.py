"""Which levels to try next; a search sees numbers only."""

from pseudolinear._discovery import import_modules
from pseudolinear.search._bisection import Bisection
from pseudolinear.search._bracket import Bracket
from pseudolinear.search._cone import Cone
from pseudolinear.search._dinkelbach import Dinkelbach
from pseudolinear.search._grid import Grid
from pseudolinear.search._level_search import LevelSearch, Reached
from pseudolinear.search._names import get_search
from pseudolinear.search._shares import level_at, share_of

__all__ = [
    "Bisection",
    "Bracket",
    "Cone",
    "Dinkelbach",
    "Grid",
    "LevelSearch",
    "Reached",
    "get_search",
    "level_at",
    "share_of",
]

import_modules(__name__)  # so that a new search is known by its name
