"""Which search a name stands for."""

from __future__ import annotations

from typing import Any

from pseudolinear.measures import Measure
from pseudolinear.search._cone import Cone
from pseudolinear.search._grid import Grid
from pseudolinear.search._level_search import LevelSearch

FEW_LEVELS = 4  # of a grid whose levels are trained at once: more gain nothing, see selection.md
CONE_LEVELS = 3  # of a search that trains one level after the other


def get_search(search: Any, measure: Measure, *, at_once: bool) -> LevelSearch:
    """Return the search that a parameter stands for.

    Parameters
    ----------
    search : str or LevelSearch
        ``"auto"``, the name of a search, or a search.
    measure : Measure
        What is maximised.
    at_once : bool
        Whether several levels cost little more than one.

    Returns
    -------
    LevelSearch
        ``"auto"`` is a grid of few levels where they are trained at once or no cone exists, and
        otherwise a few levels of the cone.
    """
    if isinstance(search, LevelSearch):
        return search
    if search == "auto":
        if at_once or not measure.collapses:
            return Grid(FEW_LEVELS)
        return Cone(max_levels=CONE_LEVELS)
    if search not in LevelSearch.known:
        names = ", ".join(sorted(LevelSearch.known))
        raise ValueError(f"search must be one of auto, {names} or a level search, got {search!r}.")
    return LevelSearch.known[search]()
