"""Draw the tables of docs/performance.md from the lines in ``results``.

    python -m benchmarks.draw

puts every table of this file between ``<!-- table: name -->`` and ``<!-- end -->`` on that page.
Of each figure the line that was kept last counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.run import RESULTS

AIM = 10  # times LIBLINEAR's speed
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
Line = dict[str, Any]
TABLES: dict[str, Callable[[], str]] = {}


def table(draw: Callable[[], str]) -> Callable[[], str]:
    """Add a table, known by the name of the function."""
    TABLES[draw.__name__] = draw
    return draw


def lines(script: str, prefix: str = "") -> dict[str, Line]:
    """Return the last line of each figure of a script, by what follows the prefix."""
    kept = map(json.loads, (RESULTS / f"{script}.jsonl").read_text().splitlines())
    return {
        line["figure"].removeprefix(prefix): line
        for line in kept
        if line["figure"].startswith(prefix)
    }


def rows(head: str, body: Iterable[Iterable[Any]]) -> str:
    """Return a table; a column whose title starts with a space is aligned to the left."""
    titles = head.split("|")
    marks = ["---" if title.startswith(" ") else "---:" for title in titles]
    shown = [[title.strip() for title in titles], marks, *([_cell(c) for c in row] for row in body)]
    return "\n".join(f"| {' | '.join(row)} |" for row in shown)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _labels(line: Line) -> str:
    return (
        str(line["labels"]) if line["labels"] == line["of"] else f"{line['labels']} of {line['of']}"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:,.0f} %"


def _bold(ratio: float) -> str:
    return f"**{ratio:,.3g}**" if ratio < 1000 else f"**{ratio:,.0f}**"


@table
def smooth_grid() -> str:
    found = lines("linear_grid", "linear grid, ")
    names = dict.fromkeys(key.split(", ")[0] for key in found if not key.endswith(", hinge"))
    body = []
    for name in names:
        pair = [found.get(f"{name}, {loss}") for loss in ("logistic", "squared_hinge")]
        any_line = next(line for line in pair if line)
        cells = [name, any_line.get("rows"), any_line.get("features"), _labels(any_line)]
        for line in pair:
            cells += (
                [
                    line["seconds"],
                    line["liblinear_seconds"],
                    line["ratio"],
                    _percent(line["peer_excess"]),
                    _bold(line["equal_ratio"]),
                ]
                if line
                else [None] * 5
            )
        body.append(cells)
    columns = "ours s|LIBLINEAR s|ratio|its excess|ratio at equal objective"
    return rows(
        f" data|rows|features| labels run|logistic, {columns}|squared hinge, {columns}", body
    )


@table
def hinge_grid() -> str:
    found = lines("linear_grid", "linear grid, ")
    return rows(
        " data| labels run|problems|ours s|worst gap|LIBLINEAR s|ratio| LIBLINEAR within 1e-2",
        (
            [
                key.split(", ")[0],
                _labels(line),
                line["problems"],
                line["seconds"],
                line["worst_gap"],
                line["liblinear_seconds"],
                _bold(line["ratio"]),
                f"{line['peer_within_1e-2']} of {line['peer_problems']}",
            ]
            for key, line in found.items()
            if key.endswith(", hinge")
        ),
    )


@table
def kernel_grid() -> str:
    return rows(
        " data|gammas| labels run|ours s|LIBSVM s|ratio| smallest / largest over gamma",
        (
            [
                name,
                line["gammas"],
                _labels(line),
                line["seconds"],
                line["libsvm_seconds"],
                _bold(line["ratio"]),
                " / ".join(str(end(line["ratio_by_gamma"].values())) for end in (min, max)),
            ]
            for name, line in lines("kernel_grid", "RBF grid, ").items()
        ),
    )


@table
def multiclass() -> str:
    body = []
    for key, line in lines("multiclass", "multiclass, ").items():
        name, average = key.split(", ")
        cells = [name, average, line["rows"], line["classes"], line["ours_cpu_s"]]
        cells += [line["peer_cpu_s"], _bold(line["ratio"])]
        body.append([*cells, *(f"{line[f'{who}_{average}_f1']:.3f}" for who in ("ours", "peer"))])
    return rows(
        " data| measure|rows|classes|ours s|LogisticRegressionCV s|ratio|ours, F1|peer, F1", body
    )


@table
def growth() -> str:
    found = lines("growth")
    losses = ("logistic", "squared_hinge", "hinge")
    targets = {"rows": 1.1, "features": None, "labels": 1.0}
    body: list[list[Any]] = []
    for what, target in targets.items():
        own = [found.get(f"time against {what}, {loss}") for loss in losses]
        if any(own):
            sizes = next(line for line in own if line)[what]
            title = f"time against {what}, {sizes[0]:,} to {sizes[-1]:,} (slope)"
            body.append([title, *(line and line["slope"] for line in own), target])
    memory = [found[f"peak memory beyond the data, {loss}"]["multiple"] for loss in losses]
    body.append(["peak memory beyond the data, x (rows + features) x batch x 8 bytes", *memory, 6])
    for what in ("classes", "folds"):
        line = found.get(f"time against {what}, linear fit")
        if line:
            title = f"whole fit against {what}, {line[what][0]} to {line[what][-1]} (slope)"
            body.append([title, line["slope"], None, None, None])
    return rows(" figure|logistic|squared hinge|hinge|target", body)


@table
def start_up() -> str:
    found = lines("first_fit", "compiling in the first fit, ")
    return rows(
        " first fit of|compiling, cold cache, s|warm cache, s",
        ([name, line["cold_seconds"], line["warm_seconds"]] for name, line in found.items()),
    )


@table
def missed() -> str:
    body = []
    for name, line in lines("linear_grid", "linear grid, ").items():
        if line.get("equal_ratio", AIM) < AIM:
            spent = (line[key] for key in ("seconds", "equal_seconds", "look_seconds"))
            each = [round(1e6 * seconds / line["problems"], 1) for seconds in spent]
            cells = line["rows"], line["features"], *each, line["iterations"]
            body.append([name.replace("_", " "), *cells, line["equal_ratio"]])
    return rows(" data, loss|rows|features|ours us|LIBLINEAR us|one look us|iterations|ratio", body)


@table
def threads() -> str:
    return rows(
        " problem|one job s|two jobs s|ratio|first call, one job s|two jobs s|ratio"
        "|processor time, two / one",
        (
            [
                name,
                line["one_job"],
                line["two_jobs"],
                _bold(line["ratio"]),
                line["first_1"],
                line["first_2"],
                _bold(line["first_ratio"]),
                line["cpu_ratio"],
            ]
            for name, line in lines("threads", "two jobs, ").items()
        ),
    )


@table
def default_fits() -> str:
    found = lines("default_fits", "default fits, ")
    systems = list(dict.fromkeys(key for line in found.values() for key in line["systems"]))
    body = []
    for name, line in found.items():
        cells = []
        for key in systems:
            one = line["systems"].get(key, {})
            cells.append(f"{one['f1']:.1f} / {one['seconds']:.3g}" if "f1" in one else "-")
        body.append([name, line["rows"], line["labels"], *cells])
    return rows("|".join([" data", "rows", "labels", *systems]), body)


@table
def roofline() -> str:
    return rows(
        " loop|MB moved|GB a second|a copy, GB a second|share|share of BLAS",
        (
            [
                name,
                line["megabytes"],
                line["gb_per_s"],
                line["copy_gb_per_s"],
                line["share"],
                line.get("share_of_blas"),
            ]
            for name, line in lines("roofline", "roofline, ").items()
        ),
    )


@table
def cuts() -> str:
    return rows(
        " data|rows|labels|fit s|solver s|share of the rest",
        (
            [
                name,
                line["rows"],
                line["labels"],
                line["seconds"],
                line["solver_seconds"],
                line["rest"],
            ]
            for name, line in lines("cuts", "share, ").items()
        ),
    )


def main() -> None:
    """Put the tables on the page."""
    text = PAGE.read_text()
    for name, draw in TABLES.items():
        parts = re.split(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", text, flags=re.S)
        if len(parts) != 4:
            raise SystemExit(f"{PAGE.name} must have one place for the table {name}.")
        text = f"{parts[0]}{parts[1]}{draw()}\n{parts[2]}{parts[3]}"
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
