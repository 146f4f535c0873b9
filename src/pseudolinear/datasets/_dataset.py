"""The data sets of the literature, ready to train on."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.preprocessing import MultiLabelBinarizer

from pseudolinear.datasets._content import OPENERS, read_content
from pseudolinear.datasets._download import download_dataset
from pseudolinear.datasets._folder import VARIABLE, data_folder
from pseudolinear.datasets._registry import DatasetSpec, get_spec
from pseudolinear.datasets._svmlight import Rows, parse_svmlight
from pseudolinear.datasets._topics import parse_topics, with_topics

GIVEN = "the test set that comes with the data"
QUARTER = "a quarter of the rows, drawn with seed 0"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Training and test rows.

    Parameters
    ----------
    name : str
        Name of the data set.
    X_train, X_test : ndarray or CSR matrix of shape (n_samples, n_features)
        Features; an array where more than half of the training values are not zero.
    Y_train, Y_test : ndarray of shape (n_samples,) or (n_samples, n_labels)
        0 and 1; a vector for a binary problem.
    split : str
        Which the test rows are: those that come with the data, or a quarter of all rows.
    published : bool
        Whether these are the rows and features of the literature's table. If not, results are
        no reproduction.
    note : str
        What else to know.

    Examples
    --------
    >>> X, y = make_galaxy(100, random_state=0)
    >>> Dataset("galaxy", X[:75], y[:75], X[75:], y[75:], split="the last rows", published=False)
    Dataset(name='galaxy', split='the last rows', published=False, note='')
    """

    name: str
    X_train: Any = field(repr=False)
    Y_train: np.ndarray = field(repr=False)
    X_test: Any = field(repr=False)
    Y_test: np.ndarray = field(repr=False)
    split: str
    published: bool
    note: str = ""


def load_dataset(
    name: str, data_dir: str | os.PathLike[str] | None = None, *, download: bool = False
) -> Dataset:
    """Load a data set.

    The files are looked for in the folder ``name`` of the data folder: ``train.svm`` and
    ``test.svm``, or the names they have at their public home, or ``all.svm`` where there is no
    official test set; each may be compressed (``.xz``, ``.bz2``, ``.gz``). Where there is no test
    set, a quarter of the rows is set aside, drawn with seed 0, so always the same.

    Parameters
    ----------
    name : str
        "adult", "rcv1", "scene", "siam" or "yeast", which the literature reports on; or "siam500",
        "rcv1sub", "enron" or "bibtex", which have other rows or features, so that results on them
        are no reproductions.
    data_dir : path, default=None
        The folder of the data sets; see :func:`data_folder`.
    download : bool, default=False
        Whether to download files that are missing; see :func:`download_dataset`.

    Returns
    -------
    Dataset
        The rows, and how they were split.

    Examples
    --------
    >>> try:
    ...     data = load_dataset("yeast")
    ... except FileNotFoundError:  # the message says how to get it
    ...     data = None
    >>> data is None or data.X_train.shape == (1500, 103)
    True
    """
    spec = get_spec(name)
    folder = data_folder(data_dir) / name
    files = _find(folder, spec)
    if not files and download:
        download_dataset(name, data_dir)
        files = _find(folder, spec)
    if not files:
        raise FileNotFoundError(_way_to_get(name, folder, spec))
    train, test = _read(files, spec)
    present = {label for row in train[1] for label in row}
    if not spec.excerpt:
        present |= {label for row in test[1] for label in row}
    shape = (*train[0].shape, test[0].shape[0], len(present))
    n_train = train[0].shape[0] if "all" in files else spec.n_train
    expected = (n_train, spec.n_features, spec.n_train + spec.n_test - n_train, spec.n_labels)
    if shape != expected:
        raise ValueError(
            f"{name} in {folder} has (training rows, features, test rows, labels) {shape} in "
            f"place of {expected}; get its files again."
        )
    Y_train, Y_test = (_matrix(rows, present, spec.binary) for _, rows in (train, test))
    is_dense = 2 * train[0].nnz > np.prod(train[0].shape)
    X_train, X_test = (X.toarray() if is_dense else X for X, _ in (train, test))
    split = QUARTER if "all" in files else GIVEN
    return Dataset(name, X_train, Y_train, X_test, Y_test, split, spec.published, spec.note)


def _find(folder: Path, spec: DatasetSpec) -> dict[str, Path]:
    """Return the training and the test file, or those of the public home, or nothing."""
    for parts in (("train", "test"), ("all",)):
        found = {
            part: path
            for part in parts
            for suffix in (*OPENERS, "")  # the last that is there counts
            if (path := folder / f"{part}.svm{suffix}").is_file()
        }
        if len(found) == len(parts):
            return found
    home = {part: folder / file.name for part, file in spec.files.items()}
    return home if all(path.is_file() for path in home.values()) else {}


def _read(files: dict[str, Path], spec: DatasetSpec) -> tuple[Rows, Rows]:
    if "all" not in files:
        train = parse_svmlight(read_content(files["train"]), files["train"], spec.n_features)
        n_lines = spec.n_test if spec.excerpt else None
        content = read_content(files["test"], n_lines)
        test = parse_svmlight(content, files["test"], spec.n_features)
        if "topics" in files:
            topics = parse_topics(read_content(files["topics"]), files["topics"])
            train, test = (with_topics(rows, topics, files["topics"]) for rows in (train, test))
        return train, test
    X, rows = parse_svmlight(read_content(files["all"]), files["all"], spec.n_features)
    # RandomState: its stream is frozen, so the rows are the same with every numpy.
    drawn = np.random.RandomState(0).permutation(len(rows))[: len(rows) // 4]
    is_test = np.zeros(len(rows), dtype=bool)
    is_test[drawn] = True
    train, test = (
        (X[part], [rows[i] for i in np.flatnonzero(part)]) for part in (~is_test, is_test)
    )
    return train, test


def _matrix(rows: list[tuple[float, ...]], labels: set[float], binary: bool) -> np.ndarray:
    binarizer = MultiLabelBinarizer(classes=sorted(labels))
    Y = binarizer.fit_transform([labels.intersection(row) for row in rows]).astype(np.intp)
    return np.ascontiguousarray(Y[:, 1]) if binary else Y


def _way_to_get(name: str, folder: Path, spec: DatasetSpec) -> str:
    if not spec.files:
        return (
            f"{name} is not in {folder}; put its files train.svm.xz and test.svm.xz there, or "
            f"set {VARIABLE} to the folder that has the folder {name}."
        )
    files = ", ".join(f"{file.name} (from {file.url})" for file in spec.files.values())
    return (
        f"{name} is not in {folder}; call load_dataset({name!r}, download=True), put {files} "
        f"there, or set {VARIABLE} to the folder that has the folder {name}."
    )
