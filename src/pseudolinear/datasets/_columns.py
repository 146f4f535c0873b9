"""Which columns of a table are features, and which are labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

Labels = int | str | Sequence[str] | None


def choose_columns(names: list[str], labels: Labels, path: Path) -> tuple[list[int], list[int]]:
    """Return the columns of the features and those of the labels."""
    if labels is None or isinstance(labels, int):
        n_labels = 1 if labels is None else labels
        chosen = list(range(max(len(names) - n_labels, 0), len(names)))
    else:
        wanted = [labels] if isinstance(labels, str) else labels
        for name in wanted:
            if names.count(name) != 1:
                number = names.count(name) or "no"
                raise ValueError(
                    f"{path} has {number} columns {name!r}; check the names of the labels."
                )
        chosen = [names.index(name) for name in wanted]
    features = sorted(set(range(len(names))) - set(chosen))
    if not chosen or not features:
        raise ValueError(
            f"{path} has {len(features)} columns of features and {len(chosen)} of labels; at "
            "least one of each is needed."
        )
    return features, chosen


def as_whole(y: np.ndarray) -> np.ndarray:
    """Return labels as integers where all are: nearly always, but they are parsed as floats."""
    return y.astype(np.intp) if (y == np.round(y)).all() else y
