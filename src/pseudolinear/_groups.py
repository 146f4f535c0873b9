"""Groups of rows by the values of a column, as people compare them."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 50  # groups; a column of more values is hardly one of groups


def read_groups(values: Any, n_rows: int, what: str) -> tuple[tuple[Any, ...], NDArray[np.intp]]:
    """Tell the groups of rows by one value per row.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        Texts, numbers, booleans or categories; none missing.
    n_rows : int
        Number of rows.
    what : str
        Name of the argument, as an error says it where the values have no name of their own.

    Returns
    -------
    names : tuple
        The distinct values in their order.
    codes : ndarray of shape (n_samples,)
        Position of each row's value among them.
    """
    what = called(values, what)
    listed = _one_each(values, n_rows, what)
    names = _in_order(set(listed))
    if len(names) > MOST:
        raise ValueError(
            f"{what} has {len(names)} different values, and more than {MOST} groups are too many "
            "to compare; join values to fewer groups first."
        )
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[value] for value in listed], dtype=np.intp)


def read_clusters(values: Any, n_rows: int, what: str) -> NDArray[np.intp]:
    """Give a number to each group that rows are drawn in; there may be any number of them.

    Parameters
    ----------
    values, n_rows, what
        As for :func:`read_groups`.

    Returns
    -------
    ndarray of shape (n_samples,)
        The same number for rows of the same value.

    Examples
    --------
    >>> from pseudolinear._groups import read_clusters
    >>> read_clusters(["b", "a", "b"], 3, "groups")
    array([0, 1, 0])
    """
    listed = _one_each(values, n_rows, called(values, what))
    place = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    return np.array([place[value] for value in listed], dtype=np.intp)


def called(values: Any, what: str) -> str:
    """Return how an error calls values at its beginning: by the name of their column, if known.

    Examples
    --------
    >>> from pseudolinear._groups import called
    >>> called(["gold", None], "by")
    'by'
    """
    name = getattr(values, "name", None)
    return what if name is None or name == "" else f"The column {name!r}"


def _one_each(values: Any, n_rows: int, what: str) -> list[Any]:
    """Return one value per row, none of them missing."""
    listed = list_values(values)
    if len(listed) != n_rows:
        raise ValueError(
            f"{what} has {len(listed)} entries, but there are {n_rows} rows; give one per row."
        )
    if n_missing := sum(map(is_missing, listed)):
        raise ValueError(
            f"{what} is missing in {n_missing} of {n_rows} rows; give these rows a value of their "
            "own, such as 'unknown', or leave them out."
        )
    return listed


def list_values(values: Any) -> list[Any]:
    """Return a column as plain Python values, whatever holds it.

    Examples
    --------
    >>> from pseudolinear._groups import list_values
    >>> list_values(np.array([True, False]))
    [True, False]
    """
    array = np.asarray(values, dtype=None if hasattr(values, "dtype") else object)
    if array.ndim != 1:
        raise ValueError(
            f"Groups are told by one value per row, got an array of the shape {array.shape}."
        )
    return array.tolist()


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, or what pandas has for it."""
    if isinstance(value, Number | np.generic):
        return bool(value != value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _in_order(names: set[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(names))
    except TypeError:  # texts and numbers
        return tuple(sorted(names, key=str))
