"""Workers: where tasks run, and how what is large gets there once."""

from __future__ import annotations

import os
import time
from asyncio import CancelledError as AsyncCancelledError
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, Self

import sklearn
from joblib.parallel import get_active_backend
from sklearn.utils.fixes import parse_version
from sklearn.utils.parallel import Parallel, delayed  # with scikit-learn's configuration

from pseudolinear._journal import logger
from pseudolinear.sweep._orphans import leave_with

LOSSES = 5  # times that lost workers are made up for,
WAIT = 0.5  # seconds after each, until others are there

HERE: dict[str, Any] = {}  # what this process has given to Dask, by its keys
# Workers are kept from one round to the next. Before this version, LogisticRegression, by which
# thresholds are chosen between the rounds, released those of the backend in use.
KEEPS = parse_version(sklearn.__version__) >= parse_version("1.8")


class Workers:
    """The workers of joblib's active backend, for the length of a fit.

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
        self._parallel: Parallel | None = None
        self._sent: dict[int, tuple[Any, Any]] = {}  # by id; kept, so that it stays theirs

    def __enter__(self) -> Self:
        """Keep the workers, and what they have, until the end."""
        if KEEPS:
            self._parallel = self._make()
            self._parallel.__enter__()
        return self

    def __exit__(self, *reason: Any) -> None:
        """Release the workers and what they were sent."""
        parallel, self._parallel = self._parallel, None
        for one, _ in list(self._sent.values()):
            self.forget(one)
        if parallel is not None:
            parallel.__exit__(*reason)

    def map(
        self, function: Callable[..., Any], items: Iterable[Any], large: Sequence[Any] = ()
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

        Yields
        ------
        object
            The results, in the order of the items.
        """
        todo = deque(items)
        for left in reversed(range(LOSSES + 1)):
            try:
                for result in self._run(function, todo, large):
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
        self, function: Callable[..., Any], items: Iterable[Any], large: Sequence[Any]
    ) -> Iterable[Any]:
        sent = [self._send(one) for one in large]
        parallel = self._parallel or self._make()
        return parallel(delayed(_call)(os.getpid(), function, item, *sent) for item in list(items))

    def _start_again(self) -> None:
        kept = self._parallel is not None
        self.__exit__(None, None, None)
        if kept:
            self.__enter__()

    def forget(self, one: Any) -> None:
        """Release something that no task needs any more."""
        _, stored = self._sent.pop(id(one), (None, None))
        HERE.pop(getattr(stored, "key", ""), None)

    def _make(self) -> Parallel:
        """Results come one by one, to be told of, where the backend can."""
        backend, _ = get_active_backend()
        lazy = backend.supports_return_generator or getattr(backend, "supports_sharedmem", False)
        return Parallel(n_jobs=self.n_jobs, return_as="generator" if lazy else "list")

    def _send(self, one: Any) -> Any:
        if id(one) not in self._sent:
            stored = _store(one)
            self._sent[id(one)] = one, stored
            if hasattr(stored, "key"):
                HERE[stored.key] = one
        return self._sent[id(one)][1]


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


def _store(one: Any) -> Any:
    """Put something where the active backend's workers find it; return what stands for it."""
    backend, _ = get_active_backend()
    if one is None:
        return one
    if hasattr(backend, "client"):  # Dask gives a task the result in place of the future
        # Two workers have it, so that one may be lost; the others get it from them.
        return backend.client.scatter([one], hash=False, broadcast=2)[0]
    if type(backend).__module__.startswith("ray."):
        import ray

        return Stored(ray.put(one))
    return one


def _call(sender: int, function: Callable[..., Any], item: Any, *large: Any) -> Any:
    """Call the function with what was sent; this is what runs in other processes."""
    leave_with(sender)
    return function(item, *map(_fetch, large))


def _fetch(one: Any) -> Any:
    """Return what stands for something, where the backend has not put it in place itself.

    While a single thread of Dask's workers is left, joblib runs tasks in the process of the client.
    """
    if isinstance(one, Stored):
        return one.get()
    key = getattr(one, "key", None)
    return HERE.get(key, one) if isinstance(key, str) else one
