"""Budget: at most so many rows are flagged, or at most so many labels of a row."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import column_of
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import ROUNDING, Measure, Objective, short_name
from pseudolinear.thresholds._best_labels import check_labels, label_average
from pseudolinear.thresholds._objectives import RecallAtBudget

PER = ("auto", "label", "row")


@dataclass(frozen=True, repr=False)
class Budget(Objective):
    """At most so many rows are flagged: those with the most expected hits.

    As the measure of :class:`MeasureClassifier`, candidates are chosen for the recall among the
    best rows of the validation rows, and `predict` flags the rows of the largest scores among those
    it is given: never more than the budget allows, and fewer only where there are fewer rows. Of
    equal scores the first rows are flagged. Of several labels, `k` is the most labels of each row.

    Parameters
    ----------
    k : int, default=None
        Most rows of a batch, that is, of what `predict` is given; or most labels of a row.
    share : float, default=None
        The same as a share of the rows, in (0, 1]; rounded down. Exactly one of both is given.
    by : str or int, default=None
        Column of X, by name or position: its values are the batches, such as days.
    per : {"auto", "label", "row"}, default="auto"
        Of several labels: at most so many rows for each label, or so many labels for each row.
        ``"auto"`` is labels of a row where `k` is given alone.
    measure : str or Measure, default="f1_micro"
        What the labels of a row are chosen for: a micro average exactly, a macro or weighted one by
        :func:`best_labels`.
    batch : bool, default=True
        Whether the rows that are predicted together are compared with each other. False decides
        row by row, by what flags so many of the validation rows: for streams.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], flip_y=0.1, random_state=0)
    >>> clf = MeasureClassifier("linear", measure=Budget(20), random_state=0)
    >>> int(clf.fit(X[:300], y[:300]).predict(X[300:]).sum())
    20
    >>> int(clf.retarget(Budget(share=0.05)).predict(X[300:]).sum())
    10
    """

    k: int | None = None
    _: KW_ONLY
    share: float | None = None
    by: str | int | None = None
    per: str = "auto"
    measure: str | Measure = "f1_micro"
    batch: bool = True

    def __post_init__(self) -> None:
        if (self.k is None) == (self.share is None):
            raise ValueError(
                f"Budget needs k, a number of rows or labels, or share, a share of the rows: got "
                f"{'neither' if self.k is None else 'both'}."
            )
        whole = isinstance(self.k, Integral) and not isinstance(self.k, bool)
        if self.k is not None and not (whole and self.k >= 1):
            raise ValueError(
                f"Budget: k must be a whole number of at least 1, got {self.k!r}; a share of the "
                "rows is given by share."
            )
        if self.share is not None and not (isinstance(self.share, Real) and 0 < self.share <= 1):
            raise ValueError(f"Budget: share must be in (0, 1], got {self.share!r}.")
        if self.per not in PER:
            raise ValueError(f"Budget: per must be one of {', '.join(PER)}, got {self.per!r}.")
        if self.per == "row" and (self.share is not None or self.by is not None):
            raise ValueError(
                "Budget: the labels of a row are limited by k alone; leave share and by out."
            )
        if isinstance(self.by, bool) or not isinstance(self.by, str | Integral | None):
            raise TypeError(
                f"Budget: by must be a column of X, by its name or position, got {self.by!r}."
            )
        if self.share is not None and self.by is not None and not self.batch:
            raise ValueError(
                "Budget: a share that is kept on average, row by row, is that of every group too; "
                "leave by out."
            )
        label_average(self.measure, "Budget")
        for name, kind in (("k", int), ("share", float)):  # of numpy, which files need not know
            if getattr(self, name) is not None:
                object.__setattr__(self, name, kind(getattr(self, name)))

    def __repr__(self) -> str:
        """Show what differs from the defaults."""
        changed = [f.name for f in fields(self) if getattr(self, f.name) != f.default]
        return f"Budget({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words.

        Examples
        --------
        >>> Budget(10).in_words(), Budget(share=0.01).in_words()
        ('recall with at most 10 rows flagged', 'recall with at most 1 % of the rows flagged')
        >>> Budget(5, by="day").in_words()
        'recall with at most 5 rows of each day flagged'
        >>> Budget(3).in_words(n_labels=8)
        'micro-F1 with at most 3 labels of a row'
        """
        several = "" if self.k == 1 else "s"
        if self.limits_labels(n_labels):
            aim = short_name(label_average(self.measure, "Budget"))
            return f"{aim} with at most {self.k} label{several} of a row"
        rows = (
            f"{self.k} row{several}"
            if self.share is None
            else f"{100 * self.share:.4g} % of the rows"
        )
        batch = f"column {self.by}" if isinstance(self.by, Integral) else self.by
        return f"recall with at most {rows}{'' if batch is None else f' of each {batch}'} flagged"

    def limits_labels(self, n_labels: int) -> bool:
        """Return whether it is the labels of a row that are limited, for so many labels."""
        if n_labels == 1 and self.per == "row":
            raise ValueError(f"{self!r} is for several labels, and there is one.")
        alone = self.k is not None and self.by is None
        return n_labels > 1 and (self.per == "row" or (self.per == "auto" and alone))

    def training_measure(self, average: str) -> Measure:
        """Return what is swept: F1 for rows, and for labels of rows their measure."""
        if average != "binary" and self.limits_labels(2):
            return label_average(self.measure, "Budget")
        return super().training_measure(average)

    def resolve(self, n_samples: int, n_labels: int, X: Any = None) -> Measure | Objective:
        """Return what candidates are chosen for: the recall at a share of the validation rows.

        The rows of a fit are one batch, or those of `by` are several; of labels of rows it is their
        measure.
        """
        if self.limits_labels(n_labels):
            assert self.k is not None
            check_labels(self.k, n_labels, repr(self))
            return label_average(self.measure, "Budget")
        return RecallAtBudget(self._resolved_share(n_samples, X))

    def _resolved_share(self, n_samples: int, X: Any) -> float:
        sizes = np.array([n_samples])
        if self.by is not None and X is not None:
            sizes = np.bincount(batch_codes(X, self.by))
        if self.k is None:
            assert self.share is not None
            return float(self.share)
        if self.by is not None and X is None:
            raise ValueError(
                f"{self!r} needs rows to see how many each {self.by!r} has: give them as X, or a "
                "share in place of k."
            )
        flagged = int(np.minimum(sizes, self.k).sum())
        if flagged == sizes.sum():
            raise ValueError(
                f"{self!r} would flag all {flagged} rows, so that there is nothing to choose; give "
                "a smaller k, or a share of the rows."
            )
        return flagged / float(sizes.sum())

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of largest recall that flags at most the share, and its recall."""
        if self.share is None:
            raise ValueError(
                f"{self!r} is a number of rows, and a curve does not know how many there are; give "
                "a share, as in Budget(share=0.01)."
            )
        return RecallAtBudget(self.share).choose(curve)

    def overspent(
        self, flagged: NDArray[np.bool_], number: NDArray[np.float64] | None = None
    ) -> str:
        """Say in a sentence that more rows of a batch are flagged than it allows, or nothing.

        Parameters
        ----------
        flagged : ndarray of bool, shape (n_samples, n_labels)
            What was predicted.
        number : ndarray of shape (n_samples,), default=None
            How many rows each of them stands for; one by default.

        Returns
        -------
        str
            Empty also where that is not known: of groups, and where it holds on average only.

        Examples
        --------
        >>> Budget(2).overspent(np.array([[True], [True], [True], [False]]))
        '3 rows are flagged, more than the 2 of Budget(k=2).'
        """
        if self.by is not None or not self.batch or self.limits_labels(flagged.shape[1]):
            return ""
        number = np.ones(flagged.shape[0]) if number is None else number
        n_rows = round(number.sum())
        most = int(self.share * n_rows + ROUNDING) if self.k is None and self.share else self.k or 0
        found = round((number @ flagged).max())
        return (
            f"{found} rows are flagged, more than the {most} of {self!r}." if found > most else ""
        )

    def value(self, profile: ErrorProfile) -> float:
        """Return the recall, 0 without positive rows."""
        return float(np.mean(np.nan_to_num(profile.recall)))


def batch_codes(X: Any, by: str | int) -> NDArray[np.intp]:
    """Return the number of each row's batch; rows without a value are a batch of their own."""
    values = column_of(X, by, "Budget")
    if values.dtype == object:  # mixed types and gaps have no order
        values = values.astype(str)
    return np.unique(values, return_inverse=True)[1].ravel()


def on_rows(goal: Any, n_rows: int) -> Any:
    """Return what a budget of rows is for so many rows: a share of them; anything else as it is.

    Examples
    --------
    >>> from pseudolinear.thresholds._budget import on_rows
    >>> on_rows(Budget(5), 100)
    RecallAtBudget(max_share=0.05)
    """
    return goal.resolve(n_rows, 1) if isinstance(goal, Budget) else goal
