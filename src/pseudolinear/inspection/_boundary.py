"""Decision boundaries of several classifiers in the plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._palette import GREY, LINES, STYLES
from pseudolinear.inspection._display import Display, as_rows
from pseudolinear.inspection._matplotlib import pyplot, restyled

CLASSES = {"negative": (GREY, "."), "positive": ("k", "+")}  # by class, 0 and 1
MARGIN = 0.05  # around the rows, as a share of their range


@dataclass(eq=False, repr=False)
class BoundaryDisplay(Display):
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

    Examples
    --------
    >>> from pseudolinear.inspection import BoundaryDisplay
    >>> X, y = make_galaxy(600, random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> sorted(set(BoundaryDisplay.from_estimators({"F1": clf}, X, y).frame()["kind"]))
    ['boundary', 'row']
    """

    X: NDArray[np.float64]
    y: NDArray[Any]
    axes: tuple[NDArray[np.float64], NDArray[np.float64]]
    decisions: Mapping[str, NDArray[np.float64]]

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: ArrayLike,
        y: ArrayLike,
        *,
        resolution: int = 300,
        ax: Any = None,
        **style: Any,
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
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        BoundaryDisplay
            The plotted display.
        """
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        margin = MARGIN * np.ptp(X, axis=0)
        low, high = X.min(axis=0) - margin, X.max(axis=0) + margin
        axes = tuple(np.linspace(a, b, resolution) for a, b in zip(low, high, strict=True))
        grid = np.stack([line.ravel() for line in np.meshgrid(*axes)], axis=1)
        decisions = {
            name: estimator.decision_function(grid).reshape(resolution, resolution)
            for name, estimator in estimators.items()
        }
        return cls(X, y, (axes[0], axes[1]), decisions).plot(ax, **style)

    def pieces(self, name: str) -> list[NDArray[np.float64]]:
        """Return the connected pieces of a classifier's boundary, each of shape (n_points, 2)."""
        pyplot()
        from contourpy import contour_generator  # comes with matplotlib

        drawn = contour_generator(*self.axes, self.decisions[name]).lines(0.0)
        return [np.asarray(piece) for piece in drawn]

    def rows(self) -> list[dict[str, Any]]:
        """List the shown rows, and the points of each boundary in order.

        Returns
        -------
        list of dict
            With the keys kind ("row" or "boundary"), name (the class or the classifier), piece
            (of a boundary, from 0; -1 for a row), first and second (the features).
        """
        first, second = self.X.T
        classes = np.array(list(CLASSES))[self.y.astype(int)]
        table = as_rows(kind="row", name=classes, piece=-1, first=first, second=second)
        for name in self.decisions:
            for i, piece in enumerate(self.pieces(name)):
                x, y = piece.T
                table += as_rows(kind="boundary", name=name, piece=i, first=x, second=y)
        return table

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        for value, (name, (colour, marker)) in enumerate(CLASSES.items()):
            rows = self.X[self.y == value]
            points = {"s": 12, "c": colour, "marker": marker, "linewidths": 0.7}
            ax.scatter(*rows.T, **points, rasterized=True, label=name)  # thousands, as one picture
        gap = np.full((1, 2), np.nan)  # lifts the pen between two pieces
        for i, name in enumerate(self.decisions):
            line = np.concatenate([gap, *(x for piece in self.pieces(name) for x in (piece, gap))])
            colour, dashes = LINES[i % len(LINES)], STYLES[i % len(STYLES)]
            ax.plot(*line.T, **restyled(style, color=colour, ls=dashes, lw=2, label=name))
        ax.set(xlim=self.axes[0][[0, -1]], ylim=self.axes[1][[0, -1]])
        ax.set(xlabel="first feature", ylabel="second feature")

    def _legend(self) -> dict[str, Any]:
        return {"loc": "best", "markerscale": 2}
