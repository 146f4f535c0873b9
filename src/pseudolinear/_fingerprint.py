"""Fingerprints: whether rows are those of the fit."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

import joblib
import numpy as np
from scipy import sparse
from sklearn.utils.validation import _num_samples

from pseudolinear._validation import take_rows

SAMPLE = 100  # rows that are looked at, so that it takes no time,
WIDE = 1000  # and columns beyond which only what is not zero is


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
    if hasattr(some, "tocsr") and some.shape[1] > WIDE:
        return f"{n_rows} {_hash_of_entries(some)}"
    if hasattr(some, "toarray"):
        some = some.toarray()
    elif hasattr(some, "to_numpy"):  # frames of any library; their index does not count
        some = some.to_numpy()
    some = np.asarray(some)
    if some.ndim == 2 and some.shape[1] > WIDE and some.dtype.kind in "biuf":
        return f"{n_rows} {_hash_of_entries(some)}"
    return f"{n_rows} {_hash_of_list(some)}"


def _hash_of_list(some: Any) -> str:
    """Return joblib's hash of the values as a list; of numbers twenty times as fast."""
    if some.dtype.kind not in "biuf":
        return str(joblib.hash(some.tolist()))
    told = pickle.dumps(some.tolist(), protocol=3)
    return hashlib.md5(told, usedforsecurity=False).hexdigest()


def _hash_of_entries(some: Any) -> str:
    """Return the hash of what is not zero, since lists of many columns take their time."""
    entries = sparse.csr_matrix(some, dtype=np.float64)
    entries.sum_duplicates()
    entries.eliminate_zeros()
    index = (a.astype(np.int64) for a in (entries.indptr, entries.indices))
    return str(joblib.hash([entries.data, *index, entries.shape]))
