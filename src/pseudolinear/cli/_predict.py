"""The verb ``predict``: a model and a file of rows become a file of predictions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import click

from pseudolinear.cli.shared import (
    OUTPUT_FORMATS,
    Output,
    Verb,
    check_column,
    check_output,
    columns_option,
    features_of,
    file_argument,
    format_option,
    load_model,
    model_argument,
    open_writer,
    out_option,
    output_format,
    predicted,
    string_columns,
)


@click.command("predict", cls=Verb, short_help="Predict the rows of a file.")
@model_argument()
@file_argument()
@out_option("CSV, TSV, JSON lines or Parquet file to write; - is the standard output.")
@click.option(
    "--scores", is_flag=True, help="Add scores; rows with a positive score are predicted positive."
)
@click.option("--probabilities", is_flag=True, help="Add probabilities.")
@columns_option("--keep", "Columns of the file to put in front of the predictions.")
@click.option("--text", metavar="COLUMN", help="The column of texts, if the model does not know.")
@format_option()
@click.option(
    "--output-format",
    "written",
    type=click.Choice(OUTPUT_FORMATS),
    metavar="FORMAT",
    help=f"What is written: {', '.join(OUTPUT_FORMATS)}.  [default: its name says so; csv for -]",
)
@click.option(
    "--chunk-rows",
    type=click.IntRange(1),
    metavar="INTEGER",
    default=10_000,
    show_default=True,
    help="Rows at a time.",
)
def command(
    output: Output,
    *,
    model: str,
    file: str,
    out: str,
    force: bool,
    scores: bool,
    probabilities: bool,
    keep: tuple[str, ...],
    text: str | None,
    file_format: str | None,
    written: str | None,
    chunk_rows: int,
) -> None:
    """Predict the rows of a file, in parts, so that it may be larger than memory.

    The predictions are in the order of the rows. Columns that the model does not know are ignored.
    A budget compares all rows of the file, so that it is read at once.
    """
    from pseudolinear.datasets import read_parts

    kind = output_format(out, written, as_json=output.as_json)
    if out != "-":
        check_output(out, force=force, read=[model, file])
    classifier = load_model(model)
    if probabilities and not hasattr(classifier, "predict_proba"):
        raise click.UsageError("This model has scores but no probabilities; use --scores.")
    policy = classifier.decision_.policy
    at_once = policy is not None and policy.whole_batch
    parts = read_parts(
        file,
        file_format,
        n_rows=None if at_once else chunk_rows,
        strings=string_columns(classifier),
        n_features=getattr(classifier, "n_features_in_", None),
    )
    n_rows = 0
    with closing(parts), open_writer(out, kind) as write, _counter(output) as advance:
        for part in parts:
            X = features_of(classifier, part, text)
            columns = dict(predicted(classifier, X, scores=scores, probabilities=probabilities))
            write(_frame(dict(_kept(part, keep)), columns))
            n_rows += len(part)
            advance(len(part))
    if out != "-":
        output.done({"rows": n_rows, "out": out}, f"{n_rows} row{'s' * (n_rows != 1)}: {out}")


def _kept(part: Any, keep: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    names = list(getattr(part, "columns", ()))
    for name in keep:
        check_column(name, names, "--keep")
        yield name, part[name].to_numpy()


def _frame(kept: dict[str, Any], columns: dict[str, Any]) -> Any:
    import pandas

    for name in kept.keys() & columns.keys():
        raise click.UsageError(f"--keep {name} has the name of a column of predictions; rename it.")
    return pandas.DataFrame(kept | columns)


class _counter:  # noqa: N801
    """Shows how many rows are done, to whom is there to see it."""

    def __init__(self, output: Output) -> None:
        self.output = output

    def __enter__(self) -> Any:
        if not self.output.progress:
            return lambda n: None
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self.bar = Progress(
            SpinnerColumn(), TextColumn("{task.completed:,.0f} rows"), TimeElapsedColumn(),
            console=Console(stderr=True), transient=True,
        )  # fmt: skip
        task = self.bar.add_task("rows", total=None)
        self.bar.start()
        return lambda n: self.bar.advance(task, n)

    def __exit__(self, *error: Any) -> None:
        if hasattr(self, "bar"):
            self.bar.stop()
