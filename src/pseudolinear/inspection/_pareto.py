"""Error profiles with their front, their hull and the level set of the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.inspection._level_lines import label_errors, level_line, short_name
from pseudolinear.inspection._matplotlib import COLOURS, GREY, axes_or_new
from pseudolinear.measures import Measure, get_measure


class ParetoDisplay:
    """Which of several classifiers can be the best, and which is.

    No classifier lies on the lower left side of the level set through the best one, and the best
    one is a vertex of the lower left hull.

    Parameters
    ----------
    measure : Measure
        What decides among the profiles.
    profiles : ErrorProfile
        Stacked profiles of one label.
    values : ndarray of shape (n_profiles,)
        The measure of each.
    front, hull : ndarray of int
        Positions on the Pareto front, and on the lower left hull.
    names : sequence of str, default=None
        Names of the profiles.

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
        profiles: ErrorProfile,
        values: NDArray[np.float64],
        front: NDArray[np.intp],
        hull: NDArray[np.intp],
        names: Sequence[str] | None = None,
    ) -> None:
        self.measure = measure
        self.profiles = profiles
        self.values = values
        self.front = front
        self.hull = hull
        self.names = names

    @classmethod
    def from_profiles(
        cls,
        profiles: ErrorProfile,
        measure: str | Measure = "f1",
        names: Sequence[str] | None = None,
        *,
        ax: Any = None,
    ) -> Self:
        """Compare profiles by a measure and plot them.

        Parameters
        ----------
        profiles : ErrorProfile
            Stacked profiles of one label; an `ErrorCurve` shows all cuts of a score.
        measure : str or Measure, default="f1"
            A binary measure or its name.
        names : sequence of str, default=None
            Names to write beside the profiles.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        ParetoDisplay
            The plotted display.
        """
        measure = get_measure(measure)
        front, hull = profiles.front(), profiles.hull()
        if names is not None and len(names) != len(profiles):
            raise ValueError(f"There are {len(names)} names for {len(profiles)} profiles.")
        return cls(measure, profiles, measure.value(profiles), front, hull, names).plot(ax)

    @property
    def best(self) -> int:
        """Position of the profile of the largest value; of equal ones the first."""
        return int(np.argmax(self.values))

    def plot(self, ax: Any = None) -> Self:
        """Draw the profiles, the hull and the level sets through its vertices.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        ParetoDisplay
            Itself.
        """
        ax = axes_or_new(ax)
        fn, fp = self.profiles.fn[:, 0], self.profiles.fp[:, 0]
        name, best = short_name(self.measure), self.best
        for i in self.hull[self.hull != best]:
            self._draw_level(ax, self.values[i], color=GREY, linewidth=0.8)
        ax.plot([], [], color=GREY, linewidth=0.8, label="level sets of the hull")
        self._draw_level(
            ax, self.values[best], color=COLOURS[5], linestyle="--", linewidth=2,
            label=f"level set of the best: {name} = {self.values[best]:.3f}",
        )  # fmt: skip
        beaten = np.setdiff1d(np.arange(len(fn)), self.front)
        ax.plot(fp[beaten], fn[beaten], "x", color=GREY, label="beaten in both errors")
        ax.plot(fp[self.front], fn[self.front], "o", mfc="w", color="k", label="Pareto front")
        ax.plot(fp[self.hull], fn[self.hull], "o-", color=COLOURS[0], label="lower left hull")
        ax.plot(fp[best], fn[best], "*", color=COLOURS[5], mec="k", ms=16, label="best")
        for i, text in enumerate(self.names or ()):
            # White behind the letters, so that no line runs through them.
            ax.annotate(
                text, (fp[i], fn[i]), (8, 6), textcoords="offset points",
                bbox={"facecolor": "w", "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
            )  # fmt: skip
        ax.set(xlim=_padded(fp), ylim=_padded(fn))
        label_errors(ax)
        ax.legend(loc="best", framealpha=0.95)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_level(self, ax: Any, level: float, **style: Any) -> None:
        line = level_line(self.measure, self.profiles.prevalence, level)
        ax.plot(line[:, 1], line[:, 0], **style)


def _padded(errors: NDArray[np.float64]) -> tuple[float, float]:
    margin = 0.05 * float(errors.max() or 1.0)
    return -margin, float(errors.max()) + 3 * margin
