"""Adaptation: what unlabelled rows say of the prevalence of a population."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from pseudolinear._tables import aligned, as_frame, html_table
from pseudolinear.evaluation._evaluation import MOST_SHOWN
from pseudolinear.evaluation._label_evaluation import Interval, plain_name

if TYPE_CHECKING:
    import pandas as pd

ALARM = 0.01  # p-value below which rows do not look like a mere shift
HEAD = ("label", "trained", "prevalence", "low", "high", "BBSE", "low", "high", "p")


@dataclass(frozen=True)
class LabelAdaptation:
    """What unlabelled rows say of one label.

    Attributes
    ----------
    label : object
        Its name or number; of a binary problem the positive class.
    trained : float
        Proportion of positives among the rows of the fit.
    prevalence : float
        Among the new rows, by the likelihood of calibrated probabilities (EM): what is used.
    interval : tuple of float
        Where the prevalence of their population lies.
    by_confusion : float
        The same by the rate of predicted positives (black-box shift estimation, BBSE).
    confusion_interval : tuple of float
        Its interval.
    p_value : float
        Probability of scores that are spread as differently as these, or more, if rows of a class
        look as they did in training; NaN where there are too few rows to tell.

    Examples
    --------
    >>> LabelAdaptation("spam", 0.4, 0.1, (0.08, 0.12), 0.11, (0.07, 0.15), 1e-5).suspicious
    True
    """

    label: Any
    trained: float
    prevalence: float
    interval: Interval
    by_confusion: float
    confusion_interval: Interval
    p_value: float

    @property
    def suspicious(self) -> bool:
        """Whether the rows do not look like a mere shift of the prevalence."""
        return self.p_value < ALARM

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it; None where there is no p-value."""
        return asdict(self) | {
            "label": plain_name(self.label),
            "interval": list(self.interval),
            "confusion_interval": list(self.confusion_interval),
            "p_value": None if self.p_value != self.p_value else self.p_value,
            "suspicious": self.suspicious,
        }

    def cells(self) -> tuple[str, ...]:
        """Return what is shown in a table."""
        of_likelihood = (self.prevalence, *self.interval)
        numbers = (self.trained, *of_likelihood, self.by_confusion, *self.confusion_interval)
        checked = "" if self.p_value != self.p_value else f"{self.p_value:.2g}"
        return str(self.label), *(f"{x:.4f}" for x in numbers), checked


@dataclass(frozen=True)
class Adaptation:
    """What unlabelled rows say of the prevalence of each label, and whether to believe it.

    Attributes
    ----------
    labels : tuple of LabelAdaptation
        Of a binary problem the positive class alone; labels without a model are left out.
    confidence : float
        How often such intervals hold the prevalence.
    n_rows : int
        Number of rows.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(6000, class_sep=2, random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:2000], y[:2000])
    >>> rare = np.flatnonzero(y[2000:] == 0)[:1800].tolist() + [*np.flatnonzero(y[2000:])[:200]]
    >>> adapted = clf.adapt(X[2000:][rare])  # 200 of 2,000 rows are positive
    >>> low, high = adapted.adaptation_.interval
    >>> low < 0.1 < high
    True
    """

    labels: tuple[LabelAdaptation, ...]
    confidence: float
    n_rows: int

    @property
    def prevalence(self) -> Any:
        """The estimated prevalence: a number, or of several labels one for each."""
        return self._each([one.prevalence for one in self.labels])

    @property
    def interval(self) -> Any:
        """Its interval: low and high, or of several labels those of each."""
        return self._each([one.interval for one in self.labels])

    @property
    def suspicious(self) -> tuple[LabelAdaptation, ...]:
        """The labels whose rows do not look like a mere shift of the prevalence."""
        return tuple(one for one in self.labels if one.suspicious)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts, lists and dicts, as JSON has them."""
        return {
            "confidence": self.confidence,
            "n_rows": self.n_rows,
            "labels": [one.to_dict() for one in self.labels],
        }

    def frame(self) -> pd.DataFrame:
        """Return one row per label; needs pandas."""
        return as_frame([asdict(one) for one in self.labels])

    def __repr__(self) -> str:
        sure = f"{100 * self.confidence:g} % interval"
        found = f"prevalences of {len(self.labels)} labels, {sure}s"
        if len(self.labels) == 1:
            value, low, high = (f"{x:.4f}" for x in (self.prevalence, *self.interval))
            found = f"prevalence {value}, {sure} {low} to {high}"
        strange = f", {len(self.suspicious)} suspicious" if self.suspicious else ""
        return f"<Adaptation: {found}, {self.n_rows} rows{strange}>"

    def __str__(self) -> str:
        """Say what was estimated, and whether the rows look like a mere shift."""
        lines = [self._headline(), *aligned(self._table())]
        if len(self.labels) > MOST_SHOWN:
            lines.append(f"... and {len(self.labels) - MOST_SHOWN} more labels: see labels")
        return "\n".join([*lines, self.verdict])

    def _repr_html_(self) -> str:
        """Show the same as a small table."""
        return f"{html_table(self._headline(), self._table())}<p>{escape(self.verdict)}</p>"

    def _table(self) -> list[tuple[str, ...]]:
        return [HEAD, *(one.cells() for one in self.labels[:MOST_SHOWN])]

    @property
    def verdict(self) -> str:
        """Whether the rows look like a mere shift of the prevalence, in one sentence."""
        if strange := self.suspicious:
            others = f" and {len(strange) - 1} other labels" if len(strange) > 1 else ""
            return (
                f"The scores of {plain_name(strange[0].label)!r}{others} are not spread as another "
                "prevalence alone would spread them, so rows of a class may look unlike those seen "
                "in training and the estimate may be wrong; label some rows and evaluate on them."
            )
        if all(one.p_value != one.p_value for one in self.labels):
            return "There are too few rows to tell whether only the prevalence is another one."
        return "The scores are spread as another prevalence alone would spread them."

    def _headline(self) -> str:
        return (
            f"Prevalence among {self.n_rows} rows, by the likelihood of calibrated probabilities, "
            f"{100 * self.confidence:g} % intervals"
        )

    def _each(self, values: list[Any]) -> Any:
        return values[0] if len(values) == 1 else tuple(values)
