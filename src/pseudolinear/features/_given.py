"""What people give as rows and what is none yet, each with what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse


def check_given(X: Any, *, texts: bool) -> None:
    """Refuse queries, records and series, which others would print or misunderstand.

    Parameters
    ----------
    X : object
        What was given as rows.
    texts : bool
        Whether rows may be texts, which a series may hold.

    Examples
    --------
    >>> from pseudolinear.features import check_given
    >>> check_given([{"age": 31}], texts=False)
    Traceback (most recent call last):
    ...
    ValueError: X holds records (dicts); make a data frame of them, as pd.DataFrame(records).
    """
    if nw.dependencies.is_polars_lazyframe(X):
        raise ValueError("X is a LazyFrame, which holds no rows yet; call .collect() first.")
    if isinstance(X, Mapping) and not sparse.issparse(X):  # a dictionary of keys is both
        raise ValueError(
            "X is a dict; make a data frame of it, as pd.DataFrame(X), or pd.DataFrame([X]) if it "
            "is one row."
        )
    if isinstance(X, list | tuple) and any(isinstance(row, Mapping) for row in X):
        raise ValueError(
            "X holds records (dicts); make a data frame of them, as pd.DataFrame(records)."
        )
    if nw.dependencies.is_into_series(X) and not texts:
        raise ValueError(
            "X is a Series where rows must be a data frame; one row is X.iloc[[0]], one column "
            "X[['name']]."
        )


def without_mask(X: Any) -> Any:
    """Return rows with gaps where an array of numpy.ma is masked; others as they are.

    Parameters
    ----------
    X : object
        What was given as rows.

    Returns
    -------
    object
        Without a mask.

    Examples
    --------
    >>> from pseudolinear.features import without_mask
    >>> without_mask(np.ma.array([[1, 2]], mask=[[False, True]]))
    array([[ 1., nan]])
    """
    if not isinstance(X, np.ma.MaskedArray):
        return X
    if not np.ma.is_masked(X):
        return X.data
    numeric = X.dtype.kind in "biuf"
    values = X.data.astype(np.result_type(X.dtype, np.float32) if numeric else object)
    values[X.mask] = np.nan if numeric else None
    return values
