"""Targets: what kind of problem y is, as codes that learners and profiles share."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, eq=False)
class Targets:
    """The target of a fit.

    Attributes
    ----------
    kind : {"binary", "multilabel", "multiclass"}
        The kind of problem.
    codes : ndarray of shape (n_samples, n_labels) or (n_samples,)
        0/1 labels (a binary problem has one), or codes of a multiclass problem.
    classes : ndarray
        The sorted classes; of a multilabel problem the column numbers.
    order : ndarray
        The classes in the order of the codes: for a binary problem (negative, positive), for a
        multiclass one with a default class that one first.
    always : ndarray of bool or None
        Which labels of a multilabel problem every row carries.
    """

    kind: str
    codes: NDArray[np.int8 | np.intp]
    classes: NDArray[Any]
    order: NDArray[Any]
    always: Any = None

    def without_rows(self) -> Targets:
        """Return what is worth keeping after a fit."""
        return replace(self, codes=self.codes[:0])

    @classmethod
    def from_y(
        cls, y: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None = None
    ) -> Targets:
        """Read y for a measure, or say in one sentence why that cannot be.

        A class must occur in a row of positive weight to count as present.
        """
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        check_classification_targets(y)
        rows = slice(None) if sample_weight is None else sample_weight > 0
        if kind == "multilabel-indicator":
            return cls._multilabel(y, rows, measure)
        if kind == "multiclass-multioutput":
            raise ValueError(
                "y has several columns with more than two classes; fit one MeasureClassifier "
                "per column."
            )
        y = column_or_1d(y, warn=True)
        classes, present = np.unique(y), np.unique(y[rows])
        if present.size == 1:
            raise ValueError(
                f"y has only one class, {present.tolist()[0]!r}; {type(measure).__name__} needs a "
                "positive and a negative class."
            )
        if measure.average == "binary":
            return cls._binary(y, classes, measure)
        order = measure.order_classes(classes)
        codes = np.argmax(y[:, None] == order, axis=1)
        return cls("multiclass", codes, classes, order)

    @classmethod
    def _binary(cls, y: NDArray[Any], classes: NDArray[Any], measure: Measure) -> Targets:
        if classes.size > 2:
            raise ValueError(
                "Only binary classification is supported by a binary measure. The type of the "
                "target is multiclass; use f1_macro, or FBeta(average='micro', "
                "default_class=...)."
            )
        positive = measure.positive_class(classes)
        is_positive = classes == positive
        order = np.concatenate([classes[~is_positive], classes[is_positive]])
        return cls("binary", (y == positive).astype(np.int8)[:, None], classes, order)

    @classmethod
    def _multilabel(cls, y: NDArray[Any], rows: Any, measure: Measure) -> Targets:
        if measure.average == "binary":
            raise ValueError(
                f"y has {y.shape[1]} labels, but {measure!r} is for one; use the measure "
                "f1_micro or f1_macro (average='micro' or 'macro')."
            )
        if getattr(measure, "default_class", None) is not None:
            raise ValueError(
                f"{measure!r} has a default class, which a multilabel y has not; leave it out."
            )
        positive = y[rows].astype(bool)
        fixed = np.flatnonzero(positive.all(axis=0) | ~positive.any(axis=0))
        if fixed.size == y.shape[1]:
            raise ValueError(
                "No label of y has both a positive and a negative row, so there is nothing to "
                "learn; check the columns of y."
            )
        if fixed.size:
            warnings.warn(
                f"Label {fixed[0]}"
                + (f" and {fixed.size - 1} other labels have" if fixed.size > 1 else " has")
                + " the same value in every row; nothing can be learnt there, so that value is "
                "predicted.",
                stacklevel=4,
            )
        columns = np.arange(y.shape[1])
        return cls("multilabel", y.astype(np.int8), columns, columns, positive.all(axis=0))
