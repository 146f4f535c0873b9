"""Graph: an ONNX graph under construction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.persistence.onnx._packages import import_extra

OPSET, TREES_OPSET = 18, 5  # trees of doubles came with version 5 of the operators for models
IR_VERSION = 10  # what onnxruntime 1.20 reads
ROWS = "rows"  # the name of the number of rows


class Graph:
    """Collects nodes and their constants; every tensor is known by its name.

    Tensors have one row per row of the input and are of doubles, unless an operator says
    otherwise.

    Examples
    --------
    >>> from pseudolinear.persistence.onnx._graph import Graph
    >>> graph = Graph()
    >>> X = graph.input("X", np.float64, 2)
    >>> double = graph("Mul", X, 2.0)
    >>> graph.output("Y", double, np.float64, 2)
    >>> [node.op_type for node in graph.model().graph.node]
    ['Mul', 'Identity']
    """

    def __init__(self) -> None:
        self.onnx = import_extra("onnx")
        self._nodes: list[Any] = []
        self._constants: dict[tuple[Any, ...], Any] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def input(self, name: str, dtype: Any, n_columns: int) -> str:
        """Declare an input of some columns."""
        self._inputs.append(self._info(name, dtype, [ROWS, n_columns]))
        return name

    def output(self, name: str, tensor: str, dtype: Any, n_columns: int | None = None) -> None:
        """Declare an output; without a number of columns it has one axis."""
        shape = [ROWS] if n_columns is None else [ROWS, n_columns]
        self._nodes.append(self.onnx.helper.make_node("Identity", [tensor], [name]))
        self._outputs.append(self._info(name, dtype, shape))

    def __call__(self, operator: str, *inputs: Any, domain: str = "", **attributes: Any) -> str:
        """Add a node; inputs that are no names are constants.

        Parameters
        ----------
        operator : str
            Name of the operator.
        *inputs : str, number or ndarray
            Tensors and constants.
        domain : str, default=""
            ``"ai.onnx.ml"`` for the operators of models.
        **attributes
            Its attributes; arrays become tensors.

        Returns
        -------
        str
            The name of what it gives.
        """
        names = [one if isinstance(one, str) else self._constant(one) for one in inputs]
        tensors = {
            key: self.onnx.numpy_helper.from_array(value, key)
            if isinstance(value, np.ndarray)
            else value
            for key, value in attributes.items()
        }
        result = f"/{operator}/{len(self._nodes)}"  # a slash: no name of a column by accident
        node = self.onnx.helper.make_node(operator, names, [result], domain=domain, **tensors)
        self._nodes.append(node)
        return result

    def product(self, tensor: str, matrix: NDArray[Any], plus: Any = 0.0) -> str:
        """Multiply by a matrix and add a row.

        By Gemm: onnxruntime joins a MatMul with scalars beside it, which it rounds to single
        precision (MatMulScaleFusion).
        """
        return self("Gemm", tensor, matrix.astype(np.float64), np.asarray(plus, dtype=np.float64))

    def columns(self, tensor: str, numbers: Sequence[int] | NDArray[np.intp]) -> str:
        """Take some columns."""
        return self("Gather", tensor, np.asarray(numbers, dtype=np.int64), axis=1)

    def stack(self, tensors: Sequence[str]) -> str:
        """Put tensors side by side."""
        return tensors[0] if len(tensors) == 1 else self("Concat", *tensors, axis=1)

    def arrange(self, tensors: Sequence[str], places: Sequence[int], n: int, rest: float) -> str:
        """Put columns in their places among `n`; the others hold a constant."""
        order = np.full(n, len(places))
        order[list(places)] = np.arange(len(places))
        if len(places) < n:
            tensors = [*tensors, self.repeat(np.array([rest]), tensors[0])]
        return self.columns(self.stack(tensors), order)

    def repeat(self, row: NDArray[np.float64], like: str) -> str:
        """Repeat a row as often as another tensor has rows."""
        n_rows = self("Shape", like, start=0, end=1)
        shape = self("Concat", n_rows, np.ones(1, dtype=np.int64), axis=0)
        return self("Expand", row[None, :], shape)

    def model(self) -> Any:
        """Return the graph as a checked model."""
        helper = self.onnx.helper
        graph = helper.make_graph(
            self._nodes, "decision", self._inputs, self._outputs, [*self._constants.values()]
        )
        opsets = [
            helper.make_opsetid("", OPSET),
            helper.make_opsetid("ai.onnx.ml", TREES_OPSET),
        ]
        model = helper.make_model(
            graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="pseudolinear"
        )
        self.onnx.checker.check_model(model, full_check=True)
        return model

    def _info(self, name: str, dtype: Any, shape: list[Any]) -> Any:
        kind = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.onnx.helper.make_tensor_value_info(name, kind, shape)

    def _constant(self, value: Any) -> str:
        """Return the name of a constant; equal ones are kept once."""
        array = np.ascontiguousarray(value) if np.ndim(value) else np.asarray(value)
        if array.dtype.kind == "f":  # what was fitted to single precision
            array = array.astype(np.float64)
        content = tuple(array.ravel()) if array.dtype.hasobject else array.tobytes()
        key = (array.dtype.str, array.shape, content)
        if key not in self._constants:
            name = f"/constant/{len(self._constants)}"
            self._constants[key] = self.onnx.numpy_helper.from_array(array, name)
        return self._constants[key].name
