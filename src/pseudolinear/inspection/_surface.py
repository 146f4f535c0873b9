"""A measure as a surface over its two errors."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.inspection._level_lines import (
    draw_lines,
    label_errors,
    largest_pair,
    level_line,
    pairs,
    round_levels,
    short_name,
)
from pseudolinear.inspection._matplotlib import COLOURS, axes_or_new, pyplot
from pseudolinear.measures import Measure, get_measure


class SurfaceDisplay:
    """A measure over false negatives and false positives, with its straight level sets.

    Parameters
    ----------
    measure : Measure
        One that a pair of errors decides.
    prevalence : float or ndarray of shape (n_labels,)
        Proportion of rows that carry each label.
    fn, fp : ndarray
        Grid lines in both directions.
    values : ndarray of shape (n_fn, n_fp)
        The measure on the grid.
    lines : dict of float to ndarray of shape (2, 2)
        Both ends (fn, fp) of each level set, by level.
    point : ndarray of shape (2,), default=None
        The pair (fn, fp) of a profile to mark.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes, after `plot`.
    figure_ : matplotlib Figure
        The figure, after `plot`.
    """

    def __init__(
        self,
        measure: Measure,
        prevalence: ArrayLike,
        fn: NDArray[np.float64],
        fp: NDArray[np.float64],
        values: NDArray[np.float64],
        lines: dict[float, NDArray[np.float64]],
        point: NDArray[np.float64] | None = None,
    ) -> None:
        self.measure = measure
        self.prevalence = prevalence
        self.fn = fn
        self.fp = fp
        self.values = values
        self.lines = lines
        self.point = point

    @classmethod
    def from_measure(
        cls,
        measure: str | Measure,
        prevalence: ArrayLike,
        *,
        levels: ArrayLike | None = None,
        max_fp: float = np.inf,
        profile: ErrorProfile | None = None,
        resolution: int = 200,
        ax: Any = None,
    ) -> Self:
        """Evaluate a measure on all pairs of errors and plot it.

        Parameters
        ----------
        measure : str or Measure
            A measure or its name; binary, or a micro average.
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.
        levels : array-like, default=None
            Values whose level sets are drawn; by default about ten round ones.
        max_fp : float, default=inf
            Largest false positives to show: a rare class is decided near 0.
        profile : ErrorProfile, default=None
            A classifier to mark, together with its level set.
        resolution : int, default=200
            Points of the grid in either direction.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        SurfaceDisplay
            The plotted display.
        """
        measure = get_measure(measure)
        largest = largest_pair(measure, prevalence)
        if not (largest > 0).all():
            raise ValueError(f"prevalence must be between 0 and 1, got {prevalence!r}.")
        if not max_fp > 0:
            raise ValueError(f"max_fp must be positive, got {max_fp}.")
        largest = np.minimum(largest, [np.inf, max_fp])
        if profile is not None and not _fits(profile, prevalence):
            raise ValueError(
                f"profile must be one profile with the prevalence {prevalence!r}, got the shape "
                f"{profile.fn.shape} and the prevalence {profile.prevalence.tolist()}."
            )
        fn, fp = (np.linspace(0.0, end, resolution) for end in largest)
        values = measure.pair_value(fn[:, None], fp[None, :], prevalence)
        if levels is None:
            levels = round_levels(values.min(), values.max())
        lines = {
            level: line
            for level in np.unique(np.asarray(levels, dtype=np.float64)).tolist()
            if len(line := level_line(measure, prevalence, level, largest))
        }
        point = None if profile is None else pairs(measure, profile)
        return cls(measure, prevalence, fn, fp, values, lines, point).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the surface as colours and its level sets as labelled lines.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        SurfaceDisplay
            Itself.
        """
        ax = axes_or_new(ax)
        from matplotlib.colors import ListedColormap

        name = short_name(self.measure)
        light = ListedColormap(pyplot().get_cmap("Blues")(np.linspace(0.05, 0.65, 256)))
        surface = ax.pcolormesh(
            self.fp, self.fn, self.values, cmap=light, shading="gouraud", rasterized=True
        )
        ax.figure.colorbar(surface, ax=ax, label=name)
        lines = {t: np.linspace(a[::-1], b[::-1], 100) for t, (a, b) in self.lines.items()}
        draw_lines(ax, lines, "k")
        if self.point is not None:
            fn, fp = self.point
            value = float(self.measure.pair_value(fn, fp, self.prevalence))
            own = level_line(self.measure, self.prevalence, value)
            ax.plot(own[:, 1], own[:, 0], "--", color=COLOURS[5], linewidth=2, label="its level")
            ax.plot(
                fp, fn, "*", color=COLOURS[5], mec="k", ms=16, clip_on=False, zorder=3,
                label=f"chosen: {name} = {value:.3f}",
            )  # fmt: skip
            ax.legend(loc="best", framealpha=0.95)
        ax.set(xlim=self.fp[[0, -1]], ylim=self.fn[[0, -1]])
        label_errors(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _fits(profile: ErrorProfile, prevalence: ArrayLike) -> bool:
    known = np.atleast_1d(np.asarray(prevalence, dtype=np.float64))
    return profile.fn.shape == known.shape and np.allclose(profile.prevalence, known)
