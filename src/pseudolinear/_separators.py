"""What separates the values of a text file."""

from __future__ import annotations

import re

SEPARATORS = ",;\t|"


def find_separator(names: str, among: str = SEPARATORS) -> str:
    """Return the separator that a line of names has most, but for names in quotes.

    Parameters
    ----------
    names : str
        The first line of a file.
    among : str
        Separators that are known; of equally frequent ones the first is taken.

    Returns
    -------
    str
        One of them.

    Examples
    --------
    >>> from pseudolinear._separators import find_separator
    >>> find_separator('"age, in years";city;y')
    ';'
    """
    return max(among, key=re.sub('"[^"]*"', "", names).count)
