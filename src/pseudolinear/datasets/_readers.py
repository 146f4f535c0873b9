"""Rows and labels from files."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from pseudolinear._validation import check_binary, narrow_indices
from pseudolinear.datasets._arff import parse_arff, xml_labels

Labels = int | str | Sequence[str] | None

OPENERS: dict[str, Callable[..., Any]] = {".xz": lzma.open, ".bz2": bz2.open, ".gz": gzip.open}


def read_rows(
    path: str | os.PathLike[str], *, labels: Labels = None, n_features: int | None = None
) -> tuple[Any, np.ndarray]:
    r"""Read the rows and the labels of a file.

    The name says the format: ``.arff``, ``.csv`` or ``.parquet``, anything else is svmlight (the
    format of LIBSVM). Each may be compressed, as ``.xz``, ``.bz2`` or ``.gz``.

    - svmlight: the labels in front may be several, separated by commas, or none. Indices of
      features start at 0 or 1: if none is 0, they are taken to start at 1.
    - ARFF, dense or sparse: the labels are those that the XML file beside it names, in its
      order, as Mulan has it (``scene.xml`` for ``scene.arff`` and for ``scene-train.arff``). A
      nominal value is the number it is written as, 1 for true and 0 for false, or else its
      position among the declared values.
    - CSV (with a line of names, one for each column) and Parquet need pandas.

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
    path = Path(path)
    content = read_content(path)
    inner = path.with_suffix("") if path.suffix.lower() in OPENERS else path
    kind = inner.suffix.lower()
    if kind != ".arff" and kind not in FRAMES:
        return _svmlight(content, path, labels, n_features)
    if n_features is not None:
        raise ValueError(f"n_features is for svmlight files, and {path} is none; leave it out.")
    if kind == ".arff":
        return _arff(content, path, inner, labels)
    return _table(content, path, kind, labels)


def read_content(path: Path, n_lines: int | None = None) -> bytes:
    """Return what a file holds, decompressed; only the first lines if their number is given."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file; check the name and the folder.")
    with OPENERS.get(path.suffix.lower(), lambda path: path.open("rb"))(path) as file:
        try:
            content = file.read() if n_lines is None else b"".join(islice(file, n_lines))
        except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            raise ValueError(f"{path} cannot be decompressed: {_reason(error)}.") from error
    if not content or content.isspace():
        raise ValueError(f"{path} is empty; give a file with at least one row.")
    return content


def parse_svmlight(
    content: bytes, path: Path, n_features: int | None = None
) -> tuple[Any, list[tuple[float, ...]]]:
    """Return the features as CSR, and the labels of each row."""
    try:
        X, rows = load_svmlight_file(BytesIO(content), n_features=n_features, multilabel=True)
    except ValueError as error:
        raise ValueError(f"{path} is not a valid svmlight file: {_reason(error)}.") from error
    if not rows:
        raise ValueError(f"{path} has no rows; give a file with at least one.")
    if not np.isfinite([label for row in rows for label in row]).all():
        raise ValueError(f"{path} has a label that is NaN or infinite; every label is a number.")
    return narrow_indices(X), rows


def parse_topics(content: bytes, path: Path) -> dict[float, tuple[float, ...]]:
    """Return the topics of documents, numbered in the order of their codes.

    A line is the code of a topic, the number of a document and a 1, as in ``C15 2286 1``.
    """
    codes: dict[float, list[str]] = defaultdict(list)
    try:
        for code, document, _ in map(str.split, content.decode().splitlines()):
            codes[float(document)].append(code)
    except ValueError as error:
        raise ValueError(f"{path} is not a valid list of topics: {_reason(error)}.") from error
    number = {code: k for k, code in enumerate(sorted(set(chain.from_iterable(codes.values()))))}
    return {
        document: tuple(float(number[code]) for code in some) for document, some in codes.items()
    }


def _svmlight(
    content: bytes, path: Path, labels: Labels, n_features: int | None
) -> tuple[Any, np.ndarray]:
    if not (labels is None or isinstance(labels, int)):
        raise TypeError(f"the labels of {path} have no names; give their number, or nothing.")
    if labels is not None and labels < 1:
        raise ValueError(f"labels must be at least 1, got {labels}.")
    X, rows = parse_svmlight(content, path, n_features)
    if labels is None and all(len(row) == 1 for row in rows):
        return X, _whole(np.array(rows)[:, 0])
    present = sorted({label for row in rows for label in row})
    if not present:
        raise ValueError(f"{path} has no labels; each row starts with its own.")
    n_labels = int(present[-1]) + 1 if labels is None else labels
    if any(label != int(label) or not 0 <= label < n_labels for label in present):
        raise ValueError(
            f"{path} has the labels {present[0]:g} to {present[-1]:g}; several labels per row "
            f"must be whole numbers from 0 to {n_labels - 1}."
        )
    try:
        Y = np.zeros((len(rows), n_labels), dtype=np.intp)
    except (MemoryError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{path} has the label {present[-1]:g}, too large for a matrix with a column per "
            "label; renumber the labels from 0."
        ) from error
    for i, row in enumerate(rows):
        Y[i, [int(label) for label in row]] = 1
    return X, Y


def _arff(content: bytes, path: Path, inner: Path, labels: Labels) -> tuple[Any, np.ndarray]:
    try:
        attributes, table = parse_arff(content.decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path} is not a valid ARFF file: {_reason(error)}.") from error
    if labels is None:
        labels = xml_labels(inner)
    features, chosen = _columns([attribute.name for attribute in attributes], labels, path)
    for attribute in (attributes[k] for k in features):
        if attribute.is_text and len(attribute.values) > 2:
            raise ValueError(
                f"the feature {attribute.name!r} of {path} has more than two values that are not "
                "numbers; replace it by one column of 0 and 1 per value."
            )
    X, Y = table[:, features], table[:, chosen]
    Y = Y.toarray() if sparse.issparse(Y) else Y
    if np.isnan(Y).any():
        raise ValueError(f"a label of {path} is missing in some row; leave such rows out.")
    if labels is None or isinstance(labels, str):
        return X, _whole(Y[:, 0])
    return X, check_binary(Y, f"the labels of {path}").astype(np.intp)


def _table(content: bytes, path: Path, kind: str, labels: Labels) -> tuple[Any, np.ndarray]:
    try:
        frame = FRAMES[kind](BytesIO(content))
    except ImportError as error:
        raise ImportError(
            f"{path} needs pandas, and pyarrow if it is Parquet; install them by "
            "'pip install pandas pyarrow'."
        ) from error
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} is not a valid {kind[1:]} file: {_reason(error)}.") from error
    if not len(frame):
        raise ValueError(f"{path} has no rows; give a file with at least one.")
    columns, chosen = _columns([str(name) for name in frame.columns], labels, path)
    if kind == ".csv" and any(str(name).startswith("Unnamed: ") for name in frame.columns):
        raise ValueError(  # mostly the numbers of the rows, which would be a feature
            f"{path} has a column without a name; leave it out (pandas: index=False) or name it."
        )
    features, Y = frame.iloc[:, columns], frame.iloc[:, chosen]
    text = features.select_dtypes(exclude=["number", "bool"]).columns
    if len(text):
        raise ValueError(
            f"the feature {text[0]!r} of {path} is not a number; replace it by numbers first."
        )
    if Y.isna().any(axis=None):
        raise ValueError(f"a label of {path} is missing in some row; leave such rows out.")
    X = features.to_numpy(dtype=np.float64, na_value=np.nan)
    if labels is None or isinstance(labels, str):
        return X, Y.iloc[:, 0].to_numpy()
    return X, check_binary(Y.to_numpy(), f"the labels of {path}").astype(np.intp)


def _columns(names: list[str], labels: Labels, path: Path) -> tuple[list[int], list[int]]:
    """Return the columns of the features and those of the labels."""
    if labels is None or isinstance(labels, int):
        n_labels = 1 if labels is None else labels
        chosen = list(range(max(len(names) - n_labels, 0), len(names)))
    else:
        wanted = [labels] if isinstance(labels, str) else labels
        for name in wanted:
            if names.count(name) != 1:
                number = names.count(name) or "no"
                raise ValueError(
                    f"{path} has {number} columns {name!r}; check the names of the labels."
                )
        chosen = [names.index(name) for name in wanted]
    features = sorted(set(range(len(names))) - set(chosen))
    if not chosen or not features:
        raise ValueError(
            f"{path} has {len(features)} columns of features and {len(chosen)} of labels; at "
            "least one of each is needed."
        )
    return features, chosen


def _whole(y: np.ndarray) -> np.ndarray:
    # Labels are written as integers nearly always, but parsed as floats.
    return y.astype(np.intp) if (y == np.round(y)).all() else y


def _reason(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8; convert it"
    # The first line, so that the message stays one sentence.
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def _read_csv(file: IO[bytes]) -> Any:
    import pandas

    return pandas.read_csv(file)


def _read_parquet(file: IO[bytes]) -> Any:
    import pandas

    return pandas.read_parquet(file, engine="pyarrow")


FRAMES: dict[str, Callable[[IO[bytes]], Any]] = {".csv": _read_csv, ".parquet": _read_parquet}
