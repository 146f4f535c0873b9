"""Results for people: tables as text and as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pseudolinear._files import write_atomically
from pseudolinear.experiments._claims import Claim
from pseudolinear.experiments._protocol import OPTIONS, Protocol, TableSetting
from pseudolinear.experiments._results import Row

LEGEND = (
    "Test F1 in percent: mean of the splits ± standard deviation; below or in brackets the "
    "published value and the difference, marked beyond 1.5 points. default: MeasureClassifier of "
    "linear models, trained on all training rows. seconds: processor time of a learner, all "
    "options together."
)
ATTRIBUTES = (
    "Attributes computed from the data, below or in brackets the published ones; those that differ "
    "are marked. All but n test are of the training rows."
)
VERDICTS = {True: "holds", False: "does not hold", None: "not checked"}

NEAR = 1.5  # points: further from the published value is marked


class Cell(NamedTuple):
    """One cell of a table.

    Attributes
    ----------
    text : str
        What was found.
    reference : str, default=""
        What it is compared with.
    marked : bool, default=False
        Whether the two are far apart.
    """

    text: str
    reference: str = ""
    marked: bool = False

    def __str__(self) -> str:
        reference = f" ({self.reference})" if self.reference else ""
        return self.text + reference + "*" * self.marked


def layout(table: TableSetting, rows: Sequence[Row]) -> tuple[list[str], list[list[Cell]]]:
    """Lay one table out as the published ones are: a line per learner, a column per option.

    Parameters
    ----------
    table : TableSetting
        The table.
    rows : list of dict
        The rows of all tables.

    Returns
    -------
    header : list of str
        Names of the columns.
    lines : list of list of Cell
        The cells below.
    """
    names = ["dataset", "selection", "learner"]
    if len(table.selections) == 1:  # nothing to tell apart
        names.remove("selection")
    lines: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        if row["table"] == table.name:
            lines.setdefault(tuple(row[name] for name in names), {})[row["option"]] = row
    cells = []
    for key, line in lines.items():
        one = next(iter(line.values()))
        default = "" if one["default"] is None else f"{one['default']:.1f}"
        options = [_cell(line[option]) if option in line else Cell("") for option in OPTIONS]
        cells.append([*map(Cell, key), *options, Cell(default), Cell(f"{one['seconds']:.1f}")])
    return [*names, *OPTIONS, "default", "seconds"], cells


def layout_attributes(rows: Sequence[Row]) -> tuple[list[str], list[list[Cell]]]:
    """Lay the attributes of data sets out: a line per data set, a column per attribute.

    Parameters
    ----------
    rows : list of dict
        What :func:`pseudolinear.datasets.describe` gives, of all data sets.

    Returns
    -------
    header : list of str
        Names of the columns.
    lines : list of list of Cell
        The cells below.
    """
    lines: dict[str, list[Cell]] = {}
    for row in rows:
        printed = "" if row["published"] is None else str(row["published"])
        lines.setdefault(row["dataset"], [Cell(row["dataset"])]).append(
            Cell(f"{row['value']:.5g}", printed, row["differs"])
        )
    names = dict.fromkeys(row["attribute"] for row in rows)
    return ["dataset", *(name.replace("_", " ") for name in names)], list(lines.values())


def data_notes(protocol: Protocol, attributes: Sequence[Row]) -> list[str]:
    """Say what else a reader has to know of the data."""
    notes = [f"{source.name}: {source.note}" for source in protocol.sources if source.note]
    return notes + [
        f"{row['dataset']}, {row['attribute']}: {row['note']}." for row in attributes if row["note"]
    ]


def format_text(
    protocol: Protocol, rows: Sequence[Row], claims: Sequence[Claim], attributes: Sequence[Row]
) -> str:
    """Write tables, claims and attributes as plain text."""
    parts = [LEGEND]
    for table in protocol.tables:
        parts.append(f"{table.title} ({table.name})\n" + _columns(*layout(table, rows)))
    for claim in claims:
        published = f"\n  published: {claim.published}" if claim.published else ""
        parts.append(
            f"{claim.statement}: {VERDICTS[claim.holds].upper()}\n  rule: {claim.rule}\n"
            f"  here: {claim.ours}{published}"
        )
    parts.append(f"{ATTRIBUTES}\n" + _columns(*layout_attributes(attributes)))
    return "\n\n".join(parts + data_notes(protocol, attributes))


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as CSV; nothing is left half written."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO()
    writer = csv.DictWriter(file, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})
    write_atomically(path, file.getvalue())


def _columns(header: Sequence[str], cells: Sequence[Sequence[Cell]]) -> str:
    lines = [header, *([str(cell) for cell in line] for line in cells)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _cell(row: Row) -> Cell:
    text = f"{row['ours']:.1f} ±{row['spread']:.1f}"
    if row["published"] is None:
        return Cell(text)
    difference = row["difference"]
    return Cell(text, f"{row['published']:.1f}, {difference:+z.1f}", abs(difference) > NEAR)
