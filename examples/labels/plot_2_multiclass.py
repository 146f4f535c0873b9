"""
How do I set thresholds for several classes?
============================================

A row gets the class with the largest probability. That is best for accuracy,
and not for the macro average of F1, in which a rare class counts as much as a
frequent one. Users of scikit-learn ask for thresholds with more than two
classes (`#30970
<https://github.com/scikit-learn/scikit-learn/issues/30970>`__). Trained for
the macro average of F1, every class has its own costs and its own threshold,
and a row gets the class whose score is furthest above its threshold.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier, evaluate_difference

# %%
# Seven kinds of faults on steel plates. Of the rarest there are 55 plates in
# 1,941.

table = pd.read_csv("../data/steelfaults.csv.xz")
X, y = table.drop(columns="target"), table["target"]
X_train, X_test, y_train, y_test = train_test_split(
    X, y, stratify=y, test_size=0.4, random_state=0
)
print(y.value_counts().to_string())

# %%
# The same learner, trained plainly and for the macro average of F1:

learner = LogisticRegression(C=10, max_iter=2000)
plain = learner.fit(X_train, y_train)
clf = MeasureClassifier(learner, measure="f1_macro", random_state=0).fit(
    X_train, y_train
)
for name, model in {"plain": plain, "for macro-F1": clf}.items():
    print(
        f"{name:13} macro-F1 {f1_score(y_test, model.predict(X_test), average='macro'):.3f}"
    )

# %%
# Is the gain more than luck? The interval of the difference answers; here it
# holds 0, so more test rows would be needed to be sure.

print(
    evaluate_difference(
        y_test, plain.predict(X_test), clf.predict(X_test), "f1_macro"
    )
)

# %%
# Class by class. Not every class gains; their mean does.

names, counts = np.unique(y_test, return_counts=True)
order = counts.argsort()
fig, ax = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
for model, name, style in ((plain, "plain", "s"), (clf, "for macro-F1", "o")):
    values = f1_score(
        y_test, model.predict(X_test), average=None, labels=names
    )[order]
    colour = "#0072B2" if model is clf else "#808080"
    ax.plot(
        values, range(len(names)), style, ls="", ms=8, color=colour, label=name
    )
words = [f"{names[k].replace('_', ' ')} ({counts[k]})" for k in order]
ax.set_yticks(range(len(names)), words)
ax.set(xlabel="F1 on test rows", ylabel="class (test rows)", xlim=(0, 1.02))
ax.grid(axis="y", alpha=0.4)
ax.legend(loc="upper left")
fig.suptitle("F1 of seven classes, trained plainly and for macro-F1")
plt.show()
