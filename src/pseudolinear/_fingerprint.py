"""Fingerprints: whether rows are those of the fit."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
from sklearn.utils.validation import _num_samples

from pseudolinear._validation import take_rows

SAMPLE = 100  # rows that are looked at, so that it takes no time


def fingerprint(X: Any) -> str:
    """Return what tells rows from others: how many they are, and a hash of some of them.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    str
        The same for equal rows in the same order, whatever holds them in memory.

    Examples
    --------
    >>> from pseudolinear._fingerprint import fingerprint
    >>> fingerprint(np.eye(3)) == fingerprint(np.eye(3)), fingerprint(np.eye(3)) == fingerprint([1])
    (True, False)
    """
    n_rows = _num_samples(X)
    rows = np.unique(np.linspace(0, n_rows - 1, SAMPLE).astype(np.intp))
    some = take_rows(X if hasattr(X, "shape") or isinstance(X, list) else np.asarray(X), rows)
    if hasattr(some, "toarray"):
        some = some.toarray()
    elif hasattr(some, "to_numpy"):  # frames of any library; their index does not count
        some = some.to_numpy()
    return f"{n_rows} {joblib.hash(np.asarray(some).tolist())}"
