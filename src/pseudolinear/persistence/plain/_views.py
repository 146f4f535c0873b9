"""Views as plain transformers; a new view is one more function here."""

from __future__ import annotations

from copy import deepcopy
from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    MaxAbsScaler,
    StandardScaler,
)

from pseudolinear.features import Features, View
from pseudolinear.features._columns import Dates
from pseudolinear.features._dense import DenseView
from pseudolinear.features._indicators import IndicatorsView
from pseudolinear.features._numbers import NumbersView
from pseudolinear.features._nystroem import GAIN, NystroemView
from pseudolinear.features._scaled import ScaledView
from pseudolinear.features._schema import ColumnSchema, TextSchema
from pseudolinear.features._splines import SplinesView
from pseudolinear.features._steps import StepsView
from pseudolinear.features._trees import TreesView
from pseudolinear.features._words import WordsView
from pseudolinear.persistence.plain._columns import as_numbers, encode, pick, vectorize
from pseudolinear.persistence.plain._refusal import refuse


class Rows:
    """The views of a decision as transformers of the rows that `predict` takes."""

    def __init__(self, features: Features) -> None:
        self.schema, self._views = features.schema, features.views
        self.columns = self.schema.columns if isinstance(self.schema, ColumnSchema) else ()
        dates = [column.name for column in self.columns if isinstance(column, Dates)]
        if dates:
            raise refuse(f"Column {dates[0]!r}", "it holds dates, which skrub reads")

    def __call__(self, name: str) -> Any:
        """Return the transformer that gives a view."""
        return show(self._views[name], self)

    def block(self, name: str, transformer: Any) -> Any:
        """Apply a transformer to the columns of one role."""
        if not self.columns:
            return transformer
        return pick(transformer, self.positions(name), len(self.columns))

    def positions(self, name: str) -> list[int]:
        """Say where the columns of one role are."""
        return [i for i, column in enumerate(self.columns) if column.block == name]


@singledispatch
def show(view: View, rows: Rows) -> Any:
    """Return the transformer that makes a view of rows."""
    raise refuse(type(view).__name__, "no transformer is known that gives the same columns")


@show.register
def _numbers(view: NumbersView, rows: Rows) -> Any:
    steps = [step for step in (view.imputer, view.scaler) if step is not None]
    return rows.block("numbers", make_pipeline(*_floats(rows), *steps))


@show.register
def _indicators(view: IndicatorsView, rows: Rows) -> Any:
    return rows.block("categories", encode(view.encoder))


@show.register
def _words(view: WordsView, rows: Rows) -> Any:
    if isinstance(rows.schema, TextSchema):
        return view.vectorizers[0]
    each = zip(rows.positions("texts"), view.vectorizers, strict=True)
    return _union([pick(vectorize(one), [i], len(rows.columns)) for i, one in each])


@show.register(ScaledView)
@show.register(DenseView)
def _blocks(view: ScaledView | DenseView, rows: Rows) -> Any:
    return _union([rows(name) for name in view.blocks])


@show.register
def _trees(view: TreesView, rows: Rows) -> Any:
    if view.has_texts:
        raise refuse("A view of texts for trees", "their topics are of one block with the codes")
    numbers = make_pipeline(*_floats(rows), FunctionTransformer())
    blocks = [rows.block("numbers", numbers)]
    if view.encoder is not None:
        blocks.append(rows.block("categories", encode(view.encoder)))
    return _union(blocks)


@show.register
def _splines(view: SplinesView, rows: Rows) -> Any:
    if not len(view.bent):
        return rows("scaled")
    taken = FunctionTransformer(np.take, kw_args={"indices": view.bent, "axis": 1})
    return _union([rows("scaled"), make_pipeline(rows("numbers"), taken, view.spline)])


@show.register
def _steps(view: StepsView, rows: Rows) -> Any:
    if not len(view.lifted):
        return rows("coded")
    taken = FunctionTransformer(np.take, kw_args={"indices": view.origins_of_steps(), "axis": 1})
    thresholds = np.concatenate(view.thresholds)
    beyond = StandardScaler(with_std=False).fit(thresholds[None, :])
    return _union([rows("coded"), make_pipeline(rows("numbers"), taken, beyond, Binarizer())])


@show.register
def _nystroem(view: NystroemView, rows: Rows) -> Any:
    shrink = MaxAbsScaler().fit(np.ones((1, view.lifts[0].n_features_in_)))
    shrink.scale_ = shrink.scale_ / view.shrink
    return make_pipeline(rows("dense"), _union([shrink, *(_gained(one) for one in view.lifts)]))


def _gained(lift: Any) -> Any:
    """Return similarities that are as large as the view has them."""
    plain = deepcopy(lift)
    plain.normalization_ = GAIN * lift.normalization_
    return plain


def _floats(rows: Rows) -> list[Any]:
    """Return what reads the numbers of a table; a matrix has them."""
    return [as_numbers()] if rows.columns else []


def _union(transformers: list[Any]) -> Any:
    """Put what several transformers give side by side."""
    if len(transformers) == 1:
        return transformers[0]
    return FeatureUnion([(f"block{i}", one) for i, one in enumerate(transformers)])
