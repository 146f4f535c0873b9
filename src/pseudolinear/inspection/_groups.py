"""What a sweep reached, level by level."""

from __future__ import annotations

from collections.abc import Sequence

from pseudolinear.inspection._level_lines import short_name
from pseudolinear.selection._selection import Candidate, Choice, Group, least_costs, select
from pseudolinear.sweep._sweep import SweepResult


def by_level(sweep: SweepResult, group: int) -> tuple[Group, dict[float, list[Candidate]]]:
    """Return a group and its candidates by level, in the order in which they were trained."""
    if not 0 <= group < len(sweep.groups):
        raise ValueError(
            f"There is no group {group}; this sweep has the groups 0 to {len(sweep.groups) - 1}, "
            "one per label of a macro average, otherwise one in all."
        )
    levels: dict[float, list[Candidate]] = {}
    for candidate in sweep.by_group[group]:
        levels.setdefault(candidate.level, []).append(candidate)
    return sweep.groups[group], levels


def choose(sweep: SweepResult, group: int, candidates: Sequence[Candidate]) -> Choice:
    """Choose among some candidates of a group as the sweep does."""
    return select(sweep.groups[group], candidates, sweep.rule)


def chosen(sweep: SweepResult, group: int) -> Choice:
    """Return what the sweep chose for a group, in view of all groups."""
    return sweep.choices()[group]


def cheapest(sweep: SweepResult, group: int, level: float) -> Choice:
    """Find the least cost at a level, among the candidates and thresholds of all levels."""
    return least_costs(sweep.groups[group], sweep.by_group[group], level)


def group_name(sweep: SweepResult, group: int) -> str:
    """Name the measure of a group, and its label if there are several groups."""
    name = short_name(sweep.groups[group].measure)
    return name if len(sweep.groups) == 1 else f"{name} of label {sweep.groups[group].labels[0]}"
