"""
One sweep: certificate, other measures, several learners
========================================================

What a fit knows besides its predictions: how far from the best possible value it can be, what any
other measure would get from the same training, and which learners are worth combining.
"""

# %%
# A binary problem with 8 % positives. `"linear"`, logistic regression alone, tries four levels and
# four values of C.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import MeasureClassifier, RecallAtPrecision

X, y = make_classification(
    4000, n_features=20, n_informative=6, weights=[0.92], class_sep=0.8, random_state=0
)
X_test, y_test, X, y = X[2000:], y[2000:], X[:2000], y[:2000]
clf = MeasureClassifier("linear", measure="f1", random_state=0).fit(X, y)
print(f"test F1 {clf.score(X_test, y_test):.3f}")
print(clf.certificate_)

# %%
# The frontier holds the best errors that any candidate reaches at any threshold, so every measure
# has its answer there. `retarget` makes the classifier; given the rows it trains only what is new.

frontier = clf.frontier_
print({name: round(frontier.value(name), 3) for name in ("f0.5", "f1", "f2", "jaccard")})
recall_minded = clf.retarget("f2", X, y)
precise = clf.retarget(RecallAtPrecision(0.9), X, y)
fig, ax = plt.subplots(figsize=(5, 4), layout="constrained")
(curve,) = frontier.curves
ax.plot(curve.fp[:, 0], curve.fn[:, 0], "o-", color="0.6", ms=3, label="frontier of the sweep")
marks = (("F1", clf, "o"), ("F2", recall_minded, "s"), ("precision 0.9", precise, "D"))
for name, chosen, marker in marks:
    positive = chosen.predict(X_test)
    fn = np.mean((y_test == 1) & (positive == 0))
    fp = np.mean((y_test == 0) & (positive == 1))
    ax.plot(fp, fn, marker, ms=9, label=f"{name}, on test rows")
ax.set(xlim=(0, 0.25), xlabel="false positives (share of rows)", ylabel="false negatives")
ax.legend()

# %%
# Several learners, the default: each counts by what it reaches on rows that did not train it, for
# every label.

X, Y = make_multilabel_classification(800, n_classes=5, n_labels=2, random_state=0)
clf = MeasureClassifier(measure="f1_macro", random_state=0).fit(X[:400], Y[:400])
linear = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[:400], Y[:400])
print(f"portfolio {clf.score(X[400:], Y[400:]):.3f}, linear {linear.score(X[400:], Y[400:]):.3f}")
for row in clf.portfolio_:
    print(f"{row['learner']:10} alone {row['value']:.3f}, used for {row['labels']} of 5 labels")

# %%
# Labels that vary over the folds deserve a second look.

for row in linear.sweep_.labels():
    print(
        f"label {row['label']}: {row['n_positive']} positives, threshold {row['threshold']:.2f} "
        f"(varies by {row['threshold_spread']:.2f} over the folds), F1 {row['value']:.2f}"
    )
plt.show()
