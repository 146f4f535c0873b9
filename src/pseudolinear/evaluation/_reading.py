"""From y and predictions as people have them to outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pseudolinear._validation import check_weights
from pseudolinear.errors import Outcomes
from pseudolinear.kinds import measure_for, name_positive
from pseudolinear.labels import read_labels
from pseudolinear.measures import Measure, Objective, get_measure


def read_predictions(
    y_true: Any, predictions: Sequence[Any], measure: Any, pos_label: Any, sample_weight: Any
) -> tuple[Measure | Objective, list[Outcomes]]:
    """Return what is evaluated, as the classes want it, and the outcomes of each prediction."""
    objective, (true, _) = get_measure(measure), read_labels(y_true)
    read = [_decisions(pred) for pred in predictions]
    if isinstance(objective, Measure) and true.ndim == 1:
        objective = objective.for_classes(np.unique(np.concatenate([true, *read])).size)
    weight = check_weights(sample_weight, len(true))
    reader = name_positive(measure_for(objective, true), true, pos_label, weight)
    return objective, [reader.outcomes(y_true, pred) for pred in predictions]


def _decisions(y_pred: Any) -> Any:
    """Read predictions; refuse scores."""
    predicted, _ = read_labels(y_pred)
    if predicted.dtype.kind == "f" and (wrong := predicted[predicted % 1 != 0]).size:
        raise ValueError(
            f"The predictions hold {wrong.flat[0]:g}, as scores or probabilities do; decisions are "
            "wanted, so compare them with a threshold first, as in y_score >= 0.5."
        )
    return predicted
