"""Whether onnxruntime predicts as the classifier does."""

import numpy as np
import pytest

from pseudolinear.persistence.onnx._inputs import feed


def run(model, feeds):
    """Return labels and decisions."""
    onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(["label", "decision"], feeds)


def assert_equal(clf, X):
    """Predictions are equal on every row, decisions up to rounding; return the model."""
    model = clf.to_onnx()
    label, decision = run(model, feed(clf.decision_.features.schema, clf._rows(X)))
    wanted = clf.decision_.predict(clf._rows(X))
    assert label.shape == wanted.shape
    assert (label == wanted).all()
    np.testing.assert_allclose(decision, clf.decision_function(X), rtol=1e-9, atol=1e-9)
    return model
