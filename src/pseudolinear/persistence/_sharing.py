"""What several models share is written once: skops writes an object wherever it occurs."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from pseudolinear.learners._joint import JointModel
from pseudolinear.portfolio._blend import Blend


def part(classifier: Any) -> dict[str, Any]:
    """Return a copy whose labels hold numbers of the classifiers that they share, and these."""
    numbers: dict[int, int] = {}
    shared: list[Any] = []

    def number(estimator: Any) -> int:
        if id(estimator) not in numbers:
            numbers[id(estimator)] = len(shared)
            shared.append(estimator)
        return numbers[id(estimator)]

    return {"classifier": _changed(classifier, number), "shared": shared}


def join(parts: dict[str, Any]) -> Any:
    """Undo :func:`part`."""
    return _changed(parts["classifier"], parts["shared"].__getitem__)


def _changed(classifier: Any, change: Callable[[Any], Any]) -> Any:
    other, decision = copy(classifier), classifier.decision_
    models = [_changed_model(model, change) for model in decision.models]
    other.decision_ = replace(decision, models=models)
    return other


def _changed_model(model: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(model, JointModel):
        return replace(model, estimator=change(model.estimator))
    if isinstance(model, Blend):
        return replace(model, models=tuple(_changed_model(m, change) for m in model.models))
    return model
