"""Dask: passes over partitions, which stay where they are."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from importlib import import_module
from operator import add
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from pseudolinear.learners import BoostingLearner, import_lightgbm
from pseudolinear.scale._binned import lane_weight
from pseudolinear.scale._block import Block
from pseudolinear.scale._engine import Encode, Engine
from pseudolinear.scale._lanes import Lanes
from pseudolinear.scale._part import Part

SHARED_OPTIONS = ("learning_rate", "num_leaves", "max_bin", "verbose")  # with LightGBM's Dask
FAN_IN = 8  # results that are added at once on a worker
TRIES = 5  # of a pass whose shared arrays were lost with workers,
WAIT = 0.5  # seconds between them
SENT = 1 << 20  # bytes from which an array is sent once, not with every task


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
        make, token = dask.delayed(_part, pure=False), uuid4().hex
        parts = [
            make(*piece, names, i, dask_key_name=f"opening-{token}-{i}")
            for i, piece in enumerate(zip(rows, y_pieces, w_pieces, strict=True))
        ]
        return cls(parts)._numbered()

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
        for left in reversed(range(TRIES)):
            try:
                return self._sum(stage, function, args).compute()
            except Exception as error:
                if left and _lost(error):
                    time.sleep(WAIT)  # until the worker is replaced
                    continue
                broken = _explained(error)
                if broken is None:
                    raise
                raise broken from error
        raise AssertionError

    def _sum(self, stage: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return the tasks of a pass; what they share is sent to the workers once."""
        dask = import_module("dask")
        token, name = uuid4().hex, stage.replace(" ", "_")
        run, join = dask.delayed(function, pure=False), dask.delayed(_add, pure=False)
        shared = [_send(arg) for arg in args]
        results = [
            run(part, *shared, dask_key_name=f"{name}-{token}-{i}")
            for i, part in enumerate(self.parts)
        ]
        level = 0
        while len(results) > 1:
            groups = [results[i : i + FAN_IN] for i in range(0, len(results), FAN_IN)]
            results = [
                join(group, dask_key_name=f"adding-{token}-{level}-{i}")
                for i, group in enumerate(groups)
            ]
            level += 1
        return results[0]

    def each(self, stage: str, function: Callable[..., Any], *args: Any) -> Iterator[Any]:
        """Let all partitions be worked on, and fetch one result after the other."""
        dask = import_module("dask")
        run, token = dask.delayed(function, pure=False), uuid4().hex
        results = dask.persist(
            *[
                run(part, *args, dask_key_name=f"{stage}-{token}-{i}")
                for i, part in enumerate(self.parts)
            ]
        )
        return (result.compute() for result in results)

    def encoded(self, encode: Encode) -> DaskEngine:
        """Let workers make the blocks, and keep them."""
        dask = import_module("dask")
        make = dask.delayed(encode, pure=False)
        token = uuid4().hex
        blocks = [
            make(part, dask_key_name=f"encoding-{token}-{i}") for i, part in enumerate(self.parts)
        ]
        return DaskEngine(dask.persist(*blocks))

    def can_boost(self, n_rows: int, n_columns: int) -> bool:
        """Tell whether there are workers, between which LightGBM shares the rows."""
        return _client() is not None

    def boost(self, learner: BoostingLearner, lanes: Lanes) -> list[Any]:
        """Let LightGBM train on the workers that hold the blocks."""
        lightgbm = import_lightgbm()
        client = _client()
        if client is None:
            raise RuntimeError(
                "Boosting on Dask needs workers: start a distributed.Client first, or use 'linear'."
            )
        blocks = [(block, *shape) for block, shape in zip(self.parts, self._shapes(), strict=True)]
        X = _stacked(_features, blocks)
        boosters = []
        for j in range(len(lanes)):
            y, weight = _stacked(_truth, blocks, lanes, j), _stacked(_weight, blocks, lanes, j)
            options = learner.options(2)
            model = lightgbm.DaskLGBMClassifier(
                client=client,
                n_estimators=learner.n_trees,
                random_state=options.pop("seed"),
                **{name: options[name] for name in SHARED_OPTIONS},
            )
            with warnings.catch_warnings():  # LightGBM's own defaults are not ours to explain
                warnings.filterwarnings("ignore", message="Parameter .* will be ignored")
                boosters.append(model.fit(X, y, sample_weight=weight).booster_)
        return boosters

    def _shapes(self) -> list[tuple[int, int]]:
        dask = import_module("dask")
        return list(dask.compute(*[dask.delayed(_shape)(block) for block in self.parts]))

    def close(self) -> None:
        """Let go of the partitions."""
        self.parts = []


def _stacked(function: Callable[..., Any], blocks: list[Any], *args: Any) -> Any:
    """Return a Dask array of what a function makes of the blocks, below each other."""
    dask, arrays = import_module("dask"), import_module("dask.array")
    make = dask.delayed(function, pure=False)
    pieces = [
        arrays.from_delayed(
            make(block, *args), (n, d) if function is _features else (n,), np.float64
        )
        for block, n, d in blocks
    ]
    return arrays.concatenate(pieces)


def _shape(block: Block) -> tuple[int, int]:
    return block.X.shape


def _features(block: Block) -> NDArray[np.float64]:
    return np.asarray(block.X)


def _truth(block: Block, lanes: Lanes, lane: int) -> NDArray[np.float64]:
    return block.codes[:, lanes.label[lane]].astype(np.float64)


def _weight(block: Block, lanes: Lanes, lane: int) -> NDArray[np.float64]:
    return lane_weight(block, lanes, lane)


def _lost(error: Exception) -> bool:
    """Tell that workers took with them what they were sent, so that it must be sent again."""
    lost = ("CancelledError", "CommClosedError", "FutureCancelledError", "TimeoutError")
    return type(error).__name__ in lost or "Missing dependency" in str(error)


def _explained(error: Exception) -> Exception | None:
    """Say in a sentence where Dask itself broke down; errors of a task stay what they are."""
    name = type(error).__name__
    if name == "KilledWorker":
        return RuntimeError(
            "Dask's workers were killed again and again by the same partition; give them more "
            "memory, or make smaller partitions."
        )
    if _lost(error) or name == "ClosedClientError":
        return RuntimeError(
            "Dask's scheduler or its workers are gone; start them again, and fit again."
        )
    return None


def _add(results: list[Any]) -> Any:
    return reduce(add, results)


def _send(arg: Any) -> Any:
    """Send an array to one of the workers, where there are some; others get it from there.

    Dask's scheduler would copy it to all of them, but waits for ever where one is lost meanwhile.
    """
    client = _client() if isinstance(arg, np.ndarray) and arg.nbytes > SENT else None
    return arg if client is None else client.scatter(arg, broadcast=False, hash=False)


def _client() -> Any:
    """Return Dask's client, or None where tasks run in this process."""
    try:
        return import_module("distributed").get_client()
    except (ModuleNotFoundError, ValueError):
        return None


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
