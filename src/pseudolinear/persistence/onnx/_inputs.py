"""What goes into a graph: one matrix, or the columns of a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.features import MatrixSchema, Schema
from pseudolinear.features._columns import Categories, Column, Dates, Numbers, Texts
from pseudolinear.features._schema import ColumnSchema, _columns
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse

MATRIX = "X"
OUTPUTS = ("label", "decision", "probability")
MISSING = ""  # the string that stands for a missing category


@dataclass(frozen=True)
class Inputs:
    """The tensors that hold the rows.

    Attributes
    ----------
    numbers : str
        All numbers side by side; empty where a table has none.
    categories : tuple of str
        One column of strings each.
    given : str, default=""
        The rows as they came, where they are a matrix.
    """

    numbers: str
    categories: tuple[str, ...] = ()
    given: str = ""


@singledispatch
def declare(schema: Schema, graph: Graph, n_features: int) -> Inputs:
    """Declare the inputs of a graph."""
    raise refuse(
        "A model of texts",
        "the words that scikit-learn finds in a text are not those of ONNX's Tokenizer",
    )


@declare.register
def _matrix(schema: MatrixSchema, graph: Graph, n_features: int) -> Inputs:
    X = graph.input(MATRIX, np.float64, n_features)
    return Inputs(numbers=X, given=X)


@declare.register
def _table(schema: ColumnSchema, graph: Graph, n_features: int) -> Inputs:
    blocks: dict[str, list[str]] = {"numbers": [], "categories": []}
    for column in schema.columns:
        name = graph.input(input_name(column), _dtype(column), 1)
        blocks[column.block].append(name)
    numbers = graph.stack(blocks["numbers"]) if blocks["numbers"] else ""
    return Inputs(numbers, tuple(blocks["categories"]))


def input_name(column: Column) -> str:
    """Return the name of a column, with a line behind it where an output has that name."""
    name = str(column.name)
    return f"{name}_" if name in OUTPUTS else name


@singledispatch
def _dtype(column: Column) -> Any:
    raise refuse(
        f"Column {column.name!r}", f"no input is known for what {type(column).__name__} reads"
    )


@_dtype.register
def _number_dtype(column: Numbers) -> Any:
    return np.float64


@_dtype.register
def _category_dtype(column: Categories) -> Any:
    return np.object_


@_dtype.register
def _refuse_dates(column: Dates) -> Any:
    raise refuse(
        f"Column {column.name!r}",
        "it holds dates, of which ONNX knows neither year nor weekday (give these as columns)",
    )


@_dtype.register
def _refuse_texts(column: Texts) -> Any:
    raise refuse(
        f"Column {column.name!r}",
        "it holds text, and the words that scikit-learn finds are not those of ONNX's Tokenizer",
    )


def feed(schema: Schema, X: Any) -> dict[str, NDArray[Any]]:
    """Return rows as the inputs of the graph.

    Parameters
    ----------
    schema : Schema
        How the rows are read.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows, as `predict` takes them.

    Returns
    -------
    dict of ndarray
        What `onnxruntime.InferenceSession.run` takes.
    """
    if not isinstance(schema, ColumnSchema):
        return {MATRIX: np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)}
    read = zip(schema.columns, _columns(X), strict=True)
    return {input_name(column): _fill(column.read(values)) for column, (_, values) in read}


def _fill(values: NDArray[Any] | list[str | None]) -> NDArray[Any]:
    """Return a column as an array, missing strings replaced."""
    if isinstance(values, list):
        return np.array([MISSING if one is None else one for one in values], dtype=object)[:, None]
    return values
