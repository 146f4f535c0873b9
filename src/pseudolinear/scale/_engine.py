"""Engines: where passes over the rows run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from errno import ENOSPC
from functools import reduce
from operator import iadd
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs

from pseudolinear.learners import BoostingLearner
from pseudolinear.scale._binned import Binned
from pseudolinear.scale._block import Block
from pseudolinear.scale._lanes import Lanes
from pseudolinear.scale._part import Part
from pseudolinear.scale._parts import Parts
from pseudolinear.scale._scratch import Scratch

BOOSTING_BYTES = 1 << 29  # that LightGBM may take
ROW_BYTES = 40  # that it needs of every row: label, weight, derivatives and place

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
    def each(self, stage: str, function: Callable[..., Any], *args: Any) -> Iterator[Any]:
        """Yield ``function(part, *args)`` of every part, in their order."""

    @abstractmethod
    def encoded(self, encode: Encode) -> Engine:
        """Return an engine of the blocks that are made of the parts, once, and kept."""

    @abstractmethod
    def can_boost(self, n_rows: int, n_columns: int) -> bool:
        """Tell whether LightGBM has room for so many rows."""

    @abstractmethod
    def boost(self, learner: BoostingLearner, lanes: Lanes) -> list[Any]:
        """Let LightGBM train trees on encoded rows, one booster per lane."""

    @abstractmethod
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
        self._scratch: Scratch | None = None
        self._binned: Binned | None = None

    def reduce(self, stage: str, function: Callable[..., Any], *args: Any) -> Any:
        """Go through the parts in their order."""
        return reduce(iadd, self._results(function, args))

    def each(self, stage: str, function: Callable[..., Any], *args: Any) -> Iterator[Any]:
        """Go through the parts in their order."""
        return self._results(function, args)

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
        scratch, number = Scratch(), -1
        try:
            for number, block in enumerate(self._results(encode, ())):
                block.write(scratch.path, number)
        except OSError as error:
            scratch.close()
            if error.errno != ENOSPC:
                raise
            raise OSError(
                ENOSPC,
                "There is no room for the encoded rows; set TMPDIR to a folder with as much room "
                "as the rows take in memory",
            ) from error
        engine = LocalEngine(_Files(scratch.path, number + 1), self.n_jobs)
        engine._scratch = scratch
        return engine

    def can_boost(self, n_rows: int, n_columns: int) -> bool:
        """Tell whether a byte per value, and what trees need of every row, is little enough."""
        return n_rows * (n_columns + ROW_BYTES) <= BOOSTING_BYTES

    def boost(self, learner: BoostingLearner, lanes: Lanes) -> list[Any]:
        """Let LightGBM read one block after the other, of which it keeps a byte per value."""
        if self._binned is None:
            self._binned = Binned.of(list(self.parts), learner)
        threads = effective_n_jobs(self.n_jobs)
        return [self._binned.boost(learner, lanes, j, threads) for j in range(len(lanes))]

    def close(self) -> None:
        """Delete the files."""
        self._binned = None
        for kept in (self._scratch, self.parts):
            if isinstance(kept, Scratch | Parts):
                kept.close()


class _Files:
    """Blocks in files."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.number = folder, number

    def __iter__(self) -> Iterator[Block]:
        return (Block.mapped(self.folder, number) for number in range(self.number))
