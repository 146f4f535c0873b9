"""What each level of a sweep reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._palette import BLUE, GREY, SKY
from pseudolinear.inspection._display import as_rows
from pseudolinear.inspection._goals import by_level, goal_name
from pseudolinear.inspection._level_lines import perfect_value
from pseudolinear.inspection._matplotlib import STAR, scatter
from pseudolinear.inspection._sweep_display import SweepDisplay
from pseudolinear.measures import Measure
from pseudolinear.sweep import SweepResult

AXES = {"level": "level t", "cost": "false-negative cost (share of both)"}
NAMED = 3  # more chosen levels than this are not named one by one


@dataclass(eq=False, repr=False)
class LevelDisplay(SweepDisplay):
    """The value that each level reached, in the order in which the levels were tried.

    The best classifier has the level that it reaches, so the best level lies near the diagonal
    where value and level are equal. A level above the value of no error, 1 for F1, is none that a
    classifier can reach: it stands for its costs, which spare false positives more. They are tried
    as well, since a learner with few features may do best there.

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
    against : {"level", "cost"}, default="level"
        Horizontal axis: the level, or the cost of a false negative as a share of both costs,
        which compares measures whose levels differ.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.inspection import LevelDisplay
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> sweep = MeasureClassifier("linear", random_state=0).fit(X, y).sweep_
    >>> LevelDisplay.from_sweep(sweep).frame()["level"].tolist()
    [0.4, 0.8, 1.2, 1.6]
    """

    measure: Measure
    prevalence: ArrayLike
    levels: NDArray[np.float64]
    values: NDArray[np.float64]
    chosen: NDArray[np.intp]
    name: str
    against: str = "level"

    def __post_init__(self) -> None:
        if self.against not in AXES:
            raise ValueError(f"against must be 'level' or 'cost', got {self.against!r}.")

    @classmethod
    def from_sweep(
        cls,
        sweep: SweepResult,
        goal: int = 0,
        *,
        against: str = "level",
        ax: Any = None,
        **style: Any,
    ) -> Self:
        """Select the best candidates of every level and plot what they reach.

        Parameters
        ----------
        sweep : SweepResult
            A classifier's `sweep_`.
        goal : int, default=0
            Of a macro average the label; otherwise there is one goal only.
        against : {"level", "cost"}, default="level"
            Horizontal axis, as in the class.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        LevelDisplay
            The plotted display.
        """
        one, by = by_level(sweep, goal)
        by = {t: own for t, own in by.items() if {c.label for c in own} >= set(one.labels)}
        if not by.keys() >= {candidate.level for candidate in sweep.choices[goal].candidates}:
            raise ValueError(
                "The chosen levels were not tried for all labels of the goal, as the classifier "
                "was retargeted; fit one for this measure to compare levels."
            )
        levels = np.array(list(by))
        values = np.array([sweep.rule.choose_one(one, own).value for own in by.values()])
        best = np.isin(levels, [candidate.level for candidate in sweep.choices[goal].candidates])
        return cls(
            one.measure, one.prevalence, levels, values, np.flatnonzero(best),
            goal_name(sweep, goal), against,
        ).plot(ax, **style)  # fmt: skip

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

    def rows(self) -> list[dict[str, Any]]:
        """List the levels in the order in which they were tried.

        Returns
        -------
        list of dict
            With the keys order (from 1), level, cost (its share of false negatives), value and
            chosen.
        """
        order = np.arange(len(self.levels))
        return as_rows(
            order=order + 1,
            level=self.levels,
            cost=self.cost_shares(self.levels),
            value=self.values,
            chosen=np.isin(order, self.chosen),
        )

    def _place(self, levels: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(levels) if self.against == "level" else self.cost_shares(levels)

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        bracket = self._place(self.bracket)
        ax.axvspan(*bracket, color=SKY, alpha=0.25, lw=0, label="bracket of the best")
        perfect = perfect_value(self.measure, self.prevalence)
        diagonal = np.linspace(min(self.levels.min(), perfect), perfect, 100)
        ax.plot(self._place(diagonal), diagonal, "--", color="k", lw=1, label="value = level")
        if self.levels.max() > perfect:
            beyond = dict(color=GREY, ls=":", label=f"no value beyond {perfect:.3g}: costs alone")
            ax.axvline(float(self._place(perfect)), **beyond)
        self._draw_tried(ax, style)
        best = self.levels[self.chosen]
        ax.plot(self._place(best), self.values[self.chosen], **STAR, label=_chosen_text(best))
        ax.set(xlabel=AXES[self.against], ylabel=f"{self.name} on held-out rows")

    def _draw_tried(self, ax: Any, style: dict[str, Any]) -> None:
        """Draw the values, joined from level to level, and coloured where the order matters."""
        at, order = self._place(self.levels), np.argsort(self.levels)
        ax.plot(at[order], self.values[order], color=GREY, lw=1, zorder=1)
        points = {"edgecolor": "k", "linewidth": 0.7, "s": 45, "zorder": 2}
        numbers = np.arange(len(order))
        if (order == numbers).all():
            scatter(ax, at, self.values, style, **points | {"color": BLUE, "label": "tried"})
            return
        # A search that goes where values point.
        shades = {"c": numbers + 1, "cmap": "cividis_r", "label": "tried, late ones dark"}
        found = scatter(ax, at, self.values, style, **points | shades)
        if found.get_array() is not None:
            ax.figure.colorbar(found, ax=ax, label="order of the search")


def _chosen_text(levels: NDArray[np.float64]) -> str:
    if len(levels) > NAMED:
        return f"{len(levels)} chosen levels, {levels.min():.2f} to {levels.max():.2f}"
    return f"chosen level {', '.join(f'{t:.2f}' for t in levels)}"
