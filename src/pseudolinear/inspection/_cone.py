"""What the classifiers of a sweep leave possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits
from pseudolinear._palette import BLUE, GREY, RED
from pseudolinear.bounds import ConeBound
from pseudolinear.inspection._display import as_rows
from pseudolinear.inspection._goals import by_level, goal_name
from pseudolinear.inspection._level_lines import pairs, perfect_value
from pseudolinear.inspection._matplotlib import STAR, restyled
from pseudolinear.inspection._sweep_display import SweepDisplay
from pseudolinear.selection import cheapest
from pseudolinear.sweep import SweepResult

FINE = 1000  # points along the lowest ceiling


@dataclass(eq=False, repr=False)
class ConeDisplay(SweepDisplay):
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

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.inspection import ConeDisplay
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", search="cone", random_state=0).fit(X, y)
    >>> clf.best_score_ <= ConeDisplay.from_sweep(clf.sweep_).bound
    True
    """

    cones: Sequence[ConeBound]
    best: float
    perfect: float
    name: str

    @classmethod
    def from_sweep(cls, sweep: SweepResult, goal: int = 0, *, ax: Any = None, **style: Any) -> Self:
        """Find the cheapest classifier at each level and plot its cone.

        The cheapest one is looked for among the candidates and thresholds of all levels. The
        bound holds for every classifier if none is cheaper at these levels than what the sweep
        has found; it always holds for what the sweep has found.

        Parameters
        ----------
        sweep : SweepResult
            A classifier's `sweep_`.
        goal : int, default=0
            Of a macro average the label; otherwise there is one goal only.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        ConeDisplay
            The plotted display.
        """
        one, levels = by_level(sweep, goal)
        cones = []
        for level in sorted(levels):
            pair = pairs(one.measure, cheapest(one, sweep.by_goal[goal], level).profile)
            cones.append(ConeBound.from_pair(one.measure, one.prevalence, level, pair.tolist()))
        # The rule may have passed over a better one, which is reached all the same.
        value = sweep.choices[goal].value
        best = max(value, *(cone.apex for cone in cones))
        perfect = perfect_value(one.measure, one.prevalence)
        return cls(cones, best, perfect, goal_name(sweep, goal)).plot(ax, **style)

    @property
    def bound(self) -> float:
        """The largest value that every cone allows."""
        return min(self.perfect, *(cone.bound() for cone in self.cones))

    def ceiling(self, levels: ArrayLike) -> NDArray[np.float64]:
        """Return the lowest ceiling at each level."""
        return np.min([cone.ceiling(levels) for cone in self.cones], axis=0)

    def rows(self) -> list[dict[str, Any]]:
        """List the cones, their lowest ceiling, and what is reached and possible.

        Returns
        -------
        list of dict
            With the keys kind ("cone", "lowest ceiling", "cheapest", "best" or "bound"), cone
            (its level; NaN for what is not of one cone), level and value.
        """
        table = []
        for cone in self.cones:
            at = self._kinks(cone)
            table += as_rows(kind="cone", cone=cone.level, level=at, value=cone.ceiling(at))
        at, none = self._fine(), np.nan
        table += as_rows(kind="lowest ceiling", cone=none, level=at, value=self.ceiling(at))
        for cone in self.cones:
            table += as_rows(kind="cheapest", cone=cone.level, level=cone.level, value=cone.apex)
        for kind, value in (("best", self.best), ("bound", self.bound)):
            table += as_rows(kind=kind, cone=none, level=value, value=value)
        return table

    @property
    def _ends(self) -> tuple[float, float]:
        """Where the picture begins and ends, in both directions."""
        return min(0.0, *(min(cone.level, cone.apex) for cone in self.cones)), self.perfect

    def _kinks(self, cone: ConeBound) -> NDArray[np.float64]:
        return np.sort([*self._ends, np.clip(cone.level, *self._ends)])

    def _fine(self) -> NDArray[np.float64]:
        return np.linspace(*self._ends, FINE)

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        for cone in self.cones:
            at = self._kinks(cone)
            label = "cone of each level" if cone is self.cones[0] else None
            ax.plot(at, cone.ceiling(at), color=GREY, lw=0.7, label=label)
        fine, ends = self._fine(), self._ends
        ceiling = restyled(style, color=BLUE, lw=2, label="lowest ceiling")
        ax.plot(fine, self.ceiling(fine), **ceiling)
        levels, values = zip(*((cone.level, cone.apex) for cone in self.cones), strict=True)
        ax.plot(levels, values, "o", color=BLUE, mec="k", ms=6, label="cheapest at each level")
        ax.plot(ends, ends, "--", color="k", lw=1, label="value = level")
        ax.axhspan(
            self.bound, self.perfect, color="0.9", lw=0, zorder=0, label="more than is possible"
        )
        ax.plot(self.best, self.best, **STAR, label=f"best reached: {in_digits(self.best, 3)}")
        left = [self.best, self.bound]
        ax.plot(
            left, left, color=RED, lw=5, alpha=0.7, solid_capstyle="butt", zorder=3,
            label=f"still possible: up to {in_digits(self.bound, 3)}",
        )  # fmt: skip
        ax.set(xlim=ends, ylim=ends)
        ax.set(xlabel="level t", ylabel=f"{self.name} on held-out rows")
