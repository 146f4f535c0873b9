"""The rows of a source, and their checksum."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.datasets import make_multilabel_classification

from pseudolinear.datasets import Dataset, load_dataset, make_galaxy
from pseudolinear.experiments._protocol import Source

VALIDATION = 3  # one row in three is held out


def load_source(source: Source, data_dir: str | os.PathLike[str] | None = None) -> Dataset:
    """Load or generate the rows of a source.

    Parameters
    ----------
    source : Source
        What to load.
    data_dir : path, default=None
        The folder of the data sets; see :func:`pseudolinear.datasets.data_folder`.

    Returns
    -------
    Dataset
        Its labels are a matrix, of one column for a binary problem.
    """
    folder = None if data_dir is None else os.fspath(data_dir)
    return _load(source.name, source.maker, tuple(source.params.items()), folder)


@lru_cache(maxsize=1)  # a process works through one data set after the other
def _load(
    name: str, maker: str, params: tuple[tuple[str, int], ...], data_dir: str | None
) -> Dataset:
    if maker == "folder":
        data = load_dataset(name, data_dir)
        columns = [Y.reshape(len(Y), -1) for Y in (data.Y_train, data.Y_test)]
        return Dataset(
            name, data.X_train, columns[0], data.X_test, columns[1], data.split, data.published
        )
    rows = dict(params)
    X, Y = _generate(maker, rows)
    n = rows["n_train"]
    return Dataset(name, X[:n], Y[:n], X[n:], Y[n:], "the last generated rows", False)


def _generate(maker: str, params: dict[str, int]) -> tuple[Any, NDArray[np.intp]]:
    n_samples, seed = params["n_train"] + params["n_test"], params["seed"]
    if maker == "galaxy":
        X, y = make_galaxy(n_samples, random_state=seed)
        return X, y[:, None]
    X, Y = make_multilabel_classification(
        n_samples,
        n_features=params["n_features"],
        n_classes=params["n_labels"],
        n_labels=1,
        allow_unlabeled=False,
        random_state=seed,
    )
    return X / X.max(), Y


def checksum(data: Dataset) -> str:
    """Return a fingerprint of all rows of a data set, training and test."""
    digest = hashlib.sha256()
    for X, Y in ((data.X_train, data.Y_train), (data.X_test, data.Y_test)):
        arrays = (X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,)
        for array in (*arrays, Y):
            digest.update(str((array.shape, array.dtype)).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def split_rows(n_rows: int, split: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw the rows that train, and the third that validates.

    Parameters
    ----------
    n_rows : int
        Number of training rows of the data set.
    split : int
        Number of the split, which is its seed.

    Returns
    -------
    train, validation : ndarray of int
        Row numbers.
    """
    # RandomState: its stream is frozen, so the splits are the same with every numpy.
    order = np.random.RandomState(split).permutation(n_rows)
    return np.sort(order[n_rows // VALIDATION :]), np.sort(order[: n_rows // VALIDATION])
