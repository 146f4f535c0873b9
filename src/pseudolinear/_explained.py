"""What a fitted classifier says of itself: in words, in numbers with intervals, as a page."""

from __future__ import annotations

from pseudolinear._predictor import MeasurePredictor


class ExplainedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what is read by people."""
