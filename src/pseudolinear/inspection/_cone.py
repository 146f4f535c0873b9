"""What the classifiers of a sweep leave possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.bounds._cone_bound import ConeBound
from pseudolinear.inspection._groups import by_level, group_name
from pseudolinear.inspection._level_lines import pairs, perfect_value
from pseudolinear.inspection._matplotlib import COLOURS, GREY, axes_or_new
from pseudolinear.selection._selection import select
from pseudolinear.sweep._sweep import SweepResult


class ConeDisplay:
    """The cones above the cheapest classifier of each level, and what they leave possible.

    A ceiling bounds the classifiers that reach the level below it, so it is to be compared with
    the diagonal: a point (t, t) above any ceiling is a value that nothing reaches. Values reached
    at a level may well lie above the ceilings of other levels there.

    Parameters
    ----------
    cones : sequence of ConeBound
        One per level.
    best : float
        The largest value reached.
    perfect : float
        The value of no error.
    name : str
        What the values are.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes, after `plot`.
    figure_ : matplotlib Figure
        The figure, after `plot`.
    """

    def __init__(self, cones: Sequence[ConeBound], best: float, perfect: float, name: str) -> None:
        self.cones = cones
        self.best = best
        self.perfect = perfect
        self.name = name

    @classmethod
    def from_sweep(cls, sweep: SweepResult, group: int = 0, *, ax: Any = None) -> Self:
        """Find the cheapest classifier at each level and plot its cone.

        The cheapest one is looked for among the candidates and thresholds of all levels. The
        bound holds for every classifier if none is cheaper at these levels than what the sweep
        has found; it always holds for what the sweep has found.

        Parameters
        ----------
        sweep : SweepResult
            A classifier's `sweep_`.
        group : int, default=0
            Of a macro average the label; otherwise there is one group only.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        ConeDisplay
            The plotted display.
        """
        one, levels = by_level(sweep, group)
        measure, prevalence = one.measure, one.prevalence
        cones = []
        for level in sorted(levels):
            rivals = [replace(candidate, level=level) for candidate in sweep.by_group[group]]
            pair = pairs(measure, select(one, rivals, "c_min").profile)
            cones.append(ConeBound.from_pair(measure, prevalence, level, pair.tolist()))
        # The rule may have passed over a better one, which is reached all the same.
        best = max(
            select(one, sweep.by_group[group], sweep.rule).value, *(cone.apex for cone in cones)
        )
        perfect = perfect_value(measure, prevalence)
        return cls(cones, best, perfect, group_name(sweep, group)).plot(ax)

    @property
    def bound(self) -> float:
        """The largest value that every cone allows."""
        return min(self.perfect, *(cone.bound() for cone in self.cones))

    def ceiling(self, levels: ArrayLike) -> NDArray[np.float64]:
        """Return the lowest ceiling at each level."""
        return np.min([cone.ceiling(levels) for cone in self.cones], axis=0)

    def plot(self, ax: Any = None) -> Self:
        """Draw the cones, their lowest ceiling and the part of the diagonal that is left.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        ConeDisplay
            Itself.
        """
        ax = axes_or_new(ax)
        apexes = np.array([(cone.level, cone.apex) for cone in self.cones])
        low = min(0.0, *apexes.ravel())
        ends = np.array([low, self.perfect])
        for cone in self.cones:
            at = np.sort([*ends, np.clip(cone.level, *ends)])
            label = "cone of each level" if cone is self.cones[0] else None
            ax.plot(at, cone.ceiling(at), color=GREY, lw=0.7, label=label)
        fine = np.linspace(low, self.perfect, 1000)
        ax.plot(fine, self.ceiling(fine), color=COLOURS[0], lw=2, label="lowest ceiling")
        ax.plot(*apexes.T, "o", color=COLOURS[0], mec="k", ms=6, label="cheapest at each level")
        ax.plot(ends, ends, "--", color="k", lw=1, label="value = level")
        ax.axhspan(
            self.bound, self.perfect, color="0.9", lw=0, zorder=0, label="more than is possible"
        )
        ax.plot(
            self.best, self.best, "*", color=COLOURS[5], mec="k", ms=16, zorder=4,
            label=f"best reached: {self.best:.3f}",
        )  # fmt: skip
        ax.plot(
            [self.best, self.bound], [self.best, self.bound], color=COLOURS[5], lw=5, alpha=0.7,
            solid_capstyle="butt", zorder=3, label=f"still possible: up to {self.bound:.3f}",
        )  # fmt: skip
        ax.set(xlim=ends, ylim=ends)
        ax.set(xlabel="level t", ylabel=f"{self.name} on held-out rows")
        ax.legend(loc="best", framealpha=0.95)
        self.ax_, self.figure_ = ax, ax.figure
        return self
