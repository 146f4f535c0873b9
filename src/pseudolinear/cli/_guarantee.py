"""The verb ``guarantee``: a model whose thresholds keep a promise on new rows."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear.cli.shared import (
    Output,
    Verb,
    check_output,
    file_argument,
    format_option,
    load_model,
    model_argument,
    one_line,
    out_option,
    rows_to_judge,
)


@click.command("guarantee", cls=Verb, short_help="Make a model keep a promise on new rows.")
@model_argument()
@file_argument()
@click.option(
    "--promise", required=True, metavar="TEXT", help="Such as 'recall >= 0.9' or 'f1 >= 0.6'."
)
@click.option(
    "--error",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.1,
    show_default=True,
    help="Probability that the promise does not hold, at most.",
)
@click.option("--target", metavar="COLUMN", help="The true classes.  [default: as in fit]")
@click.option("--label-separator", metavar="TEXT", help="Between labels.  [default: as in fit]")
@click.option("--text", metavar="COLUMN", help="The column of texts, if the model does not know.")
@out_option("The model to write.")
@format_option()
def command(
    output: Output,
    *,
    model: str,
    file: str,
    file_format: str | None,
    promise: str,
    error: float,
    out: str,
    force: bool,
    **columns: Any,
) -> None:
    """Choose the thresholds of a model so that a promise holds on new rows; nothing is trained.

    The file has labelled rows that took no part in the fit. The model must have been fitted with
    --evidence. If no threshold can be promised to do, nothing is written.
    """
    _check_promise(promise)
    path = check_output(out, force=force)
    classifier = load_model(model)
    if not hasattr(classifier, "sweep_"):
        raise ValueError(f"{model} was saved without its evidence; fit it again with --evidence.")
    rows = rows_to_judge(classifier, file, file_format, **columns)
    other = classifier.guarantee(promise, rows.X, rows.y, error=error)
    other.save(path, evidence=True)
    made = other.promise_
    output.result({"model": str(path)} | made.to_dict(), lambda: str(made))
    output.say(f"\nmodel: {path}")


def _check_promise(promise: str) -> None:
    from pseudolinear.evaluation import Aim

    try:
        Aim.read(promise)
    except ValueError as error:
        raise click.BadParameter(one_line(error), param_hint="--promise") from error
