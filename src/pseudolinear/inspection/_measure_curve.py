"""Precision against recall, with the lines of equal value of a measure."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_binary
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.inspection._level_lines import (
    draw_lines,
    level_line,
    perfect_value,
    round_levels,
    short_name,
)
from pseudolinear.inspection._matplotlib import COLOURS, GREY, axes_or_new
from pseudolinear.measures import Measure, get_measure
from pseudolinear.thresholds import best_threshold


class MeasureCurveDisplay:
    """All cuts of a score by precision and recall, and what the measure says of them.

    Parameters
    ----------
    measure : Measure
        A binary measure.
    curve : ErrorCurve
        Errors at every threshold.
    best : ErrorProfile
        Errors at the best threshold.
    chosen : ErrorProfile, default=None
        Errors of the classifier itself.
    name : str, default=None
        Name of the classifier.

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
        curve: ErrorCurve,
        best: ErrorProfile,
        chosen: ErrorProfile | None = None,
        name: str | None = None,
    ) -> None:
        self.measure = measure
        self.curve = curve
        self.best = best
        self.chosen = chosen
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        measure: str | Measure = "f1",
        *,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Cut a score everywhere and plot the result.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            0 and 1, or booleans.
        y_score : array-like of shape (n_samples,)
            Finite scores, larger for the positive class.
        measure : str or Measure, default="f1"
            A binary measure or its name.
        y_pred : array-like of shape (n_samples,), default=None
            Predictions to mark beside the best cut, 0 and 1 or booleans.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        name : str, default=None
            Name of the classifier, for the legend.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        MeasureCurveDisplay
            The plotted display.
        """
        measure = get_measure(measure)
        if measure.average != "binary":
            raise ValueError(f"{measure!r} is not for one label; give a binary measure.")
        best = best_threshold(y_true, y_score, measure, sample_weight).profile
        curve = ErrorCurve.from_scores(y_true, y_score, sample_weight)
        chosen = None
        if y_pred is not None:
            chosen = ErrorProfile.from_labels(
                check_binary(y_true, "y_true"), y_pred, sample_weight=sample_weight
            )
        return cls(measure, curve, best, chosen, name).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        measure: str | Measure | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Score rows by a fitted classifier and plot the result.

        Parameters
        ----------
        estimator : classifier
            Fitted binary classifier with `decision_function` or `predict_proba`.
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their classes.
        measure : str or Measure, default=None
            By default the one that the classifier was trained for, or F1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        name : str, default=None
            Name of the classifier; by default that of its type.
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        MeasureCurveDisplay
            The plotted display.
        """
        measure = get_measure(getattr(estimator, "measure", "f1") if measure is None else measure)
        positive = measure.positive_class(estimator.classes_)
        column = int(np.argmax(estimator.classes_ == positive))
        if hasattr(estimator, "decision_function"):
            score = estimator.decision_function(X) * (1.0 if column == 1 else -1.0)
        else:
            score = estimator.predict_proba(X)[:, column]
        return cls.from_predictions(
            np.asarray(y) == positive,
            score,
            measure,
            y_pred=estimator.predict(X) == positive,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
        )

    def iso_line(self, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return recall and precision along which the measure has a value.

        It is the straight level set in the plane of errors, seen in the other plane.
        """
        prevalence = self.curve.prevalence
        ends = level_line(self.measure, prevalence, level)
        if not len(ends):
            return np.empty(0), np.empty(0)
        few, many = ends[np.argsort(ends[:, 1])]
        # Precision bends most where there are few false positives, so most points are there.
        fn, fp = (few + np.linspace(0.0, 1.0, 300)[:, None] ** 3 * (many - few)).T
        found = fn < prevalence[0] - 1e-12  # without one, recall is 0 at any precision
        profile = ErrorProfile(fn[found, None], fp[found, None], prevalence)
        return profile.recall[:, 0], profile.precision[:, 0]

    def plot(self, ax: Any = None) -> Self:
        """Draw the curve, lines of equal value and the chosen and best points.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot; by default in a new figure.

        Returns
        -------
        MeasureCurveDisplay
            Itself.
        """
        ax = axes_or_new(ax)
        nothing = float(self.measure.value(self.curve.profile(0)))
        no_error = perfect_value(self.measure, self.curve.prevalence)
        levels = round_levels(nothing, no_error).tolist()
        draw_lines(ax, {t: np.stack(self.iso_line(t), axis=1) for t in levels}, GREY, label_at=0.93)
        recall, precision = self.curve.recall[1:, 0], self.curve.precision[1:, 0]
        ax.plot(
            np.append(0.0, recall), np.append(precision[:1], precision), drawstyle="steps-pre",
            color=COLOURS[0], lw=2, label=self.name or "every threshold",
        )  # fmt: skip
        self._draw_point(ax, self.best, "best threshold here", "*", 16, COLOURS[1])
        if self.chosen is not None:
            self._draw_point(ax, self.chosen, "chosen", "o", 8, COLOURS[5])
        ax.plot([], [], color=GREY, lw=0.8, label=f"equal {short_name(self.measure)}")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="recall", ylabel="precision")
        ax.legend(loc="best", framealpha=0.95)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_point(
        self, ax: Any, profile: ErrorProfile, text: str, marker: str, size: int, colour: str
    ) -> None:
        value = self.measure.value(profile)
        ax.plot(
            profile.recall, profile.precision, marker, color=colour, mec="k", ms=size, ls="",
            zorder=3, label=f"{text}: {short_name(self.measure)} = {value:.3f}",
        )  # fmt: skip
