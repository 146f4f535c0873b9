"""Write some models with this version, which later versions must load: python make.py.

Run it once per release; the folder of an earlier version stays as it is.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier

from pseudolinear import KernelLearner, MeasureClassifier, RecallAtPrecision
from pseudolinear.learners import BoostingLearner, JointLearner


def fit(X, y, *args, **params):
    return X, MeasureClassifier(*args, random_state=0, **params).fit(X, y)


def models():
    """Rows and a classifier fitted to them, by name."""
    rng = np.random.default_rng(0)
    X, y = make_classification(150, 5, weights=[0.8], flip_y=0.05, random_state=0)
    colours = np.array(["red", "green", "blue"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    tags = [[t for t, on in zip(("a", "b"), row, strict=True) if on] for row in X[:, :2] > 0.3]
    table = pd.DataFrame({
        "number": np.where(rng.random(150) < 0.1, np.nan, X[:, 0]),
        "kind": rng.choice(["small", "large"], 150),
        "day": pd.date_range("2024-01-01", periods=150).astype(str),
        "note": [" ".join(rng.choice(["good", "bad", "old", "new"], 4)) for _ in X],
    })  # fmt: skip
    wanted = np.where((X[:, 0] > 0.5) | (table.kind == "large"), "yes", "no")
    trees = JointLearner(ExtraTreesClassifier(3, max_depth=4))
    return {
        "linear": fit(X, y, "linear"),
        "kernel": fit(X, y, KernelLearner(gamma=0.5), measure="f2"),
        "boosting": fit(X, y, BoostingLearner(5)),
        "blend": fit(X, y, ["linear", BoostingLearner(5), KernelLearner(gamma=0.5)]),
        "constraint": fit(X, y, "linear", measure=RecallAtPrecision(0.6)),
        "classes": fit(X, colours, "linear", measure="f1_macro"),
        "lists": fit(X, tags, "linear", measure="f1_macro"),
        "joint": fit(X, tags, trees, measure="f1_micro"),
        "table": fit(table, wanted, "linear"),
    }


if __name__ == "__main__":
    folder = Path(__file__).parent / version("pseudolinear")
    folder.mkdir(exist_ok=True)
    expected = {}
    for name, (rows, clf) in models().items():
        clf.save(folder / f"{name}.plm", evidence=name == "linear")
        rows = rows[:20]
        records = rows.replace({np.nan: None}).to_dict("list") if name == "table" else rows.tolist()
        expected[name] = {
            "rows": records,
            "predictions": np.asarray(clf.predict(rows), object).tolist(),
            "scores": clf.decision_function(rows).tolist(),
        }
    (folder / "expected.json").write_text(json.dumps(expected))
