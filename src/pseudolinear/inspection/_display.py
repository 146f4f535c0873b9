"""What all displays share: a plot, and a table of the numbers in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pseudolinear._tables import as_frame
from pseudolinear.inspection._matplotlib import SIZE, axes_or_new

if TYPE_CHECKING:
    import pandas as pd


class Display(ABC):
    """Computed numbers with a plot and a table.

    A new display is a dataclass of what was computed, with `rows` to list it and `_draw` to draw
    it; a class method named `from_...` computes the numbers and plots them, and hands `ax` and
    further keywords on to :meth:`plot`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last, after `plot`.
    figure_ : matplotlib Figure
        The figure of these axes.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from pseudolinear.inspection import Display
    >>> @dataclass
    ... class CutsDisplay(Display):
    ...     thresholds: list
    ...
    ...     def rows(self):
    ...         return [{"threshold": threshold} for threshold in self.thresholds]
    ...
    ...     def _draw(self, ax, style):
    ...         ax.plot(self.thresholds, **style)
    >>> CutsDisplay([0.2, 0.5]).rows()
    [{'threshold': 0.2}, {'threshold': 0.5}]
    """

    ax_: Any
    figure_: Any

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.
        **style
            Options of matplotlib for what the display is about, such as `color` or `lw`: its main
            line, its points or its surface.

        Returns
        -------
        Display
            Itself, with `ax_` and `figure_`.
        """
        ax = axes_or_new(ax, self._size())
        self._draw(ax, style)
        if ax.get_legend_handles_labels()[1]:
            ax.legend(**{"framealpha": 1} | self._legend())
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def frame(self) -> pd.DataFrame:
        """Return :meth:`rows` as a data frame; needs pandas."""
        return as_frame(self.rows(), "frame", "rows()")

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """List the numbers that are drawn, one row per point."""

    @abstractmethod
    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        """Draw everything but the legend; `style` is for what the display is about."""

    def _size(self) -> tuple[float, float]:
        """Return the size of a new figure, in inches."""
        return SIZE

    def _legend(self) -> dict[str, Any]:
        """Return options of the legend."""
        return {"loc": "best"}


def as_rows(**columns: ArrayLike) -> list[dict[str, Any]]:
    """Turn columns into rows; a single value stands in every row.

    Examples
    --------
    >>> as_rows(kind="cone", level=[0.2, 0.4])
    [{'kind': 'cone', 'level': 0.2}, {'kind': 'cone', 'level': 0.4}]
    """
    arrays = np.broadcast_arrays(*columns.values())
    table = zip(*(array.ravel().tolist() for array in arrays), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in table]
