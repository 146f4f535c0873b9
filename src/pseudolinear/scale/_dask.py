"""Dask: passes over partitions, which stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from operator import add
from typing import Any

import numpy as np

from pseudolinear.scale._engine import Encode, Engine
from pseudolinear.scale._part import Part

FAN_IN = 8  # results that are added at once on a worker


def is_dask(X: Any) -> bool:
    """Tell collections of Dask."""
    return hasattr(X, "__dask_graph__") and hasattr(X, "to_delayed")


class DaskEngine(Engine):
    """Passes over the partitions of Dask's collections, on whatever runs Dask's tasks.

    Every pass is one task per partition and a tree of additions; partitions are made once and stay
    on their workers. A lost one is made again by Dask, since tasks have no side effects.

    Parameters
    ----------
    parts : sequence of Delayed
        One part, or one block of encoded rows, each.
    """

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = list(parts)

    @classmethod
    def of(
        cls, X: Any, y: Any, sample_weight: Any, columns: Sequence[str] | None = None
    ) -> DaskEngine:
        """Take collections of rows, classes and weights, or a frame with names of its columns."""
        dask = import_module("dask")
        sides = [
            None if values is None else pieces_of(values, X)
            for values in (_column(X, y), _column(X, sample_weight))
        ]
        names = [name for name in _listed(y) + _listed(sample_weight) if isinstance(name, str)]
        names = [name for name in names if columns is None or name not in columns]
        rows = pieces_of(X, X)
        for side in sides:
            if side is not None and len(side) != len(rows):
                raise ValueError(
                    f"X has {len(rows)} partitions and y or sample_weight {len(side)}; give both "
                    "the same partitions."
                )
        y_pieces, w_pieces = ([None] * len(rows) if side is None else side for side in sides)
        make = dask.delayed(_part, pure=False)
        parts = [
            make(*piece, names, i, dask_key_name=f"reading-{dask.base.tokenize(*piece)}-{i}")
            for i, piece in enumerate(zip(rows, y_pieces, w_pieces, strict=True))
        ]
        return cls(dask.persist(*parts))._numbered()

    def _numbered(self) -> DaskEngine:
        """Let every part know how many rows come before it."""
        dask = import_module("dask")
        lengths = dask.compute(*[dask.delayed(len)(part) for part in self.parts])
        first = np.cumsum([0, *lengths])[:-1]
        move = dask.delayed(Part.starting_at)
        pairs = zip(self.parts, first.tolist(), lengths, strict=True)
        return DaskEngine([move(part, start) for part, start, n in pairs if n])

    def reduce(self, stage: str, function: Callable[..., Any], *args: Any) -> Any:
        """Run one task per partition, and add up the results in a tree."""
        dask = import_module("dask")
        shared = [_send(arg) for arg in args]
        token = dask.base.tokenize(stage, np.random.default_rng().integers(1 << 62))
        run, join = dask.delayed(function, pure=False), dask.delayed(_add)
        name = f"{stage.replace(' ', '_')}-{token}"
        results = [
            run(part, *shared, dask_key_name=f"{name}-{i}") for i, part in enumerate(self.parts)
        ]
        level = 0
        while len(results) > 1:
            groups = [results[i : i + FAN_IN] for i in range(0, len(results), FAN_IN)]
            results = [
                join(group, dask_key_name=f"adding-{token}-{level}-{i}")
                for i, group in enumerate(groups)
            ]
            level += 1
        return results[0].compute()

    def encoded(self, encode: Encode) -> DaskEngine:
        """Let workers make the blocks, and keep them."""
        dask = import_module("dask")
        make = dask.delayed(encode, pure=False)
        token = dask.base.tokenize(np.random.default_rng().integers(1 << 62))
        blocks = [
            make(part, dask_key_name=f"encoding-{token}-{i}") for i, part in enumerate(self.parts)
        ]
        return DaskEngine(dask.persist(*blocks))

    def close(self) -> None:
        """Let go of the partitions."""
        self.parts = []


def _add(results: list[Any]) -> Any:
    return reduce(add, results)


def _send(arg: Any) -> Any:
    """Send an array to the workers once, where there are workers."""
    if not isinstance(arg, np.ndarray):
        return arg
    try:
        client = import_module("distributed").get_client()
    except (ModuleNotFoundError, ValueError):
        return arg
    return client.scatter(arg, broadcast=True, hash=False)


def _column(X: Any, given: Any) -> Any:
    """Return a column of a frame by its name, several by theirs, or what was given."""
    names = _listed(given)
    return X[given] if names and all(isinstance(name, str) for name in names) else given


def _listed(given: Any) -> list[Any]:
    if isinstance(given, str):
        return [given]
    return list(given) if isinstance(given, list | tuple) else []


def pieces_of(values: Any, X: Any) -> list[Any]:
    """Return one delayed piece per partition of rows."""
    if not is_dask(values):
        raise TypeError(
            f"X is a collection of Dask, so y and sample_weight must be too, or name its columns; "
            f"got {type(values).__name__}."
        )
    if hasattr(values, "chunks"):
        chunks = X.chunks[0] if hasattr(X, "chunks") else values.chunks[0]
        known = not any(np.isnan(chunk) for chunk in (*chunks, *values.chunks[0]))
        if values.ndim == 2:
            values = values.rechunk({1: -1})
        if known and values.chunks[0] != chunks:
            values = values.rechunk({0: chunks})
    return list(np.ravel(values.to_delayed()))


def _part(X: Any, y: Any, weight: Any, names: list[str], number: int) -> Part:
    """Make a part of the pieces of a partition."""
    X = X.drop(columns=names) if names else X
    weight = None if weight is None else np.asarray(weight)
    for what in (y, weight):
        if what is not None and len(what) != X.shape[0]:
            raise ValueError(
                f"Partition {number} has {X.shape[0]} rows, but {len(what)} y or weights; give "
                "collections of the same partitions."
            )
    return Part(X, y, weight, f"partition {number}")
