"""
Can I give it a table as it is?
===============================

Yes. Numbers with gaps, categories, dates and text need no preparation.
``MeasureClassifier()`` trains several learners, gives each of them the columns
in the form that it likes, and blends them.
"""

# %%
# Patients of a thyroid clinic: seven numbers, most of them with gaps, and 18
# columns of words.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.inspection import permutation_importance
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier

table = pd.read_csv("../data/hypothyroid.csv.xz")
X, y = table.drop(columns="target"), table["target"]
X_train, X_test, y_train, y_test = train_test_split(
    X, y, stratify=y, test_size=0.5, random_state=0
)
print(X[["age", "sex", "on_thyroxine", "TSH", "FTI"]].head(4).to_string())

# %%
# One line trains. The rarer class is the positive one.

clf = MeasureClassifier(measure="f1", random_state=0).fit(X_train, y_train)
print(clf.evaluate(X_test, y_test))

# %%
# What each learner reached alone, and all of them together, on rows that were
# held out. These values were used to choose, so they are a little optimistic;
# ``honest_score_`` is not.

for row in clf.portfolio_:
    print(f"{row['learner']:10} F1 {row['value']:.3f}")
low, high = clf.honest_interval_
print(
    f"blend: {clf.best_score_:.3f}, honestly {clf.honest_score_:.3f} ({low:.3f} to {high:.3f})"
)

# %%
# New rows may have gaps and categories that the training has not shown.

unseen = X_test.head(2).assign(TSH=np.nan, sex="unknown")
print(
    clf.predict(unseen).tolist(), clf.predict_proba(unseen).round(2).tolist()
)

# %%
# Which columns does F1 depend on? A column is shuffled, and what F1 loses is
# its importance.

importance = permutation_importance(
    clf, X_test, y_test, n_repeats=2, random_state=0
)
order = importance.importances_mean.argsort()[-6:]
fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.barh(X.columns[order], importance.importances_mean[order], color="#0072B2")
ax.set(xlabel="loss of F1 where the column is shuffled", ylabel="column")
fig.suptitle("What F1 depends on")
plt.show()
