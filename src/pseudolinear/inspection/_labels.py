"""Labels by their value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits, in_percent
from pseudolinear._palette import BLUE, GREY, RED
from pseudolinear.inspection._display import Display, as_rows
from pseudolinear.inspection._matplotlib import ABOVE, SIZE, restyled, scatter
from pseudolinear.measures import Measure

FEW = 40  # labels that are named
LONG = 40  # characters of a name
ROOM = 0.24  # inches of a named label


@dataclass(eq=False, repr=False)
class LabelsDisplay(Display):
    """Labels sorted by their value, with intervals and the number of their positive rows.

    Up to forty labels are named; of more, positives are told by colour.

    Parameters
    ----------
    names : list
        The labels, the best first.
    values : ndarray of shape (n_labels,)
        What the measure is of each.
    intervals : ndarray of shape (n_labels, 2)
        Low and high end.
    positives : ndarray of shape (n_labels,)
        Number, or weight, of the rows that carry it.
    measure : str
        What the values are.
    overall : float
        The measure of all labels together.
    confidence : float
        Of the intervals.

    Examples
    --------
    >>> from pseudolinear.inspection import LabelsDisplay
    >>> Y = np.array([[1, 0], [1, 1], [0, 1], [0, 1]])
    >>> display = LabelsDisplay.from_predictions(Y, Y[:, [0, 0]], "f1_macro")
    >>> display.frame()["name"].tolist()
    [0, 1]
    """

    names: list[Any]
    values: NDArray[np.float64]
    intervals: NDArray[np.float64]
    positives: NDArray[np.float64]
    measure: str
    overall: float
    confidence: float = 0.95

    @classmethod
    def from_evaluation(cls, evaluation: Any, *, ax: Any = None, **style: Any) -> Self:
        """Sort the labels of an evaluation and plot them.

        Parameters
        ----------
        evaluation : Evaluation
            What :func:`evaluate` or :meth:`MeasureClassifier.evaluate` returns.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        LabelsDisplay
            The plotted display.
        """
        labels = sorted(evaluation.labels, key=lambda label: -np.nan_to_num(label.value))
        return cls(
            [label.label for label in labels],
            np.array([label.value for label in labels], dtype=np.float64),
            np.array([label.interval for label in labels], dtype=np.float64).reshape(-1, 2),
            np.array([label.positives for label in labels], dtype=np.float64),
            evaluation.measure,
            evaluation.value,
            evaluation.confidence,
        ).plot(ax, **style)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        measure: str | Measure = "f1_macro",
        *,
        confidence: float = 0.95,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Self:
        """Evaluate predictions of several labels or classes and plot them.

        Parameters
        ----------
        y_true, y_pred : array-like, sparse matrix, data frame or list of collections
            True and predicted classes or labels.
        measure : str or Measure, default="f1_macro"
            A measure of several labels, or its name.
        confidence : float, default=0.95
            Of the intervals.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        ax, **style
            As in :meth:`plot`.

        Returns
        -------
        LabelsDisplay
            The plotted display.
        """
        from pseudolinear.evaluation import evaluate

        evaluation = evaluate(
            y_true, y_pred, measure, confidence=confidence, sample_weight=sample_weight
        )
        return cls.from_evaluation(evaluation, ax=ax, **style)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        measure: str | Measure | None = None,
        *,
        confidence: float = 0.95,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Self:
        """Predict rows by a fitted classifier of several labels or classes and plot them.

        Parameters
        ----------
        estimator : classifier
            Fitted; unless `measure` is given, a :class:`MeasureClassifier`.
        X, y : array-like
            The rows, and their classes or labels.
        measure : str or Measure, default=None
            By default the one that the classifier was trained for.
        confidence, sample_weight, ax, **style
            As in :meth:`from_predictions`.

        Returns
        -------
        LabelsDisplay
            The plotted display.
        """
        return cls.from_predictions(
            y,
            estimator.predict(X),
            estimator.measure if measure is None else measure,
            confidence=confidence,
            sample_weight=sample_weight,
            ax=ax,
            **style,
        )

    def rows(self) -> list[dict[str, Any]]:
        """List the labels, the best first.

        Returns
        -------
        list of dict
            With the keys name, value, low, high (of the interval) and positives.
        """
        low, high = self.intervals.T
        numbers = as_rows(value=self.values, low=low, high=high, positives=self.positives)
        return [{"name": name, **row} for name, row in zip(self.names, numbers, strict=True)]

    def _draw(self, ax: Any, style: dict[str, Any]) -> None:
        draw = self._draw_named if len(self.names) <= FEW else self._draw_many
        draw(ax, style)

    def _draw_named(self, ax: Any, style: dict[str, Any]) -> None:
        """Draw labels from top to bottom, each with its name and its positives."""
        at = np.arange(len(self.names))
        options = restyled(style, marker="o", ls="", color=BLUE, ecolor=GREY, label=self._text())
        ax.errorbar(self.values, at, xerr=self._bars(), **options)
        ax.axvline(self.overall, **self._mean())
        pairs = zip(self.names, self.positives, strict=True)
        ax.set_yticks(at, [f"{_short(name)} ({positives:.4g})" for name, positives in pairs])
        ax.set(xlabel=self._axis(), ylabel="label (positive rows)", xlim=self._limits())
        ax.set_ylim(len(at) - 0.5, -0.5)
        ax.grid(axis="x", alpha=0.3)

    def _draw_many(self, ax: Any, style: dict[str, Any]) -> None:
        """Draw labels from left to right, coloured by their positives."""
        at = np.arange(1, len(self.names) + 1)
        ax.errorbar(at, self.values, yerr=self._bars(), ls="", ecolor="0.8", lw=1, zorder=1)
        points = scatter(
            ax, at, self.values, style, c=np.maximum(self.positives, 1.0), norm="log",
            cmap="cividis_r", s=14, zorder=2, label=self._text(),
        )  # fmt: skip
        if points.get_array() is not None:
            ax.figure.colorbar(points, ax=ax, label="positive rows")
        ax.axhline(self.overall, **self._mean())
        ax.set(xlabel="labels from best to worst", ylabel=self._axis(), ylim=self._limits())

    def _bars(self) -> NDArray[np.float64]:
        """Return how far intervals reach to either side."""
        low, high = self.intervals.T
        return np.maximum([self.values - low, high - self.values], 0.0)

    def _limits(self) -> tuple[float, float]:
        return min(-0.02, float(np.nanmin(self.intervals)) - 0.02), 1.02

    def _mean(self) -> dict[str, Any]:
        label = f"all together: {in_digits(self.overall, 3)}"
        return {"color": RED, "ls": "--", "lw": 1.2, "label": label, "zorder": 0}

    def _text(self) -> str:
        return f"label, with {in_percent(self.confidence)} interval"

    def _axis(self) -> str:
        return f"{self.measure}, label by label"

    def _size(self) -> tuple[float, float]:
        width, height = SIZE
        return width, max(2.5, 1.4 + ROOM * len(self.names)) if len(self.names) <= FEW else height

    def _legend(self) -> dict[str, Any]:
        """Place the legend above: intervals take all the room."""
        return ABOVE | {"ncols": 2}


def _short(name: Any) -> str:
    text = str(name).replace("$", r"\$")  # or matplotlib takes it for a formula
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"
