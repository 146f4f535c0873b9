"""From a fitted classifier to a plain scikit-learn pipeline."""

from __future__ import annotations

from copy import deepcopy
from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import Pipeline

from pseudolinear._decision import Decision
from pseudolinear.features import GIVEN
from pseudolinear.kinds import Binary, Kind, Multiclass, Multilabel
from pseudolinear.learners import Abilities
from pseudolinear.persistence.plain._columns import as_array
from pseudolinear.persistence.plain._learners import tell_classes, tell_label
from pseudolinear.persistence.plain._refusal import refuse
from pseudolinear.persistence.plain._views import Rows
from pseudolinear.portfolio._blend import BlendScorer


def to_sklearn(decision: Decision) -> Pipeline:
    """Return what predicts in plain scikit-learn; see :meth:`MeasureClassifier.to_sklearn`."""
    if isinstance(decision.learner, BlendScorer):
        raise refuse("A blend of several learners", "it has no mean of standardised scores")
    steps = [("classifier", classify(decision.kind, decision))]
    if decision.view != GIVEN:
        steps.insert(0, ("features", Rows(decision.features)(str(decision.view))))
    if _are_arrays(decision):
        steps.insert(0, ("rows", as_array()))
    return deepcopy(Pipeline(steps))


def _are_arrays(decision: Decision) -> bool:
    """Tell whether the models have seen numbers without the names of their columns."""
    able = getattr(decision.learner, "abilities", Abilities())
    return decision.features.schema.plain and not (able.frames or able.any_rows)


@singledispatch
def classify(kind: Kind, decision: Decision) -> Any:
    """Return the classifier of a decision."""
    raise refuse(f"A {kind.name} problem", "its decisions are unknown")


@classify.register
def _binary(kind: Binary, decision: Decision) -> Any:
    return tell_label(
        decision.learner, decision.models[0], kind.code_classes, float(decision.threshold)
    )


@classify.register
def _multilabel(kind: Multilabel, decision: Decision) -> MultiOutputClassifier:
    """Return one classifier per label; those of one value give it."""
    several = MultiOutputClassifier(LogisticRegression())
    several.estimators_ = [
        _constant(int(always))
        if model is None
        else tell_label(decision.learner, model, np.arange(2), float(threshold))
        for model, always, threshold in zip(
            decision.models, kind.always, decision.threshold, strict=True
        )
    ]
    several.classes_ = [one.classes_ for one in several.estimators_]
    return several


@classify.register
def _multiclass(kind: Multiclass, decision: Decision) -> Any:
    thresholds = np.empty(len(kind.order))
    thresholds[kind._columns] = decision.threshold
    return tell_classes(decision.learner, decision.models[0], kind.order, thresholds)


def _constant(value: int) -> DummyClassifier:
    return DummyClassifier(strategy="constant", constant=value).fit([[0.0]], [value])
