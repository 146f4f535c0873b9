"""A small picture that needs no library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from pseudolinear._palette import BLUE, RED

WIDTH, HEIGHT = 260, 150
LEFT, RIGHT, TOP, BOTTOM = 34, 10, 24, 34  # room for what is written around the line


def sparkline(
    x: Sequence[float],
    y: Sequence[float],
    title: str,
    along: str,
    mark: tuple[float, float] | None = None,
) -> str:
    """Draw one line as SVG, in the colour of the text around it.

    Parameters
    ----------
    x, y : sequence of float
        The points, in order.
    title, along : str
        What is drawn, and along what.
    mark : tuple of float, default=None
        A point to mark.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> sparkline([0, 1, 2], [0.1, 0.9, 0.4], "F1", "threshold", (1, 0.9)).count("<circle")
    1
    """
    low, high = min(x), max(x)
    bottom, top = min(y), max(y)
    if bottom >= -1.0 and top <= 1.0:  # shares, and no money
        bottom, top = min(0.0, bottom), 1.0
    at_x = LEFT + (np.array(x) - low) / ((high - low) or 1.0) * (WIDTH - LEFT - RIGHT)
    height = (np.array(y) - bottom) / ((top - bottom) or 1.0)
    at_y = HEIGHT - BOTTOM - height * (HEIGHT - TOP - BOTTOM)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(at_x, at_y, strict=True))
    parts = [
        _text(LEFT, 12, title, "start"),
        *_axes(low, high, bottom, top),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, along, "middle"),
        f'<polyline points="{points}" fill="none" stroke="{BLUE}" stroke-width="2"/>',
    ]
    if mark is not None:
        i = int(np.argmin(np.hypot(np.array(x) - mark[0], np.array(y) - mark[1])))
        parts.append(f'<circle cx="{at_x[i]:.1f}" cy="{at_y[i]:.1f}" r="4.5" fill="{RED}"/>')
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}" font-size="11" fill="currentColor">{"".join(parts)}</svg>'
    )


def _axes(low: float, high: float, bottom: float, top: float) -> list[str]:
    base, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    lines = [(LEFT, base, end, base), (LEFT, TOP, LEFT, base)]
    drawn = [
        f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}" stroke="currentColor" stroke-opacity=".4"/>'
        for a, b, c, d in lines
    ]
    return [
        *drawn,
        _text(LEFT - 4, base, f"{bottom:.3g}", "end"),
        _text(LEFT - 4, TOP + 5, f"{top:.3g}", "end"),
        _text(LEFT, base + 14, f"{low:.3g}", "middle"),
        _text(end, base + 14, f"{high:.3g}", "end"),
    ]


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'
