"""Costs and benefits in the user's unit, as options."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear.cli.shared._columns import check_column

OUTCOMES = {
    "fn": "a false negative costs",
    "fp": "a false positive costs",
    "tp": "a true positive costs",
    "tn": "a true negative costs",
}


class Cost(click.ParamType):
    """A number, or the name of a column."""

    name = "cost"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a number where it is one."""
        try:
            return float(value)
        except ValueError:
            return value


def cost_options() -> Any:
    """Take what each outcome costs."""

    def decorate(function: Any) -> Any:
        for cell, what in reversed(OUTCOMES.items()):
            more = " --cost-fn and --cost-fp take the place of a measure." if cell == "fn" else ""
            function = click.option(
                f"--cost-{cell}",
                type=Cost(),
                metavar="COST",
                help=f"What {what}: a number, or a column with one per row.{more}",
            )(function)
        return function

    return decorate


def read_costs(options: dict[str, Any], columns: list[str], *, labels: bool) -> Any:
    """Return what the options for costs say, or None where there are none; take them out.

    Parameters
    ----------
    options : dict
        Those of the verb; ``cost_fn`` and the others are removed.
    columns : list of str
        The columns that can hold costs; none where a file has no names.
    labels : bool
        Whether there are several labels.

    Returns
    -------
    ExpectedCost or None
        In place of a measure.
    """
    from pseudolinear.measures import ExpectedCost

    given = {cell: options.pop(f"cost_{cell}") for cell in OUTCOMES}
    given = {cell: cost for cell, cost in given.items() if cost is not None}
    if not given:
        return None
    for cell in ("fn", "fp"):
        if cell not in given:
            raise click.UsageError(f"Costs need both errors: give --cost-{cell} as well.")
    source = click.get_current_context().get_parameter_source("measure")
    if source is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("Costs take the place of a measure; leave --measure out.")
    for cell, cost in given.items():
        if isinstance(cost, str):
            check_column(cost, columns, f"--cost-{cell}")
    return ExpectedCost(**given, average="macro" if labels else "binary")
