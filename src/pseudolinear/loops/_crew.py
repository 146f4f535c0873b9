"""Crew: the threads of this process that may work, and take parts of each other's passes."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise, starmap
from threading import Lock
from typing import TypeVar

import numpy as np

Part = TypeVar("Part")
Result = TypeVar("Result")

BLOCK = 1 << 21  # multiplications that are worth another thread: some tenths of a millisecond
BLOCKS = 16  # most blocks of a pass


class Crew:
    """Threads that are idle help those that have a long pass over the rows before them.

    What is done, and in which order results are added up, does not depend on who does it.

    Examples
    --------
    >>> crew = Crew()
    >>> with crew.hired(1):
    ...     crew.share(abs, [-1, 2, -3])
    [1, 2, 3]
    """

    def __init__(self) -> None:
        self._start()
        if hasattr(os, "register_at_fork"):  # threads stay behind
            os.register_at_fork(after_in_child=self._start)

    def _start(self) -> None:
        self._lock = Lock()
        self._idle = 0
        self._pool: ThreadPoolExecutor | None = None

    @property
    def idle(self) -> int:
        """How many threads could help now."""
        return max(self._idle, 0)

    @contextmanager
    def hired(self, n_threads: int) -> Iterator[None]:
        """Let further threads help for some time; less than none: while others are busy."""
        self._add(n_threads)
        try:
            yield
        finally:
            self._add(-n_threads)

    def share(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        """Call a function for all parts, here and in idle threads; return the results in order."""
        if len(parts) == 1:  # most passes over few rows: nothing to coordinate
            return [work(parts[0])]
        left, results = deque(enumerate(parts)), dict[int, Result]()

        def take_parts() -> None:
            while left:
                try:
                    number, part = left.popleft()
                except IndexError:  # another thread was faster
                    return
                results[number] = work(part)

        helpers = self._recruit(take_parts, len(parts) - 1)
        try:
            take_parts()
        finally:
            left.clear()
            started = [helper for helper in helpers if not helper.cancel()]
            self._add(len(helpers) - len(started))  # for whom no thread was there after all
            if started:
                with self.hired(1):  # this thread waits, and its place is free
                    wait(started)
        for helper in started:
            helper.result()
        return [results[number] for number in range(len(parts))]

    def _recruit(self, work: Callable[[], None], most: int) -> list[Future[None]]:
        with self._lock:
            n_helpers = min(most, self.idle)
            if n_helpers < 1:
                return []
            self._idle -= n_helpers
            if self._pool is None:
                self._pool = ThreadPoolExecutor(os.cpu_count(), "pseudolinear")
            return [self._pool.submit(self._help, work) for _ in range(n_helpers)]

    def _help(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            self._add(1)

    def _add(self, n_threads: int) -> None:
        with self._lock:
            self._idle += n_threads


crew = Crew()


def row_blocks(n_rows: int, n_operations: int, most: int = BLOCKS) -> list[slice]:
    """Cut rows into blocks for the threads of a crew, the same for any number of them.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    n_operations : int
        Multiplications of the pass: short ones are left whole.
    most : int, default=16
        Most blocks.

    Returns
    -------
    list of slice
        A power of two of them.

    Examples
    --------
    >>> row_blocks(1000, 1 << 22)
    [slice(0, 500, None), slice(500, 1000, None)]
    """
    n_blocks = 1 << (max(min(n_operations // BLOCK, most, BLOCKS, n_rows), 1).bit_length() - 1)
    ends = [n_rows * i // n_blocks for i in range(n_blocks + 1)]
    return list(starmap(slice, pairwise(ends)))


def sum_in_order(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Add up what blocks have given, into the first."""
    for part in parts[1:]:
        np.add(parts[0], part, out=parts[0])
    return parts[0]
