"""Workers: where tasks run, and how what is large gets there once."""

from __future__ import annotations

import os
import time
from asyncio import CancelledError as AsyncCancelledError
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import sklearn
from joblib.parallel import get_active_backend
from sklearn.utils.fixes import parse_version
from sklearn.utils.parallel import Parallel, delayed  # with scikit-learn's configuration

from pseudolinear._journal import logger
from pseudolinear.loops._blas import libraries
from pseudolinear.loops._crew import crew
from pseudolinear.sweep._orphans import leave_with

LOSSES = 5  # times that lost workers are made up for,
WAIT = 0.5  # seconds after each, until others are there
PATIENCE, SLOWEST = 30.0, 1e6  # seconds, and bytes in a second, for what is sent to Dask

HERE: dict[str, Any] = {}  # what this process has given to Dask, by its keys
# Workers are kept from one round to the next. Before this version, LogisticRegression, by which
# thresholds are chosen between the rounds, released those of the backend in use.
KEEPS = parse_version(sklearn.__version__) >= parse_version("1.8")


class Workers:
    """The workers of joblib's active backend, for the length of a fit.

    Where nobody has chosen a backend, tasks that leave Python's lock run in threads of this
    process, and others in processes. Threads that have no task help the others
    (:class:`~pseudolinear.loops._crew.Crew`).

    Rows are large and tasks are many, so a task names its rows, and a worker gets them once: the
    processes of this machine by memory maps of joblib, those of Dask and Ray from their stores.

    Parameters
    ----------
    n_jobs : int, default=None
        Number of parallel jobs.

    Examples
    --------
    >>> with Workers() as workers:
    ...     list(workers.map(pow, [2, 3], [10]))
    [1024, 59049]
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_jobs = n_jobs
        self._kept: ExitStack | None = None
        self._limits = ExitStack()
        # Kept ones, with their backends; of tasks that leave Python's lock, and of others.
        self._parallel: dict[bool, tuple[Any, Parallel]] = {}
        self._sent: dict[int, tuple[Any, Any]] = {}  # by id; kept, so that it stays theirs
        self._copies = 2  # on workers of Dask, so that one may be lost

    def __enter__(self) -> Self:
        """Keep the workers, and what they have, until the end."""
        self._kept = ExitStack()
        backend, _ = get_active_backend(prefer="threads")
        n_threads = _threads(backend, self.n_jobs)
        self._kept.enter_context(crew.hired(n_threads - 1))
        self._limit_blas()
        return self

    def __exit__(self, *reason: Any) -> None:
        """Release the workers and what they were sent."""
        kept, self._kept = self._kept, None
        self._limits.close()
        self._parallel.clear()
        for one, _ in list(self._sent.values()):
            self.forget(one)
        if kept is not None:
            kept.__exit__(*reason)

    def map(
        self,
        function: Callable[..., Any],
        items: Iterable[Any],
        large: Sequence[Any] = (),
        *,
        threads: bool = False,
    ) -> Iterator[Any]:
        """Call a function for items in parallel.

        Where workers of Dask are lost with what they alone were sent, it is sent again, and what is
        missing is computed again.

        Parameters
        ----------
        function : callable
            What is called; it is sent with every task, so it has to be small.
        items : iterable
            Its first argument, one for every task.
        large : sequence, default=()
            Its further arguments, the same for every task, of which no worker gets one twice.
        threads : bool, default=False
            Whether tasks leave Python's lock for most of their time, so that threads do.

        Yields
        ------
        object
            The results, in the order of the items.
        """
        todo = deque(items)
        for left in reversed(range(LOSSES + 1)):
            try:
                for result in self._run(function, todo, large, threads):
                    todo.popleft()
                    yield result
                return
            except (Exception, AsyncCancelledError) as error:
                if not left or not _is_loss(error):
                    raise
                logger.info("%d tasks are sent again, since workers were lost", len(todo))
                time.sleep(WAIT)
                self._start_again()

    def _run(
        self,
        function: Callable[..., Any],
        items: Iterable[Any],
        large: Sequence[Any],
        threads: bool,
    ) -> Iterator[Any]:
        sent = [self._send(one) for one in large]
        calls = [delayed(_call)(os.getpid(), function, item, *sent) for item in list(items)]
        with ExitStack() as stack:
            if threads:
                stack.enter_context(_single_blas())
                stack.enter_context(crew.hired(1))  # this thread waits, and its place is free
            else:
                self._limits.close()
                stack.callback(self._limit_blas)
            yield from self._find(threads)(calls)

    def _limit_blas(self) -> None:
        """Let BLAS use one thread between tasks, and in those that are in our threads.

        Its sums depend on how many it has, and after every call of several of them these spin for a
        tenth of a second. Other tasks may do as they like.
        """
        if self._kept is not None:
            self._limits.enter_context(_single_blas())

    def _start_again(self) -> None:
        kept = self._kept is not None
        self.__exit__(None, None, None)
        if kept:
            self.__enter__()

    def forget(self, one: Any) -> None:
        """Release something that no task needs any more."""
        _, stored = self._sent.pop(id(one), (None, None))
        HERE.pop(getattr(stored, "key", ""), None)

    def _find(self, threads: bool) -> Parallel:
        """Return kept workers; a backend that was chosen serves all tasks, so it starts once."""
        if threads in self._parallel:
            return self._parallel[threads][1]
        hint = {"prefer": "threads"} if threads else {}
        backend, _ = get_active_backend(**hint)
        for other, parallel in self._parallel.values():
            if other is backend:
                return parallel
        parallel = self._make(backend, hint)
        if self._kept is not None and KEEPS:
            self._parallel[threads] = backend, self._kept.enter_context(parallel)
        return parallel

    def _make(self, backend: Any, hint: dict[str, str]) -> Parallel:
        """Results come one by one, to be told of, where the backend can."""
        lazy = backend.supports_return_generator or getattr(backend, "supports_sharedmem", False)
        return Parallel(self.n_jobs, return_as="generator" if lazy else "list", **hint)

    def _send(self, one: Any) -> Any:
        if id(one) not in self._sent:
            try:
                stored = _store(one, self._copies)
            except TimeoutError:
                self._copies = 1  # the scheduler copies to a lost worker for ever, one at a time
                stored = _store(one, self._copies)
            self._sent[id(one)] = one, stored
            if hasattr(stored, "key"):
                HERE[stored.key] = one
        return self._sent[id(one)][1]


def _single_blas() -> Any:
    return libraries().limit(limits=1, user_api="blas")


def _is_loss(error: BaseException) -> bool:
    """Tell that workers of Dask went: with what they were sent, or while it was sent to them."""
    cancelled = isinstance(error, CancelledError | AsyncCancelledError)
    return cancelled or type(error).__name__ == "CommClosedError"


@dataclass(frozen=True, eq=False)
class Stored:
    """Something in Ray's store, which every machine reads once."""

    reference: Any

    def get(self) -> Any:
        """Return it."""
        import ray

        return ray.get(self.reference)


def _store(one: Any, copies: int) -> Any:
    """Put something where the active backend's workers find it; return what stands for it."""
    backend, _ = get_active_backend()
    if one is None:
        return one
    if hasattr(backend, "client"):  # Dask gives a task the result in place of the future
        return _scatter(backend.client, one, copies)
    if type(backend).__module__.startswith("ray."):
        import ray

        return Stored(ray.put(one))
    return one


def _scatter(client: Any, one: Any, copies: int) -> Any:
    """Send something to as many workers of Dask; others get it from them.

    A worker that is killed meanwhile can leave the client waiting for ever. After a long time for
    what is sent this is a ``TimeoutError``, and of a single copy, a loss.
    """
    from dask.sizeof import sizeof

    several = (
        copies if copies > 1 else False
    )  # without copies the scheduler has nothing to wait for
    send = partial(client.scatter, [one], hash=False, broadcast=several, asynchronous=True)
    try:
        return client.sync(send, callback_timeout=PATIENCE + sizeof(one) / SLOWEST)[0]
    except TimeoutError as error:
        if several:
            raise
        raise CancelledError("a worker went while rows were sent to it") from error


def _call(sender: int, function: Callable[..., Any], item: Any, *large: Any) -> Any:
    """Call the function with what was sent; this is what runs in other processes."""
    leave_with(sender)
    with crew.hired(-1):  # as long as this thread is busy
        return function(item, *map(_fetch, large))


def _threads(backend: Any, n_jobs: int | None) -> int:
    """Say how many threads of this process a backend runs tasks in."""
    shared = getattr(backend, "supports_sharedmem", False)
    return Parallel(n_jobs, prefer="threads")._effective_n_jobs() if shared else 1


def _fetch(one: Any) -> Any:
    """Return what stands for something, where the backend has not put it in place itself.

    While a single thread of Dask's workers is left, joblib runs tasks in the process of the client.
    """
    if isinstance(one, Stored):
        return one.get()
    key = getattr(one, "key", None)
    return HERE.get(key, one) if isinstance(key, str) else one
