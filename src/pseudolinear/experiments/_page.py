"""The page: all results in one file that needs no other."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

import numpy as np

from pseudolinear.experiments._claims import Claim
from pseudolinear.experiments._figures import Figure
from pseudolinear.experiments._label_piece import LabelPiece
from pseudolinear.experiments._piece import versions
from pseudolinear.experiments._protocol import Protocol
from pseudolinear.experiments._report import (
    ATTRIBUTES,
    LEGEND,
    NEAR,
    VERDICTS,
    Cell,
    data_notes,
    layout,
    layout_attributes,
)
from pseudolinear.experiments._results import Row

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
h2 { margin-top: 2.5rem }
table { border-collapse: collapse; margin-bottom: 1rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: left;
  vertical-align: top }
th { border-bottom: 2px solid #888; vertical-align: bottom }
td { white-space: nowrap }
.number { text-align: right }
td small { display: block; color: #555 }
td.marked small { color: #a03c00; font-weight: bold }
td.marked small::after { content: "*" }
.scroll { overflow-x: auto }
.holds { color: #00614a } .fails { color: #a03c00 } .open { color: #555 }
figure { display: inline-block; margin: .5rem 0; width: 34rem; max-width: 100%;
  vertical-align: top }
img { max-width: 100% } figcaption { font-size: .9rem; color: #555; padding: 0 1rem }
@media (max-width: 50rem) { table { font-size: 14px } th, td { padding: .2rem .35rem } }
"""


def format_page(
    protocol: Protocol,
    rows: Sequence[Row],
    claims: Sequence[Claim],
    attributes: Sequence[Row],
    figures: Sequence[Figure],
) -> str:
    """Write one page that needs no other file.

    Parameters
    ----------
    protocol : Protocol
        What was run.
    rows : list of dict
        Its tables.
    claims : list of Claim
        The checked claims.
    attributes : list of dict
        The attributes of the data sets.
    figures : list of Figure
        The pictures; nothing without matplotlib.

    Returns
    -------
    str
        HTML.
    """
    sections = {table.title: _table(*layout(table, rows)) for table in protocol.tables}
    sections["The claims"] = "".join(map(_claim, claims))
    notes = "".join(f"<li>{escape(note)}</li>" for note in data_notes(protocol, attributes))
    sections["The data"] = (
        f"<p>{ATTRIBUTES}</p>"
        + _table(*layout_attributes(attributes))
        + f"<ul>{notes}</ul>" * bool(notes)
    )
    sections["Figures"] = "".join(map(_figure, figures)) or "<p>Figures need matplotlib.</p>"
    contents = "".join(
        f'<li><a href="#part{i}">{escape(title)}</a></li>' for i, title in enumerate(sections)
    )
    parts = "".join(
        f'<h2 id="part{i}">{escape(title)}</h2>{content}'
        for i, (title, content) in enumerate(sections.items())
    )
    title = f"The {escape(protocol.name)} experiments"
    seen = versions(LabelPiece.__module__)
    code = ", ".join(f"{name} {version[:12]}" for name, version in seen.items())
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"{_summary(rows)}<nav><ul>{contents}</ul></nav><p>{LEGEND}</p>{parts}<p>{code}</p>"
        "</body></html>\n"
    )


def _summary(rows: Sequence[Row]) -> str:
    differences = np.array([abs(r["difference"]) for r in rows if r["difference"] is not None])
    if not differences.size:
        return "<p>These data have no published counterpart.</p>"
    tables: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        if row["difference"] is not None:
            learner = "RBF" if row["learner"] == "SVM-RBF" else "linear"
            tables.setdefault((row["dataset"], learner), []).append(abs(row["difference"]) <= NEAR)
    by_data = ", ".join(
        f"{dataset} ({learner}) {sum(near)} of {len(near)}"
        for (dataset, learner), near in tables.items()
    )
    return (
        f"<p>Cells within {NEAR} points of their published counterpart: {by_data}. The median "
        f"difference is {np.median(differences):.1f} points.</p>"
    )


def _claim(claim: Claim) -> str:
    kind = {True: "holds", False: "fails", None: "open"}[claim.holds]
    published = f"<br>Published: {escape(claim.published)}." if claim.published else ""
    cases = ""
    if claim.cases:
        lines = [
            [Cell(f"{v:.2f}" if isinstance(v, float) else str(v)) for v in case.values()]
            for case in claim.cases
        ]
        table = _table(list(claim.cases[0]), lines)
        cases = f"<details><summary>{len(lines)} cases</summary>{table}</details>"
    return (
        f'<h3>{escape(claim.statement)}: <span class="{kind}">{VERDICTS[claim.holds]}</span></h3>'
        f"<p>Rule: {escape(claim.rule)}.<br>Here: {escape(claim.ours)}.{published}</p>{cases}"
    )


def _figure(figure: Figure) -> str:
    caption, data = escape(figure.caption), base64.b64encode(figure.png).decode()
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{caption}">'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _table(header: Sequence[str], lines: Sequence[Sequence[Cell]]) -> str:
    """Write a table; columns of numbers are aligned to the right."""
    columns = list(zip(*lines, strict=True)) or [()] * len(header)
    kinds = [
        ["number"] if all(cell.text[:1] in "-+0123456789" for cell in column) else []
        for column in columns
    ]
    head = "".join(
        f"<th{_class(kind)}>{escape(name)}</th>" for name, kind in zip(header, kinds, strict=True)
    )
    body = "".join("<tr>" + "".join(map(_td, line, kinds)) + "</tr>" for line in lines)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _td(cell: Cell, kind: list[str]) -> str:
    below = f"<small>{escape(cell.reference)}</small>" if cell.reference else ""
    return f"<td{_class(kind + ['marked'] * cell.marked)}>{escape(cell.text)}{below}</td>"


def _class(names: Sequence[str]) -> str:
    return f' class="{" ".join(names)}"' if names else ""
