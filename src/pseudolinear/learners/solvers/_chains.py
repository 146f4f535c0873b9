"""Chains: problems that differ in the scale of their losses alone, each a start for the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Chain:
    """Problems of one label and one ratio of costs, by increasing scale.

    Their losses differ only by the factor ``scale``: at a given w the gradient of the next
    problem's loss follows from that of the last one without touching the data.
    """

    label: int
    ratio: float
    scales: np.ndarray
    problems: np.ndarray


IDLE = Chain(0, 0.0, np.zeros(0), np.zeros(0, np.int64))


def make_chains(
    labels: np.ndarray, cost_fn: np.ndarray, cost_fp: np.ndarray, C: np.ndarray
) -> list[Chain]:
    """Sort the problems into chains: same label and same ratio of the costs, by increasing scale.

    Costs are written scale * (ratio, 1), or scale * (1, 0) if false alarms cost nothing.
    """
    one_sided = cost_fp == 0.0
    ratio = np.where(one_sided, np.inf, cost_fn / np.where(one_sided, 1.0, cost_fp))
    scale = C * np.where(one_sided, cost_fn, cost_fp)
    order = np.lexsort((scale, ratio, labels))
    order = order[scale[order] > 0.0]
    new = (np.diff(labels[order]) != 0) | (ratio[order][1:] != ratio[order][:-1])
    return [
        Chain(int(labels[part[0]]), float(ratio[part[0]]), scale[part], part)
        for part in np.split(order, np.flatnonzero(new) + 1)
        if len(part)
    ]
