"""The tables: pure functions of the stored pieces."""

from __future__ import annotations

import csv
import os
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.experiments._choice import choose, value_on_test
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._default_piece import DefaultPiece
from pseudolinear.experiments._label_piece import LabelPiece, problem_levels
from pseudolinear.experiments._protocol import Protocol, TableSetting
from pseudolinear.experiments._runner import pieces_of
from pseudolinear.experiments._store import Store

CELL = ("table", "dataset", "measure", "selection", "learner", "option")

Row = dict[str, Any]


class Finished(NamedTuple):
    """All pieces of a learner on a data set.

    Attributes
    ----------
    splits : list of list of Curves
        Of each split, one per label.
    levels : ndarray of shape (n_problems,)
        Level whose costs each problem was trained with.
    seconds : float
        Processor time of all of them.
    """

    splits: list[list[Curves]]
    levels: NDArray[np.float64]
    seconds: float


class Results:
    """What a database holds of a protocol.

    Parameters
    ----------
    protocol : Protocol
        The protocol.
    store : Store
        The open database.

    Examples
    --------
    >>> from pseudolinear.experiments import QUICK, Results, Store
    >>> with Store(":memory:") as store:
    ...     print(Results(QUICK, store).finished("small galaxy", "LR"))
    None
    """

    def __init__(self, protocol: Protocol, store: Store) -> None:
        self.protocol = protocol
        self._store = store
        self._finished: dict[tuple[str, str], Finished | None] = {}

    def finished(self, dataset: str, learner: str) -> Finished | None:
        """Return the pieces of a learner on a data set; None unless all are finished."""
        if (dataset, learner) not in self._finished:
            self._finished[dataset, learner] = self._read(dataset, learner)
        return self._finished[dataset, learner]

    def default(self, dataset: str, measure: str) -> float | None:
        """Return the test value of today's default in percent; None if it is not finished."""
        known = self._store.get_source(self.protocol.source(dataset))
        if known is None:
            return None
        piece = DefaultPiece(self.protocol.source(dataset), known[0], measure)
        found = self._store.get(piece)
        return None if found is None else 100 * found[0]

    def tables(self) -> list[Row]:
        """Return one row per cell of which all splits are finished; see :func:`tables`."""
        return [row for table in self.protocol.tables for row in self._table(table)]

    def _read(self, dataset: str, learner: str) -> Finished | None:
        known = self._store.get_source(self.protocol.source(dataset))
        if known is None:
            return None
        splits: list[list[Curves]] = [[] for _ in range(self.protocol.n_splits)]
        total = 0.0
        for piece in pieces_of(self.protocol, dataset, known):
            if not isinstance(piece, LabelPiece) or piece.setting.name != learner:
                continue
            found = self._store.get(piece)
            if found is None:
                return None
            curves, seconds = found
            splits[piece.split].append(curves)
            total += seconds
        return Finished(splits, problem_levels(self.protocol.learner(learner)), total)

    def _table(self, table: TableSetting) -> list[Row]:
        return [
            row
            for dataset in table.datasets
            for selection in table.selections
            for learner in table.learners
            for row in self._cells(table, dataset, selection, learner)
        ]

    def _cells(self, table: TableSetting, dataset: str, selection: str, learner: str) -> list[Row]:
        found = self.finished(dataset, learner)
        if found is None:
            return []
        rule = "C_min" if selection == "C_min" else "F_max"
        published = self.protocol.source(dataset).published
        default = self.default(dataset, table.measure)
        rows = []
        for option in self.protocol.learner(learner).options:
            values = []
            for labels in found.splits:
                cuts = choose(labels, found.levels, option, rule, self.protocol.levels)
                values.append(100 * value_on_test(labels, cuts, table.measure))
            ours = float(np.mean(values))
            cell = (table.name, dataset, table.measure, selection, learner, option)
            reference = published_cells().get((table.name, str(published), *cell[2:]))
            rows.append(
                dict(zip(CELL, cell, strict=True))
                | {
                    "ours": ours,
                    "spread": float(np.std(values, ddof=1)) if len(values) > 1 else 0.0,
                    "published": reference,
                    "difference": None if reference is None else ours - reference,
                    "default": default,
                    "seconds": found.seconds,
                    "unsolved": sum(int(c.n_unsolved) for labels in found.splits for c in labels),
                }
            )
        return rows


def tables(protocol: Protocol, database: str | os.PathLike[str]) -> list[Row]:
    """Compute the tables of a protocol from the stored pieces.

    Parameters
    ----------
    protocol : Protocol
        The protocol.
    database : path
        What :func:`run` wrote.

    Returns
    -------
    list of dict
        One per cell of which all splits are finished: "table", "dataset", "measure", "selection",
        "learner", "option"; "ours", the mean test value over the splits in percent, and "spread",
        its standard deviation; "published" and "difference", None where the literature has no
        such cell; "default", the test value of :class:`MeasureClassifier` of linear models;
        "seconds" of processor time for all options of the learner on the data set together,
        which share their trained problems; and how many of these stayed "unsolved".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pseudolinear.experiments import QUICK, tables
    >>> tables(QUICK, Path(tempfile.mkdtemp()) / "empty.sqlite")  # nothing is finished yet
    []
    """
    with Store(database) as store:
        return Results(protocol, store).tables()


@cache
def published_cells() -> dict[tuple[str, ...], float]:
    """Return the published values in percent, by table, data set, measure, and so on.

    Examples
    --------
    >>> published_cells()["tab_bin", "Adult", "binary_F1", "n/a", "LR", "CS&T"]
    67.9
    """
    with (files("pseudolinear.experiments") / "published.csv").open(encoding="utf-8") as file:
        return {
            tuple(row[name] for name in CELL): float(row["value"]) for row in csv.DictReader(file)
        }
