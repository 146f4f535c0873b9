"""Attributes of data sets, next to the published ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np
from scipy import sparse

from pseudolinear.datasets._dataset import Dataset, load_dataset
from pseudolinear.datasets._registry import REGISTRY

ATTRIBUTES = (
    "n_train",
    "n_test",
    "n_features",
    "n_labels",
    "label_cardinality",
    "label_density",
    "label_freq_min_pct",
    "label_freq_max_pct",
    "nonzeros_per_row",
)

# The literature's table: rows, features, labels; least and largest label frequency in percent.
PUBLISHED: dict[str, dict[str, float]] = {
    name: dict(
        zip(
            (*ATTRIBUTES[:4], "label_freq_min_pct", "label_freq_max_pct"),
            values,
            strict=False,  # binary problems have no frequencies there
        )
    )
    for name, values in {
        "adult": (32_561, 16_281, 123, 2),
        "rcv1": (23_149, 10_000, 47_236, 101, 0.008, 46.6),
        "scene": (1_211, 1_196, 294, 6, 13.6, 22.8),
        "siam": (21_519, 7_077, 30_438, 22, 1.4, 59.8),
        "yeast": (1_500, 917, 103, 14, 25.2, 43.0),
    }.items()
}

# Misprints that the data themselves show.
ERRATA = {
    ("yeast", "label_freq_min_pct"): "misprint: 25.2 is the frequency of label 5, counted from 0",
    ("yeast", "label_freq_max_pct"): "misprint: 43.0 is the frequency of label 1, counted from 0",
}


def describe(dataset: Dataset) -> list[dict[str, Any]]:
    """Compute the attributes of a data set and compare them with the published ones.

    All but the number of test rows is computed on the training rows. The cardinality is the
    number of labels per row, the density the cardinality divided by the number of labels. Label
    frequencies are in percent. The two classes of a binary problem count as labels.

    Parameters
    ----------
    dataset : Dataset
        The data set.

    Returns
    -------
    list of dict
        For each attribute: "dataset", "attribute", "value", "published" (None where the
        literature has none), "differs" (by at least one unit of the last printed digit) and
        "note".

    Examples
    --------
    >>> X, y = make_galaxy(200, random_state=0)
    >>> data = Dataset("galaxy", X[:150], y[:150], X[150:], y[150:], "the last rows", False)
    >>> describe(data)[0]["attribute"], describe(data)[0]["value"]
    ('n_train', 150)
    """
    return _rows(dataset.name, _compute(dataset))


def attributes_table(
    names: Iterable[str] | None = None, data_dir: str | os.PathLike[str] | None = None
) -> list[dict[str, Any]]:
    """Describe several data sets.

    Parameters
    ----------
    names : iterable of str, default=None
        The data sets; by default all of them.
    data_dir : path, default=None
        The folder of the data sets; see :func:`data_folder`.

    Returns
    -------
    list of dict
        The rows of :func:`describe`; "value" is None for data that are not at hand.

    Examples
    --------
    >>> rows = attributes_table(["yeast"], "nowhere")
    >>> rows[0]["attribute"], rows[0]["value"], rows[0]["published"]
    ('n_train', None, 1500)
    """
    rows = []
    for name in REGISTRY if names is None else names:
        try:
            computed = _compute(load_dataset(name, data_dir))
        except FileNotFoundError:
            computed = {}
        rows += _rows(name, computed)
    return rows


def _compute(dataset: Dataset) -> dict[str, float]:
    X, Y = dataset.X_train, dataset.Y_train
    Y = np.column_stack([1 - Y, Y]) if Y.ndim == 1 else Y
    n_train, n_labels = Y.shape
    frequency = 100 * Y.mean(axis=0)
    n_nonzero = X.count_nonzero() if sparse.issparse(X) else np.count_nonzero(X)
    values = (
        n_train,
        dataset.X_test.shape[0],
        X.shape[1],
        n_labels,
        float(Y.sum() / n_train),
        float(Y.mean()),
        float(frequency.min()),
        float(frequency.max()),
        float(n_nonzero / n_train),
    )
    return dict(zip(ATTRIBUTES, values, strict=True))


def _rows(name: str, computed: Mapping[str, float]) -> list[dict[str, Any]]:
    rows = []
    for attribute in ATTRIBUTES:
        value, published = computed.get(attribute), PUBLISHED.get(name, {}).get(attribute)
        differs = value is not None and published is not None and _differs(value, published)
        rows.append(
            {
                "dataset": name,
                "attribute": attribute,
                "value": value,
                "published": published,
                "differs": differs,
                "note": ERRATA.get((name, attribute), ""),
            }
        )
    return rows


def _differs(value: float, printed: float) -> bool:
    # Some numbers are printed rounded and others cut, so both are taken as equal.
    digits = Decimal(str(printed)).as_tuple().exponent
    return abs(Decimal(str(value)) - Decimal(str(printed))) >= Decimal(1).scaleb(int(digits))
