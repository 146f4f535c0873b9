"""The colours of all pictures: displays, the report, the experiments."""

from __future__ import annotations

# Okabe and Ito. Lines and points: told apart by readers of any colour vision, and seen on white
# and on the dark page of a report (a contrast of at least 3).
LINES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
BLUE, RED, GREEN, PURPLE = LINES
STYLES = ("-", "--", "-.", ":")  # of lines that are compared: one style for each colour
# Too light for a line on white: areas, and points with a dark edge.
ORANGE, SKY = "#E69F00", "#56B4E9"
GREY = "#808080"  # what is in the background

# A report is light or dark, as its reader prefers. Links are text, which needs a contrast of 4.5.
PAGE_LIGHT = {"paper": "#FFFFFF", "line": BLUE, "second": "#007A5A", "now": RED}
PAGE_DARK = {"paper": "#14171A", "line": SKY, "second": "#2FC79A", "now": "#F0A030"}


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour, from 0 to 255.

    Examples
    --------
    >>> channels("#0072B2")
    (0, 114, 178)
    """
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
