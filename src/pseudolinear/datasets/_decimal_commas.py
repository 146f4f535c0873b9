"""Numbers with a decimal comma, as spreadsheets of half the world write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

NUMBER = re.compile(r"[+-]?\d+(,\d+)?([eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?\d{1,3},\d{3}")


def read_decimal_commas(frame: Any, separator: str, strings: Sequence[str]) -> Any:
    """Read columns of texts that are all numbers, some of them with a comma, as numbers.

    In files whose values are not separated by semicolons, commas can be those of thousands: there,
    a value that cannot be meant so has to be among them.

    Parameters
    ----------
    frame : pandas.DataFrame
        What was read, a whole file or a part; without a comma, pandas has read numbers already.
    separator : str
        What separates its values.
    strings : sequence of str
        Columns that are strings whatever they look like.

    Returns
    -------
    pandas.DataFrame
        With numbers in such columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from pseudolinear.datasets._decimal_commas import read_decimal_commas
    >>> frame = pd.DataFrame({"price": ["1,5", "20", None], "town": ["Ulm", "Bonn", "Ulm"]})
    >>> read_decimal_commas(frame, ";", ())["price"].tolist()
    [1.5, 20.0, nan]
    """
    read = {}
    for name in frame.columns.difference(list(strings), sort=False):
        values = frame[name]
        if values.dtype.kind == "O" and _has_decimal_commas(values.dropna(), separator):
            read[name] = values.str.replace(",", ".").astype(float)
    return frame.assign(**read) if read else frame


def _has_decimal_commas(values: Iterable[Any], separator: str) -> bool:
    """Tell numbers, at least one of them with a comma that is no separator of thousands."""
    if not all(isinstance(value, str) and NUMBER.fullmatch(value) for value in values):
        return False  # mostly by the first one; booleans with gaps are objects as well
    with_comma = (value for value in values if "," in value)
    return any(separator == ";" or not THOUSANDS.fullmatch(value) for value in with_comma)
