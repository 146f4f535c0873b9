"""Predictions for rows in parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from copy import copy
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

from pseudolinear.labels import check_classes, read_labels
from pseudolinear.scale._dask import is_dask, pieces_of
from pseudolinear.scale._opening import is_parted, open_parts
from pseudolinear.scale._part import Part
from pseudolinear.scale._reading import part_weight


def by_parts(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Let a method of a fitted classifier take rows in parts as well.

    Parameters
    ----------
    method : callable
        Of a classifier and of rows: gives one value, or one row of values, per row.

    Returns
    -------
    callable
        For rows in parts, the results of all parts below each other; for a collection of Dask, a
        Dask array of them, computed when it is asked for.
    """

    @wraps(method)
    def applied(self: Any, X: Any) -> Any:
        if not is_parted(X):
            return method(self, X)
        names = getattr(self, "feature_names_in_", None)
        if is_dask(X):
            return _lazily(method, self, X, names)
        strings = self._fitted_decision().features.schema.strings
        with closing(open_parts(X, columns=names, strings=strings)) as parts:
            return _below_each_other([method(self, part.X) for part in parts])

    return applied


def judge(part: Part, clf: Any) -> tuple[Any, ...]:
    """Predict the rows of a part; return truth, prediction and weights, if there are any."""
    kind, predicted = clf.decision_.kind, clf._predict(part.X)
    if not kind.separable:  # one of several classes, which may be new
        true = check_classes(read_labels(part.y)[0]).ravel()
    else:
        true = kind.truth(part.y)
        if len(kind.label_names) == 1:
            true = kind.code_classes[true[:, 0].astype(np.intp)]
    return (true, predicted) if part.weight is None else (true, predicted, part_weight(part))


def _below_each_other(results: list[Any]) -> Any:
    if not results:
        raise ValueError("There are no rows to predict; check the files.")
    if sparse.issparse(results[0]):
        return sparse.vstack(results, format="csr")
    if isinstance(results[0], list):
        return [one for result in results for one in result]
    if hasattr(results[0], "columns"):
        return import_module("pandas").concat(results, ignore_index=True)
    return np.concatenate(results)


def _lazily(
    method: Callable[[Any, Any], Any], clf: Any, X: Any, names: Sequence[str] | None
) -> Any:
    """Return a Dask array with one block per partition."""
    dask, arrays = import_module("dask"), import_module("dask.array")
    X = X if names is None or not hasattr(X, "columns") else X[list(names)]
    lengths = X.chunks[0] if hasattr(X, "chunks") else [np.nan] * X.npartitions
    shape, dtype = _each(clf, method.__name__)
    slim = light(clf)
    apply = dask.delayed(_array_of(method))
    blocks = [
        arrays.from_delayed(apply(slim, piece), (n, *shape), dtype)
        for piece, n in zip(pieces_of(X, X), lengths, strict=True)
    ]
    return arrays.concatenate(blocks)


def light(clf: Any) -> Any:
    """Return what predicts, which is small, without what was seen, which need not travel."""
    other = copy(clf)
    other._sweep = None
    return other


def _each(clf: Any, name: str) -> tuple[tuple[int, ...], Any]:
    """Return the shape and type of what a method gives for one row."""
    kind = clf.decision_.kind
    if name == "predict_proba":
        return (max(len(kind.classes), 1),), np.float64
    several = (len(kind.classes),) if len(kind.label_names) > 1 else ()
    return several, np.float64 if several or name != "predict" else kind.classes.dtype


def _array_of(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a method whose results are arrays of the stated type."""

    def applied(clf: Any, X: Any) -> Any:
        found = method(clf, X)
        return found.toarray() if sparse.issparse(found) else np.asarray(found)

    applied.__name__ = method.__name__
    return applied
