"""
Which labels are hard, and which are only rare?
===============================================

A low value can mean a hard label, or one with so few rows that the value says
little. An interval tells them apart. Here the labels are the colours of flags,
predicted from what else is known about a country and its flag.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import LabelsDisplay

# %%
# There are 194 flags. A row has a list of colours.

table = pd.read_csv("../data/flags.csv.xz")
X, colours = (
    table.drop(columns="colours"),
    table["colours"].fillna("").str.split("|"),
)
X_train, X_test, train, test = train_test_split(
    X, colours.tolist(), test_size=0.4, random_state=0
)
print(train[:3])

# %%
# Every colour gets its own costs and threshold.

clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(
    X_train, train
)
print(clf)

# %%
# The colours by their F1, with 95 % intervals that hold for all of them
# together. Rare colours have wide intervals: do not read much into their
# order.

display = LabelsDisplay.from_estimator(clf, X_test, test)
display.figure_.suptitle("F1 of the colours of flags, with intervals")

# %%
# The fit can tell before any test: labels whose threshold varies over the
# folds deserve a second look.

for row in clf.sweep_.labels():
    print(
        f"{row['label']:7} {row['n_positive']:3} positives, threshold {row['threshold']:6.2f}, "
        f"varies by {row['threshold_spread']:.2f} over the folds"
    )
plt.show()
