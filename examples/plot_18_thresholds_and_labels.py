"""
What a fit reached, where its threshold lies, and how labels differ
===================================================================

``print(clf)`` is a summary. Two displays say more: one shows precision, recall and the measure
wherever the score could be cut, the other all labels with their intervals.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import LabelsDisplay, ThresholdDisplay

X, y = make_classification(2000, weights=[0.9], flip_y=0.03, class_sep=0.8, random_state=0)
X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)
clf = MeasureClassifier("linear", random_state=0).fit(X, y)
print(clf)

# %%
# On test rows. The band holds the thresholds that single folds of the fit would have chosen: where
# it is wide and the curve steep, more rows would help.

display = ThresholdDisplay.from_estimator(clf, X_test, y_test)
print(display.frame().tail(1).to_string(index=False))

# %%
# The evidence of the fit shows the same on its held-out rows, without any further rows.

ThresholdDisplay.from_sweep(clf.sweep_, lw=1.5)

# %%
# Labels by their value. Intervals of rare labels are wide: do not read much into their order.

X, Y = make_multilabel_classification(1500, n_classes=12, n_labels=2, random_state=0)
names = np.array(
    [
        "amber",
        "blue",
        "coral",
        "cyan",
        "gold",
        "green",
        "jade",
        "lilac",
        "olive",
        "pink",
        "red",
        "teal",
    ]
)
tags = [list(names[row == 1]) for row in Y]
X, X_test, tags, tags_test = train_test_split(X, tags, random_state=0)
clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, tags)
print(clf)
LabelsDisplay.from_estimator(clf, X_test, tags_test)
plt.show()
