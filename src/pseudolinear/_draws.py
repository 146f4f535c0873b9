"""Draws that belong to rows: the same row gets the same one in every batch."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._groups import is_missing
from pseudolinear._validation import column_names

Bits = NDArray[np.uint64]


def row_draws(X: Any, seed: int = 0) -> NDArray[np.float64]:
    """Draw a number between 0 and 1 for each row, from what the row holds.

    It is a hash, so that a row gets the same number whatever the order of the rows and whichever
    others are beside it; rows that differ anywhere have numbers as if independent. A score would
    not do: equal scores would fall together, and their last bits depend on the batch.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame or list of texts
        The rows as they were given.
    seed : int, default=0
        Another seed gives other numbers.

    Returns
    -------
    ndarray of shape (n_samples,)
        Evenly spread, in [0, 1).

    Examples
    --------
    >>> from pseudolinear._draws import row_draws
    >>> rows = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> bool((row_draws(rows[::-1]) == row_draws(rows)[::-1]).all())
    True
    """
    total = _of_sparse(X) if sparse.issparse(X) else _of_columns(X)
    return (_mix(total ^ _mix(value_bits(np.array([seed])))) >> np.uint64(11)) / 2.0**53


def number_draws(numbers: NDArray[np.integer[Any]], seed: int = 0) -> NDArray[np.float64]:
    """Draw a number between 0 and 1 for each row by its number, however rows are parted.

    Examples
    --------
    >>> from pseudolinear._draws import number_draws
    >>> bool((number_draws(np.arange(5))[3:] == number_draws(np.arange(3, 5))).all())
    True
    """
    bits = _mix(numbers.astype(np.uint64)) ^ _mix(value_bits(np.array([seed])))
    return (_mix(bits) >> np.uint64(11)) / 2.0**53


def _of_columns(X: Any) -> Bits:
    """Add up the hashes of a row's values, each mixed with its place."""
    if (names := column_names(X)) is not None:
        columns = [np.asarray(X[name]) for name in names]
    else:
        array = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=_kept(X))
        columns = list(array.reshape(len(array), -1).T)
    total = np.zeros(len(X), dtype=np.uint64)
    for place, column in enumerate(columns):
        total += _term(column, np.uint64(place))
    return total


def _of_sparse(X: Any) -> Bits:
    """Do the same for what is not zero, so that a dense matrix of equal values gives the same."""
    rows = X.tocoo()
    total = np.zeros(X.shape[0], dtype=np.uint64)
    np.add.at(total, rows.row, _term(rows.data, rows.col.astype(np.uint64)))
    return total


def _kept(X: Any) -> Any:
    """Return object for lists of texts, which would be cut to equal lengths."""
    return None if hasattr(X, "dtype") else object


def _term(values: NDArray[Any], place: Any) -> Bits:
    bits = value_bits(values)
    return np.where(bits == 0, np.uint64(0), _mix(bits + _mix(place + np.uint64(1))))


def value_bits(values: NDArray[Any]) -> Bits:
    """Return 64 bits of each value; equal numbers of any type have the same, zero has none."""
    if values.dtype.kind in "biuf":
        numbers = values.astype(np.float64) + 0.0  # no negative zero
        numbers[np.isnan(numbers)] = np.nan  # one of many
        return numbers.view(np.uint64)
    return np.array([_bits_of(value) for value in values.tolist()], dtype=np.uint64)


def _bits_of(value: Any) -> int:
    if is_missing(value):
        value = np.nan
    if isinstance(value, bool | int | float):
        return int(value_bits(np.array([value], dtype=np.float64))[0])
    return int.from_bytes(blake2b(str(value).encode(), digest_size=8).digest(), "little")


def _mix(bits: Any) -> Bits:
    """Scramble 64 bits (the finaliser of splitmix64, Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        mixed = bits + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(mixed ^ (mixed >> np.uint64(31)))
