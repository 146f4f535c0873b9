"""What a sweep reached for a goal, level by level."""

from __future__ import annotations

from pseudolinear.kinds import Goal
from pseudolinear.measures import short_name
from pseudolinear.selection import Candidate
from pseudolinear.sweep import SweepResult


def by_level(sweep: SweepResult, goal: int) -> tuple[Goal, dict[float, list[Candidate]]]:
    """Return a goal and its candidates by level, in the order in which they were trained."""
    if not 0 <= goal < len(sweep.goals):
        raise ValueError(
            f"There is no goal {goal}; this sweep has the goals 0 to {len(sweep.goals) - 1}, "
            "one per label of a macro average, otherwise one in all."
        )
    levels: dict[float, list[Candidate]] = {}
    for candidate in sweep.by_goal[goal]:
        levels.setdefault(candidate.level, []).append(candidate)
    return sweep.goals[goal], levels


def goal_name(sweep: SweepResult, goal: int) -> str:
    """Name the measure of a goal, and its label if there are several goals."""
    name = short_name(sweep.goals[goal].measure)
    if len(sweep.goals) == 1:
        return name
    return f"{name} of label {sweep.kind.label_name(sweep.goals[goal].labels[0])}"
