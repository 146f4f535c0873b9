"""Small tables of results: aligned text, HTML, data frames."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Pad the columns of a table of texts.

    Examples
    --------
    >>> from pseudolinear._tables import aligned
    >>> aligned([("label", "value"), ("a", "0.5")])
    ['label  value', 'a      0.5']
    """
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]


def html_table(caption: str, table: Sequence[Sequence[str]]) -> str:
    """Write a table of texts, the first row being its head, as notebooks show it.

    Examples
    --------
    >>> from pseudolinear._tables import html_table
    >>> html_table("a < b", [("label",), ("a",)])[:45]
    '<table><caption>a &lt; b</caption><thead><tr>'
    """
    head, *rows = table
    names = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{names}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def as_frame(rows: Any, name: str = "frame()", instead: str = "to_dict()") -> pd.DataFrame:
    """Return rows as a data frame, or say that it needs pandas and what does without.

    Parameters
    ----------
    rows : list of dict
        The rows.
    name : str, default="frame()"
        What was called.
    instead : str, default="to_dict()"
        What gives the same without pandas.

    Returns
    -------
    pandas.DataFrame
        One row each.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            f"{name} needs pandas; install it by 'pip install pandas', or use {instead}."
        ) from error
    return pd.DataFrame(rows)
