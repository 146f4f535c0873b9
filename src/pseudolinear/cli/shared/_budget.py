"""Budgets: how many rows can be looked into, or labels of a row predicted."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear.cli.shared._options import Decorator

AVERAGES = ("_micro", "_macro", "_weighted")


def budget_options() -> Decorator:
    """Take a budget as a number or a share of the rows, of all or of each value of a column."""

    def decorate(function: Any) -> Any:
        for option in (
            click.option(
                "--budget-by",
                metavar="COLUMN",
                help="The budget is for each value of this column, such as a day.",
            ),
            click.option(
                "--budget-share",
                type=click.FloatRange(0, 1, min_open=True),
                metavar="SHARE",
                help="The same as a share of the rows, such as 0.01.",
            ),
            click.option(
                "--budget",
                type=click.IntRange(1),
                metavar="INTEGER",
                help="Flag at most so many rows of a file; of several labels, predict at most so "
                "many of each row.",
            ),
        ):
            function = option(function)
        return function

    return decorate


def aim_of(
    measure: str | None, budget: int | None, budget_share: float | None, budget_by: str | None
) -> Any:
    """Return what is maximised: a measure by its name, or a budget.

    Parameters
    ----------
    measure : str or None
        What the user asked for; of a budget, what the labels of a row are chosen for.
    budget, budget_share, budget_by
        As the options.

    Returns
    -------
    str, Budget or None
        None where nothing was asked for.
    """
    from pseudolinear.thresholds import Budget

    if budget is None and budget_share is None:
        if budget_by is not None:
            raise click.UsageError("--budget-by needs --budget or --budget-share as well.")
        return measure
    if budget is not None and budget_share is not None:
        raise click.UsageError("--budget and --budget-share exclude each other; give one.")
    if measure is None:
        return Budget(budget, share=budget_share, by=budget_by)
    if not measure.endswith(AVERAGES):
        raise click.UsageError(
            f"A budget is maximised for its hits, so leave --measure {measure} out; labels of a "
            "row are chosen for an average such as f1_macro."
        )
    return Budget(budget, share=budget_share, by=budget_by, measure=measure)
