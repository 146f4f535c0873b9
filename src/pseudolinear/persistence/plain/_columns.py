"""Columns of tables as plain transformers, which take them by their position."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import check_array


def pick(transformer: Any, positions: Sequence[int], n_columns: int) -> ColumnTransformer:
    """Apply a fitted transformer to some columns.

    Nothing but the positions is learnt from the row that `fit` gets: what is frozen stays.
    """
    picked = ColumnTransformer([("columns", FrozenEstimator(transformer), list(positions))])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Found unknown categories")
        return picked.fit(np.full((1, n_columns), "0", dtype=object))


def as_numbers() -> FunctionTransformer:
    """Return what makes floats of numbers, booleans and None."""
    return FunctionTransformer(np.asarray, kw_args={"dtype": np.float64})


def as_array() -> FunctionTransformer:
    """Return what takes the names off the columns of a frame of numbers."""
    return FunctionTransformer(
        check_array, kw_args={"accept_sparse": True, "ensure_all_finite": False}
    )


def encode(encoder: Any) -> Pipeline:
    """Return an encoder of strings that takes any values, missing ones included."""
    known = {value for own in encoder.categories_ for value in own}
    marker = "missing"
    while marker in known:
        marker += "_"
    plain = deepcopy(encoder)
    plain.categories_ = [
        np.array([marker if value is None else value for value in own], dtype=object)
        for own in encoder.categories_
    ]
    return make_pipeline(*_strings(len(plain.categories_), marker), plain)


def vectorize(vectorizer: Any) -> Pipeline:
    """Return a vectorizer of a column of texts; a missing one is empty."""
    return make_pipeline(*_strings(1, ""), FunctionTransformer(np.ravel), vectorizer)


def _strings(n_columns: int, marker: str) -> list[Any]:
    """Return the steps that make strings of values, with a marker for those that are missing."""
    example = np.full((1, n_columns), "0", dtype=object)
    fill = {"strategy": "constant", "fill_value": marker}
    return [
        FunctionTransformer(np.asarray, kw_args={"dtype": np.object_}),
        SimpleImputer(missing_values=np.nan, **fill).fit(example),
        SimpleImputer(missing_values=None, **fill).fit(example),
        FunctionTransformer(np.asarray, kw_args={"dtype": np.str_}),
    ]
