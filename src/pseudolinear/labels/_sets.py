"""LabelSets: y came as one collection of labels per row."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.preprocessing import MultiLabelBinarizer

from pseudolinear._brief import brief_repr
from pseudolinear.labels._form import LabelForm, arrange_by_name
from pseudolinear.labels._holders import Holder

ROW_TYPES = (list, tuple, set, frozenset)
SCALARS = (str, int, float, bytes)  # asked first, since asking for an abstract class is slow


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelSets(LabelForm):
    """Lists, tuples or sets of labels; predictions list them in the order of `names`.

    Attributes
    ----------
    names : ndarray of shape (n_labels,)
        The sorted labels.
    row_type : type
        Of each row that is predicted: the type of the first row of y.
    holder : Holder
        What the rows are held in.
    """

    names: NDArray[Any]
    row_type: type
    holder: Holder

    __repr__ = brief_repr

    @classmethod
    def read(cls, rows: Sequence[Any], holder: Holder) -> tuple[NDArray[Any], Self]:
        """Return the 0/1 matrix with one sorted label per column, and the form."""
        matrix, form = cls.read_sparse(rows, holder)
        return matrix.toarray(), form

    @classmethod
    def read_sparse(cls, rows: Sequence[Any], holder: Holder) -> tuple[Any, Self]:
        """Return the same as a CSR matrix, and the form."""
        flat = [_labels_of(row, number) for number, row in enumerate(rows)]
        binarizer = MultiLabelBinarizer(sparse_output=True)  # in 64 bits, so dense too large
        try:
            matrix = binarizer.fit_transform(flat).astype(np.int8)
        except TypeError as error:  # from sorting
            types = sorted({type(label).__name__ for row in flat for label in row})
            raise ValueError(
                f"y has labels of the types {' and '.join(types)}, which have no common order; "
                "use one type, such as str."
            ) from error
        row_type = type(rows[0]) if type(rows[0]) in ROW_TYPES else list
        return matrix, cls(names=binarizer.classes_, row_type=row_type, holder=holder)

    def decode(self, matrix: Any, rows: Any) -> Any:
        """Return one collection of labels per row, of a dense or sparse matrix."""
        if sparse.issparse(matrix):
            parts = np.split(matrix.indices, matrix.indptr[1:-1])
            named = [self.row_type(self.names[np.sort(part)].tolist()) for part in parts]
            return self.holder.hold(named, rows)
        sets = [self.row_type(self.names[row].tolist()) for row in matrix.astype(bool)]
        return self.holder.hold(sets, rows)

    def arrange(
        self, matrix: NDArray[Any], names: NDArray[Any] | None, n_labels: int
    ) -> tuple[NDArray[Any], list[Any]]:
        """Put the columns into the order of the other labels, or of column numbers."""
        others = list(range(n_labels)) if names is None else names.tolist()
        return arrange_by_name(matrix, self.names.tolist(), others)


def holds_sets(rows: Sequence[Any]) -> bool:
    """Say whether any row is a collection."""
    return any(_is_collection(row) for row in rows)


def is_matrix(rows: Sequence[Any]) -> bool:
    """Say whether rows are those of a 0/1 matrix: as long as one another, with 0 and 1 only."""
    if not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        return False
    if len({len(row) for row in rows}) > 1 or any(_is_collection(x) for row in rows for x in row):
        return False
    array = np.array(list(rows))
    return array.size > 0 and array.dtype.kind in "biuf" and bool(np.isin(array, (0, 1)).all())


def _is_collection(value: Any) -> bool:
    return not isinstance(value, SCALARS) and isinstance(value, Collection)


def _labels_of(row: Any, number: int) -> list[Any]:
    """Return the labels of a row as Python's own objects, or say what is wrong with them."""
    where = f"Row {number} of y"
    if isinstance(row, str):
        raise ValueError(
            f"{where} is the string {row!r} where other rows are collections of labels; "
            f"write [{row!r}]."
        )
    if not _is_collection(row) or isinstance(row, Mapping):
        raise ValueError(
            f"{where} is {reprlib.repr(row)}, not a list or set of labels; give every row one, "
            "an empty one where there are no labels."
        )
    labels = [label.item() if isinstance(label, (np.number, np.str_)) else label for label in row]
    for label in labels:
        _check_label(label, where)
    return labels


def _check_label(label: Any, where: str) -> None:
    if _is_collection(label):
        raise ValueError(
            f"{where} has {reprlib.repr(label)} among its labels; give each row a flat list of "
            "labels."
        )
    if label is None or (isinstance(label, float) and not label.is_integer()):
        raise ValueError(
            f"{where} has {label!r} among its labels; labels are names or whole numbers, so leave "
            "out what is missing."
        )
    if label.__hash__ is None:
        raise ValueError(
            f"{where} has a label of the type {type(label).__name__}, which cannot be hashed; use "
            "names or numbers."
        )
