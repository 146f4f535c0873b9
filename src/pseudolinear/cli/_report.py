"""The verb ``report``: a page about a model."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear.cli.shared import (
    Output,
    Verb,
    check_output,
    format_option,
    load_model,
    model_argument,
    out_option,
    rows_to_judge,
)


@click.command("report", cls=Verb, short_help="Write a page about a model.")
@model_argument()
@click.argument("file", required=False, type=click.Path(allow_dash=True))
@out_option("The page to write, such as report.html.")
@click.option("--target", metavar="COLUMN", help="The true classes.  [default: as in fit]")
@click.option("--label-separator", metavar="TEXT", help="Between labels.  [default: as in fit]")
@click.option("--by", metavar="COLUMN", help="Compare groups, and say how far they are apart.")
@click.option(
    "--importance",
    is_flag=True,
    help="Find out which features the measure depends on: shuffle one after the other.",
)
@click.option("--text", metavar="COLUMN", help="The column of texts, if the model does not know.")
@format_option()
def command(
    output: Output,
    *,
    model: str,
    file: str | None,
    out: str,
    force: bool,
    file_format: str | None,
    importance: bool,
    **columns: Any,
) -> None:
    """Write a self-contained page about a model; with labelled rows also about these."""
    path = check_output(out, force=force, read=[model, file])
    classifier = load_model(model)
    if file is None:
        if columns["by"] is not None:
            raise click.UsageError("--by compares rows; give a file of them.")
        if importance:
            raise click.UsageError("--importance shuffles features of rows; give a file of them.")
        classifier.report(path)
    else:
        rows = rows_to_judge(classifier, file, file_format, **columns)
        classifier.report(path, rows.X, rows.y, by=rows.by, importance=importance, random_state=0)
    output.done({"out": str(path)}, f"page: {path}")
