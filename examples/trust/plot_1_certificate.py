"""
Could another threshold or other costs do better?
=================================================

A fit knows more than its predictions: how far it can be from the best value
that is possible with its learner, what any other measure would get from the
same training, and which learners were worth combining.
"""

# %%
# The certificate
# ---------------
# A made-up problem with 8 % positives. ``"linear"`` is logistic regression
# alone.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import (
    make_classification,
    make_multilabel_classification,
)

from pseudolinear import MeasureClassifier, RecallAtPrecision

X, y = make_classification(
    4000,
    n_features=20,
    n_informative=6,
    weights=[0.92],
    class_sep=0.8,
    random_state=0,
)
X_test, y_test, X, y = X[2000:], y[2000:], X[:2000], y[:2000]
clf = MeasureClassifier("linear", measure="f1", random_state=0).fit(X, y)
print(f"test F1 {clf.score(X_test, y_test):.3f}")
print(clf.certificate_)

# %%
# Other measures
# --------------
# The frontier holds the best errors that any candidate reaches at any
# threshold, so every measure has its answer there. ``retarget`` makes the
# classifier. Given the rows, it trains what is new.

frontier = clf.frontier_
print(
    {
        name: round(frontier.value(name), 3)
        for name in ("f0.5", "f1", "f2", "jaccard")
    }
)
recall_minded = clf.retarget("f2", X, y)
precise = clf.retarget(RecallAtPrecision(0.9), X, y)
fig, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
(curve,) = frontier.curves
ax.plot(
    curve.fp[:, 0],
    curve.fn[:, 0],
    "o-",
    color="#808080",
    ms=3,
    label="frontier of the sweep",
)
marks = (
    ("F1", clf, "o", "#0072B2"),
    ("F2", recall_minded, "s", "#D55E00"),
    ("precision 0.9", precise, "D", "#009E73"),
)
for name, chosen, marker, colour in marks:
    positive = chosen.predict(X_test)
    fn = np.mean((y_test == 1) & (positive == 0))
    fp = np.mean((y_test == 0) & (positive == 1))
    ax.plot(
        fp,
        fn,
        marker,
        ls="",
        ms=9,
        color=colour,
        label=f"{name}, on test rows",
    )
ax.set(
    xlim=(0, 0.25),
    xlabel="false positives (share of rows)",
    ylabel="false negatives (share of rows)",
)
ax.legend()
fig.suptitle("Errors that the sweep can reach, and what three measures choose")

# %%
# Several learners
# ----------------
# The default trains several. Each counts by what it reaches on rows that did
# not train it, for every label.

X, Y = make_multilabel_classification(
    800, n_classes=5, n_labels=2, random_state=0
)
clf = MeasureClassifier(measure="f1_macro", random_state=0).fit(
    X[:400], Y[:400]
)
linear = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(
    X[:400], Y[:400]
)
print(
    f"portfolio {clf.score(X[400:], Y[400:]):.3f}, linear {linear.score(X[400:], Y[400:]):.3f}"
)
for row in clf.portfolio_:
    print(
        f"{row['learner']:10} alone {row['value']:.3f}, used for {row['labels']} of 5 labels"
    )
plt.show()
