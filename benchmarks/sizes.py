"""Size of a saved model, time to load it, and to predict 1 and 1,000 rows, beside peers.

    python -m benchmarks.sizes

prints one JSON line per system on the same rows: 5,000 of 50 numbers, 5,000 texts of 40 words, and
2,000 rows of 50 numbers with 10 labels. Ours are saved by `save`, the peers by joblib. Times are
milliseconds of processor time, medians, without imports.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import pseudolinear
from pseudolinear import KernelLearner, MeasureClassifier


def texts() -> tuple[list[str], np.ndarray]:
    """Draw words by Zipf's law; a third of the positive texts' words come from a part of them."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(20_000)])
    y = (rng.random(5000) < 0.2).astype(int)
    numbers = rng.zipf(1.3, (5000, 40)) % len(words)
    topic = (rng.random(numbers.shape) < 0.3) & (y[:, None] > 0)
    numbers[topic] = rng.integers(100, 600, topic.sum())
    return [" ".join(row) for row in words[numbers]], y


def systems() -> list[tuple[str, str, Any, Any, Any]]:
    numbers = make_classification(
        5000, 50, n_informative=10, weights=[0.9], flip_y=0.02, random_state=0
    )
    labels = make_multilabel_classification(2000, 50, n_classes=10, random_state=0)

    def ours(*args: Any, **params: Any) -> MeasureClassifier:
        return MeasureClassifier(*args, random_state=0, **params)

    return [
        ("numbers", "linear", ours("linear"), *numbers),
        ("numbers", "default", ours(), *numbers),
        ("numbers", "default with evidence", ours(), *numbers),
        ("numbers", "best", ours(effort="best"), *numbers),
        ("numbers", "kernel", ours(KernelLearner(gamma=0.01)), *numbers),
        ("numbers", "LogisticRegression", LogisticRegression(), *numbers),
        ("numbers", "HistGradientBoosting", HistGradientBoostingClassifier(), *numbers),
        ("texts", "default", ours(), *texts()),
        (
            "texts",
            "TfidfVectorizer and LogisticRegression",
            make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2), LogisticRegression()),
            *texts(),
        ),
        ("labels", "default", ours(measure="f1_macro"), *labels),
        ("labels", "ExtraTreesClassifier", ExtraTreesClassifier(100), *labels),
    ]


def milliseconds(run: Callable[[], Any], repeats: int) -> float:
    run()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return round(1000 * float(np.median(seconds)), 2)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        for data, name, system, X, y in systems():
            system.fit(X, y)
            load: Callable[[Any], Any] = joblib.load
            if isinstance(system, MeasureClassifier):
                system.save(path, evidence="evidence" in name)
                load = pseudolinear.load
            else:
                joblib.dump(system, path)
            kept = load(path)
            line = {
                "benchmark": "sizes", "data": data, "system": name,
                "kilobytes": round(path.stat().st_size / 1000, 1),
                "load_ms": milliseconds(lambda load=load: load(path), 5),
                "one_row_ms": milliseconds(lambda kept=kept, X=X: kept.predict(X[:1]), 20),
                "thousand_rows_ms": milliseconds(
                    lambda kept=kept, X=X: kept.predict(X[:1000]), 5
                ),
            }  # fmt: skip
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
