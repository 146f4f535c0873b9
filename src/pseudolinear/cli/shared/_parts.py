"""Rows of the command line that are read part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pseudolinear.cli.shared._columns import Roles

if TYPE_CHECKING:
    from pseudolinear.scale import ArrowParts


def open_rows(file: str, roles: Roles) -> ArrowParts:
    """Open a Parquet file or folder, or another file that Arrow reads, with its columns by role."""
    from pseudolinear.scale import ArrowParts, open_dataset

    if file == "-":
        raise click.UsageError("The standard input can be read only once; --in-parts needs a file.")
    for name in ("groups", "text", "label_separator"):
        if getattr(roles, name) is not None:
            option = name.replace("_", "-")
            raise click.UsageError(f"--{option} needs all rows at once; leave out --in-parts.")
    dataset = open_dataset(file)
    roles.check(dataset.schema.names)
    others = {roles.target, *roles.labels, roles.weight, *roles.drop}
    columns = [name for name in dataset.schema.names if name not in others]
    target: Any = roles.target or list(roles.labels)
    return ArrowParts(dataset, target, roles.weight, columns)


def positive_in(parts: ArrowParts, positive: str | None) -> Any:
    """Return the positive class as the column of the classes holds it."""
    if positive is None or not isinstance(parts.target, str):
        return positive
    kind = str(parts.dataset.schema.field(parts.target).type)
    if kind.startswith(("int", "uint")):
        return int(positive)
    return float(positive) if kind in ("float", "double") else positive
