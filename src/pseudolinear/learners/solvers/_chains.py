"""Chains: problems that differ in the scale of their losses alone, each a start for the next."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import LANES

COPIES = 8  # idle lanes are dropped by the eighth: every time, all others are copied


@dataclass
class Chain:
    """Problems of one label, one ratio of costs and equal class costs, by increasing scale.

    Their losses differ only by the factor ``scale``: at a given w the gradient of the next
    problem's loss follows from that of the last one without touching the data.
    """

    label: int
    ratio: float
    scales: np.ndarray
    problems: np.ndarray
    class_costs: np.ndarray

    def costs_of_rows(self, Y: np.ndarray, weights: RowWeights) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows carry the label, and what each of them costs at scale 1."""
        above, below = (1.0, 0.0) if self.ratio == np.inf else (self.ratio, 1.0)
        weight, classes = weights.of_rows
        positive = Y[:, self.label] > 0
        return positive, np.where(positive, above, below) * weight * self.class_costs[classes]

    def cut(self, n_pieces: int) -> list[Chain]:
        """Return pieces as chains of their own, no more than there are problems."""
        n, own = len(self.problems), (self.label, self.ratio)
        ends = [-(-n * i // n_pieces) for i in range(n_pieces + 1)]
        parts = [slice(i, k) for i, k in pairwise(ends) if i < k]
        return [Chain(*own, self.scales[p], self.problems[p], self.class_costs) for p in parts]


IDLE = Chain(0, 0.0, np.zeros(0), np.zeros(0, np.int64), np.ones(1))


def make_chains(
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    class_costs: np.ndarray,
    wanted: np.ndarray,
) -> list[Chain]:
    """Sort the problems into chains: same label, ratio and class costs, by increasing scale.

    Costs are written scale * (ratio, 1), or scale * (1, 0) if false alarms cost nothing. Problems
    that are not ``wanted`` (a mask) stay out.
    """
    one_sided = cost_fp == 0.0
    ratio = np.where(one_sided, np.inf, cost_fn / np.where(one_sided, 1.0, cost_fp))
    scale = C * np.where(one_sided, cost_fn, cost_fp)
    distinct, which = np.unique(class_costs, axis=0, return_inverse=True)
    which = which.ravel()  # numpy 2.0 gives it two axes
    order = np.lexsort((scale, ratio, which, labels))
    order = order[wanted[order] & (scale[order] > 0.0)]
    new = np.diff(labels[order]).astype(bool) | np.diff(which[order]).astype(bool)
    new |= ratio[order][1:] != ratio[order][:-1]
    ends = np.flatnonzero(np.r_[True, new, True]).tolist() if len(order) else []
    parts = [order[start:end] for start, end in pairwise(ends)]
    return [
        Chain(int(labels[i]), float(ratio[i]), scale[part], part, distinct[which[i]])
        for part, i in zip(parts, order[ends[:-1]].tolist(), strict=True)
    ]


def full_registers(lanes: int) -> int:
    """Return the next number of lanes that fills vector registers, or half of one; or one."""
    if lanes <= LANES // 2:
        return 1 if lanes <= 1 else LANES // 2
    return -(-lanes // LANES) * LANES


def lanes_left(lanes: int, needed: int) -> int:
    """Return with how many lanes to go on: the others, if they are enough, are worth a copy."""
    left = full_registers(needed)
    enough = max(min(LANES, lanes // 2), lanes // COPIES, 1)
    return left if lanes - left >= enough else lanes
