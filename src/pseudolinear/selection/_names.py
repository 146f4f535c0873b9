"""Which rule a name stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pseudolinear.kinds import Goal
from pseudolinear.measures import Objective
from pseudolinear.selection._constrained import Constrained
from pseudolinear.selection._joint import Joint
from pseudolinear.selection._largest_value import LargestValue
from pseudolinear.selection._rule import Rule
from pseudolinear.selection._shrunk import Shrunk
from pseudolinear.selection._smoothed import Smoothed


def get_rule(selection: Any, goals: Sequence[Goal], objective: Any = None) -> Rule:
    """Return the rule for some goals, or say why it cannot serve them.

    Parameters
    ----------
    selection : str or Rule
        ``"auto"``, the name of a rule, or a rule.
    goals : sequence of Goal
        What it has to choose for.
    objective : Measure or Objective, default=None
        What the user asked for; a constraint is its own rule.

    Returns
    -------
    Rule
        ``"auto"`` is :class:`Shrunk` for several goals, :class:`Joint` for several labels of one
        goal, :class:`Smoothed` for one label, and :class:`LargestValue` otherwise.
    """
    rule: Rule
    if isinstance(objective, Objective):
        if selection != "auto":
            raise ValueError(
                f"{objective!r} is itself how candidates are chosen, so selection must be 'auto', "
                f"got {selection!r}."
            )
        rule = Constrained(objective)
    elif isinstance(selection, Constrained):
        raise ValueError(f"Give the constraint as measure={selection.objective!r}.")
    elif isinstance(selection, Rule):
        rule = selection
    elif selection == "auto":
        rule = auto_rule(goals)
    elif selection in Rule.known:
        rule = Rule.known[selection]()
    else:
        raise ValueError(
            f"selection must be one of auto, {', '.join(sorted(Rule.known))} or a rule, got "
            f"{selection!r}."
        )
    rule.check(goals)
    return rule


def auto_rule(goals: Sequence[Goal]) -> Rule:
    """Return what serves best by measurement: see docs/selection.md."""
    if len(goals) > 1:
        return Shrunk()
    if len(goals[0].labels) > 1:
        return Joint()
    return LargestValue() if goals[0].prevalence.ndim else Smoothed()
