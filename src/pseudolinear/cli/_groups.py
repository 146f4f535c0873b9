"""The verb ``groups``: a model with thresholds per group, so that rates are near each other."""

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
    out_option,
    rows_to_judge,
)

RATES = ("recall", "false_positive_rate", "selection_rate")


@click.command("groups", cls=Verb, short_help="Give groups thresholds of their own.")
@model_argument()
@file_argument()
@click.option("--by", required=True, metavar="COLUMN", help="The feature that tells groups apart.")
@click.option(
    "--rate",
    type=click.Choice(RATES),
    multiple=True,
    default=("recall",),
    show_default=True,
    help="What is to be near; may be given twice.",
)
@click.option(
    "--within",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    default=0.05,
    show_default=True,
    help="How far rates may be apart on these rows.",
)
@click.option("--single", is_flag=True, help="One threshold per group: rows draw among none.")
@click.option("--target", metavar="COLUMN", help="The true classes.  [default: as in fit]")
@click.option("--weight", metavar="COLUMN", help="Weight of each row.")
@out_option("The model to write.")
@format_option()
def command(
    output: Output,
    *,
    model: str,
    file: str,
    file_format: str | None,
    by: str,
    rate: tuple[str, ...],
    within: float,
    single: bool,
    out: str,
    force: bool,
    **columns: Any,
) -> None:
    """Choose a threshold for each group so that rates differ by little; nothing is trained.

    The file has labelled rows that took no part in the fit. See what follows on others by
    `evaluate --by`.
    """
    path = check_output(out, force=force, read=[model, file])
    classifier = load_model(model)
    rows = rows_to_judge(classifier, file, file_format, by=by, **columns)
    other = classifier.by_group(
        by,
        rows.X,
        rows.y,
        rate=rate,
        within=within,
        randomise=not single,
        sample_weight=rows.weight,
    )
    other.save(path, evidence=hasattr(classifier, "sweep_"))
    cut = other.group_cut_
    before = float(classifier.threshold_)
    data = {"model": str(path), "relative_to": before} | cut.to_dict()
    scale = (
        f"Thresholds are relative to that of the model before, {before:.4g}, as its scores are "
        "that predict writes."
    )
    output.result(data, lambda: str(cut), lambda: scale)
    output.say(f"\nmodel: {path}")
