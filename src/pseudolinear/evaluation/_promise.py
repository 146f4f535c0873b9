"""Promise: what thresholds will keep on rows to come, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pseudolinear._tables import aligned, as_frame, html_table
from pseudolinear.evaluation._evaluation import MOST_SHOWN
from pseudolinear.evaluation._label_evaluation import plain_name
from pseudolinear.evaluation._label_promise import LabelPromise

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 90
ASSUMPTION = (
    "the rows were drawn alike and independently, as those to come will be, and were not used to "
    "decide anything before, nor was the promise chosen by them"
)


@dataclass(frozen=True, eq=False)
class Promise:
    """What the thresholds of a classifier will keep on rows to come, and how surely.

    Attributes
    ----------
    measure : str
        What is promised to be large.
    least : float
        How large it is at least.
    error : float
        Probability, over the draw of the rows used, that it is not: that it is smaller for some
        label.
    n_rows : int
        Number of rows used.
    labels : tuple of LabelPromise
        Of a binary problem the positive class alone.
    left_out : tuple
        Labels on which all training rows agree; nothing is promised of them.
    assumption : str
        What that rests on, in one sentence.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, weights=[0.8], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:1000], y[:1000])
    >>> print(clf.guarantee("recall >= 0.8", X[1000:], y[1000:]).promise_)  # doctest: +ELLIPSIS
    With probability 90 % over the 1000 rows used here, the recall on rows like these is at
    least 0.8.
    label  threshold  recall  bound  precision
    ...
    """

    measure: str
    least: float
    error: float
    n_rows: int
    labels: tuple[LabelPromise, ...]
    left_out: tuple[Any, ...] = ()
    assumption: str = ASSUMPTION

    @property
    def sentence(self) -> str:
        """What is promised: ``"recall >= 0.9"``."""
        return f"{self.measure} >= {self.least:g}"

    @property
    def brief(self) -> str:
        """What is promised, and how surely, in half a line."""
        return f"{self.sentence} {self._whose}with probability {self._sure}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts, lists and dicts, as JSON has them."""
        return {
            "promise": self.sentence,
            "measure": self.measure,
            "least": self.least,
            "error": self.error,
            "n_rows": self.n_rows,
            "labels": [label.to_dict() for label in self.labels],
            "left_out": [plain_name(name) for name in self.left_out],
            "assumption": self.assumption,
        }

    def frame(self) -> pd.DataFrame:
        """Return one row per label; needs pandas."""
        return as_frame([label.row() for label in self.labels])

    def __repr__(self) -> str:
        return f"<Promise: {self.brief}, {self.n_rows} rows>"

    def __str__(self) -> str:
        """Say what is promised, what was seen at each threshold, and what it rests on."""
        lines = [*wrap(self._headline(), WIDTH), *aligned([self._head(), *self._shown()])]
        if len(self.labels) > MOST_SHOWN:
            lines.append(f"... and {len(self.labels) - MOST_SHOWN} more labels: see labels")
        if self.left_out:
            names = ", ".join(map(str, self.left_out))
            lines += wrap(
                f"Nothing is promised of labels on which all training rows agree: {names}.", WIDTH
            )
        return "\n".join([*lines, *wrap(f"Assuming that {self.assumption}.", WIDTH)])

    def _repr_html_(self) -> str:
        """Show the same as a small table."""
        table = html_table(self._headline(), [self._head(), *self._shown()])
        return f"{table}<p>Assuming that {escape(self.assumption)}.</p>"

    @property
    def _sure(self) -> str:
        return f"{100 * (1 - self.error):.12g} %"

    @property
    def _whose(self) -> str:
        return f"of each of {len(self.labels)} labels " if len(self.labels) > 1 else ""

    def _headline(self) -> str:
        return (
            f"With probability {self._sure} over the {self.n_rows} rows used here, the "
            f"{self.measure} {self._whose}on rows like these is at least {self.least:g}."
        )

    @property
    def _costs(self) -> list[str]:
        """What the promise is paid with."""
        return [name for name in ("precision", "recall") if name != self.measure]

    def _head(self) -> tuple[str, ...]:
        return "label", "threshold", self.measure, "bound", *self._costs

    def _shown(self) -> list[tuple[str, ...]]:
        return [self._cells(label) for label in self.labels[:MOST_SHOWN]]

    def _cells(self, label: LabelPromise) -> tuple[str, ...]:
        """Return what is shown of a label."""
        paid = []
        for name in self._costs:
            low, high = getattr(label, f"{name}_interval")
            paid.append(f"{getattr(label, name):.3f} ({low:.3f} to {high:.3f})")
        numbers = f"{label.threshold:.4g}", f"{label.value:.3f}", f"{label.bound:.3f}"
        return str(label.label), *numbers, *paid
