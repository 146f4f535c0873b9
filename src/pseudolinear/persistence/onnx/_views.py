"""Views as nodes; a new view is one more function here."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from pseudolinear.features import GIVEN, Features, View
from pseudolinear.features._dense import DenseView
from pseudolinear.features._indicators import IndicatorsView
from pseudolinear.features._numbers import NumbersView
from pseudolinear.features._nystroem import GAIN, NystroemView
from pseudolinear.features._scaled import ScaledView
from pseudolinear.features._splines import SplinesView
from pseudolinear.features._steps import StepsView
from pseudolinear.features._trees import TreesView
from pseudolinear.persistence.onnx._categories import look_up
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._inputs import Inputs
from pseudolinear.persistence.onnx._refusal import refuse, refuse_unknown
from pseudolinear.persistence.onnx._transformers import transform


class Rows:
    """The rows of a graph in every view, each added once, when it is first asked for.

    Attributes
    ----------
    graph : Graph
        Gets the nodes.
    inputs : Inputs
        The tensors that hold the rows.
    """

    def __init__(self, graph: Graph, inputs: Inputs, features: Features) -> None:
        self.graph, self.inputs = graph, inputs
        self._views, self._made = features.views, {GIVEN: inputs.given}

    def __call__(self, name: str) -> str:
        """Return the tensor of a view."""
        if name not in self._made:
            self._made[name] = show(self._views[name], self.graph, self)
        if not self._made[name]:
            raise refuse("A learner that reads data frames itself", "its rows are no matrix")
        return self._made[name]


@singledispatch
def show(view: View, graph: Graph, rows: Rows) -> str:
    """Add a view of the rows."""
    raise refuse_unknown(view)


@show.register
def _numbers(view: NumbersView, graph: Graph, rows: Rows) -> str:
    return transform(view.scaler, graph, transform(view.imputer, graph, rows.inputs.numbers))


@show.register
def _indicators(view: IndicatorsView, graph: Graph, rows: Rows) -> str:
    return look_up(view.encoder, graph, rows.inputs.categories)


@show.register(ScaledView)
@show.register(DenseView)
def _blocks(view: ScaledView | DenseView, graph: Graph, rows: Rows) -> str:
    return graph.stack([rows(name) for name in view.blocks])


@show.register
def _trees(view: TreesView, graph: Graph, rows: Rows) -> str:
    blocks = [rows.inputs.numbers] if rows.inputs.numbers else []
    if view.encoder is not None:
        blocks.append(look_up(view.encoder, graph, rows.inputs.categories))
    return graph.stack(blocks)


@show.register
def _splines(view: SplinesView, graph: Graph, rows: Rows) -> str:
    if not len(view.bent):
        return rows("scaled")
    bent = transform(view.spline, graph, graph.columns(rows("numbers"), view.bent))
    return graph.stack([rows("scaled"), bent])


@show.register
def _steps(view: StepsView, graph: Graph, rows: Rows) -> str:
    if not len(view.lifted):
        return rows("coded")
    own = graph.columns(rows("numbers"), view.origins_of_steps())
    passed = graph("Greater", own, np.concatenate(view.thresholds)[None, :])
    passed = graph("Cast", passed, to=graph.onnx.TensorProto.DOUBLE)
    return graph.stack([rows("coded"), passed])


@show.register
def _nystroem(view: NystroemView, graph: Graph, rows: Rows) -> str:
    X = rows("dense")
    lifted = [graph("Mul", transform(lift, graph, X), GAIN) for lift in view.lifts]
    return graph.stack([graph("Mul", X, view.shrink), *lifted])
