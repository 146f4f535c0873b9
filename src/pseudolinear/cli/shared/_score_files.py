"""Files of scores or predictions, as the command line names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pseudolinear.cli.shared._output import Output
from pseudolinear.cli.shared._positive import choose_positive

LARGE = 2**28  # bytes from which a single file is not read at once


def several_parts(paths: tuple[str, ...]) -> bool:
    """Return whether these are parts of a table, or a file that is too large to be read at once."""
    if len(paths) > 1:
        return True
    if paths[0] == "-":
        return False
    path = Path(paths[0])
    return not path.is_file() or path.stat().st_size >= LARGE


def parts_argument(name: str, metavar: str) -> Any:
    """Take files, folders of parts and patterns."""
    return click.argument(
        name, type=click.Path(allow_dash=True), nargs=-1, required=True, metavar=metavar
    )


def open_parts(
    paths: tuple[str, ...],
    output: Output,
    *,
    target: tuple[str, ...],
    file_format: str | None,
    **columns: Any,
) -> Any:
    """Return the parts, ready to be gone through.

    Parameters
    ----------
    paths : tuple of str
        Files, folders and patterns.
    output : Output
        Whether somebody watches.
    target : tuple of str
        Columns of the truth.
    file_format : str or None
        What the files are.
    **columns
        `score` or `prediction`, and `weight`.

    Returns
    -------
    ScoreFiles
        Of one target where one is given.
    """
    from pseudolinear.datasets import ScoreFiles

    if "-" in paths:
        raise click.UsageError(
            "The standard input can be read once, and parts may need several passes; give files."
        )
    one = target[0] if len(target) == 1 else target
    return ScoreFiles(paths, target=one, format=file_format, verbose=output.progress, **columns)


def name_positive_class(files: Any, given: str | None, output: Output) -> None:
    """Say which class of one target is positive: of all parts, whatever is first in them."""
    if given is None and files.conventional:
        return
    counts = files.class_counts()
    if len(counts) != 2:
        raise ValueError(
            f"The target {files.target[0]!r} has {len(counts)} classes; thresholds need two."
        )
    classes = sorted(counts)
    shares = [counts[name] / sum(counts.values()) for name in classes]
    meant = choose_positive(classes, shares, given, None, output)
    files.positive = classes[-1] if meant is None else meant
