"""Precision, recall and a measure along the threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits
from pseudolinear._palette import BLUE, GREEN, PURPLE, RED, SKY
from pseudolinear._validation import check_binary
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.inspection._display import Display, as_rows
from pseudolinear.inspection._matplotlib import ABOVE, STAR, restyled
from pseudolinear.inspection._response import own_measure, respond
from pseudolinear.measures import Measure, get_ratio, short_name
from pseudolinear.sweep import SweepResult

TAIL = 0.005  # share of the rows at either end whose scores are not shown


@dataclass(eq=False, repr=False)
class ThresholdDisplay(Display):
    """What precision, recall and a measure are wherever a score is cut.

    Parameters
    ----------
    measure : Measure
        A binary measure.
    curve : ErrorCurve
        Errors along the thresholds.
    threshold : float, default=None
        The chosen one.
    chosen : ErrorProfile, default=None
        The errors there.
    spread : tuple of float, default=None
        The least and the largest threshold that the folds of the fit would choose alone.
    name : str, default=None
        Name of the label or the classifier.

    Examples
    --------
    >>> from pseudolinear.inspection import ThresholdDisplay
    >>> display = ThresholdDisplay.from_predictions(
    ...     [0, 1, 0, 1], [0.1, 0.35, 0.4, 0.8], threshold=0.3
    ... )
    >>> display.frame().query("kind == 'chosen'")[["precision", "recall"]].round(3).values.tolist()
    [[0.667, 1.0]]
    """

    measure: Measure
    curve: ErrorCurve
    threshold: float | None = None
    chosen: ErrorProfile | None = None
    spread: tuple[float, float] | None = None
    name: str | None = None

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        measure: str | Measure = "f1",
        *,
        threshold: float | None = None,
        spread: tuple[float, float] | None = None,
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
            A measure or its name; of an average, the measure of one label.
        threshold : float, default=None
            A threshold to mark; rows with at least this score are predicted positive.
        spread : tuple of float, default=None
            Between which thresholds a band is drawn.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        name : str, default=None
            What the scores are of, for the axis.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        ThresholdDisplay
            The plotted display.
        """
        curve = ErrorCurve.from_scores(y_true, y_score, sample_weight)
        chosen = None
        if threshold is not None:
            true, predicted = check_binary(y_true, "y_true"), np.asarray(y_score) >= threshold
            chosen = ErrorProfile.from_labels(true, predicted, sample_weight=sample_weight)
        binary = get_ratio(measure).binary()
        return cls(binary, curve, threshold, chosen, spread, name).plot(ax, **style)

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
            :class:`MeasureClassifier` of several labels. Of a MeasureClassifier that has its
            `sweep_`, the spread over the folds is shown.
        X, y : array-like
            The rows, and their classes or labels.
        measure : str or Measure, default=None
            By default the one that the classifier was trained for.
        label : object, default=None
            Which one of several labels, as in `classes_`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        name : str, default=None
            What the scores are of; by default the label.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        ThresholdDisplay
            The plotted display.
        """
        measure = own_measure(estimator, measure)
        seen = respond(estimator, X, y, measure, label)
        sweep = getattr(estimator, "sweep_", None)
        number = 0 if label is None else int(np.flatnonzero(estimator.classes_ == label)[0])
        return cls.from_predictions(
            seen.true,
            seen.score,
            measure,
            threshold=seen.threshold,
            spread=None if sweep is None else _spread(sweep, number),
            sample_weight=sample_weight,
            name=_named(label) if name is None else name,
            ax=ax,
            **style,
        )

    @classmethod
    def from_sweep(
        cls, sweep: SweepResult, label: int = 0, *, ax: Any = None, **style: Any
    ) -> Self:
        """Show the held-out rows of a fit: no further rows are needed.

        Parameters
        ----------
        sweep : SweepResult
            A classifier's `sweep_`, binary or of several labels.
        label : int, default=0
            Number of the label.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        ThresholdDisplay
            The plotted display, along the few dozen thresholds that were worth choosing.
        """
        if not sweep.kind.separable:
            raise ValueError("Classes are cut together: a multiclass sweep has no one threshold.")
        candidate = _candidate(sweep, label)
        threshold = float(sweep.thresholds[label])
        cut = int(np.flatnonzero(candidate.curve.thresholds == threshold)[0])
        goal = next(goal for goal in sweep.goals if label in goal.labels)
        return cls(
            goal.label_measure,
            candidate.curve,
            threshold,
            candidate.curve.profile(cut),
            _spread(sweep, label),
            _named(sweep.kind.label_name(label)) if len(sweep.chosen) > 1 else None,
        ).plot(ax, **style)

    def rows(self) -> list[dict[str, Any]]:
        """List every threshold at which something is predicted, and the chosen one.

        Returns
        -------
        list of dict
            With the keys kind ("curve" or "chosen"), threshold, precision, recall and value.
        """
        table = self._listed("curve", self._cuts.thresholds, self._cuts)
        if self.chosen is not None and self.threshold is not None:
            table += self._listed("chosen", np.array(self.threshold), self.chosen)
        return table

    @property
    def _cuts(self) -> ErrorCurve:
        """All cuts but the first, which predicts nothing; a threshold that is not tuned is one."""
        return self.curve[1:] if len(self.curve.thresholds) > 1 else self.curve

    def _listed(
        self, kind: str, thresholds: NDArray[np.float64], profiles: ErrorProfile
    ) -> list[dict[str, Any]]:
        return as_rows(
            kind=kind,
            threshold=thresholds,
            precision=profiles.precision[..., 0],
            recall=profiles.recall[..., 0],
            value=self.measure.value(profiles),
        )

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        curve, name = self._cuts, short_name(self.measure)
        at = curve.thresholds
        values = self.measure.value(curve)
        shares = bool(values.min() >= -1 and values.max() <= 1)  # and not money, of another scale
        if shares:
            ax.plot(at, curve.precision[:, 0], ls="--", color=PURPLE, label="precision")
            ax.plot(at, curve.recall[:, 0], ls="-.", color=GREEN, label="recall")
        ax.plot(at, values, **restyled(style, color=BLUE, lw=2.5, label=name))
        if self.chosen is not None and self.threshold is not None:
            value = self.measure.value(self.chosen)
            ax.axvline(self.threshold, color=RED, lw=1)
            text = f"chosen: {self.threshold:.3g} ({name} {in_digits(value, 3)})"
            ax.plot(self.threshold, value, **STAR, label=text)
        if self.spread is not None:
            low, high = self.spread
            text = f"single folds: {low:.3g} to {high:.3g}"
            ax.axvspan(low, high, color=SKY, alpha=0.25, lw=0, zorder=0, label=text)
        of = "" if self.name is None else f" of {self.name}"
        ax.set(xlim=self._limits(), xlabel=f"threshold of the score{of}", ylabel=name)
        if shares:
            ax.set(ylim=(-0.02, 1.04), ylabel="precision, recall and measure")

    def _limits(self) -> tuple[float, float]:
        """Leave out the tails of the scores, where nothing changes."""
        curve = self.curve
        rate = curve.prevalence[0] - curve.fn[:, 0] + curve.fp[:, 0]
        inner = curve.thresholds[(rate >= TAIL) & (rate <= 1.0 - TAIL)]
        shown = [
            *inner,
            *(self.spread or ()),
            *([] if self.threshold is None else [self.threshold]),
        ]
        if not shown:
            shown = curve.thresholds.tolist()
        margin = 0.03 * (max(shown) - min(shown)) or 0.5
        return float(min(shown) - margin), float(max(shown) + margin)

    def _legend(self) -> dict[str, Any]:
        """Place the legend above: the curves take all the room."""
        return ABOVE | {"ncols": 3, "fontsize": "small"}


def _candidate(sweep: SweepResult, label: int) -> Any:
    if label not in sweep.chosen:
        raise ValueError(f"Label {label} has no model; those that have: {sorted(sweep.chosen)}.")
    return sweep.chosen[label]


def _spread(sweep: SweepResult, label: int) -> tuple[float, float] | None:
    """Return the least and the largest threshold that the folds would choose alone."""
    if label not in sweep.chosen:
        return None
    goal = next(goal for goal in sweep.goals if label in goal.labels)
    cuts = [float(cut) for cut, _ in sweep.fold_cuts(goal, sweep.chosen[label])]
    return (min(cuts), max(cuts)) if len(cuts) > 1 else None


def _named(label: Any) -> str | None:
    return None if label is None else f"label {label}"
