"""Columns that no new row can be told by: identifiers, and copies of the target."""

from __future__ import annotations

import re
import warnings
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

FEWEST = 100  # rows, up to which a column may look so by chance
LONGEST = 40  # characters of an identifier; a UUID has 36
# Not what may be text, names, addresses, formulas or sequences: those have no digit in some value.
CODE = re.compile(r"[\w#:-]*\d[\w#:-]*", re.ASCII)
DATE = re.compile(r"\d+[:-][\d:-]*")


def warn_of_suspects(X: Any, y: NDArray[Any]) -> None:
    """Say which columns are almost surely identifiers of rows or copies of the target.

    Parameters
    ----------
    X : data frame or other rows
        Rows as they were given; only columns with names are looked at.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Classes, or labels.

    Examples
    --------
    >>> import pandas
    >>> from pseudolinear.features import warn_of_suspects
    >>> X = pandas.DataFrame({"id": range(200), "age": [31, 45] * 100})
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     warn_of_suspects(X, np.arange(200) % 3)
    >>> print(told[0].message)  # doctest: +NORMALIZE_WHITESPACE
    X seems to hold identifiers of rows ('id': no value twice); drop such columns unless they are
    meant.
    """
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or len(frame) <= FEWEST or len(y) != len(frame):
        return
    columns = {name: frame.get_column(name) for name in frame.columns}
    ids = [name for name, column in columns.items() if _is_identifier(column)]
    copies = [name for name, column in columns.items() if _is_copy(column, y)]
    found = [f"identifiers of rows ({_some(ids)}: no value twice)"] * bool(ids)
    found += [f"copies of the target ({_some(copies)}: a value for each class)"] * bool(copies)
    if found:
        warnings.warn(
            f"X seems to hold {' and '.join(found)}; drop such columns unless they are meant.",
            stacklevel=5,
        )


def _is_identifier(column: nw.Series[Any]) -> bool:
    """Tell numbers that count rows, and codes that never repeat."""
    n = len(column)
    if column.dtype.is_integer():
        # random numbers so close to each other would repeat; some rows may be held out
        return (
            column.null_count() == 0
            and int(column.max()) - int(column.min()) < 2 * n
            and column.n_unique() == n
        )
    if column.dtype != nw.String or not _is_code(column[0]) or column.n_unique() < n:
        return False
    return all(map(_is_code, column))


def _is_code(value: Any) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= LONGEST
        and CODE.fullmatch(value) is not None
        and DATE.fullmatch(value) is None
    )


def _is_copy(column: nw.Series[Any], y: NDArray[Any]) -> bool:
    """Tell whether each value stands for one class, or for having a label, and the reverse."""
    kind = column.dtype
    plain = kind.is_numeric() or kind in (nw.Boolean, nw.String, nw.Categorical, nw.Enum)
    if not plain or column.null_count():
        return False
    n_classes = 2 if y.ndim == 2 else len(set(y.tolist()))
    if n_classes < 2 or column.n_unique() != n_classes:
        return False
    values = column.to_list()
    if y.ndim == 1:
        return len(set(zip(values, y.tolist(), strict=True))) == n_classes
    first = np.array([value == values[0] for value in values])
    numbers = np.asarray(y.sum(axis=0))
    alike = np.isin(numbers, [first.sum(), len(first) - first.sum()])
    return any(abs(np.mean(y[:, k] == first) - 0.5) == 0.5 for k in np.flatnonzero(alike))


def _some(names: list[Any]) -> str:
    return ", ".join(map(repr, names[:5])) + (" and others" if len(names) > 5 else "")
