"""From y with many labels to a sparse matrix: nothing of rows x labels is ever dense but y."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

from pseudolinear._validation import check_sparse
from pseudolinear.labels._form import LabelForm
from pseudolinear.labels._holders import ArrayHolder, ColumnHolder, Holder, ListHolder
from pseudolinear.labels._reading import NESTED, as_native, read_labels
from pseudolinear.labels._sets import LabelSets, holds_sets, is_matrix
from pseudolinear.labels._sparse import SparseLabels


def count_labels(y: Any) -> int:
    """Count the labels that y has, without reading more than that takes.

    Parameters
    ----------
    y : object
        Classes or labels in any form.

    Returns
    -------
    int
        1 where y has classes.

    Examples
    --------
    >>> from pseudolinear.labels import count_labels
    >>> count_labels([["sport", "news"], ["sport"]]), count_labels(np.zeros((3, 5)))
    (2, 5)
    """
    shape = getattr(y, "shape", None)
    if shape is not None and len(shape) == 2:
        return int(shape[1])
    rows = _collections(y)
    if rows is None:
        return len(y[0]) if isinstance(y, list | tuple) and holds_sets(y) else 1
    try:
        return len({label for row in rows[0] for label in row})
    except TypeError:  # reading says what is wrong
        return 1


def read_sparse_labels(y: Any, like: LabelForm | None = None) -> tuple[Any, LabelForm]:
    """Read labels in any form as a sparse matrix.

    Parameters
    ----------
    y : array-like, sparse matrix, data frame, column or list of collections
        A 0/1 matrix, or collections of labels.
    like : LabelForm, default=None
        See :func:`read_labels`.

    Returns
    -------
    y : csr_matrix of int8, shape (n_samples, n_labels)
        Without stored zeros.
    form : LabelForm
        How y came.

    Examples
    --------
    >>> from pseudolinear.labels import read_sparse_labels
    >>> read_sparse_labels([{"sport", "news"}, set()])[0].indices
    array([0, 1], dtype=int32)
    """
    if sparse.issparse(check_sparse(y, "y")):
        _check_entries(y.data if y.format in ("csr", "csc") else y.tocoo().data)
        form: LabelForm = SparseLabels(is_array=isinstance(y, sparse.sparray))
        return _matrix(y), form
    rows = _collections(y, like)
    if rows is not None:
        return LabelSets.read_sparse(*rows)
    dense, form = read_labels(y, like)
    matrix = sparse.csr_matrix(dense)
    _check_entries(matrix.data)
    return _matrix(matrix), form


def match_sparse_labels(y: Any, form: LabelForm, n_labels: int) -> tuple[Any, list[Any]]:
    """Read labels into the columns of other labels; see :func:`match_labels`.

    Returns
    -------
    matrix : csr_matrix of shape (n_samples, n_labels + n_unknown)
        0/1; labels that are not among the others come last.
    unknown : list
        Their names.
    """
    matrix, own = read_sparse_labels(y, like=form)
    return own.arrange(matrix, form.names, n_labels)


def _collections(y: Any, like: LabelForm | None = None) -> tuple[Any, Holder] | None:
    """Return rows that are collections of labels, and what holds them; None of anything else."""
    if sparse.issparse(y):
        return None
    native = as_native(y)
    rows: Any = None
    holder: Holder = ListHolder()
    if isinstance(native, nw.Series):
        if native.dtype in NESTED:
            rows, holder = native.to_list(), ColumnHolder.of(native)
    elif isinstance(y, list | tuple):
        rows = y
    elif isinstance(y, np.ndarray) and y.dtype == object and y.ndim == 1:
        rows, holder = y, ArrayHolder()
    if rows is None or not holds_sets(rows):
        return None
    if not isinstance(like, LabelSets) and is_matrix(rows):
        return None
    return rows, holder


def _check_entries(entries: Any) -> None:
    if not ((entries == 0) | (entries == 1)).all():
        other = entries[(entries != 0) & (entries != 1)][0]
        raise ValueError(
            f"y must hold only 0 and 1, or booleans, got {other!r}; give 1 where a row has the "
            "label."
        )


def _matrix(y: Any) -> Any:
    matrix = sparse.csr_matrix(y, dtype=np.int8)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix
