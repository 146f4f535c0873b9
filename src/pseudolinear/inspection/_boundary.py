"""Decision boundaries of several classifiers in the plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.inspection._matplotlib import COLOURS, axes_or_new, pyplot

STYLES = ("-", "--", "-.", ":")


class BoundaryDisplay:
    """Where each of several classifiers changes its prediction.

    Parameters
    ----------
    X : ndarray of shape (n_samples, 2)
        Rows to show.
    y : ndarray of shape (n_samples,)
        Their classes, 0 and 1.
    axes : tuple of ndarray
        Grid lines in both directions.
    decisions : mapping of str to ndarray
        Decision function of each classifier on the grid.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes, after `plot`.
    figure_ : matplotlib Figure
        The figure, after `plot`.
    """

    def __init__(
        self,
        X: NDArray[np.float64],
        y: NDArray[Any],
        axes: tuple[NDArray[np.float64], NDArray[np.float64]],
        decisions: Mapping[str, NDArray[np.float64]],
    ) -> None:
        self.X = X
        self.y = y
        self.axes = axes
        self.decisions = decisions

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: ArrayLike,
        y: ArrayLike,
        *,
        resolution: int = 300,
        ax: Any = None,
    ) -> Self:
        """Evaluate fitted classifiers on a grid and plot them.

        Parameters
        ----------
        estimators : mapping of str to classifier
            Fitted binary classifiers with `decision_function`, by name.
        X : array-like of shape (n_samples, 2)
            Rows to show; they set the limits.
        y : array-like of shape (n_samples,)
            Their classes, 0 and 1.
        resolution : int, default=300
            Points of the grid in either direction.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        BoundaryDisplay
            The plotted display.
        """
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        margin = 0.05 * np.ptp(X, axis=0)
        low, high = X.min(axis=0) - margin, X.max(axis=0) + margin
        axes = tuple(np.linspace(a, b, resolution) for a, b in zip(low, high, strict=True))
        grid = np.stack([line.ravel() for line in np.meshgrid(*axes)], axis=1)
        decisions = {
            name: estimator.decision_function(grid).reshape(resolution, resolution)
            for name, estimator in estimators.items()
        }
        return cls(X, y, (axes[0], axes[1]), decisions).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the rows and one line per classifier.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        BoundaryDisplay
            Itself.
        """
        ax = axes_or_new(ax)
        for value, colour, marker, name in (
            (0, "#BBBBBB", ".", "negative"),
            (1, "k", "+", "positive"),
        ):
            rows = self.X[self.y == value]
            ax.scatter(*rows.T, s=12, c=colour, marker=marker, linewidths=0.7, label=name)
        handles, names = ax.get_legend_handles_labels()
        for i, (name, decision) in enumerate(self.decisions.items()):
            colour, style = COLOURS[i % len(COLOURS)], STYLES[i % len(STYLES)]
            ax.contour(*self.axes, decision, [0.0], colors=colour, linestyles=style, linewidths=2)
            # A contour gives its legend no dashes, so the legend gets a line of its own.
            handles.append(pyplot().Line2D([], [], color=colour, linestyle=style, linewidth=2))
            names.append(name)
        ax.set(xlabel="first feature", ylabel="second feature")
        ax.legend(handles, names, loc="best", framealpha=0.95)
        self.ax_, self.figure_ = ax, ax.figure
        return self
