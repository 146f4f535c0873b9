"""
A first sweep
=============

One rare class in ten rows, one learner, three answers: trained plainly, trained for F1, and what
the sweep saw on its way.
"""

# %%
# A rare class. Plain training looks after the frequent one.

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier

X, y = make_classification(
    6000, n_features=10, n_informative=5, weights=[0.92], flip_y=0.03, class_sep=0.6, random_state=1
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

plain = LogisticRegression().fit(X_train, y_train)
print(f"plain:        F1 = {f1_score(y_test, plain.predict(X_test)):.3f}")

# %%
# The same learner, trained for F1.

clf = MeasureClassifier(LogisticRegression(), measure="f1", random_state=0).fit(X_train, y_train)
print(f"for F1:       F1 = {clf.score(X_test, y_test):.3f}")
print(f"chosen level {clf.level_:.2f}, costs {clf.costs_.round(2)}, threshold {clf.threshold_:.2f}")

# %%
# Every candidate is a row of the sweep: here the value that each level reached.

table = clf.sweep_.to_pandas()
folds, pooled = table[table["fold"] >= 0], table[table["fold"] == -1]
fig, ax = plt.subplots(layout="constrained")
ax.plot(folds["level"], folds["value"], ".", color="#BBBBBB", label="each fold, its own threshold")
ax.plot(pooled["level"], pooled["value"], "o-", color="#0072B2", label="all folds, one threshold")
ax.axvline(clf.level_, color="k", linestyle=":", label="chosen level")
ax.set(xlabel="level t (costs 2 - t and t)", ylabel="F1 on held-out rows")
ax.legend()
plt.show()
