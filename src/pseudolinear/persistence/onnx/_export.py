"""From a fitted classifier to an ONNX model."""

from __future__ import annotations

from typing import Any

import numpy as np

from pseudolinear._calibration import Calibration
from pseudolinear._decision import Decision
from pseudolinear.features import GIVEN
from pseudolinear.persistence.onnx._blends import blend, flatten
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._inputs import declare, feed
from pseudolinear.persistence.onnx._kinds import arrange, decide, say_probability
from pseudolinear.persistence.onnx._learners import score
from pseudolinear.persistence.onnx._packages import import_extra
from pseudolinear.persistence.onnx._views import Rows
from pseudolinear.portfolio._blend import BlendScorer


def to_onnx(classifier: Any, X: Any = None) -> Any:
    """Export a fitted classifier; see :meth:`MeasureClassifier.to_onnx`."""
    decision = classifier.decision_
    graph, scores = export(decision, getattr(classifier, "n_features_in_", 0))
    margins = graph("Sub", scores, np.atleast_2d(decision.threshold))
    decide(decision.kind, graph, margins)
    if hasattr(classifier, "predict_proba"):
        log_odds = calibrate(decision.calibration, graph, scores)
        agreeing = classifier.probabilities == "agreeing"
        say_probability(decision.kind, graph, log_odds, margins if agreeing else None)
    model = graph.model()
    if X is not None:
        _check_equal(model, decision, classifier._rows(X))
    return model


def export(decision: Decision, n_features: int) -> tuple[Graph, str]:
    """Return a graph with the scores of all labels or classes, and their name."""
    graph = Graph()
    rows = Rows(graph, declare(decision.features.schema, graph, n_features), decision.features)
    learnt = {label: model for label, model in enumerate(decision.models) if model is not None}
    models = list(learnt.values())
    if isinstance(decision.learner, BlendScorer):
        scores = blend(decision.learner, graph, models, rows)
    else:
        scores = score(decision.learner, graph, models, rows(decision.view or GIVEN))
    return graph, arrange(decision.kind, graph, dict(zip(learnt, scores, strict=True)))


def calibrate(calibration: Calibration, graph: Graph, scores: str) -> str:
    """Add the log-odds of scores."""
    flat = flatten(graph, scores, calibration.limit)
    return graph("Add", graph("Mul", flat, calibration.slope[None]), calibration.intercept[None])


def _check_equal(model: Any, decision: Decision, X: Any) -> None:
    """Run rows through onnxruntime and compare."""
    runtime = import_extra("onnxruntime")
    session = runtime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (found,) = session.run(["label"], feed(decision.features.schema, X))
    wanted = decision.predict(X)
    same = found == (wanted if wanted.dtype.kind in "biuf" else wanted.astype(str))
    if not same.all():
        n_wrong = int(np.sum(~same.reshape(len(same), -1).all(axis=1)))
        raise RuntimeError(
            f"onnxruntime predicts {n_wrong} of {len(same)} rows otherwise than this classifier; "
            "keep the model by clf.save(path), and please report it."
        )
