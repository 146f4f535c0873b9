"""The verb ``evaluate``: how good a model is on labelled rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from pseudolinear._digits import in_digits
from pseudolinear.cli.shared import (
    Output,
    Verb,
    confidence_option,
    file_argument,
    format_option,
    load_model,
    model_argument,
    rows_to_judge,
    table,
)

METHODS = ("auto", "wilson", "exact", "betting", "delta", "bootstrap")
MOST_CLASSES = 30  # of a confusion table that a terminal can show


@click.command("evaluate", cls=Verb, short_help="Say how good a model is on labelled rows.")
@model_argument()
@file_argument()
@click.option("--target", metavar="COLUMN", help="The true classes.  [default: as in fit]")
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
    model: str,
    file: str,
    file_format: str | None,
    confidence: float,
    method: str,
    **columns: Any,
) -> None:
    """Say how good a model is on labelled rows: value, interval, every label, confusion."""
    classifier = load_model(model)
    rows = rows_to_judge(classifier, file, file_format, **columns)
    found = classifier.evaluate(
        rows.X,
        rows.y,
        confidence=confidence,
        method=method,
        sample_weight=rows.weight,
        groups=rows.groups,
        by=rows.by,
    )
    output.result(found.to_dict(), *(lambda part=part: part for part in _shown(found)))


def _shown(found: Any) -> Iterator[Any]:
    value, low, high = map(in_digits, (found.value, *found.interval))
    yield (
        f"{found.measure} {value} on {found.n_rows} rows, "
        f"{found.confidence:.0%} interval {low} to {high}"
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
            f"({missed:.0%})."
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
