"""Error profiles with their front, their hull and the level set of the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits
from pseudolinear._palette import BLUE, GREY, RED
from pseudolinear.errors import ErrorProfile
from pseudolinear.inspection._display import Display, as_rows
from pseudolinear.inspection._level_lines import label_errors, level_line
from pseudolinear.inspection._matplotlib import STAR, restyled
from pseudolinear.inspection._response import respond
from pseudolinear.measures import Measure, get_ratio, short_name

MARGIN = 0.05  # around the profiles; three times that where names are written
# White behind the letters of a name, so that no line runs through them.
PAPER = {"facecolor": "w", "edgecolor": "none", "alpha": 0.8, "pad": 0.5}


@dataclass(eq=False, repr=False)
class ParetoDisplay(Display):
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

    Examples
    --------
    >>> from pseudolinear.inspection import ParetoDisplay
    >>> profiles = ErrorProfile([[0.1], [0.2], [0.2]], [[0.2], [0.1], [0.3]], [0.4])
    >>> ParetoDisplay.from_profiles(profiles).frame()["front"].tolist()
    [True, True, False]
    """

    measure: Measure
    profiles: ErrorProfile
    values: NDArray[np.float64]
    front: NDArray[np.intp]
    hull: NDArray[np.intp]
    names: Sequence[str] | None = None

    @classmethod
    def from_profiles(
        cls,
        profiles: ErrorProfile,
        measure: str | Measure = "f1",
        names: Sequence[str] | None = None,
        *,
        ax: Any = None,
        **style: Any,
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
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        ParetoDisplay
            The plotted display.
        """
        measure = get_ratio(measure)
        front, hull = profiles.front(), profiles.hull()
        if names is not None and len(names) != len(profiles):
            raise ValueError(f"There are {len(names)} names for {len(profiles)} profiles.")
        return cls(measure, profiles, measure.value(profiles), front, hull, names).plot(ax, **style)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_preds: Mapping[str, ArrayLike],
        measure: str | Measure = "f1",
        *,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Self:
        """Compare the predictions of several classifiers and plot them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            0 and 1, or booleans.
        y_preds : mapping of str to array-like of shape (n_samples,)
            Predictions, 0 and 1 or booleans, by name.
        measure : str or Measure, default="f1"
            A binary measure or its name.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        ParetoDisplay
            The plotted display.
        """
        profiles = [
            ErrorProfile.from_labels(y_true, y_pred, sample_weight=sample_weight)
            for y_pred in y_preds.values()
        ]
        stacked = ErrorProfile.stack(profiles)
        return cls.from_profiles(stacked, measure, list(y_preds), ax=ax, **style)

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        measure: str | Measure = "f1",
        *,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Self:
        """Compare several fitted binary classifiers on the same rows and plot them.

        Parameters
        ----------
        estimators : mapping of str to classifier
            By name; all must know the same positive class.
        X, y : array-like
            The rows and their classes.
        measure, sample_weight, ax, **style
            As in :meth:`from_predictions`.

        Returns
        -------
        ParetoDisplay
            The plotted display.
        """
        measure = get_ratio(measure)
        seen = {name: respond(one, X, y, measure) for name, one in estimators.items()}
        return cls.from_predictions(
            next(iter(seen.values())).true,
            {name: one.predicted for name, one in seen.items()},
            measure,
            sample_weight=sample_weight,
            ax=ax,
            **style,
        )

    @property
    def best(self) -> int:
        """Position of the profile of the largest value; of equal ones the first."""
        return int(np.argmax(self.values))

    def rows(self) -> list[dict[str, Any]]:
        """List the profiles.

        Returns
        -------
        list of dict
            With the keys name (or the position), fn, fp, value, front, hull and best: whether it
            is on the Pareto front, a vertex of the lower left hull, and the best of all.
        """
        numbers = np.arange(len(self.values))
        return as_rows(
            name=numbers if self.names is None else list(self.names),
            fn=self.profiles.fn[:, 0],
            fp=self.profiles.fp[:, 0],
            value=self.values,
            front=np.isin(numbers, self.front),
            hull=np.isin(numbers, self.hull),
            best=numbers == self.best,
        )

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        fn, fp = self.profiles.fn[:, 0], self.profiles.fp[:, 0]
        self._draw_levels(ax)
        beaten = np.setdiff1d(np.arange(len(fn)), self.front)
        ax.plot(fp[beaten], fn[beaten], "x", color=GREY, label="dominated")
        ax.plot(fp[self.front], fn[self.front], "o", mfc="w", color="k", label="Pareto front")
        hull = restyled(style, marker="o", ls="-", color=BLUE, label="lower left hull")
        ax.plot(fp[self.hull], fn[self.hull], **hull)
        ax.plot(fp[self.best], fn[self.best], **STAR, label="best")
        for i, text in enumerate(self.names or ()):
            ax.annotate(text, (fp[i], fn[i]), (10, 7), textcoords="offset points", bbox=PAPER)
        ax.set(xlim=_padded(fp), ylim=_padded(fn))
        label_errors(ax)

    def _draw_levels(self, ax: Any) -> None:
        """Draw the level sets through the vertices of the hull."""
        for i in self.hull[self.hull != self.best]:
            ax.plot(*self._level_line(i), color=GREY, lw=0.8)
        ax.plot([], [], color=GREY, lw=0.8, label="level sets of the hull")
        text = f"{short_name(self.measure)} = {in_digits(self.values[self.best], 3)}"
        ax.plot(
            *self._level_line(self.best), "--", color=RED, lw=2,
            label=f"level set of the best: {text}",
        )  # fmt: skip

    def _level_line(self, i: int) -> NDArray[np.float64]:
        """Return both ends of the level set through a profile: fp, then fn."""
        line = level_line(self.measure, self.profiles.prevalence, float(self.values[i]))
        return line[:, ::-1].T


def _padded(errors: NDArray[np.float64]) -> tuple[float, float]:
    margin = MARGIN * float(errors.max() or 1.0)
    return -margin, float(errors.max()) + 3 * margin
