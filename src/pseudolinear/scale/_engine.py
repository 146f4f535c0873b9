"""Engines: where passes over the rows run."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import iadd
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs

from pseudolinear.scale._block import Block
from pseudolinear.scale._part import Part

Encode = Callable[[Part], Block]


class Engine(ABC):
    """Rows in parts, over which passes run; their results are added up.

    A pass is a function of a part, or of a block of encoded rows, without side effects, whose
    results can be added. So it runs anywhere, in any order, and again where a machine was lost.
    """

    @abstractmethod
    def reduce(self, stage: str, function: Callable[..., Any], *args: Any) -> Any:
        """Apply ``function(part, *args)`` to every part and add up the results.

        Parameters
        ----------
        stage : str
            What is done, for those who watch.
        function : callable
            Of a part or block, and of `args`.
        *args
            Sent along.

        Returns
        -------
        object
            The sum.
        """

    @abstractmethod
    def encoded(self, encode: Encode) -> Engine:
        """Return an engine of the blocks that are made of the parts, once, and kept."""

    def close(self) -> None:
        """Drop what is kept."""


class LocalEngine(Engine):
    """Passes on this machine, in threads; encoded rows are kept in files.

    Parameters
    ----------
    parts : iterable of Part or of Block
        Iterated in every pass.
    n_jobs : int or None
        Threads, as everywhere in scikit-learn.
    """

    def __init__(self, parts: Iterable[Any], n_jobs: int | None = None) -> None:
        self.parts, self.n_jobs = parts, n_jobs
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def reduce(self, stage: str, function: Callable[..., Any], *args: Any) -> Any:
        """Go through the parts in their order."""
        return reduce(iadd, self._results(function, args))

    def _results(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Iterator[Any]:
        if effective_n_jobs(self.n_jobs) == 1:
            return (function(part, *args) for part in self.parts)
        tasks = (delayed(function)(part, *args) for part in self.parts)
        threads = Parallel(
            self.n_jobs, prefer="threads", pre_dispatch="n_jobs", return_as="generator"
        )
        return iter(threads(tasks))

    def encoded(self, encode: Encode) -> LocalEngine:
        """Write the blocks to a temporary folder, and read them from there in every pass."""
        folder = tempfile.TemporaryDirectory(prefix="pseudolinear-")
        number = -1
        try:
            for number, block in enumerate(self._results(encode, ())):
                block.write(Path(folder.name), number)
        except OSError as error:
            folder.cleanup()
            raise OSError(
                f"The rows cannot be kept in {folder.name}: {error.strerror or error}; set TMPDIR "
                "to a folder with as much room as the rows take."
            ) from error
        engine = LocalEngine(_Files(Path(folder.name), number + 1), self.n_jobs)
        engine._folder = folder
        return engine

    def close(self) -> None:
        """Delete the files."""
        if self._folder is not None:
            self._folder.cleanup()


class _Files:
    """Blocks in files."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.number = folder, number

    def __iter__(self) -> Iterator[Block]:
        return (Block.mapped(self.folder, number) for number in range(self.number))
