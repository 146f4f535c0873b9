"""Checks of arrays that several rooms share, each with one clear sentence."""

from __future__ import annotations

from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from pseudolinear._groups import is_missing

LARGEST = 1e100  # of a number: sums of squares of larger ones, by weights and C, overflow
OVERFLOW = (
    f"the squares of numbers beyond {LARGEST:g} overflow. Divide the column by a power of ten"
)
FAR = 1e9  # of the largest weight from 1: C, which weights multiply, no longer says what it means
SPAN = 1e15  # of weights: a sum of double precision does not see numbers further apart


def check_sparse(X: Any, name: str = "X") -> Any:
    """Refuse a sparse matrix whose indices point outside; anything else stays as it is.

    SciPy checks no array that is put into a matrix later, and compiled loops check none.
    """
    broken = None
    if sparse.issparse(X) and hasattr(X, "check_format"):
        try:
            X.check_format(full_check=True)
        except ValueError as error:
            broken = str(error)
    elif sparse.issparse(X) and X.format == "coo":
        for size, index in zip(X.shape, getattr(X, "coords", (X.row, X.col)), strict=True):
            if index.size and not (index.min() >= 0 and index.max() < size):
                broken = f"indices must be from 0 to {size - 1}"
    if broken is not None:
        raise ValueError(f"{name} is a broken sparse matrix ({broken}); build it anew.")
    return X


def check_magnitudes(
    X: Any,
    largest: float = LARGEST,
    why: str = OVERFLOW,
) -> Any:
    """Refuse numbers whose squares are too large; missing ones are nobody's matter."""
    values = X.data if sparse.issparse(X) else X
    if not values.size:
        return X
    low, high = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)  # no copies
    if not max(-float(low), float(high)) > largest:
        return X
    by_column = abs(X).max(axis=0)
    by_column = by_column.toarray().ravel() if sparse.issparse(by_column) else by_column
    column = int(np.nanargmax(by_column))
    raise ValueError(f"X holds {by_column[column]:g} in column {column}; {why}.")


def check_one_type(y: NDArray[Any], name: str) -> None:
    """Refuse labels that cannot be sorted: missing ones, and texts among numbers."""
    if y.dtype != object:
        return
    found = list(dict.fromkeys(y.ravel().tolist()))
    if any(map(is_missing, found)):
        raise ValueError(f"{name} has missing values; leave out the rows whose class is unknown.")
    texts = [one for one in found if isinstance(one, str)]
    others = [one for one in found if not isinstance(one, str)]
    if texts and others:
        raise ValueError(
            f"{name} mixes texts and numbers, as {texts[0]!r} and {others[0]!r}; give all classes "
            "one type."
        )


def check_binary(y: Any, name: str) -> NDArray[np.bool_]:
    """Return 0/1 labels of any shape as booleans."""
    array = np.asarray(check_sparse(y, name).toarray() if sparse.issparse(y) else y)
    if isinstance(y, list | tuple) and array.dtype.kind == "U":  # numbers have become texts
        array = np.array(y, dtype=object)
    if array.ndim == 0 or array.size == 0:
        raise ValueError(f"{name} is empty; give at least one row.")
    check_one_type(array, name)
    if array.dtype == bool:
        return array
    if not np.isin(array, (0, 1)).all():
        raise ValueError(
            f"{name} must hold only 0 and 1, or booleans, got {np.unique(array)[:5].tolist()}; "
            "compare your labels with the positive one first, as in y == 'spam'."
        )
    return array.astype(bool)


def check_scores(y_score: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return finite scores of the given shape as float64."""
    score = np.asarray(y_score, dtype=np.float64)
    if score.shape != shape:
        raise ValueError(
            f"y_score has the shape {score.shape} and y_true {shape}; they must be equal."
        )
    if not np.isfinite(score).all():
        raise ValueError("y_score contains NaN or infinity; every row needs a finite score.")
    return score


def check_weights(sample_weight: ArrayLike | None, n_samples: int) -> NDArray[np.float64] | None:
    """Return non-negative weights, not all zero, one per row; None stays None."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has the shape {weight.shape}, but there are {n_samples} rows; "
            "give one weight per row."
        )
    if not np.isfinite(weight).all():
        raise ValueError("sample_weight contains NaN or infinity; give finite weights.")
    if weight.max() > LARGEST:
        raise ValueError(
            f"sample_weight holds {weight.max():g}; sums of weights beyond {LARGEST:g} overflow. "
            "Divide all by a power of ten."
        )
    if (weight < 0).any():
        raise ValueError(
            f"sample_weight must not be negative, got {weight.min():g}; "
            "leave rows out by a weight of 0."
        )
    if not weight.any():
        raise ValueError("sample_weight is zero for every row; at least one must be positive.")
    span = weight.max() / weight[weight > 0].min()
    if not span <= SPAN:
        raise ValueError(
            f"sample_weight spans a factor of {span:.0e}, more than sums can tell apart; set "
            f"weights below {1 / SPAN:g} of the largest to 0."
        )
    return weight


def check_training_weights(
    sample_weight: ArrayLike | None, n_samples: int
) -> NDArray[np.float64] | None:
    """Return weights to train with: as :func:`check_weights` has them, and not all far from 1."""
    weight = check_weights(sample_weight, n_samples)
    if weight is not None and not 1 / FAR <= weight.max() <= FAR:
        raise ValueError(
            f"The largest sample_weight is {weight.max():g}; in training weights multiply C, so it "
            f"must be from {1 / FAR:g} to {FAR:g}. Divide all weights by their mean."
        )
    return weight


def check_confidence(confidence: Any) -> float:
    """Return the confidence of an interval, a number between 0 and 1."""
    if not isinstance(confidence, Real) or not 0 < float(confidence) < 1:
        raise ValueError(f"confidence must be between 0 and 1, as 0.95, got {confidence!r}.")
    return float(confidence)


def narrow_indices(X: Any) -> Any:
    """Give a CSR matrix 32-bit indices where they fit; anything else stays as it is.

    Many readers give 64-bit indices without need, which some solvers refuse.
    """
    if not sparse.issparse(X) or max(X.nnz, *X.shape) > np.iinfo(np.int32).max:
        return X
    index = (a.astype(np.int32, copy=False) for a in (X.indices, X.indptr))
    return type(X)((X.data, *index), shape=X.shape)


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows of an array, sparse matrix, data frame or list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if isinstance(X, list):
        return [X[i] for i in rows]
    if nw.dependencies.is_pyarrow_table(X):  # its brackets are for columns
        return X.take(rows)
    return (X.tocsr() if sparse.issparse(X) else X)[rows]


def column_names(X: Any) -> list[Any] | None:
    """Return the names of the columns of a data frame; None of anything else."""
    if nw.dependencies.is_pyarrow_table(X):  # its `columns` are no names
        return list(X.column_names)
    return list(X.columns) if hasattr(X, "columns") else None


def column_of(X: Any, column: str | int, what: str) -> NDArray[Any]:
    """Return a column of a data frame by its name, or of an array by its position.

    Parameters
    ----------
    X : data frame, ndarray or sparse matrix of shape (n_samples, n_features)
        The rows as they were given.
    column : str or int
        Name, or position.
    what : str
        What it is for, as an error says it.

    Returns
    -------
    ndarray of shape (n_samples,)
        Its values.
    """
    names = column_names(X)
    if names is not None:
        if column not in names:
            raise ValueError(f"{what}: X has no column {column!r}; it has {_listed(names)}.")
        return np.asarray(X[column])
    if isinstance(column, str):
        raise ValueError(
            f"{what}: the column {column!r} is known by its name, so X must be a data frame, got "
            f"{type(X).__name__}."
        )
    array: Any = X.tocsc() if sparse.issparse(X) else np.asarray(X)
    if array.ndim != 2 or not -array.shape[1] <= column < array.shape[1]:
        raise ValueError(f"{what}: X of the shape {array.shape} has no column {column}.")
    values = array[:, [column]]
    return np.asarray(values.toarray() if sparse.issparse(X) else values)[:, 0]


def named_column(X: Any, column: str | int, what: str) -> Any:
    """Return a column as :func:`column_of` does, of a data frame with its name, for errors."""
    values = column_of(X, column, what)
    return X[column] if hasattr(X, "columns") else values


def _listed(names: list[Any], most: int = 8) -> str:
    shown = [repr(name) for name in names[:most]]
    return ", ".join(shown) + (", ..." if len(names) > most else "")
