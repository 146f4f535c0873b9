"""Workers: where tasks run, and how what is large gets there once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import sklearn
from joblib.parallel import get_active_backend
from sklearn.utils.fixes import parse_version
from sklearn.utils.parallel import Parallel, delayed  # with scikit-learn's configuration

from pseudolinear.sweep._orphans import leave_with

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
        self._sent.clear()
        if parallel is not None:
            parallel.__exit__(*reason)

    def map(
        self, function: Callable[..., Any], items: Iterable[Any], large: Sequence[Any] = ()
    ) -> Iterable[Any]:
        """Call a function for items in parallel.

        Parameters
        ----------
        function : callable
            What is called; it is sent with every task, so it has to be small.
        items : iterable
            Its first argument, one for every task.
        large : sequence, default=()
            Its further arguments, the same for every task, of which no worker gets one twice.

        Returns
        -------
        iterable
            The results, in the order of the items.
        """
        sent = [self._send(one) for one in large]
        parallel = self._parallel or self._make()
        return parallel(delayed(_call)(os.getpid(), function, item, *sent) for item in items)

    def forget(self, one: Any) -> None:
        """Release something that no task needs any more."""
        self._sent.pop(id(one), None)

    def _make(self) -> Parallel:
        """Results come one by one, to be told of, where the backend can."""
        backend, _ = get_active_backend()
        lazy = backend.supports_return_generator or getattr(backend, "supports_sharedmem", False)
        return Parallel(n_jobs=self.n_jobs, return_as="generator" if lazy else "list")

    def _send(self, one: Any) -> Any:
        if id(one) not in self._sent:
            self._sent[id(one)] = one, _store(one)
        return self._sent[id(one)][1]


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
        return backend.client.scatter([one], hash=False)[0]
    if type(backend).__module__.startswith("ray."):
        import ray

        return Stored(ray.put(one))
    return one


def _call(sender: int, function: Callable[..., Any], item: Any, *large: Any) -> Any:
    """Call the function with what was sent; this is what runs in other processes."""
    leave_with(sender)
    return function(item, *(one.get() if isinstance(one, Stored) else one for one in large))
