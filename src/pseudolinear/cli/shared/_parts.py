"""Rows of the command line that are read part by part."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from pseudolinear.cli.shared._columns import Roles, refuse_gaps
from pseudolinear.cli.shared._output import Output
from pseudolinear.cli.shared._positive import choose_positive, needs_no_positive

if TYPE_CHECKING:
    from pseudolinear.scale import ArrowParts

MOST_CLASSES = 1000  # beyond, a target holds numbers


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


def positive_in(parts: ArrowParts, given: str | None, measure: str, output: Output) -> Any:
    """Return the positive class as the column of the classes holds it: see :func:`find_positive`.

    One pass over that column counts the classes, so that the rule is the same as for rows that are
    read at once.
    """
    if not isinstance(parts.target, str):
        return choose_positive([], None, given, measure, output)
    if given is None and needs_no_positive(measure):
        return None
    counts = _count_classes(parts, parts.target)
    classes = _in_order(counts)
    if not classes and given is None:
        return None
    shares = [counts[one] / counts.total() for one in classes]
    return choose_positive(classes, shares, given, measure, output)


def _count_classes(parts: ArrowParts, target: str) -> Counter[Any]:
    """Return how many rows are of each class; of more classes than any fit takes, only some."""
    from pseudolinear.scale import ArrowParts

    counts: Counter[Any] = Counter()
    n_rows = n_missing = 0
    for part in ArrowParts(parts.dataset, target, columns=[]):
        n_rows += len(part)
        n_missing += int(part.y.isna().sum())
        counts.update(part.y.value_counts().to_dict())
        if len(counts) > MOST_CLASSES:  # numbers rather than classes, which fit refuses
            return counts
    refuse_gaps(target, n_missing, n_rows)
    return counts


def _in_order(counts: Counter[Any]) -> list[Any]:
    try:
        return sorted(one for one, times in counts.items() if times)
    except TypeError:  # classes without a common order, which fit refuses
        return []
