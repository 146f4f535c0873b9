"""Precision against recall, with the lines of equal value of a measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits
from pseudolinear._palette import BLUE, GREY, ORANGE
from pseudolinear._validation import check_binary
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.inspection._display import Display, as_rows
from pseudolinear.inspection._level_lines import (
    draw_lines,
    level_line,
    perfect_value,
    round_levels,
)
from pseudolinear.inspection._matplotlib import STAR, restyled
from pseudolinear.inspection._response import own_measure, respond
from pseudolinear.measures import Measure, get_ratio, short_name
from pseudolinear.thresholds import best_threshold

FREE = (0.5, 0.25)  # recall and precision of the lower left corner that a legend takes


@dataclass(eq=False, repr=False)
class MeasureCurveDisplay(Display):
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

    Examples
    --------
    >>> from pseudolinear.inspection import MeasureCurveDisplay
    >>> display = MeasureCurveDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.35, 0.4, 0.8])
    >>> float(display.frame()["value"].max())
    0.8
    """

    measure: Measure
    curve: ErrorCurve
    best: ErrorProfile
    chosen: ErrorProfile | None = None
    name: str | None = None

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
        **style: Any,
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
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        MeasureCurveDisplay
            The plotted display.
        """
        measure = get_ratio(measure)
        if measure.average != "binary":
            raise ValueError(f"{measure!r} is not for one label; give a binary measure.")
        best = best_threshold(y_true, y_score, measure, sample_weight).profile
        curve = ErrorCurve.from_scores(y_true, y_score, sample_weight)
        chosen = None
        if y_pred is not None:
            chosen = ErrorProfile.from_labels(
                check_binary(y_true, "y_true"), y_pred, sample_weight=sample_weight
            )
        return cls(measure, curve, best, chosen, name).plot(ax, **style)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        measure: str | Measure | None = None,
        *,
        label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Self:
        """Score rows by a fitted classifier and plot the result.

        Parameters
        ----------
        estimator : classifier
            Fitted binary classifier with `decision_function` or `predict_proba`, or a
            :class:`MeasureClassifier` of several labels.
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like
            Their classes or labels.
        measure : str or Measure, default=None
            By default the one that the classifier was trained for; of an objective such as a
            constraint the one whose costs it was trained with.
        label : object, default=None
            Which one of several labels, as in `classes_`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        name : str, default=None
            Name of the classifier; by default that of its type.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        MeasureCurveDisplay
            The plotted display.
        """
        measure = own_measure(estimator, measure)
        seen = respond(estimator, X, y, measure, label)
        return cls.from_predictions(
            seen.true,
            seen.score,
            measure.binary(),
            y_pred=seen.predicted,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            **style,
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

    def rows(self) -> list[dict[str, Any]]:
        """List every threshold at which something is predicted, the best one and what was chosen.

        The best one may predict nothing, and has then no precision.

        Returns
        -------
        list of dict
            With the keys kind ("curve", "best" or "chosen"), threshold (NaN for what was chosen,
            which need not be a cut of the curve), recall, precision and value.
        """
        curve = self.curve
        best = (curve.errors == self.best.errors).all(axis=(-2, -1))
        table = self._listed("curve", curve.thresholds[1:], curve[1:])
        table += self._listed("best", curve.thresholds[best], curve[best])
        if self.chosen is not None:
            table += self._listed("chosen", np.array(np.nan), self.chosen)
        return table

    def _listed(
        self, kind: str, thresholds: NDArray[np.float64], profiles: ErrorProfile
    ) -> list[dict[str, Any]]:
        return as_rows(
            kind=kind,
            threshold=thresholds,
            recall=profiles.recall[..., 0],
            precision=profiles.precision[..., 0],
            value=self.measure.value(profiles),
        )

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        self._draw_iso_lines(ax)
        recall, precision = self.curve.recall[1:, 0], self.curve.precision[1:, 0]
        label = self.name or "every threshold"
        line = restyled(style, drawstyle="steps-pre", color=BLUE, lw=2, label=label)
        ax.plot(np.append(0.0, recall), np.append(precision[:1], precision), **line)
        star = STAR | {"color": ORANGE}
        self._draw_point(ax, self.best, "best threshold here", star)
        if self.chosen is not None:
            self._draw_point(ax, self.chosen, "chosen", STAR | {"marker": "o", "ms": 8})
        ax.plot([], [], color=GREY, lw=0.8, label=f"equal {short_name(self.measure)}")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="recall", ylabel="precision")

    def _draw_iso_lines(self, ax: Any) -> None:
        nothing = float(self.measure.value(self.curve.profile(0)))
        no_error = perfect_value(self.measure, self.curve.prevalence)
        levels = round_levels(nothing, no_error).tolist()
        draw_lines(ax, {t: np.stack(self.iso_line(t), axis=1) for t in levels}, GREY, label_at=0.93)

    def _draw_point(
        self, ax: Any, profile: ErrorProfile, text: str, style: Mapping[str, Any]
    ) -> None:
        value = f"{short_name(self.measure)} = {in_digits(self.measure.value(profile), 3)}"
        ax.plot(profile.recall, profile.precision, **style, label=f"{text}: {value}")

    def _legend(self) -> dict[str, Any]:
        """Place the legend in a corner that the curve leaves free; "best" minds numbers more."""
        curve = self.curve[1:]
        taken = (curve.recall[:, 0] < FREE[0]) & (curve.precision[:, 0] < FREE[1])
        return {"loc": "upper right" if taken.any() else "lower left"}
