"""What each level of a sweep reached."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.inspection._groups import by_level, group_name
from pseudolinear.inspection._level_lines import perfect_value
from pseudolinear.inspection._matplotlib import COLOURS, GREY, axes_or_new
from pseudolinear.measures import Measure
from pseudolinear.selection._selection import select
from pseudolinear.sweep._sweep import SweepResult


class LevelDisplay:
    """The value that each level reached, in the order in which the levels were tried.

    The best classifier has the level that it reaches, so the best level lies near the diagonal
    where value and level are equal.

    Parameters
    ----------
    measure : Measure
        What was optimised.
    prevalence : float or ndarray of shape (n_labels,)
        Proportion of rows that carry each label.
    levels : ndarray of shape (n_levels,)
        Levels in the order in which they were tried.
    values : ndarray of shape (n_levels,)
        The value that each reached on the validation rows.
    chosen : ndarray of int
        Positions of the chosen levels: one, unless labels chose different ones.
    name : str
        What the values are.

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
        levels: NDArray[np.float64],
        values: NDArray[np.float64],
        chosen: NDArray[np.intp],
        name: str,
    ) -> None:
        self.measure = measure
        self.prevalence = prevalence
        self.levels = levels
        self.values = values
        self.chosen = chosen
        self.name = name

    @classmethod
    def from_sweep(
        cls, sweep: SweepResult, group: int = 0, *, against: str = "level", ax: Any = None
    ) -> Self:
        """Select the best candidates of every level and plot what they reach.

        Parameters
        ----------
        sweep : SweepResult
            A classifier's `sweep_`.
        group : int, default=0
            Of a macro average the label; otherwise there is one group only.
        against : {"level", "cost"}, default="level"
            See :meth:`plot`.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        LevelDisplay
            The plotted display.
        """
        one, levels = by_level(sweep, group)
        values = [select(one, candidates, sweep.rule).value for candidates in levels.values()]
        choice = select(one, sweep.by_group[group], sweep.rule)
        chosen = np.isin(list(levels), [candidate.level for candidate in choice.candidates])
        return cls(
            one.measure, one.prevalence, np.array(list(levels)), np.array(values),
            np.flatnonzero(chosen), group_name(sweep, group),
        ).plot(ax, against=against)  # fmt: skip

    @property
    def bracket(self) -> tuple[float, float]:
        """The tried levels on either side of the chosen ones.

        Values are unimodal in the level for an exact cost-sensitive learner, so no better level
        lies outside; a chosen level at the end of the tried ones is itself the end.
        """
        tried, own = np.unique(self.levels), self.levels[self.chosen]
        low, high = np.searchsorted(tried, [own.min(), own.max()]).tolist()
        return float(tried[max(low - 1, 0)]), float(tried[min(high + 1, len(tried) - 1)])

    def cost_shares(self, levels: ArrayLike) -> NDArray[np.float64]:
        """Return the share of false negatives in the two costs of each level."""
        c = self.measure.pair_coefficients(self.prevalence)
        costs = np.asarray(levels, dtype=np.float64)[..., None] * c.delta - c.gamma
        return np.asarray(costs[..., 0] / costs.sum(axis=-1))

    def plot(self, ax: Any = None, *, against: str = "level") -> Self:
        """Draw the values, the order of the search and the diagonal.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.
        against : {"level", "cost"}, default="level"
            Horizontal axis: the level, or the cost of a false negative as a share of both costs,
            which compares measures whose levels differ.

        Returns
        -------
        LevelDisplay
            Itself.
        """
        if against not in ("level", "cost"):
            raise ValueError(f"against must be 'level' or 'cost', got {against!r}.")
        ax = axes_or_new(ax)
        place = np.asarray if against == "level" else self.cost_shares
        order = np.argsort(self.levels)
        ax.axvspan(
            *place(self.bracket), color=COLOURS[4], alpha=0.25, lw=0, label="bracket of the best"
        )
        perfect = perfect_value(self.measure, self.prevalence)
        diagonal = np.linspace(min(self.levels.min(), perfect), perfect, 100)
        ax.plot(place(diagonal), diagonal, "--", color="k", lw=1, label="value = level")
        ax.plot(place(self.levels[order]), self.values[order], color=GREY, lw=1, zorder=1)
        points = ax.scatter(
            place(self.levels), self.values, c=np.arange(len(self.levels)) + 1, cmap="cividis_r",
            edgecolors="k", linewidths=0.7, s=45, zorder=2, label="tried",
        )  # fmt: skip
        if (order != np.arange(len(order))).any():  # a search that goes where values point
            ax.figure.colorbar(points, ax=ax, label="order of the search")
        else:
            points.set(facecolor=COLOURS[0], array=None)
        best = self.levels[self.chosen], self.values[self.chosen]
        ax.plot(
            place(best[0]), best[1], "*", color=COLOURS[5], mec="k", ms=16, zorder=3, ls="",
            label=f"chosen level {', '.join(f'{t:.2f}' for t in best[0])}",
        )  # fmt: skip
        ax.set_xlabel("level t" if against == "level" else "false-negative cost (share of both)")
        ax.set_ylabel(f"{self.name} on held-out rows")
        ax.legend(loc="best", framealpha=0.95)
        self.ax_, self.figure_ = ax, ax.figure
        return self
