"""
Predictions elsewhere: ONNX and plain scikit-learn
==================================================

A fitted classifier leaves Python, or this package, with its thresholds: as an ONNX graph that
onnxruntime runs, and as a scikit-learn pipeline. Both predict every row as the classifier does.
"""

import numpy as np
import onnxruntime
import pandas as pd

from pseudolinear import MeasureClassifier

# %%
# A table as people have it: numbers with gaps and categories, some of which come late.
rng = np.random.default_rng(0)
n = 1500
table = pd.DataFrame(
    {
        "income": rng.normal(40, 12, n),
        "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(18, 80, n)),
        "town": rng.choice(["Ulm", "Bonn", "Kiel", None], n),
    }
)
gain = (table["income"] - 50) / 12 + (table["town"] == "Ulm")
y = np.where(gain + 0.5 * rng.normal(size=n) > 0.4, "buys", "leaves")
table.loc[1450:, "town"] = "Rom"
train, test = table[:1000], table[1000:]
clf = MeasureClassifier(random_state=0).fit(train, y[:1000])

# %%
# The default, a blend of several learners, as one graph. `to_onnx(X)` compares rows by itself.
model = clf.to_onnx(test)
session = onnxruntime.InferenceSession(model.SerializeToString())
feeds = {
    "income": test[["income"]].to_numpy(),
    "age": test[["age"]].to_numpy(),
    "town": test[["town"]].fillna("").to_numpy(dtype=object),  # "" is a missing category
}
label, decision = session.run(["label", "decision"], feeds)
print(f"ONNX: {np.mean(label == clf.predict(test)):.0%} of {len(test)} predictions are equal")
print(f"      decisions differ by {np.abs(decision - clf.decision_function(test)).max():.0e}")

# %%
# The linear learner alone is a pipeline of stock parts (which warns of unknown towns).
linear = MeasureClassifier("linear", random_state=0).fit(train, y[:1000])
plain, known = linear.to_sklearn(), test[:450]
print(f"plain: {np.mean(plain.predict(known) == linear.predict(known)):.0%} are equal")
print(plain[-1])

# %%
# What cannot be said in plain scikit-learn says why.
try:
    clf.to_sklearn()
except TypeError as error:
    print(error)
