"""From y to the kind of problem."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from pseudolinear.kinds._binary import Binary
from pseudolinear.kinds._kind import Kind
from pseudolinear.kinds._multiclass import Multiclass
from pseudolinear.kinds._multilabel import Multilabel
from pseudolinear.labels import LabelForm
from pseudolinear.measures import Measure, Objective


def measure_for(objective: Measure | Objective, y: NDArray[Any]) -> Measure:
    """Return what is swept: a measure, as the classes of y want it; or what trains an objective."""
    several = y.ndim == 2 and y.shape[1] > 1
    if not isinstance(objective, Measure):
        return objective.training_measure("macro" if several else "binary")
    if several or objective.average != "binary":
        return objective
    return objective.for_classes(np.unique(y).size)


def read_target(
    y: NDArray[Any],
    measure: Measure,
    sample_weight: NDArray[np.float64] | None = None,
    form: LabelForm | None = None,
) -> tuple[Kind, NDArray[Any]]:
    """Read y for a measure, or say in one sentence why that cannot be.

    Parameters
    ----------
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Classes of any type, or the 0/1 matrix of a multilabel problem.
    measure : Measure
        What is maximised: a binary one needs two classes.
    sample_weight : ndarray of shape (n_samples,), default=None
        A class must occur in a row of positive weight to count as present.
    form : LabelForm, default=None
        How y came, if not as this array: labels with names are a multilabel problem.

    Returns
    -------
    kind : Kind
        What kind of problem it is.
    codes : ndarray of shape (n_samples, n_labels)
        0/1 labels, or the class codes of a multiclass problem in one column.
    """
    form = form or LabelForm()
    rows = slice(None) if sample_weight is None else sample_weight > 0
    if form.names is not None:
        return Multilabel.read(y, rows, measure, form)
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    target_type = type_of_target(y, input_name="y", raise_unknown=True)
    check_classification_targets(y)
    if target_type == "multilabel-indicator":
        return Multilabel.read(y, rows, measure, form)
    if target_type == "multiclass-multioutput":
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
    one = measure.average == "binary"
    return (Binary if one else Multiclass).read(y, classes, measure)
