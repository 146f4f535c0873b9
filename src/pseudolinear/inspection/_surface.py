"""A measure as a surface over its two errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits
from pseudolinear._palette import RED
from pseudolinear.errors import ErrorProfile
from pseudolinear.inspection._display import Display, as_rows
from pseudolinear.inspection._level_lines import (
    draw_lines,
    label_errors,
    largest_pair,
    level_line,
    pairs,
    round_levels,
)
from pseudolinear.inspection._matplotlib import STAR, pyplot
from pseudolinear.inspection._response import own_measure, respond
from pseudolinear.measures import Measure, get_ratio, short_name


@dataclass(eq=False, repr=False)
class SurfaceDisplay(Display):
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

    Examples
    --------
    >>> from pseudolinear.inspection import SurfaceDisplay
    >>> display = SurfaceDisplay.from_measure("f1", prevalence=0.3)
    >>> float(display.frame()["value"].max())  # without an error
    1.0
    """

    measure: Measure
    prevalence: ArrayLike
    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    values: NDArray[np.float64]
    lines: dict[float, NDArray[np.float64]]
    point: NDArray[np.float64] | None = None

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
        **style: Any,
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
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        SurfaceDisplay
            The plotted display.
        """
        measure = get_ratio(measure)
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
        return cls(measure, prevalence, fn, fp, values, lines, point).plot(ax, **style)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        measure: str | Measure = "f1",
        *,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Mark what predictions reach on the surface of a binary measure.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,)
            0 and 1, or booleans.
        measure : str or Measure, default="f1"
            A binary measure or its name.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        ax, **options
            As in :meth:`from_measure`.

        Returns
        -------
        SurfaceDisplay
            The plotted display.
        """
        profile = ErrorProfile.from_labels(y_true, y_pred, sample_weight=sample_weight)
        return cls.from_measure(measure, profile.prevalence, profile=profile, ax=ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, measure: str | Measure | None = None,
        **options: Any,
    ) -> Self:  # fmt: skip
        """Mark what a fitted binary classifier reaches on the surface of a measure.

        Parameters
        ----------
        estimator : classifier
            Fitted binary classifier.
        X, y : array-like
            The rows and their classes.
        measure : str or Measure, default=None
            By default the one that the classifier was trained for.
        **options
            As in :meth:`from_predictions`.

        Returns
        -------
        SurfaceDisplay
            The plotted display.
        """
        measure = own_measure(estimator, measure)
        seen = respond(estimator, X, y, measure)
        return cls.from_predictions(seen.true, seen.predicted, measure, **options)

    def rows(self) -> list[dict[str, Any]]:
        """List the grid, both ends of each level set, and the marked profile.

        Returns
        -------
        list of dict
            With the keys kind ("surface", "level set", "chosen" or "level set of the chosen"),
            fn, fp and value.
        """
        table = as_rows(kind="surface", fn=self.fn[:, None], fp=self.fp, value=self.values)
        for level, (fn, fp) in ((level, ends.T) for level, ends in self.lines.items()):
            table += as_rows(kind="level set", fn=fn, fp=fp, value=level)
        if self.point is not None:
            value, (own_fn, own_fp) = self._own_level(self.point)
            fn, fp = self.point
            table += as_rows(kind="chosen", fn=fn, fp=fp, value=value)
            table += as_rows(kind="level set of the chosen", fn=own_fn, fp=own_fp, value=value)
        return table

    def _own_level(self, point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the value at a point, and fn and fp of both ends of its level set."""
        fn, fp = point
        value = float(self.measure.pair_value(fn, fp, self.prevalence))
        return value, level_line(self.measure, self.prevalence, value).T

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        from matplotlib.colors import ListedColormap

        light = ListedColormap(pyplot().get_cmap("Blues")(np.linspace(0.05, 0.65, 256)))
        options = {"cmap": light, "shading": "gouraud", "rasterized": True} | style
        surface = ax.pcolormesh(self.fp, self.fn, self.values, **options)
        ax.figure.colorbar(surface, ax=ax, label=short_name(self.measure))
        lines = {t: np.linspace(a[::-1], b[::-1], 100) for t, (a, b) in self.lines.items()}
        draw_lines(ax, lines, "k", label_at=0.4)  # clear of the legend
        if self.point is not None:
            self._draw_point(ax, self.point)
        ax.set(xlim=self.fp[[0, -1]], ylim=self.fn[[0, -1]])
        label_errors(ax)

    def _draw_point(self, ax: Any, point: NDArray[np.float64]) -> None:
        fn, fp = point
        value, (own_fn, own_fp) = self._own_level(point)
        text = f"chosen: {short_name(self.measure)} = {in_digits(value, 3)}"
        ax.plot(fp, fn, **STAR, clip_on=False, label=text)
        ax.plot(own_fp, own_fn, "--", color=RED, lw=2, label="level set of the chosen")

    def _legend(self) -> dict[str, Any]:
        """Place the legend where errors are large and lines are few."""
        return {"loc": "upper right"}


def _fits(profile: ErrorProfile, prevalence: ArrayLike) -> bool:
    known = np.atleast_1d(np.asarray(prevalence, dtype=np.float64))
    return profile.fn.shape == known.shape and np.allclose(profile.prevalence, known)
