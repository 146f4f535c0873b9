"""
Macro or micro: which average do I want?
========================================

With several labels there are two averages of F1. The macro average is the mean
of the labels' F1, so every label counts the same, and gets its own costs and
threshold. The micro average is the F1 of all decisions together, so frequent
labels count more, and all labels share one level. Each wins at its own game.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.multioutput import MultiOutputClassifier

from pseudolinear import MeasureClassifier

# %%
# Twelve made-up labels, one of them very rare.

X, Y = make_multilabel_classification(
    4000, n_features=30, n_classes=12, n_labels=3, random_state=2
)
X_train, X_test, Y_train, Y_test = train_test_split(
    X, Y, test_size=0.5, random_state=0
)
print("share of the rows:", np.sort(Y_train.mean(axis=0)).round(2).tolist())

# %%
# Trained plainly, for the macro average and for the micro average:

fitted = {
    "plain": MultiOutputClassifier(LogisticRegression(max_iter=1000)),
    "for macro": MeasureClassifier(
        "linear", measure="f1_macro", random_state=0
    ),
    "for micro": MeasureClassifier(
        "linear", measure="f1_micro", random_state=0
    ),
}
print(f"{'trained':12}{'macro-F1':>10}{'micro-F1':>10}")
for name, clf in fitted.items():
    predicted = clf.fit(X_train, Y_train).predict(X_test)
    macro, micro = (
        f1_score(Y_test, predicted, average=average)
        for average in ("macro", "micro")
    )
    print(f"{name:12}{macro:10.3f}{micro:10.3f}")

# %%
# Label by label:

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
order = Y_train.mean(axis=0).argsort()
styles = zip(("o", "s", "^"), ("#808080", "#0072B2", "#D55E00"), strict=True)
for (name, clf), (marker, colour) in zip(fitted.items(), styles, strict=True):
    values = f1_score(Y_test, clf.predict(X_test), average=None)[order]
    ax.plot(np.arange(12), values, marker, ls="", color=colour, label=name)
ax.set_xticks(
    range(12), [f"{100 * share:.0f}" for share in Y_train.mean(axis=0)[order]]
)
ax.set(
    xlabel="label: percentage of the rows that have it",
    ylabel="F1 on test rows",
)
ax.legend()
fig.suptitle("F1 of twelve labels, trained in three ways")

# %%
# Labels can be lists of names as well; predictions then are, too.

tags = [[f"topic {label}" for label in row.nonzero()[0]] for row in Y_train]
by_name = MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(
    X_train, tags
)
print("predicted:", by_name.predict(X_test[:3]))
plt.show()
