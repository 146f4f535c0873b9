"""The verb ``compare``: ours and the rivals on the rows of a file."""

from __future__ import annotations

import sys
from typing import Any

import click

from pseudolinear.cli.shared import (
    Output,
    Roles,
    Verb,
    columns_option,
    file_argument,
    format_option,
    labelled_rows,
    measure_option,
    seed_option,
    table,
)

OURS = "default"


@click.command("compare", cls=Verb, short_help="Fit ours and the rivals on the same splits.")
@file_argument()
@click.option("--target", metavar="COLUMN", help="The column to predict.")
@columns_option("--labels", "Several columns of 0 and 1 to predict, in place of --target.")
@click.option("--label-separator", metavar="TEXT", help="Between the labels of the target.")
@columns_option("--drop", "Columns to leave out.")
@measure_option(default="f1", show_default=True)
@columns_option("--methods", "Names of methods.  [default: all that apply]")
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="INTEGER",
    default=3,
    show_default=True,
    help="Parts that are held out in turn.",
)
@seed_option()
@format_option()
def command(
    output: Output,
    *,
    file: str,
    file_format: str | None,
    measure: str,
    methods: tuple[str, ...],
    folds: int,
    seed: int,
    **roles: Any,
) -> int:
    """Fit ours and the other published ways on the same splits of a file, and compare them.

    A table needs --target or --labels. The other ways are for numbers without gaps: on other
    tables they are listed as failed, with the reason.

    "Below the best" is the mean difference on the held-out parts, with its 95 % interval, wide
    enough for all comparisons together (Bonferroni); "no clear difference" says that 0 is in it, so
    that it may be chance. "Trained" is how many problems a fit trains, on its
    folds and on all rows: one for each label, costs and hyper-parameters that it tries.
    """
    from pseudolinear import compare
    from pseudolinear.datasets import read_file
    from pseudolinear.rivals import METHODS
    from pseudolinear.rivals._comparison import INTERVALS

    for name in methods:
        if name not in METHODS:
            known = ", ".join(METHODS)
            raise click.BadParameter(
                f"There is no method {name!r}; known are {known}.", param_hint="--methods"
            )
    columns = Roles(**roles)
    rows = labelled_rows(read_file(file, file_format, strings=columns.strings), columns)
    found = compare(
        _matrix(rows.X),
        rows.y,
        measure,
        methods=list(methods) or "all",
        cv=folds,
        random_state=seed,
        verbose=output.progress,
    )
    head, *lines = found.table()
    shown = (lambda: table(list(head), [list(line) for line in lines]), lambda: INTERVALS)
    output.result(list(found), *shown)
    failed = [row["method"] for row in found if row["note"]]
    if len(failed) == len(found) or OURS in failed:
        which = "every method" if len(failed) == len(found) else OURS
        print(f"Error: {which} failed; see the notes.", file=sys.stderr)
        return 1
    return 0


def _matrix(X: Any) -> Any:
    """Return a frame of numbers as a matrix, which every method takes; anything else as it is."""
    numeric = hasattr(X, "dtypes") and all(dtype.kind in "iufb" for dtype in X.dtypes)
    return X.to_numpy(dtype=float) if numeric else X
