"""ScoreFiles: the parts of a table of scores or predictions, a batch at a time."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._progress import Progress
from pseudolinear.datasets._parts import PathLike, find_parts
from pseudolinear.datasets._reading import read_parts
from pseudolinear.labels import is_list, split_labels

BATCH = 2**18  # rows
CELLS = 2**24  # of a batch of labels that one column holds
CONVENTION = {-1, 0, 1}  # of which 1 is positive


class ScoreFiles:
    r"""The parts of a table of scores or predictions that any engine wrote, a batch at a time.

    Going through it yields ``(y, scores)`` or ``(y, scores, weight)``, as often as one likes, as
    :func:`streamed_threshold` wants it; with `prediction` in place of `score`, what
    :func:`evaluate_batches` wants. Of Parquet and Arrow files only these columns are read. Parts
    without rows are nothing; one that cannot be read, or that lacks a column, is an error with its
    name.

    Parameters
    ----------
    paths : path or list of paths
        Files, folders of parts (names that begin with ``_`` or ``.`` are left out) and patterns
        such as ``"scores/*.parquet"``; any format that :func:`read_file` knows.
    target : str or list of str
        Column of the true class; of several labels their columns of 0 and 1.
    score : str or list of str, default=()
        As many columns of finite scores.
    prediction : str or list of str, default=()
        As many columns of predicted classes, or of 0 and 1.
    label_separator : str, default=None
        What is between the labels of a row, where one column holds them all, of the target and of
        predictions alike; a gap is a row without labels. Lists, as in JSON lines, need none.
    weight : str, default=None
        Column with the weight of each row.
    positive : object, default=None
        The positive of two classes, for scores. None takes 1 of 0 and 1 or -1 and 1, and otherwise
        the rarer class of all parts, which takes one more pass over the target.
    format : str, default=None
        As for :func:`read_file`, of all parts; by default their names say so.
    n_rows : int, default=2**18
        Rows of a batch.
    verbose : bool, default=False
        Whether a bar shows how far a pass is.

    Attributes
    ----------
    files : list of Path
        The parts.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pseudolinear.datasets import ScoreFiles
    >>> with TemporaryDirectory() as folder:
    ...     for part, rows in enumerate(["no,0.1\nyes,0.35", "no,0.4\nno,0.2", "yes,0.8"]):
    ...         _ = Path(folder, f"part-{part}.csv").write_text(f"fraud,p\n{rows}\n")
    ...     files = ScoreFiles(folder, target="fraud", score="p")
    ...     found = streamed_threshold(files)
    >>> files.positive_class, round(found.cut.threshold, 3), found.n_rows
    ('yes', 0.275, 5)
    """

    def __init__(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        target: str | Sequence[str],
        score: str | Sequence[str] = (),
        prediction: str | Sequence[str] = (),
        label_separator: str | None = None,
        weight: str | None = None,
        positive: Any = None,
        format: str | None = None,
        n_rows: int = BATCH,
        verbose: bool = False,
    ) -> None:
        self.files = find_parts(paths, format)
        self.target, self.score, self.prediction = map(_names, (target, score, prediction))
        self.weight, self.positive, self.format = weight, positive, format
        self.n_rows, self.verbose = n_rows, verbose
        self.label_separator = label_separator
        self.labels = not isinstance(target, str) and len(self.target) > 1
        if bool(self.score) == bool(self.prediction):
            raise ValueError("Give columns of scores or of predictions, one of both.")
        if len(self.score or self.prediction) != len(self.target):
            raise ValueError(
                f"There are {len(self.target)} columns of targets and "
                f"{len(self.score or self.prediction)} of scores or predictions; give as many."
            )
        if label_separator is not None and (self.score or self.labels or not label_separator):
            raise ValueError(
                "label_separator is the text between labels in one column of the target and one of "
                "predictions."
            )

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield batches, of one target and scores with the positive class as True."""
        if self.labels or self.prediction:
            yield from self.as_written()
            return
        by_convention = self.positive is None and self.positive_class == 1
        for y, *others in self.as_written(by_convention=by_convention):
            yield y == self.positive_class, *others

    def as_written(self, *, by_convention: bool = False) -> Iterator[tuple[Any, ...]]:
        """Yield batches with classes as they are written, as :func:`evaluate_batches` wants them.

        Parameters
        ----------
        by_convention : bool, default=False
            Whether classes other than 0, 1 and -1 are refused.

        Yields
        ------
        tuple
            Truth, scores or predictions, and weights if there are any.
        """
        seen: set[Any] = set()
        given = () if self.weight is None else (self.weight,)
        for file, frame in self.frames([*self.target, *self.score, *self.prediction, *given]):
            if self.separated:
                for some in _pieces(frame, CELLS // len(self.label_names)):
                    weight = tuple(_numbers(some[name], file) for name in given)
                    named = (self.target[0], self.prediction[0])
                    pair = (self._carried(some[name], file) for name in named)
                    yield *pair, *weight
                continue
            if self.labels:
                y: Any = _matrix(frame, self.target, file)
            else:
                y = self._classes(frame, self.target[0], file, seen)
                if by_convention:
                    _check_convention(seen, self.target[0], file)
            weight = tuple(_numbers(frame[name], file) for name in given)
            yield y, self._judged(frame, file), *weight

    @cached_property
    def positive_class(self) -> Any:
        """The positive one of two classes."""
        if self.positive is not None:
            return self.positive
        if self.conventional:
            return 1
        counts = self.class_counts()
        if set(counts) <= CONVENTION:
            return 1
        return min(sorted(counts, reverse=True), key=counts.__getitem__)

    @cached_property
    def conventional(self) -> bool:
        """Whether the first rows have the classes 0 and 1, or -1 and 1."""
        return set(self.first[self.target[0]].unique().tolist()) <= CONVENTION

    @cached_property
    def first(self) -> Any:
        """The first rows: their target and predictions."""
        with closing(self.frames(self._both)) as frames:
            for _, frame in frames:
                return frame[list(self._both)]
        raise ValueError("No part has a row; give at least one.")

    @cached_property
    def separated(self) -> bool:
        """Whether one column holds all labels of a row."""
        if self.labels or self.score:
            return False
        return self.label_separator is not None or any(
            self.first[name].map(is_list).any() for name in self._both
        )

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """Names of several labels: of their columns, or what one column holds of them."""
        if not self.separated:
            return self.target
        found: set[str] = set()
        several = False
        for file, frame in self.frames(self._both):
            for name in self._both:
                rows = self._lists(frame[name], file)
                several = several or any(len(labels) > 1 for labels in rows)
                found.update(*rows)
        if not found:
            raise ValueError(f"No row of {self.target[0]!r} has a label; check the column.")
        if not several:
            warnings.warn(
                f"No row has more than one label; is {self.label_separator!r} between labels?",
                stacklevel=2,
            )
        return tuple(sorted(found))

    @property
    def _both(self) -> tuple[str, ...]:
        """Columns of the target and of predictions, each once."""
        return tuple(dict.fromkeys((*self.target, *self.prediction)))

    def class_counts(self) -> dict[Any, int]:
        """Count the classes of the target in all parts, at most two."""
        counts: Counter[Any] = Counter()
        for file, frame in self.frames(self.target):
            counts.update(frame[self.target[0]].value_counts().to_dict())
            _check_two(set(counts), self.target[0], file)
        return dict(counts)

    def frames(self, columns: Sequence[str]) -> Generator[tuple[Path, Any], None, None]:
        """Yield data frames of some columns without gaps, with the file that they are from."""
        sizes = [file.stat().st_size for file in self.files]
        texts = () if self.label_separator is None else self._both
        done, rows = 0.0, 0
        with Progress("reading", float(sum(sizes)), size=True, shown=self.verbose) as progress:
            for file, size in zip(self.files, sizes, strict=True):
                parts = read_parts(
                    file, self.format, n_rows=self.n_rows, strings=texts, columns=columns,
                    allow_empty=True,
                )  # fmt: skip
                with closing(parts):
                    for frame in parts:
                        _check_columns(frame, columns, file, gaps=texts)
                        yield file, frame
                        rows += len(frame)
                        progress.update(done, f"{rows:,} rows")
                done += size
                progress.update(done, f"{rows:,} rows")

    def _judged(self, frame: Any, file: Path) -> Any:
        """Return scores, or predictions."""
        if self.score:
            columns = [_numbers(frame[name], file) for name in self.score]
            return np.stack(columns, axis=1) if self.labels else columns[0]
        if self.labels:
            return _matrix(frame, self.prediction, file)
        return frame[self.prediction[0]].to_numpy()

    def _classes(self, frame: Any, name: str, file: Path, seen: set[Any]) -> NDArray[Any]:
        y = frame[name]
        seen |= set(y.unique().tolist())
        if self.score:
            _check_two(seen, name, file)
        return y.to_numpy()

    def _lists(self, column: Any, file: Path) -> list[list[str]]:
        """Return the labels of each row."""
        if self.label_separator is None and not column.map(is_list).all():
            raise ValueError(
                f"The column {column.name!r} of {file} holds text where others hold lists of "
                "labels; say what is between labels by label_separator."
            )
        return [split_labels(cell, self.label_separator) for cell in column]

    def _carried(self, column: Any, file: Path) -> NDArray[np.bool_]:
        """Return which labels each row has."""
        place = {label: k for k, label in enumerate(self.label_names)}
        rows = self._lists(column, file)
        matrix = np.zeros((len(rows), len(place)), dtype=bool)
        for row, labels in zip(matrix, rows, strict=True):
            row[[place[label] for label in labels]] = True
        return matrix


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _pieces(frame: Any, n_rows: int) -> Iterator[Any]:
    """Yield at most so many rows at a time."""
    for start in range(0, len(frame), max(n_rows, 1)):
        yield frame[start : start + max(n_rows, 1)]


def _check_columns(
    frame: Any, columns: Sequence[str], file: Path, gaps: Sequence[str] = ()
) -> None:
    there = getattr(frame, "columns", None)
    if there is None:
        raise ValueError(f"{file} is an svmlight file, which has no named columns; give a table.")
    for name in columns:
        if name not in there:
            raise ValueError(f"{file} has no column {name!r}; all parts need it.")
        if (missing := int(frame[name].isna().sum())) and name not in gaps:
            raise ValueError(
                f"The column {name!r} of {file} is missing, or not a number, in {missing} of "
                f"{len(frame)} rows."
            )


def _check_convention(found: set[Any], name: str, file: Path) -> None:
    if not found <= CONVENTION:
        others = ", ".join(sorted(map(repr, found - CONVENTION))[:5])
        raise ValueError(
            f"The target {name!r} of {file} holds {others} where the first part has 0, 1 or -1; "
            "all parts need the same classes."
        )


def _check_two(seen: set[Any], name: str, file: Path) -> None:
    if len(seen) > 2:
        some = ", ".join(sorted(map(repr, seen))[:5])
        raise ValueError(
            f"The target {name!r} has more than two classes once {file} is read: {some}; "
            "thresholds need two, written alike in all parts."
        )


def _matrix(frame: Any, names: Sequence[str], file: Path) -> NDArray[np.bool_]:
    for name in names:
        if not frame[name].isin([0, 1]).all():
            raise ValueError(f"The column {name!r} of {file} holds other values than 0 and 1.")
    return frame[list(names)].to_numpy(dtype=np.int8).astype(bool)


def _numbers(column: Any, file: Path) -> NDArray[np.float64]:
    if column.dtype.kind not in "iufb" and not isinstance(column.iloc[0], Decimal):
        raise ValueError(
            f"The column {column.name!r} of {file} holds {column.iloc[0]!r}, which is no number."
        )
    numbers = column.to_numpy(dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError(f"The column {column.name!r} of {file} holds infinity; give finite ones.")
    return numbers
