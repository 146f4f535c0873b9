"""
How sure is my threshold, and what do all the others do?
========================================================

A threshold is chosen from data, so other data would choose another one. Users
of scikit-learn ask to see how much it varies, and to try every cut-off instead
of a grid of 100 (`#34595
<https://github.com/scikit-learn/scikit-learn/issues/34595>`__). A fit of
:class:`~pseudolinear.MeasureClassifier` tries every cut-off and knows what
each fold would have chosen.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import ThresholdDisplay

# %%
# A thousand credits; 300 turned out bad.

table = pd.read_csv("../data/german.csv.xz")
X, y = table.drop(columns="target"), table["target"]
X_train, X_test, y_train, y_test = train_test_split(
    X, y, stratify=y, random_state=0
)
clf = MeasureClassifier(
    "linear", measure="f1", pos_label="bad", random_state=0
)
clf.fit(X_train, y_train)

# %%
# The summary names the threshold, also as a probability, and the thresholds of
# single folds.

print(clf)

# %%
# The held-out rows of the fit, without any further rows. The band holds the
# thresholds that single folds would choose. Where the curve is flat inside the
# band, as here, the choice hardly matters; where it is steep, more rows would
# help.

display = ThresholdDisplay.from_sweep(clf.sweep_)
display.figure_.suptitle(
    "Held-out rows of the fit: every cut-off that was worth choosing"
)

# %%
# The same on test rows, which took no part in any choice. The table behind the
# picture is ``display.frame()``.

display = ThresholdDisplay.from_estimator(clf, X_test, y_test)
display.figure_.suptitle("Test rows: every cut-off")
table = display.frame()
print(f"{len(table) - 1} cut-offs; the chosen one:")
print(table.query("kind == 'chosen'").round(3).to_string(index=False))
plt.show()
