"""What a fitted classifier can be turned into: a file, an ONNX graph, a plain pipeline."""

from __future__ import annotations

from pseudolinear._predictor import MeasurePredictor


class DeployedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what leaves the process."""
