"""The page: a report as one HTML file that needs no other."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from pseudolinear._digits import in_digits, in_percent
from pseudolinear._palette import PAGE_DARK, PAGE_LIGHT, channels
from pseudolinear.evaluation import GroupEvaluations
from pseudolinear.report._features import Features
from pseudolinear.report._label import LabelPart
from pseudolinear.report._others import OtherMeasure
from pseudolinear.report._report import Headline, Report
from pseudolinear.report._words import measure_words

SCRIPTS = ("numbers.js", "charts.js", "threshold.js", "labels.js", "main.js")
LONGEST_NAME = 120  # characters of a name that come from data
LARGEST_MATRIX = 25  # classes whose confusions are a table; of more, the most frequent are listed
NONE = "\N{EN DASH}"
Cells = Sequence[Any]


def make_page(report: Report, title: str | None = None) -> str:
    """Write a report as one HTML file: no network, and nothing runs but its own script.

    Parameters
    ----------
    report : Report
        Its numbers.
    title : str, default=None
        Of the page; by default measure and kind of problem.

    Returns
    -------
    str
        HTML.
    """
    parts = "\n".join(_file(name) for name in SCRIPTS)
    script = f'(() => {{\n"use strict";\n{parts}\nmain();\n}})();'
    style = Template(_file("style.css")).substitute(
        light=_colours(PAGE_LIGHT), dark=_colours(PAGE_DARK)
    )
    return Template(_file("template.html")).substitute(
        title=_text(title or _title(report)),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        data=_json(page_data(report)),
        measure=_text(measure_words(report.measure)),
        headline=_headline(report.headline),
        confusion=_confusion(report),
        groups=_groups(report.groups),
        learners=_learners(report.learners),
        features=_features(report.features),
        others=_others(report.others),
        certificate="".join(f"<li>{_text(line, None)}</li>" for line in report.certificate),
        making="".join(
            f"<dt>{_text(what)}</dt><dd>{_text(how, 2000)}</dd>" for what, how in report.making
        ),
    )


def page_data(report: Report) -> dict[str, Any]:
    """Return what the script draws, as plain numbers and strings."""
    zero_division = getattr(report.labels[0].measure, "zero_division", 0.0) if report.labels else 0
    return {
        "measure": _name(measure_words(report.measure).split(", ")[0]),
        "kind": report.kind.name,
        "zeroDivision": zero_division,
        "labels": [_label(label) for label in report.labels],
    }


def _label(label: LabelPart) -> dict[str, Any]:
    cuts = label.cuts
    return {
        "name": _name(label.name),
        "positives": _plain(cuts.positives),
        "total": _plain(cuts.total),
        "counted": cuts.counted,
        "chosen": cuts.chosen,
        "possible": cuts.n_possible,
        "thresholds": [float(f"{t:.12g}") if np.isfinite(t) else None for t in cuts.thresholds],
        "fn": [_plain(count) for count in cuts.fn],
        "fp": [_plain(count) for count in cuts.fp],
        "ratio": label.ratio,
        "values": label.values,
        "interval": None if label.interval is None else _short(label.interval),
        "spread": None if label.spread is None else _short([label.spread])[0],
        "bins": [_short(one) for one in label.bins],
    }


def _title(report: Report) -> str:
    name = measure_words(report.measure)
    binary = len(report.kind.label_names) == 1
    return f"{name} of “{report.kind.label_names.item(0)}”" if binary else name


def _headline(headline: Headline) -> str:
    interval = ""
    if headline.interval is not None:
        low, high = (in_digits(end, 3) for end in headline.interval)
        interval = f'<span class="interval">{low} to {high}</span>'
    words = f'<p class="words">{_text(headline.words, None)}</p>' if headline.words else ""
    note = f'<p class="note">{_text(headline.note, None)}</p>' if headline.note else ""
    return (
        f'<p class="value"><data id="headline-value" value="{headline.value!r}">'
        f"{in_digits(headline.value, 3)}</data>{interval}</p>"
        f'<p class="source">{_text(headline.source, None)}.</p>{words}{note}'
    )


def _confusion(report: Report) -> str:
    """Write the classes that are taken for each other, as a table or the worst of them."""
    counts = report.confusion
    if counts is None:
        return ""
    names = [_text(name) for name in report.kind.label_names.tolist()]
    if len(names) > LARGEST_MATRIX:
        wrong = counts - np.diag(np.diag(counts))
        worst = np.argsort(-wrong, axis=None, kind="stable")[:20]
        pairs = [divmod(int(k), len(names)) for k in worst if wrong.flat[k] > 0]
        lines = [[names[i], names[j], _count(wrong[i, j])] for i, j in pairs]
        return _confusions(_table(["Class", "taken for", "Rows"], lines, "The most frequent ones."))
    size = counts.sum(axis=1, keepdims=True)
    shares = counts / np.where(size > 0, size, 1)
    head = "".join(f'<th scope="col" class="name">{name}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row" class="name">{name}</th>'
        + "".join(
            f'<td class="number" data-shade="{round(9 * s)}"{" data-right" * (i == j)}>'
            f"{_count(c)}</td>"
            for j, (c, s) in enumerate(zip(line, own, strict=True))
        )
        + "</tr>"
        for i, (name, line, own) in enumerate(zip(names, counts, shares, strict=True))
    )
    table = (
        '<div class="scroll" tabindex="0" role="region" aria-label="Confusion of classes">'
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    note = (
        "Rows by their true class (lines) and the class they are given (columns); the darker, the "
        "larger the share of a line."
    )
    return _confusions(f'<p class="note">{note}</p>{table}')


def _learners(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return "<p>A single learner; see how the classifier was made.</p>"
    lines = [
        [
            _text(row["learner"]),
            f"{row['weight']:.2f}" if row["weight"] else "not used",
            _rate(row["value"]),
            f"{row['seconds']:.1f}",
            _text(row["note"]),
        ]
        for row in sorted(rows, key=lambda row: -row["weight"])
    ]
    columns = {
        "Learner": "",
        "Weight": "its part in the mixture, the mean over labels.",
        "Value alone": "of the measure, on the validation rows.",
        "Seconds": "",
        "Note": "",
    }
    return _table(list(columns), lines, columns)


def _features(features: Features) -> str:
    note = f"<p>{_text(features.note, None)}</p>"
    if not features.names:
        return note
    largest = max(max(features.weights), 1e-300)
    spreads = features.spreads or [None] * len(features.names)
    bars = "".join(
        f'<tr><th scope="row" class="name">{_text(name)}</th>'
        f'<td class="number">{in_digits(weight, 3)}'
        f"{'' if spread is None else f' ± {in_digits(spread, 3)}'}</td>"
        f'<td class="bar"><meter min="0" max="1" value="{max(weight / largest, 0):.3f}">'
        "</meter></td></tr>"
        for name, weight, spread in zip(features.names, features.weights, spreads, strict=True)
    )
    head = '<th scope="col">Feature</th><th scope="col" class="number">Weight</th><td></td>'
    return f'{note}<table class="bars"><thead><tr>{head}</tr></thead><tbody>{bars}</tbody></table>'


def _others(others: Sequence[OtherMeasure]) -> str:
    if not others:
        return "<p>They need rows, or the evidence of the fit.</p>"
    lines = [
        [_text(measure_words(o.name)), _rate(o.now), _rate(o.by_threshold), _rate(o.by_sweep)]
        for o in others
    ]
    columns = {
        "Measure": "",
        "Now": "as it predicts.",
        "Best threshold": "if thresholds were chosen for that measure on the same rows, which is "
        "optimistic.",
        "Best of the sweep": "what the best candidate has on the validation rows of the fit; "
        "retarget takes it.",
    }
    return _table(list(columns), lines, columns)


def _confusions(content: str) -> str:
    return _section("confusion", "Confusions", "Which classes are taken for each other", content)


def _groups(groups: GroupEvaluations | None) -> str:
    """Write what groups have, and how far they are apart."""
    if groups is None:
        return ""
    head, *rows = groups.table()
    note = f"Intervals of all groups hold together, at {in_percent(groups.confidence)}."
    names = [_text(name.replace("_", " ")) for name in (groups.by, *head[1:])]
    table = _table(names, [[_text(cell) for cell in row] for row in rows], note)
    gaps = "".join(f"<li>{_text(gap, None)}</li>" for gap in groups.gaps)
    return _section("groups", "Groups", "How groups compare", f"{table}<ul>{gaps}</ul>")


def _section(name: str, short: str, title: str, content: str) -> str:
    return f'<section id="{name}" data-short="{short}"><h2>{title}</h2>{content}</section>'


def _table(header: Sequence[str], lines: Sequence[Cells], notes: str | Mapping[str, str]) -> str:
    """Write a table of escaped cells without its empty columns, with what the others mean.

    The first cell of a line names it, numbers go to the right.
    """
    kept = [i for i in range(len(header)) if any(line[i] not in ("", NONE) for line in lines)]
    header, lines = [header[i] for i in kept], [[line[i] for i in kept] for line in lines]
    if not isinstance(notes, str):
        notes = " ".join(f"{name}: {notes[name]}" for name in header if notes[name])
    head = "".join(
        f'<th scope="col"{_number_class(i, name)}>{name}</th>' for i, name in enumerate(header)
    )
    body = "".join(
        f'<tr><th scope="row" class="name">{line[0]}</th>'
        + "".join(
            f"<td{_number_class(i, header[i])}>{cell}</td>" for i, cell in enumerate(line) if i
        )
        + "</tr>"
        for line in lines
    )
    return (
        f'<p class="note">{notes}</p><div class="scroll"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _number_class(column: int, name: str) -> str:
    return "" if column == 0 or name in ("Note", "taken for") else ' class="number"'


def _colours(page: Mapping[str, str]) -> str:
    """Write colours as properties of the style; shades are those of the line."""
    shade = ", ".join(map(str, channels(page["line"])))
    return " ".join(f"--{name}: {value};" for name, value in {**page, "shade": shade}.items())


def _file(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Name a text as content security policies do: what has another hash does not run."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(data: Any) -> str:
    """Write JSON that holds nothing that HTML could take for the end of a script."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _text(value: Any, longest: int | None = LONGEST_NAME) -> str:
    return escape(_name(value, longest))


def _name(value: Any, longest: int | None = LONGEST_NAME) -> str:
    """Make a name from data a string that UTF-8 can hold, and not longer than can be shown."""
    text = str(value).encode("utf-8", "replace").decode("utf-8")
    return text if longest is None or len(text) <= longest else f"{text[: longest - 1]}…"


def _rate(value: float | None) -> str:
    return NONE if value is None or not np.isfinite(value) else in_digits(value, 3)


def _count(value: float) -> str:
    return f"{round(value, 1):,g}"


def _plain(value: float) -> float:
    """Return a whole number as one, which is shorter."""
    return int(value) if float(value).is_integer() else float(value)


def _short(values: Iterable[float]) -> list[float]:
    return [float(f"{value:.5g}") for value in values]
