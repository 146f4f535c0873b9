"""Thresholds of the parts of a table, and how they are told."""

from __future__ import annotations

from typing import Any

from pseudolinear._digits import in_digits, in_percent
from pseudolinear.cli.shared._output import Output, table


def streamed_thresholds(
    files: Any,
    goals: list[tuple[str, Any]],
    prevalence: float | None,
    output: Output,
    **resampling: Any,
) -> None:
    """Find the thresholds for all goals in the same passes, and print them.

    Parameters
    ----------
    files : ScoreFiles
        What is read.
    goals : list of (str, object)
        Names and objectives.
    prevalence : float or None
        Share of positives where a threshold will be used.
    output : Output
        Where the result goes.
    **resampling
        `n_resamples`, `confidence` and `random_state`, for one target.
    """
    from pseudolinear.thresholds import streamed_threshold

    found = streamed_threshold(files, [goal for _, goal in goals], prevalence=prevalence)
    results = []
    for (name, goal), cut in zip(goals, found.cuts, strict=True):
        sure = None if found.several else found.resample(goal, prevalence, **resampling)
        results.append(_data(files, found, name, cut, sure, resampling))
    first = {
        **results[0],
        "n_rows": found.n_rows,
        "passes": found.passes,
        "files": len(files.files),
        "others": results[1:],
    }
    shown = (part for data in results for part in _shown(data))
    output.result(first, *(lambda part=part: part for part in [*shown, _passes(first)]))


def _data(
    files: Any, found: Any, name: str, cut: Any, sure: Any, resampling: dict[str, Any]
) -> dict[str, Any]:
    import numpy as np

    thresholds, flagged, profile = np.atleast_1d(cut.threshold), found.flagged(cut), cut.profile
    spread = [None] * len(thresholds) if sure is None else [sure.spread]
    return {
        "objective": name,
        "value_here": cut.value,
        "value": None if sure is None else sure.expected,
        "interval": None if sure is None else sure.interval,
        "confidence": resampling["confidence"],
        "resamples": 0 if sure is None else resampling["n_resamples"],
        "failed_resamples": 0 if sure is None else sure.n_failed,
        "thresholds": [
            {
                "score": files.score[k],
                "threshold": thresholds[k],
                "spread": spread[k],
                "flagged_rows": int(flagged[k]) if files.weight is None else None,
                "precision": profile.precision[k],
                "recall": profile.recall[k],
            }
            for k in range(len(thresholds))
        ],
    }


def _shown(data: dict[str, Any]) -> list[Any]:
    return [headline(data), threshold_table(data)]


def headline(data: dict[str, Any]) -> str:
    """Say what is to be expected, with its interval."""
    if data["interval"] is None:
        return f"{data['objective']}: {in_digits(data['value_here'])} on these rows"
    low, high = map(in_digits, data["interval"])
    line = (
        f"{data['objective']}: {in_digits(data['value'])} to be expected of other rows "
        f"({in_percent(data['confidence'])} interval {low} to {high}), "
        f"{in_digits(data['value_here'])} on these"
    )
    if data["failed_resamples"]:
        line += f"\n{data['failed_resamples']} of {data['resamples']} resamples have no threshold"
    return line


def threshold_table(data: dict[str, Any]) -> Any:
    """Show a line per score."""
    rows = [
        [row["score"], f"{row['threshold']:.6g}", _spread(row["spread"]),
         None if row["flagged_rows"] is None else int(row["flagged_rows"]),
         float(row["precision"]), float(row["recall"])]
        for row in data["thresholds"]
    ]  # fmt: skip
    return table(["score", "threshold", "spread", "flagged rows", "precision", "recall"], rows)


def _spread(ends: Any) -> str | None:
    return None if ends is None else "{:.4g} to {:.4g}".format(*ends)


def _passes(data: dict[str, Any]) -> str:
    files, passes = data["files"], data["passes"]
    return (
        f"exact: {data['n_rows']:,} rows in {files} file{'s' * (files > 1)}, "
        f"{passes} pass{'es' * (passes > 1)}"
    )
