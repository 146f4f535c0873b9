"""From y as people have it to an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._groups import is_missing
from pseudolinear._validation import check_one_type, check_sparse
from pseudolinear.labels._form import LabelForm
from pseudolinear.labels._frame import LabelFrame
from pseudolinear.labels._holders import ArrayHolder, ColumnHolder, Holder, ListHolder
from pseudolinear.labels._sets import LabelSets, holds_sets, is_matrix
from pseudolinear.labels._sparse import SparseLabels

MISSING = "y contains NaN or missing values; give every row a class."
NESTED = (nw.List, nw.Array, nw.Struct, nw.Object)  # types of columns that can hold collections


def read_labels(y: Any, like: LabelForm | None = None) -> tuple[NDArray[Any], LabelForm]:
    """Read classes or labels in any form.

    Lists, one per row, are a 0/1 matrix where all are equally long and hold only 0 and 1;
    otherwise they list the labels of each row. Sets hold labels always. A frame of several
    columns has a label per column, and one of a single column is that column.

    Parameters
    ----------
    y : array-like, sparse matrix, data frame, column or list of collections
        Classes, a 0/1 matrix, or collections of labels.
    like : LabelForm, default=None
        The form of other labels: if it is :class:`LabelSets`, lists are never a matrix.

    Returns
    -------
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Classes, or the 0/1 matrix.
    form : LabelForm
        How y came.

    Examples
    --------
    >>> from pseudolinear.labels import read_labels
    >>> matrix, form = read_labels([["sport", "news"], []])
    >>> matrix.tolist()
    [[1, 1], [0, 0]]
    >>> form.names.tolist()
    ['news', 'sport']
    """
    if sparse.issparse(check_sparse(y, "y")):
        several = y.ndim == 2 and y.shape[1] > 1
        form = SparseLabels(is_array=isinstance(y, sparse.sparray)) if several else LabelForm()
        return y.toarray(), form
    native = as_native(y)
    if isinstance(native, nw.DataFrame):
        return LabelFrame.read(native)
    if isinstance(native, nw.Series):
        return _read_column(native, like)
    if isinstance(y, list | tuple):
        return _read_rows(y, ListHolder(), like) or (_read_list(y), LabelForm())
    if np.ma.is_masked(y):
        raise ValueError(MISSING)
    y = np.asarray(y)
    if y.dtype == object and y.ndim == 1:
        return _read_rows(y, ArrayHolder(), like) or (_as_numbers(y), LabelForm())
    return _as_numbers(y), LabelForm()


def match_labels(y: Any, form: LabelForm, n_labels: int) -> tuple[NDArray[Any], list[Any]]:
    """Read labels into the columns of other labels.

    Parameters
    ----------
    y : array-like, sparse matrix, data frame or list of collections
        A 0/1 matrix, or collections of labels.
    form : LabelForm
        The form of the other labels.
    n_labels : int
        Their number.

    Returns
    -------
    matrix : ndarray of shape (n_samples, n_labels + n_unknown)
        0/1; labels that are not among the others come last.
    unknown : list
        Their names. Only collections can have some: other columns in a frame are an error.
    """
    matrix, own = read_labels(y, like=form)
    return own.arrange(matrix, form.names, n_labels)


def check_classes(y: NDArray[Any], name: str = "y") -> NDArray[Any]:
    """Refuse what is no class: missing values, and fractions, as probabilities are.

    Parameters
    ----------
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        As :func:`read_labels` gives it.
    name : str, default="y"
        Of the argument, as an error says it.

    Returns
    -------
    ndarray
        The same.

    Examples
    --------
    >>> from pseudolinear.labels import check_classes
    >>> check_classes(np.array([0.0, 1.0, 2.0]))
    array([0., 1., 2.])
    """
    if y.ndim == 0:
        raise ValueError(f"{name} must have one entry per row, got {y[()]!r}.")
    if y.dtype.kind not in "fO":
        return y
    check_one_type(y, name)
    found = set(y.ravel().tolist()) if y.dtype == object else set(np.unique(y).tolist())
    if any(map(is_missing, found)):
        raise ValueError(f"{name} has missing values; leave out the rows whose class is unknown.")
    fractions = [one for one in found if isinstance(one, float) and not one.is_integer()]
    if fractions:
        raise ValueError(
            f"{name} holds {fractions[0]:g}, as scores or probabilities do; classes are wanted."
        )
    return y


def column_name(values: Any) -> Any:
    """Return the name of a column of a data frame library; None of anything else.

    Parameters
    ----------
    values : object
        Such as y.

    Returns
    -------
    object or None
        The name.

    Examples
    --------
    >>> import pandas
    >>> from pseudolinear.labels import column_name
    >>> column_name(pandas.Series([0, 1], name="spam")), column_name([0, 1])
    ('spam', None)
    """
    native = nw.from_native(values, series_only=True, pass_through=True)
    return native.name if isinstance(native, nw.Series) else None


def as_native(y: Any) -> Any:
    """Return a frame or column as narwhals has it, a single column of a frame as a column."""
    try:
        native = nw.from_native(y, allow_series=True, pass_through=True)
    except DuplicateError as error:
        raise ValueError(
            "y has two columns of the same name; give every label a name of its own."
        ) from error
    if isinstance(native, nw.LazyFrame):
        raise ValueError("y is a lazy frame; collect it first, as in y.collect().")
    if isinstance(native, nw.DataFrame) and native.shape[1] == 1:
        return native.get_column(native.columns[0])
    return native


def _read_column(column: nw.Series[Any], like: LabelForm | None) -> tuple[NDArray[Any], LabelForm]:
    """Read a column of classes, or of collections of labels."""
    if column.dtype in NESTED and (
        read := _read_rows(column.to_list(), ColumnHolder.of(column), like)
    ):
        return read
    if column.is_null().any():
        raise ValueError(MISSING)
    return _as_numbers(column.to_numpy()), LabelForm()


def _read_list(y: Sequence[Any]) -> NDArray[Any]:
    """Read a list of classes; numpy would make texts of all others among texts."""
    array = np.asarray(y)
    if array.dtype.kind == "U" and not all(isinstance(one, str) for one in y):
        return np.array(y, dtype=object)
    return array


def _as_numbers(y: NDArray[Any]) -> NDArray[Any]:
    """Return an array of objects that are all numbers or booleans as one of their type."""
    if y.dtype != object or y.size == 0 or isinstance(y.flat[0], str):
        return y
    array = np.array(y.tolist())
    return array if array.dtype.kind in "biuf" and array.shape == y.shape else y


def _read_rows(
    rows: Any, holder: Holder, like: LabelForm | None
) -> tuple[NDArray[Any], LabelForm] | None:
    """Read rows that are collections; None if they are not."""
    if not holds_sets(rows):
        return None
    if not isinstance(like, LabelSets) and is_matrix(rows):
        return np.array(list(rows)), LabelForm()
    return LabelSets.read(rows, holder)
