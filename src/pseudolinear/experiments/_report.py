"""Results for people: text, CSV files and one page."""

from __future__ import annotations

import base64
import csv
import html
import io
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pseudolinear._measures import FBeta
from pseudolinear.datasets import three_point_profiles
from pseudolinear.experiments._choice import least_costs
from pseudolinear.experiments._claims import Claim
from pseudolinear.experiments._pieces import ENGINE, versions
from pseudolinear.experiments._protocol import OPTIONS, Protocol, TableSetting
from pseudolinear.experiments._results import Results, Row
from pseudolinear.inspection import LevelDisplay, ParetoDisplay, SurfaceDisplay
from pseudolinear.inspection._matplotlib import pyplot

LEGEND = (
    "Test F1 in percent: mean of the splits ± standard deviation; in brackets the published value "
    "and the difference. default: MeasureClassifier with all defaults, trained on all training "
    "rows. seconds: processor time of a learner, all options together."
)
VERDICTS = {True: "holds", False: "does not hold", None: "not checked"}

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: left }
th { border-bottom: 2px solid #888 }
.scroll { overflow-x: auto }
.holds { color: #00614a; font-weight: bold } .fails { color: #a03c00; font-weight: bold }
figure { display: inline-block; margin: .5rem; vertical-align: top }
img { max-width: 100% } figcaption { font-size: .9rem; color: #555 }
"""


def layout(table: TableSetting, rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Lay one table out as the published ones are: a line per learner, a column per option.

    Parameters
    ----------
    table : TableSetting
        The table.
    rows : list of dict
        The rows of all tables.

    Returns
    -------
    header, lines : list
        Texts of the cells.
    """
    lines: dict[tuple[str, ...], Row] = {}
    for row in rows:
        if row["table"] == table.name:
            key = (row["dataset"], row["selection"], row["learner"])
            lines.setdefault(key, {"last": row})[row["option"]] = _cell(row)
    header = ["data", "selection", "learner", *OPTIONS, "default", "seconds"]
    return header, [
        [
            *key,
            *(line.get(option, "") for option in OPTIONS),
            "" if line["last"]["default"] is None else f"{line['last']['default']:.1f}",
            f"{line['last']['seconds']:.1f}",
        ]
        for key, line in lines.items()
    ]


def format_text(protocol: Protocol, rows: Sequence[Row], claims: Sequence[Claim]) -> str:
    """Write tables and claims as plain text."""
    parts = [LEGEND]
    for table in protocol.tables:
        header, lines = layout(table, rows)
        widths = [max(len(line[i]) for line in (header, *lines)) for i in range(len(header))]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in (header, *lines)
        ]
        parts.append("\n".join([f"{table.title} ({table.name})", *text]))
    parts += [f"{s.name}: {s.note}" for s in protocol.sources if s.note]
    for claim in claims:
        published = f"\n  published: {claim.published}" if claim.published else ""
        parts.append(
            f"{claim.statement}: {VERDICTS[claim.holds].upper()}\n  rule: {claim.rule}\n"
            f"  here: {claim.ours}{published}"
        )
    return "\n\n".join(parts)


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as CSV; nothing is left half written."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO()
    writer = csv.DictWriter(file, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})
    write_atomically(path, file.getvalue())


def write_atomically(path: Path, text: str) -> None:
    """Write beside the place and move there, so that a broken write leaves the old file."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def format_page(results: Results, rows: Sequence[Row], claims: Sequence[Claim]) -> str:
    """Write one page that needs no other file.

    Parameters
    ----------
    results : Results
        The stored pieces, for the figures.
    rows : list of dict
        Their tables.
    claims : list of Claim
        The checked claims.

    Returns
    -------
    str
        HTML.
    """
    protocol, escape = results.protocol, html.escape
    body = [f"<h1>The {protocol.name} experiments</h1>", _summary(rows), f"<p>{escape(LEGEND)}</p>"]
    for table in protocol.tables:
        header, lines = layout(table, rows)
        body.append(f"<h2>{escape(table.title)}</h2>" + _html_table(header, lines))
    notes = [f"<li>{escape(s.name)}: {escape(s.note)}</li>" for s in protocol.sources if s.note]
    if notes:
        body.append(f"<h2>About the data</h2><ul>{''.join(notes)}</ul>")
    body.append("<h2>The claims</h2>")
    for claim in claims:
        kind = "holds" if claim.holds else "fails"
        published = f"<br>Published: {escape(claim.published)}." if claim.published else ""
        body.append(
            f'<h3>{escape(claim.statement)}: <span class="{kind}">{VERDICTS[claim.holds]}</span>'
            f"</h3><p>Rule: {escape(claim.rule)}.<br>Here: {escape(claim.ours)}.{published}</p>"
            f"<details><summary>{len(claim.cases)} cases</summary>{_cases(claim)}</details>"
        )
    body.append("<h2>Figures</h2>" + _figures(results))
    body.append("<p>" + ", ".join(f"{k} {v[:12]}" for k, v in versions(ENGINE).items()) + "</p>")
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>The {escape(protocol.name)} experiments</title><style>{_STYLE}</style></head>"
        f"<body>{''.join(body)}</body></html>\n"
    )


def _summary(rows: Sequence[Row]) -> str:
    differences = np.array([abs(r["difference"]) for r in rows if r["difference"] is not None])
    if not differences.size:
        return "<p>These data have no published counterpart.</p>"
    tables: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        if row["difference"] is not None:
            learner = "RBF" if row["learner"] == "SVM-RBF" else "linear"
            tables.setdefault((row["dataset"], learner), []).append(abs(row["difference"]) <= 1.5)
    by_data = ", ".join(
        f"{dataset} ({learner}) {sum(near)} of {len(near)}"
        for (dataset, learner), near in tables.items()
    )
    return (
        f"<p>Cells within 1.5 points of their published counterpart: {by_data}. The median "
        f"difference is {np.median(differences):.1f} points.</p>"
    )


def _cell(row: Row) -> str:
    text = f"{row['ours']:.1f} ±{row['spread']:.1f}"
    if row["published"] is not None:
        text += f" ({row['published']:.1f}, {row['difference']:+.1f})"
    return text


def _cases(claim: Claim) -> str:
    if not claim.cases:
        return ""
    lines = [
        [f"{v:.2f}" if isinstance(v, float) else str(v) for v in case.values()]
        for case in claim.cases
    ]
    return _html_table(list(claim.cases[0]), lines)


def _html_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
        for line in lines
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _figures(results: Results) -> str:
    try:
        pyplot()
    except ImportError as error:
        return f"<p>{html.escape(str(error))}</p>"
    names, profiles = three_point_profiles()
    figures: list[tuple[str, Any]] = [
        ("F1 over the two errors: its level sets are straight lines.",
         SurfaceDisplay.from_measure("f1", 0.3)),
        ("Three points, eight classifiers: the best one is a vertex of the hull.",
         ParetoDisplay.from_profiles(profiles, "f1", names)),
        *_level_figures(results),
    ]  # fmt: skip
    return "".join(
        f'<figure><img src="data:image/png;base64,{_png(display.figure_)}" alt="{text}">'
        f"<figcaption>{text}</figcaption></figure>"
        for text, display in figures
    )


def _level_figures(results: Results) -> list[tuple[str, LevelDisplay]]:
    """Draw micro F1 against the level on the first split, trained with costs and cut anywhere."""
    protocol, figures = results.protocol, []
    for table in protocol.tables:
        if table.measure == "macro_F1":
            continue
        for dataset in table.datasets:
            for learner in table.learners:
                found = results.finished(dataset, learner)
                if found is None or "CS&T" not in protocol.learner(learner).options:
                    continue
                labels = found.splits[0]
                curve = least_costs(labels, found.levels, "CS&T", protocol.levels)
                display = LevelDisplay(
                    FBeta(average="micro"),
                    np.array([c.positives[0] / c.rows[0] for c in labels]),
                    curve.levels,
                    curve.values,
                    np.array([curve.values.argmax()]),
                    "micro F1" if len(labels) > 1 else "F1",
                ).plot(against="cost")
                display.ax_.set_title(f"{dataset}, {learner}")
                text = f"{dataset}, {learner}: F1 against the cost of a false negative."
                figures.append((html.escape(text), display))
    return figures


def _png(figure: Any) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=80)
    pyplot().close(figure)
    return base64.b64encode(file.getvalue()).decode()
