"""The plane of the two errors that decide a measure, and its straight level sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.inspection._matplotlib import pyplot
from pseudolinear.measures import Measure


def pairs(measure: Measure, profile: ErrorProfile) -> NDArray[np.float64]:
    """Collapse profiles to the pairs (fn, fp) that decide the measure: shape (..., 2)."""
    if not measure.collapses:
        raise ValueError(
            f"{measure!r} has no single pair of errors; draw one label at a time, "
            "with average='binary'."
        )
    to_pair = measure.pair_map(profile.n_labels)
    return np.asarray((profile.errors[..., None, :, :] * to_pair).sum(axis=(-2, -1)))


def largest_pair(measure: Measure, prevalence: ArrayLike) -> NDArray[np.float64]:
    """Return the largest fn and fp that are possible."""
    p = np.asarray(prevalence, dtype=np.float64)
    return pairs(measure, ErrorProfile(p, 1.0 - p, p))


def perfect_value(measure: Measure, prevalence: ArrayLike) -> float:
    """Return the value of no error."""
    return float(measure.pair_value(np.array(0.0), np.array(0.0), prevalence))


def level_line(
    measure: Measure, prevalence: ArrayLike, level: float, largest: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Cut the level set of a measure out of the box of all pairs of errors.

    Parameters
    ----------
    measure : Measure
        One that a pair of errors decides.
    prevalence : float or array-like of shape (n_labels,)
        Proportion of rows that carry each label.
    level : float
        Value of the measure.
    largest : array-like of shape (2,), default=None
        Where the box ends; by default at the largest errors that are possible.

    Returns
    -------
    ndarray of shape (2, 2) or (0, 2)
        Both ends (fn, fp) of the line; nothing where the level is not crossed.

    Examples
    --------
    >>> level_line(FBeta(), 0.5, level=0.8)
    array([[0.16666667, 0.        ], [0.        , 0.25      ]])
    """
    c = measure.pair_coefficients(prevalence)
    end = largest_pair(measure, prevalence) if largest is None else np.asarray(largest)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * end
    heights = corners @ (level * c.delta - c.gamma) + level * c.alpha1 - c.alpha0
    heights[np.abs(heights) < 1e-12] = 0.0
    ends = list(corners[heights == 0])
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 0)):
        if heights[i] * heights[j] < 0:
            share = heights[i] / (heights[i] - heights[j])
            ends.append(corners[i] + share * (corners[j] - corners[i]))
    return np.array(ends) if len(ends) == 2 else np.empty((0, 2))


def round_levels(low: float, high: float) -> NDArray[np.float64]:
    """Return about ten round numbers strictly between two values."""
    ticks = pyplot().MaxNLocator(10, steps=[1, 2, 5, 10]).tick_values(low, high)
    margin = 1e-9 * (high - low)
    return ticks[(ticks > low + margin) & (ticks < high - margin)]


def draw_lines(
    ax: Any, lines: Mapping[float, NDArray[np.float64]], colour: str, *, label_at: float
) -> None:
    """Draw lines (x, y) of equal value, each with its level on it, some way along."""
    pyplot()
    from matplotlib.contour import ContourSet
    from matplotlib.patheffects import withStroke

    # Contours of a grid are crooked by interpolation; these lines are exact.
    drawn = ContourSet(
        ax, list(lines), [[line] for line in lines.values()], colors=colour, linewidths=0.8
    )
    places = [line[int(label_at * (len(line) - 1))] for line in lines.values()]
    halo = [withStroke(linewidth=2.5, foreground="w")]  # readable where another line crosses
    for text in ax.clabel(drawn, fmt="%g", fontsize=9, colors="k", manual=places, zorder=4):
        text.set_path_effects(halo)


def label_errors(ax: Any) -> None:
    """Name the axes of the plane of errors."""
    ax.set(xlabel="false positives (share of all rows)")
    ax.set(ylabel="false negatives (share of all rows)")
