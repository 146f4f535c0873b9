"""
Can it predict without this package, or without Python?
=======================================================

A fitted classifier leaves with its thresholds: as an ONNX graph, which runs in
many languages, or as a plain scikit-learn pipeline. Both decide every row as
the classifier does.
"""

import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
import pandas as pd

from pseudolinear import MeasureClassifier

# %%
# A made-up table: numbers with gaps, and categories, one of which appears only
# in the last rows.

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
# ONNX
# ----
# The default, a blend of several learners, as one graph. ``to_onnx(X)`` checks
# the graph on these rows.

model = clf.to_onnx(test)
session = onnxruntime.InferenceSession(model.SerializeToString())
feeds = {
    "income": test[["income"]].to_numpy(),
    "age": test[["age"]].to_numpy(),
    "town": test[["town"]]
    .fillna("")
    .to_numpy(dtype=object),  # "" is a missing category
}
label, decision = session.run(["label", "decision"], feeds)
print(
    f"ONNX: {np.mean(label == clf.predict(test)):.0%} of {len(test)} predictions are equal"
)
print(
    f"      decisions differ by {np.abs(decision - clf.decision_function(test)).max():.0e}"
)

# %%
fig, ax = plt.subplots(figsize=(5, 4.2), layout="constrained")
ax.plot(
    clf.decision_function(test), decision, "o", color="#0072B2", ms=4, ls=""
)
ax.axline((0, 0), slope=1, color="k", lw=1, ls="--")
ax.set(
    xlabel="decision of the classifier", ylabel="decision of the ONNX graph"
)
fig.suptitle("The graph decides as the classifier does")

# %%
# Plain scikit-learn
# ------------------
# The linear learner alone is a pipeline of scikit-learn's own parts. It knows
# only the towns of the training.

linear = MeasureClassifier("linear", random_state=0).fit(train, y[:1000])
plain, known = linear.to_sklearn(), test[:450]
print(
    f"plain: {np.mean(plain.predict(known) == linear.predict(known)):.0%} are equal"
)
print(plain[-1])

# %%
# What plain scikit-learn cannot express, an error explains.

try:
    clf.to_sklearn()
except TypeError as error:
    print(error)
plt.show()
