"""Values as people read them: shares with decimals, money with two."""

from __future__ import annotations


def in_digits(value: float, decimals: int = 4, *, sign: bool = False) -> str:
    """Write the value of a measure: shares with some decimals, other numbers, as of money, with 2.

    Examples
    --------
    >>> from pseudolinear._digits import in_digits
    >>> in_digits(0.73125), in_digits(0.73125, 3), in_digits(-1234.567)
    ('0.7312', '0.731', '-1,234.57')
    """
    plus = "+" if sign else ""
    return f"{value:{plus}.{decimals}f}" if abs(value) <= 1 else f"{value:{plus},.2f}"


def in_percent(share: float, decimals: int | None = None) -> str:
    """Write a share of one in percent: as exactly as it is given, or with some decimals.

    Examples
    --------
    >>> from pseudolinear._digits import in_percent
    >>> in_percent(0.95), in_percent(0.999), in_percent(0.4567, 0)
    ('95 %', '99.9 %', '46 %')
    """
    return f"{100 * share:.6g} %" if decimals is None else f"{100 * share:.{decimals}f} %"
