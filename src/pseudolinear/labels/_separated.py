"""Several labels in one cell of a table, with something between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

USUAL = "|;,"  # what is mostly between labels


def split_labels(cell: Any, separator: str | None) -> list[str]:
    """Return the labels of a row; a gap has none, and a list holds them already.

    Parameters
    ----------
    cell : object
        Text, a gap, or a collection.
    separator : str or None
        What is between labels; None where cells are collections.

    Returns
    -------
    list of str
        Without spaces around them.

    Examples
    --------
    >>> from pseudolinear.labels import split_labels
    >>> split_labels("news| sport", "|")
    ['news', 'sport']
    """
    if is_list(cell):
        return [str(label) for label in cell]
    if cell is None or cell != cell:
        return []
    return [label for label in (part.strip() for part in str(cell).split(separator)) if label]


def is_list(cell: Any) -> bool:
    """Return whether a cell holds several values, as those of JSON lines and Parquet may."""
    return hasattr(cell, "__len__") and not isinstance(cell, str)


def suspect_separator(classes: Iterable[Any]) -> str | None:
    """Return what seems to separate labels in the names of classes.

    Parameters
    ----------
    classes : iterable
        Their names, each once.

    Returns
    -------
    str or None
        None unless all labels of some class are labels of other classes too.

    Examples
    --------
    >>> from pseudolinear.labels import suspect_separator
    >>> suspect_separator(["news", "sport", "news|sport"])
    '|'
    >>> suspect_separator(["Boston, MA", "Salem, MA"]) is None
    True
    """
    names = [name for name in classes if isinstance(name, str)]
    for separator in USUAL:
        labels = [set(split_labels(name, separator)) for name in names]
        holders = Counter(label for one in labels for label in one)
        if any(len(one) > 1 and all(holders[label] > 1 for label in one) for one in labels):
            return separator
    return None
