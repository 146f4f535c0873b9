"""ManyLabelsFit: what a fit of many labels has seen, as a classifier keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._digits import in_percent
from pseudolinear.extreme._cut_columns import LabelCuts, choose_cuts
from pseudolinear.extreme._fit import ManyFitted
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.extreme._truncation import Truncation
from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class ManyLabelsFit:
    """What a fit of many labels has seen.

    Attributes
    ----------
    labels : ndarray of int
        Labels that have a model.
    values : ndarray
        What each of them reached on held-out rows, by the measure of one label.
    curves : LabelCurves or None
        The errors of each along its thresholds; None where the classifier was slimmed.
    truncation : Truncation
        What was left out of the weights, and what that cost.
    n_problems : int
        Problems that were solved, on folds and on all rows.
    n_sample : int
        Labels that tried all settings.
    measure : Measure
        Of one label.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(300, n_classes=8, random_state=0)
    >>> clf = MeasureClassifier("tree", measure="f1_macro", random_state=0).fit(X, Y)
    >>> clf.many_labels_.labels
    array([0, 1, 2, 3, 4, 5, 6, 7])
    """

    labels: NDArray[np.intp]
    values: NDArray[np.float64]
    curves: LabelCurves | None
    truncation: Truncation
    n_problems: int
    n_sample: int
    measure: Measure

    def __repr__(self) -> str:
        return (
            f"<ManyLabelsFit: {len(self.labels)} labels, {self.n_problems} problems, "
            f"{in_percent(self.truncation.kept, 0)} of the weights kept>"
        )

    @classmethod
    def of(cls, fitted: ManyFitted, measure: Measure) -> ManyLabelsFit:
        """Keep what was seen, without what predicts."""
        one = measure.binary()
        return cls(
            fitted.labels,
            one.of_labels(fitted.cuts.profile),
            fitted.curves,
            fitted.truncation,
            fitted.n_problems,
            fitted.n_sample,
            one,
        )

    @property
    def tried(self) -> str:
        """How much was tried, in words."""
        each = self.n_problems / len(self.labels)
        if not self.n_sample:
            return f"one setting of every edge of a tree of labels: {each:.3g} problems a label"
        return (
            f"all settings at {self.n_sample} of {len(self.labels)} labels, one at the others: "
            f"{each:.3g} problems a label"
        )

    def recut(self, objective: Any) -> LabelCuts:
        """Choose thresholds for another measure."""
        if self.curves is None:
            raise AttributeError(
                "This classifier was slimmed, so it cannot be retargeted; use the classifier that "
                "was fitted, or save it with evidence=True."
            )
        if not isinstance(objective, Measure) or objective.average in ("binary", "multiclass"):
            raise ValueError(
                f"A classifier of many labels is retargeted to a micro, macro or weighted average, "
                f"not to {objective!r}."
            )
        return choose_cuts(self.curves, objective)
