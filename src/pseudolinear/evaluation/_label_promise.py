"""LabelPromise: the threshold of a label, and what it is promised to reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pseudolinear.evaluation._label_evaluation import LabelEvaluation


@dataclass(frozen=True)
class LabelPromise(LabelEvaluation):
    """One label: its threshold, by what it was accepted, and what was seen there.

    Attributes
    ----------
    threshold : float
        Rows whose score is above it are given the label.
    bound : float
        Lower bound of the value there, at the label's share of the error: the threshold was
        accepted since this is not below what is promised.

    See Also
    --------
    LabelEvaluation : The attributes for what was seen, with 95 % intervals.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, weights=[0.8], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:1000], y[:1000])
    >>> label = clf.guarantee("recall >= 0.8", X[1000:], y[1000:]).promise_.labels[0]
    >>> 0.8 <= label.bound <= label.recall
    True
    """

    threshold: float
    bound: float

    def row(self) -> dict[str, Any]:
        """Return what a table shows of the label."""
        return super().row() | {"threshold": self.threshold, "bound": self.bound}
