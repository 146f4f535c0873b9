"""Time to predict 1 and 1,000 rows in onnxruntime, and by the classifier that was exported.

    python -m benchmarks.export

prints one JSON line per model on 5,000 rows of 50 numbers, or of 3 labels: kilobytes of the ONNX
file, milliseconds of processor time (the median of 50 runs, taking turns, one thread each), the
rows of 10,000 that are predicted otherwise, and the largest difference of decisions.
"""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import onnxruntime
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import MeasureClassifier

BINARY = make_classification(
    15_000, 50, n_informative=10, weights=[0.9], flip_y=0.02, random_state=0
)
LABELS = make_multilabel_classification(15_000, 50, n_classes=3, random_state=0)
MODELS: dict[str, Any] = {
    "linear": ("linear", "f1", BINARY),
    "lifted": ("lifted", "f1", BINARY),
    "boosting": ("boosting", "f1", BINARY),
    "default": ("auto", "f1", BINARY),
    "default, 3 labels": ("auto", "f1_macro", LABELS),
}


def milliseconds(predictors: list[Any], X: np.ndarray) -> list[float]:
    seconds = []
    for _ in range(50):
        row = []
        for predict in predictors:
            start = time.process_time()
            predict(X)
            row.append(time.process_time() - start)
        seconds.append(row)
    return [round(1000 * s, 2) for s in np.median(seconds, axis=0)]


def main() -> None:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    for name, (estimator, measure, (X, y)) in MODELS.items():
        clf = MeasureClassifier(estimator, measure=measure, random_state=0)
        clf = clf.fit(X[:5000], y[:5000]).slim()
        content = clf.to_onnx().SerializeToString()
        session = onnxruntime.InferenceSession(content, options)
        new = X[5000:]
        label, decision = session.run(["label", "decision"], {"X": new})
        both = [clf.predict, lambda X, run=session.run: run(["label"], {"X": X})]
        apart = np.abs(decision - clf.decision_function(new)).max()
        one, thousand = milliseconds(both, new[:1]), milliseconds(both, new[:1000])
        line = {
            "benchmark": "export", "model": name, "kilobytes": round(len(content) / 1000),
            "one_row_ms": one[0], "one_row_onnx_ms": one[1],
            "thousand_rows_ms": thousand[0], "thousand_rows_onnx_ms": thousand[1],
            "rows_otherwise": int((label != clf.predict(new)).reshape(len(new), -1).any(1).sum()),
            "largest_difference": float(f"{apart:.1e}"),
        }  # fmt: skip
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
