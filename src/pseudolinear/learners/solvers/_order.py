"""The problems of a sweep and the order in which they are solved."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

Rows = Any  # ndarray or scipy CSR matrix of shape (n, d); scipy has no types


class Fit(NamedTuple):
    """Solutions of p problems: weights, intercepts, relative duality gaps, iterations."""

    coef: np.ndarray
    intercept: np.ndarray
    optimality: np.ndarray
    n_iter: np.ndarray


class Problems(NamedTuple):
    """Problems (label, cost_fn, cost_fp, C), arrays of shape (p,)."""

    labels: np.ndarray
    cost_fn: np.ndarray
    cost_fp: np.ndarray
    C: np.ndarray

    def take(self, index: np.ndarray) -> "Problems":
        """Return the problems of ``index``."""
        return Problems(*(field[index] for field in self))

    def bounds(self, i: int) -> tuple[float, float]:
        """Return the upper bounds of the dual variables of negative and positive rows."""
        return float(self.C[i] * self.cost_fp[i]), float(self.C[i] * self.cost_fn[i])


def lines(problems: Problems) -> Iterator[tuple[int, list[np.ndarray]]]:
    """Yield every label with its lines: problems of one cost ratio, by ascending C.

    The lines of a label come in order of the ratio.
    """
    with np.errstate(divide="ignore"):
        ratio = (np.log(problems.cost_fn) - np.log(problems.cost_fp)).round(9)
    level = problems.C * np.maximum(problems.cost_fn, problems.cost_fp)
    for label in np.unique(problems.labels):
        members = np.flatnonzero(problems.labels == label)
        members = members[np.lexsort((level[members], -ratio[members]))]
        cuts = np.flatnonzero(np.diff(ratio[members])) + 1
        yield int(label), np.split(members, cuts)


def label_paths(problems: Problems) -> Iterator[tuple[int, np.ndarray]]:
    """Yield every label with its problems as one path of neighbouring problems.

    C runs up one line and down the next, since a step in C disturbs a solution less than a step in
    the cost ratio does.
    """
    for label, rows in lines(problems):
        yield label, np.concatenate([line[:: -1 if k % 2 else 1] for k, line in enumerate(rows)])
