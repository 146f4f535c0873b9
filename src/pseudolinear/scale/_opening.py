"""From what people have to rows in parts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pseudolinear.scale._array_parts import ArrayParts
from pseudolinear.scale._arrow_parts import ArrowParts
from pseudolinear.scale._batch_parts import BatchParts
from pseudolinear.scale._dask import DaskEngine, is_dask
from pseudolinear.scale._engine import Engine, LocalEngine
from pseudolinear.scale._parts import Parts
from pseudolinear.scale._svmlight_parts import SvmlightParts

MAPPED_SHARE = 0.25  # of the machine's memory from which a memory-mapped array is read in parts
SVMLIGHT = {".svm", ".svmlight", ".libsvm"}
SUFFIXES = {".parquet", ".arrow", ".feather", ".csv", *SVMLIGHT}


def is_parted(X: Any) -> bool:
    """Tell rows that are read part by part from those that are in memory.

    Parameters
    ----------
    X : object
        What was given as rows.

    Returns
    -------
    bool
        True for paths, Arrow data sets, iterators of batches, Dask collections and memory-mapped
        arrays of more than a quarter of the machine's memory.

    Examples
    --------
    >>> from pseudolinear.scale import is_parted
    >>> is_parted("train.parquet"), is_parted([[1.0, 2.0]]), is_parted(["some", "texts"])
    (True, False, False)
    >>> is_parted("a text")  # no file of that name
    False
    """
    if isinstance(X, np.memmap):
        return X.nbytes > MAPPED_SHARE * _memory()
    if isinstance(X, list | tuple):
        return bool(X) and all(isinstance(path, Path) for path in X)
    if isinstance(X, str):
        return _is_path(X)
    arrow = type(X).__module__.startswith("pyarrow.") and not hasattr(X, "to_pylist")
    return isinstance(X, Parts | Path | Iterator) or arrow or is_dask(X)


def open_parts(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    columns: Sequence[str] | None = None,
    strings: Sequence[str] = (),
) -> Parts:
    """Open rows that are read part by part.

    Parameters
    ----------
    X : Parts, path, list of Path, Arrow data set, iterator or memory-mapped array
        The rows; files ending in .svm, .svmlight or .libsvm hold the classes as well, and an
        iterator gives batches ``(X, y)`` or ``(X, y, sample_weight)``.
    y : str, list of str or array-like, default=None
        Column of the classes, or columns of the labels, in files that Arrow reads; one value per
        row for an array.
    sample_weight : str or array-like, default=None
        Column of the weights, or one weight per row for an array.
    columns : sequence of str, default=None
        Columns of the features in files that Arrow reads; None takes all others.
    strings : sequence of str, default=()
        Columns of CSV that are strings even where they look like numbers.

    Returns
    -------
    Parts
        To be read again and again.
    """
    if isinstance(X, Parts | Iterator):
        _refuse(y, sample_weight, "Batches and parts hold their classes and weights")
        return X if isinstance(X, Parts) else BatchParts(X)
    if isinstance(X, np.ndarray):
        return ArrayParts(X, y, sample_weight)
    paths = list(X) if isinstance(X, list | tuple) else [X]
    if isinstance(paths[0], str | Path) and Path(paths[0]).suffix in SVMLIGHT:
        _refuse(y, sample_weight, "Files in svmlight's format hold their classes")
        return SvmlightParts(paths)
    if not (y is None or isinstance(y, str) or _are_names(y)):
        raise TypeError(
            f"y is a {type(y).__name__}, but rows come from files; name the column of the classes, "
            "or list the columns of the labels."
        )
    if not (sample_weight is None or isinstance(sample_weight, str)):
        raise TypeError("sample_weight of rows in files is the name of a column.")
    return ArrowParts(X, y, sample_weight, columns, strings=strings)


def open_engine(
    X: Any,
    y: Any,
    sample_weight: Any,
    n_jobs: int | None,
    columns: Sequence[str] | None = None,
    strings: Sequence[str] = (),
) -> Engine:
    """Open rows where passes over them can run; see :func:`open_parts`."""
    if is_dask(X):
        return DaskEngine.of(X, y, sample_weight, columns)
    return LocalEngine(open_parts(X, y, sample_weight, columns, strings), n_jobs)


def _is_path(text: str) -> bool:
    """Tell the path of a file or folder from a text that was meant to be a row."""
    if Path(text).suffix in SUFFIXES or os.sep in text:
        return True
    try:
        return Path(text).exists()
    except OSError:  # too long for a path
        return False


def _refuse(y: Any, sample_weight: Any, why: str) -> None:
    if y is not None or sample_weight is not None:
        raise ValueError(f"{why} themselves; leave out y and sample_weight.")


def _are_names(y: Any) -> bool:
    return isinstance(y, list | tuple) and all(isinstance(name, str) for name in y)


def _memory() -> float:
    """Return the bytes of memory of the machine, or infinity where they are not told."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError):
        return np.inf
