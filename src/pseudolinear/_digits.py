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
