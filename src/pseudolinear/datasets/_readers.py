"""Rows and labels from files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from pseudolinear.datasets._arff import read_arff
from pseudolinear.datasets._columns import Labels
from pseudolinear.datasets._content import read_content, without_compression
from pseudolinear.datasets._svmlight import read_svmlight
from pseudolinear.datasets._table import read_table

TABLES = (".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ".feather")


def read_rows(
    path: str | os.PathLike[str], *, labels: Labels = None, n_features: int | None = None
) -> tuple[Any, np.ndarray]:
    r"""Read the rows and the labels of a file.

    The name says the format: ``.arff``, ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, ``.arrow`` or
    ``.feather``, anything else is svmlight (the format of LIBSVM). Each may be compressed, as
    ``.xz``, ``.bz2``, ``.gz``, ``.zip`` or ``.zst``. See :func:`read_file` for a data frame of any
    columns.

    - svmlight: the labels in front may be several, separated by commas, or none. Indices of
      features start at 0 or 1: if none is 0, they are taken to start at 1.
    - ARFF, dense or sparse: the labels are those that the XML file beside it names, in its
      order, as Mulan has it (``scene.xml`` for ``scene.arff`` and for ``scene-train.arff``). A
      nominal value is the number it is written as, 1 for true and 0 for false, or else its
      position among the declared values.
    - Other tables (CSV with a line of names, one for each column) need pandas.

    Parameters
    ----------
    path : path
        The file.
    labels : int, str, list of str or None, default=None
        Which labels there are. In a table, the names of their columns, one name, or the number
        of columns at the end; in an svmlight file, their number, as 0, 1, and so on. By default
        an svmlight file has as many as occur, an ARFF file those of its XML file, and any other
        table one, in its last column.
    n_features : int, default=None
        Number of features of an svmlight file, for one that lacks the last; by default those
        that occur.

    Returns
    -------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Features; sparse if the file is.
    Y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        One label per row, as it is in the file, or a matrix of 0 and 1. It is a matrix where
        `labels` is a number or a list, where an XML file names the labels, and where a row of an
        svmlight file has several labels or none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "small.svm")
    ...     _ = file.write_text("0,2 1:0.5 3:1\n1 2:2\n")
    ...     X, Y = read_rows(file)
    >>> X.toarray()
    array([[0.5, 0. , 1. ],
           [0. , 2. , 0. ]])
    >>> Y
    array([[1, 0, 1],
           [0, 1, 0]])
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be the name of a file, got {path!r}.")
    path = Path(path)
    suffix = without_compression(path).suffix.lower()
    if n_features is not None and suffix in (*TABLES, ".arff"):
        raise ValueError(f"n_features is for svmlight files, and {path} is none; leave it out.")
    if suffix in TABLES:
        return read_table(path, labels)
    content = read_content(path)
    if suffix == ".arff":
        return read_arff(content, path, labels)
    return read_svmlight(content, path, labels, n_features)
