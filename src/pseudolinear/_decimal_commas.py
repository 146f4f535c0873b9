"""Numbers with a decimal comma, as spreadsheets of half the world write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

NUMBER = re.compile(r"[+-]?\d+(,\d+)?([eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?\d{1,3},\d{3}")


class DecimalCommas:
    """Which columns of a file have decimal commas, found out once for all its parts.

    A column of texts that are all numbers, some of them with a comma, is one of numbers. In files
    whose values are not separated by semicolons, commas can be those of thousands: there, a value
    that cannot be meant so has to be among them. The first part that tells decides, and a later
    one that contradicts is refused.

    Parameters
    ----------
    separator : str
        What separates the values of the file.
    strings : sequence of str, default=()
        Columns that are strings whatever they look like.

    Examples
    --------
    >>> import pandas as pd
    >>> from pseudolinear._decimal_commas import DecimalCommas
    >>> commas = DecimalCommas(",")
    >>> commas.read(pd.DataFrame({"price": ["1,5", "20", None]}))["price"].tolist()
    [1.5, 20.0, nan]
    >>> commas.read(pd.DataFrame({"price": ["1,234"]}))["price"].tolist()
    [1.234]
    """

    def __init__(self, separator: str, strings: Sequence[str] = ()) -> None:
        self.separator, self.strings = separator, list(strings)
        self._known: dict[Any, str] = {}  # columns that have told: "comma", "point" or "text"

    def read(self, frame: Any) -> Any:
        """Read the columns of a part that have decimal commas as numbers.

        Parameters
        ----------
        frame : pandas.DataFrame
            A whole file, or its next part; without a comma, numbers have been read already.

        Returns
        -------
        pandas.DataFrame
            With numbers in such columns.
        """
        read = {}
        for name in frame.columns.difference(self.strings, sort=False):
            values = frame[name]
            found = self._sign(values)
            known = self._known.setdefault(name, found) if found else self._known.get(name)
            if known == "comma":
                _refuse(name, known, (one for one in values.dropna().tolist() if not _fits(one)))
                if values.dtype.kind == "O":
                    read[name] = values.str.replace(",", ".").astype(float)
            elif known == "point" and found == "comma":
                _refuse(name, known, (one for one in values.dropna() if "," in one))
        return frame.assign(**read) if read else frame

    def _sign(self, values: Any) -> str:
        """Say what stands before the fractions of a part; nothing where it has none."""
        if values.dtype.kind != "O":  # whole numbers are written alike either way
            return "point" if values.dtype.kind == "f" and (values % 1 > 0).any() else ""
        texts = values.dropna()
        if not all(isinstance(text, str) and NUMBER.fullmatch(text) for text in texts):
            return "text"  # mostly by the first one; booleans with gaps are objects as well
        commas = [text for text in texts if "," in text]
        if any(self.separator == ";" or not THOUSANDS.fullmatch(text) for text in commas):
            return "comma"
        return "text" if commas else ""


def _fits(value: Any) -> bool:
    """Tell what can stand among numbers with a decimal comma."""
    return NUMBER.fullmatch(str(value).removesuffix(".0")) is not None


def _refuse(name: Any, known: str, odd: Iterator[Any]) -> None:
    """Refuse the first value that contradicts the rows before."""
    for value in odd:
        raise ValueError(
            f"the column {name!r} holds {value!r} after numbers with a decimal {known}; write all "
            "of them alike"
        )
