"""Whether onnxruntime predicts as the classifier does."""

import numpy as np
import pytest

from pseudolinear.persistence.onnx._inputs import feed


def run(model, feeds):
    """Return what a model gives, by the names of its outputs."""
    onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in model.graph.output]
    return dict(zip(names, session.run(names, feeds), strict=True))


def assert_equal(clf, X):
    """Predictions are equal on every row, numbers up to rounding; return the model."""
    model = clf.to_onnx()
    found = run(model, feed(clf.decision_.features.schema, clf._rows(X)))
    wanted = clf.decision_.predict(clf._rows(X))
    assert found["label"].shape == wanted.shape
    assert (found["label"] == wanted).all()
    np.testing.assert_allclose(found["decision"], clf.decision_function(X), rtol=1e-9, atol=1e-9)
    assert ("probability" in found) == hasattr(clf, "predict_proba")
    if "probability" in found:
        np.testing.assert_allclose(found["probability"], clf.predict_proba(X), rtol=0, atol=1e-9)
    return model
