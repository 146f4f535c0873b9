"""Files in svmlight's format, in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sklearn.datasets import load_svmlight_file

from pseudolinear.scale._part import Part
from pseudolinear.scale._parts import Parts

BYTES = 1 << 26  # of a file that are read at once
WIDEST = (1 << 31) - 1  # features, while their number is not known


class SvmlightParts(Parts):
    r"""Files in svmlight's format, one class per row, of which some megabytes are read at a time.

    Features are counted from 0; files that count from 1 have a first column of zeros.

    Parameters
    ----------
    files : sequence of path
        The files, in their order.
    n_features : int, default=None
        Number of features; None reads the files once to find it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pseudolinear.scale import SvmlightParts
    >>> path = Path(tempfile.mkdtemp()) / "rows.svm"
    >>> _ = path.write_text("1 1:0.5 3:2\n0 2:1\n")
    >>> [len(part) for part in SvmlightParts([path])]
    [2]
    """

    def __init__(self, files: Sequence[str | Path], n_features: int | None = None) -> None:
        self.files = [Path(file) for file in files]
        for file in self.files:
            if not file.is_file():
                raise FileNotFoundError(f"There is no file {file}; check the list of files.")
        if n_features is not None:
            self.n_features = n_features

    @cached_property
    def n_features(self) -> int:
        """Number of features of the widest row."""
        last = (int(X.indices.max(initial=-1)) for X, *_ in self._pieces(WIDEST))
        return max(last, default=-1) + 1

    def read(self) -> Iterator[Part]:
        """Read some megabytes after the other."""
        for X, y, file in self._pieces(self.n_features):
            yield Part(X, y, name=str(file))

    def _pieces(self, n_features: int) -> Iterator[tuple[Any, Any, Path]]:
        for file in self.files:
            for offset in range(0, file.stat().st_size, BYTES):
                try:
                    X, y = load_svmlight_file(
                        str(file), n_features=n_features, offset=offset, length=BYTES
                    )
                except ValueError as error:
                    raise ValueError(
                        f"{file} cannot be read as svmlight's format: {error}"
                    ) from error
                yield X, y, file
