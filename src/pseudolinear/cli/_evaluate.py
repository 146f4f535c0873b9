"""The verb ``evaluate``: how good a model, or predictions of any program, are on labelled rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from pseudolinear._digits import in_digits, in_percent
from pseudolinear.cli.shared import (
    Columns,
    Output,
    Verb,
    columns_option,
    confidence_option,
    format_option,
    load_model,
    measure_option,
    name_positive_class,
    numbers_option,
    open_parts,
    parts_argument,
    rows_to_judge,
    table,
    warn_of_separator,
)

METHODS = ("auto", "wilson", "exact", "betting", "delta", "bootstrap")
MOST_CLASSES = 30  # of a confusion table that a terminal can show


@click.command(
    "evaluate", cls=Verb, short_help="Say how good a model or predictions are on labelled rows."
)
@parts_argument("paths", "[MODEL] FILE...")
@click.option(
    "--target",
    metavar="COLUMN",
    help="The true classes; A,B of labels in files of predictions.  [default: as in fit]",
)
@columns_option("--prediction", "In place of a model: the predicted classes; as many columns.")
@columns_option("--score", "In place of a model: scores, with --threshold; as many columns.")
@numbers_option("--threshold", "From which score on a row is positive: one, or one per score.")
@measure_option("What to measure (of a model, by default what it was made for)")
@click.option("--positive", metavar="CLASS", help="The positive of two classes, without a model.")
@click.option("--label-separator", metavar="TEXT", help="Between labels.  [default: as in fit]")
@click.option("--text", metavar="COLUMN", help="The column of texts, if the model does not know.")
@click.option("--weight", metavar="COLUMN", help="Weight of each row.")
@click.option("--groups", metavar="COLUMN", help="Rows that belong together: wider intervals.")
@click.option("--by", metavar="COLUMN", help="Compare groups, and say how far they are apart.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="Of the interval; 'exact' holds at every number of rows.",
)
@confidence_option("Of the intervals.")
@format_option()
def command(
    output: Output,
    *,
    paths: tuple[str, ...],
    prediction: tuple[str, ...],
    score: tuple[str, ...],
    threshold: tuple[float, ...],
    measure: str | None,
    positive: str | None,
    file_format: str | None,
    confidence: float,
    method: str,
    target: str | None,
    **columns: Any,
) -> None:
    """Say how good a model is on labelled rows: value, interval, every label, confusion.

    With --prediction, or --score and --threshold, what any other program wrote is evaluated: files,
    folders of parts and patterns, which are read in batches, in constant memory.
    """
    if prediction or score:
        separator = _separator(columns.pop("label_separator"), prediction)
        files = open_parts(
            paths, output, target=_targets(target), prediction=prediction, score=score,
            label_separator=separator, weight=_weight_alone(columns), file_format=file_format,
        )  # fmt: skip
        found = _of_parts(files, threshold, measure, positive, confidence, output)
    else:
        model, file = _model_and_file(paths, threshold, positive)
        classifier = load_model(model)
        rows = rows_to_judge(classifier, file, file_format, target=target, **columns)
        found = classifier.evaluate(
            rows.X,
            rows.y,
            measure,
            confidence=confidence,
            method=method,
            sample_weight=rows.weight,
            groups=rows.groups,
            by=rows.by,
        )
    output.result(found.to_dict(), *(lambda part=part: part for part in _shown(found)))


def _of_parts(
    files: Any,
    threshold: tuple[float, ...],
    measure: str | None,
    positive: str | None,
    confidence: float,
    output: Output,
) -> Any:
    """Evaluate what is in files."""
    from pseudolinear.evaluation import evaluate_batches

    if bool(files.score) != bool(threshold):
        raise click.UsageError("--score needs --threshold; --prediction takes none.")
    if files.score and len(threshold) not in (1, len(files.score)):
        raise click.UsageError("Give one --threshold, or one for each column of --score.")
    several = files.labels or files.separated
    options: dict[str, Any] = {"labels": files.label_names} if several else {}
    name = measure or ("f1_macro" if several else "f1")
    if not several and files.prediction:
        warn_of_separator([column for _, column in files.first.items()])
    if not several and (files.score or positive is not None):
        name_positive_class(files, positive, output)
        options["pos_label"] = files.positive
    if files.score:
        options["threshold"] = list(threshold) if len(threshold) > 1 else threshold[0]
    return evaluate_batches(files.as_written, name, confidence=confidence, **options)


def _model_and_file(paths: tuple[str, ...], *others: Any) -> tuple[str, str]:
    if any(others):
        raise click.UsageError(
            "--threshold and --positive are for --score and --prediction; a model has its own "
            "(retarget makes another)."
        )
    if len(paths) != 2:
        raise click.UsageError(
            "Give a model and a file, or --prediction or --score of files; got "
            f"{len(paths)} name{'s' * (len(paths) != 1)}."
        )
    return paths[0], paths[1]


def _targets(target: str | None) -> Any:
    if target is None:
        raise click.UsageError("Say by --target which columns hold the truth.")
    return Columns().convert(target, None, None)


def _separator(given: str | None, prediction: tuple[str, ...]) -> str | None:
    if given == "":
        raise click.BadParameter("It must not be empty.", param_hint="--label-separator")
    if given and len(prediction) != 1:
        raise click.UsageError(
            "--label-separator is for --prediction, one column of labels; leave it out."
        )
    return given


def _weight_alone(columns: dict[str, Any]) -> Any:
    """Return the column of weights; the other columns are for models."""
    for name, given in columns.items():
        if name != "weight" and given is not None:
            option = "--" + name.replace("_", "-")
            raise click.UsageError(f"{option} is for a model; leave it out.")
    return columns["weight"]


def _shown(found: Any) -> Iterator[Any]:
    value, low, high = map(in_digits, (found.value, *found.interval))
    yield (
        f"{found.measure} {value} on {found.n_rows} rows, "
        f"{in_percent(found.confidence)} interval {low} to {high}"
    )
    if len(found.labels) == 1:
        yield from _in_words(found.labels[0])
    else:
        yield _label_table(found.labels)
    if found.confusion is not None and len(found.classes) <= MOST_CLASSES:
        yield _confusion_table(found)
    if found.by is not None:
        yield from _by_group(found.by)
    if found.note:
        yield found.note
    assumption = found.assumption.rstrip(".")
    yield f"Interval: {found.method}, assuming that {assumption}."


def _in_words(label: Any) -> Iterator[str]:
    flagged, positives = (_count(n) for n in (label.tp + label.fp, label.positives))
    if flagged:
        yield f"Of {flagged} rows flagged as {label.label}, {_count(label.tp)} are right."
    else:
        yield f"No row is flagged as {label.label}."
    if positives:
        missed = label.fn / label.positives
        yield (
            f"Of {positives} rows that are {label.label}, {_count(label.fn)} are missed "
            f"({in_percent(missed, 0)})."
        )
    else:
        yield f"No row of the file is {label.label}."


def _label_table(labels: Any) -> Any:
    return table(
        ["label", "value", "interval", "precision", "recall", "positives", "found", "wrong"],
        [
            [str(one.label), in_digits(one.value, 3), _range(one.interval),
             f"{one.precision:.3f}", f"{one.recall:.3f}",
             *map(_count, (one.positives, one.tp, one.fp))]
            for one in labels
        ],
    )  # fmt: skip


def _range(interval: Any) -> str:
    low, high = (in_digits(end, 3) for end in interval)
    return f"{low}-{high}" if float(interval[0]) >= 0 else f"{low} to {high}"


def _confusion_table(found: Any) -> Any:
    names = [str(name) for name in found.classes]
    counts = [[_count(n) for n in row] for row in found.confusion.tolist()]
    rows = [[name, *row] for name, row in zip(names, counts, strict=True)]
    return table(["true, predicted", *names], rows)


def _by_group(by: Any) -> Iterator[Any]:
    head, *rows = by.table()
    yield table([by.by, *head[1:]], [list(row) for row in rows])
    yield from map(str, by.gaps)


def _count(rows: float) -> float:
    """Return a number of rows as a whole one, unless it is a weight."""
    return int(rows) if rows == int(rows) else round(float(rows), 2)
