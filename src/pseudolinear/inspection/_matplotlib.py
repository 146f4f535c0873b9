"""The optional plotting library, with a helpful error where it is missing, and our style."""

from __future__ import annotations

from typing import Any

from pseudolinear._palette import RED

SIZE = (7, 5)  # of a new figure, in inches
# What was chosen, or is the best.
STAR = {"marker": "*", "color": RED, "mec": "k", "ms": 16, "ls": "", "zorder": 4}

SCALE = ("c", "cmap", "norm")  # options of a scale of colours
# Of a legend that finds no room inside.
ABOVE = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "frameon": False}


def pyplot() -> Any:
    """Import matplotlib's pyplot."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "Plots need matplotlib; install it by 'pip install pseudolinear[plot]'."
        ) from error
    return plt


def axes_or_new(ax: Any, size: tuple[float, float] = SIZE) -> Any:
    """Return the given axes, or those of a new figure."""
    plt = pyplot()
    return plt.subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def restyled(style: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """Let a user's options replace ours, whichever of its names an option goes by.

    Examples
    --------
    >>> restyled({"linewidth": 3}, lw=1, color="k")
    {'linewidth': 3, 'color': 'k'}
    """
    pyplot()
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return normalize_kwargs(defaults, Line2D) | normalize_kwargs(style, Line2D)


def scatter(ax: Any, x: Any, y: Any, style: dict[str, Any], **defaults: Any) -> Any:
    """Draw points; as in :func:`restyled`, and a user's colour replaces a scale of colours."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.collections import Collection

    if "color" in style:
        defaults = {name: value for name, value in defaults.items() if name not in SCALE}
    options = normalize_kwargs(defaults, Collection) | normalize_kwargs(style, Collection)
    return ax.scatter(x, y, **options)
