"""The verb ``inspect``: what a model is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pseudolinear.cli.shared import Output, Verb, describe, load_model, model_argument, table

MOST_NAMES = 12  # of classes, features or thresholds that are listed for people


@click.command("inspect", cls=Verb, short_help="Say what a model is.")
@model_argument()
def command(output: Output, *, model: str) -> None:
    """Say what a model is: measure, classes, features, thresholds, value, size and versions."""
    from pseudolinear.persistence._archive import read_archive

    classifier = load_model(model)
    content = Path(model).read_bytes()
    found = {"model": model, "bytes": len(content)} | describe(classifier)
    found["versions"] = read_archive(content)[0]["versions"]
    rows = [[name.replace("_", " "), _short(value)] for name, value in found.items()]
    output.result(found, lambda: table(["what", "value"], [row for row in rows if row[1]]))


def _short(value: Any) -> str:
    """Return a value as people read it: long lists by their beginning."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list | tuple):
        some = ", ".join(_short(one) for one in value[:MOST_NAMES])
        return some + (f", ... ({len(value)})" if len(value) > MOST_NAMES else "")
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(one)}" for key, one in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
