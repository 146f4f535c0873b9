"""Members: learners with what is tried of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pseudolinear.features import GIVEN
from pseudolinear.learners import Learner
from pseudolinear.search import LevelSearch


@dataclass(frozen=True, eq=False)
class Member:
    """One learner of a fit, with what is tried of it.

    Attributes
    ----------
    name : str
        Its name in tables.
    learner : Learner
        What is trained.
    settings : sequence of mapping
        Hyper-parameters to try.
    search : LevelSearch
        Levels to try.
    cost_sensitive : bool
        Whether it is trained with the costs of the level, or with equal ones.
    view : str
        The view of the rows that it gets; see :mod:`pseudolinear.features`.
    metadata : mapping
        What else its training gets; see :class:`Metadata`.
    """

    name: str
    learner: Learner
    settings: Sequence[Mapping[str, Any]]
    search: LevelSearch
    cost_sensitive: bool = True
    view: str = GIVEN
    metadata: Mapping[str, Any] = field(default_factory=dict)
