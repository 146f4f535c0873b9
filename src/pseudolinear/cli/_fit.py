"""The verb ``fit``: a file of labelled rows becomes a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pseudolinear.cli.shared import (
    LabelledRows,
    Output,
    Roles,
    Verb,
    aim_of,
    budget_options,
    check_output,
    columns_option,
    cost_options,
    describe,
    estimator_option,
    file_argument,
    find_positive,
    format_option,
    jobs_option,
    labelled_rows,
    measure_option,
    open_rows,
    out_option,
    positive_in,
    read_costs,
    seed_option,
    shield_workers,
)


@click.command("fit", cls=Verb, short_help="Train a model on a file of labelled rows.")
@file_argument()
@click.option("--target", metavar="COLUMN", help="The column to predict.")
@columns_option("--labels", "Several columns of 0 and 1 to predict, in place of --target.")
@click.option(
    "--label-separator",
    metavar="TEXT",
    help="The target holds several labels with this between them, such as ';'.",
)
@measure_option(show_default="f1")
@cost_options()
@budget_options()
@out_option("The model to write.")
@format_option()
@columns_option("--drop", "Columns to leave out.")
@click.option("--weight", metavar="COLUMN", help="Weight of each row.")
@click.option(
    "--groups", metavar="COLUMN", help="Rows that share a value are never split, as of one patient."
)
@click.option("--positive", metavar="CLASS", help="The positive of two classes.")
@click.option(
    "--text",
    metavar="COLUMN",
    help="Learn from the text of this column alone; text among other columns needs no option.",
)
@estimator_option()
@click.option(
    "--effort",
    type=click.Choice(["fast", "balanced", "best"]),
    default="balanced",
    show_default=True,
    help="How much is tried.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Time after which nothing further is tried.",
)
@click.option(
    "--checkpoint",
    metavar="FOLDER",
    help="Keep what is finished there: the same command goes on with it after it was killed.",
)
@click.option(
    "--in-parts",
    is_flag=True,
    help="Read a Parquet file or folder (or CSV, Arrow) part by part: memory need not hold it.",
)
@jobs_option()
@seed_option()
@click.option(
    "--evidence",
    is_flag=True,
    help="Keep what retarget, adapt and guarantee need; the file is larger.",
)
def command(
    output: Output,
    *,
    file: str,
    file_format: str | None,
    out: str,
    force: bool,
    positive: str | None,
    evidence: bool,
    measure: str | None,
    budget: int | None,
    budget_share: float | None,
    budget_by: str | None,
    estimator: str,
    effort: str,
    max_seconds: float | None,
    checkpoint: str | None,
    in_parts: bool,
    jobs: int,
    seed: int,
    **others: Any,
) -> None:
    """Train a model on a file of labelled rows, and say how good it will be.

    FILE is CSV, TSV, JSON lines, Parquet, Arrow, svmlight or ARFF, compressed or not; - is the
    standard input. Columns may hold numbers, categories, dates, text and gaps.
    """
    from pseudolinear import MeasureClassifier
    from pseudolinear.datasets import read_file

    path = check_output(out, force=force, read=[file])
    aim = aim_of(measure, budget, budget_share, budget_by) or "f1"
    costs = {name: others.pop(name) for name in list(others) if name.startswith("cost_")}
    columns = Roles(**others)
    if not in_parts and Path(file).is_dir():
        raise click.UsageError(f"{file} is a folder; --in-parts reads a folder of files.")
    shield_workers(jobs)
    if in_parts:
        parts = open_rows(file, columns)
        rows = LabelledRows(parts, None)
        pos_label = positive_in(parts, positive, measure or "f1", output)
    else:
        rows = labelled_rows(read_file(file, file_format, strings=columns.strings), columns)
        pos_label = find_positive(rows.y, positive, measure or "f1", output)
    several = bool(columns.labels) or columns.label_separator is not None
    priced = read_costs(costs, list(getattr(rows.X, "columns", [])), labels=several)
    if priced is not None and aim != "f1":
        raise click.UsageError("Costs take the place of a budget; leave --budget out.")
    classifier = MeasureClassifier(
        estimator,
        measure=aim if priced is None else priced,
        pos_label=pos_label,
        effort=effort,
        max_seconds=max_seconds,
        n_jobs=jobs,
        random_state=seed,
        verbose=output.progress,
    ).fit(rows.X, rows.y, sample_weight=rows.weight, groups=rows.groups, checkpoint=checkpoint)
    if in_parts:
        classifier.target_name_ = columns.target
    classifier.label_separator_ = columns.label_separator
    classifier.save(path, evidence=evidence)
    data = {"model": str(path)} | describe(classifier)
    output.result(data, lambda: str(classifier.summary()))
    output.say(f"\nmodel: {path} ({path.stat().st_size / 1e6:.2g} MB)")
