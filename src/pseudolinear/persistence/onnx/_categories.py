"""Categories: strings looked up in a table of what an encoder makes of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import OneHotEncoder

from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._inputs import MISSING
from pseudolinear.persistence.onnx._refusal import refuse


def look_up(encoder: Any, graph: Graph, columns: Sequence[str]) -> str:
    """Add what an encoder makes of columns of strings.

    The fitted encoder itself is asked what it makes of every known category, of a missing one and
    of an unknown one, so that rare categories and the like need not be known here.

    Parameters
    ----------
    encoder : OneHotEncoder or OrdinalEncoder
        Fitted on strings, None where one is missing.
    graph : Graph
        Gets the nodes.
    columns : sequence of str
        The columns.

    Returns
    -------
    str
        What the encoder gives, all columns side by side.
    """
    blocks = []
    for number, column in enumerate(columns):
        known = [*encoder.categories_[number].tolist()]
        if None in known and MISSING in known:
            raise refuse(
                f"Column {column!r}",
                "it has the empty string as a category, which stands for a missing one there",
            )
        named = [value for value in known if value is not None]
        table = _encoded(encoder, number, [*named, None, _unknown(named)])
        keys = [*named] if MISSING in named else [*named, MISSING]
        codes = graph(
            "LabelEncoder",
            column,
            domain="ai.onnx.ml",
            keys_tensor=np.array(keys, dtype=object),
            values_tensor=np.arange(len(keys)),
            default_tensor=np.array([len(named) + 1]),
        )
        rows = graph("Gather", table, graph("Squeeze", codes, np.array([1])), axis=0)
        blocks.append(rows)
    return graph.stack(blocks)


def _encoded(encoder: Any, number: int, values: list[Any]) -> NDArray[np.float64]:
    """Return what the encoder makes of values of one column."""
    firsts = [own[0] for own in encoder.categories_]
    rows = np.array([firsts] * len(values), dtype=object)
    rows[:, number] = values
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Found unknown categories")
        encoded = np.asarray(encoder.transform(rows), dtype=np.float64)
    return encoded[:, _output_columns(encoder, number)]


def _output_columns(encoder: Any, number: int) -> list[int]:
    """Say which columns of the encoder are those of one column that it reads."""
    if not isinstance(encoder, OneHotEncoder):
        return [number]
    names = encoder.get_feature_names_out([str(i) for i in range(len(encoder.categories_))])
    return [i for i, name in enumerate(names) if name.startswith(f"{number}_")]


def _unknown(known: list[str]) -> str:
    """Return a string that is no category."""
    return "?" + max(known, key=len, default="")
