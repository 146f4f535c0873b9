"""
Why does one-vs-rest ignore my thresholds?
==========================================

Put ``TunedThresholdClassifierCV`` into scikit-learn's ``OneVsRestClassifier``,
and the thresholds are tuned and then not used: one-vs-rest compares
probabilities (`#30036
<https://github.com/scikit-learn/scikit-learn/issues/30036>`__).
:class:`~pseudolinear.MeasureClassifier` does one-vs-rest itself, and decides
by its thresholds.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import (
    TunedThresholdClassifierCV,
    train_test_split,
)
from sklearn.multiclass import OneVsRestClassifier

from pseudolinear import MeasureClassifier

# %%
# Steel plates with several kinds of faults at once do not occur, so a row has
# one class. As a matrix, with a column for each class, the same rows are a
# problem of seven labels.

table = pd.read_csv("../data/steelfaults.csv.xz")
X, y = table.drop(columns="target"), table["target"]
Y = pd.get_dummies(y).to_numpy(dtype=int)
X_train, X_test, Y_train, Y_test = train_test_split(
    X, Y, stratify=y, random_state=0
)
learner = LogisticRegression(C=10, solver="newton-cholesky")

# %%
# Tuned thresholds in one-vs-rest change nothing: the predictions are those of
# plain one-vs-rest.

plain = OneVsRestClassifier(learner).fit(X_train, Y_train)
tuned = OneVsRestClassifier(
    TunedThresholdClassifierCV(learner, scoring="f1", thresholds=30, cv=3)
)
tuned.fit(X_train, Y_train)
print(
    "thresholds:",
    [round(float(one.best_threshold_), 2) for one in tuned.estimators_],
)
same = np.array_equal(plain.predict(X_test), tuned.predict(X_test))
print("predictions as without thresholds:", same)

# %%
# Here thresholds decide. ``cost_sensitive=False`` leaves the training as it
# is, so that nothing but the thresholds differs.

clf = MeasureClassifier(
    learner, measure="f1_macro", cost_sensitive=False, random_state=0
)
clf.fit(X_train, Y_train)
fitted = {"plain": plain, "tuned, not used": tuned, "MeasureClassifier": clf}
values = {
    name: f1_score(Y_test, model.predict(X_test), average="macro")
    for name, model in fitted.items()
}
for name, value in values.items():
    print(f"{name:18} macro-F1 {value:.3f}")

# %%
# For all labels, from the rarest to the most frequent:

order = Y_train.mean(axis=0).argsort()
names = pd.get_dummies(y).columns.str.replace("_", " ")[order]
fig, ax = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
styles = (("s", "#808080"), ("x", "#D55E00"), ("o", "#0072B2"))
for (name, model), (marker, colour) in zip(
    fitted.items(), styles, strict=True
):
    one = f1_score(Y_test, model.predict(X_test), average=None)[order]
    ax.plot(
        one, range(len(names)), marker, ls="", ms=8, color=colour, label=name
    )
ax.set_yticks(range(len(names)), names)
ax.set(xlabel="F1 on test rows", ylabel="label", xlim=(-0.02, 1.02))
ax.grid(axis="y", alpha=0.4)
ax.legend(loc="upper left")
fig.suptitle(
    "F1 of seven labels: thresholds that are ignored, and thresholds that decide"
)
plt.show()
