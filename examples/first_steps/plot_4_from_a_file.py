"""
How do I get from a file to a saved model?
==========================================

Read a table, train, evaluate, save, and load it again where it is used. The
script ``examples/shell/raw_table.sh`` does the same from the shell.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import pandas as pd

import pseudolinear
from pseudolinear import MeasureClassifier
from pseudolinear.inspection import ThresholdDisplay

# %%
# A thousand credits; the positive class is the one that you want to find.

table = pd.read_csv("../data/german.csv.xz")  # or your own file
train, test = table[::2], table[1::2]
clf = MeasureClassifier(
    measure="f1", pos_label="bad", effort="fast", random_state=0
)
clf.fit(train.drop(columns="target"), train["target"])
print(clf.summary())

# %%
# Is it so on rows that it has not seen? The interval says how far luck can go.

X_test, y_test = test.drop(columns="target"), test["target"]
print(clf.evaluate(X_test, y_test))

# %%
# A saved model predicts the same. Unlike a pickle, the file runs no code of
# its own when it is loaded.

with TemporaryDirectory() as folder:
    path = Path(folder, "credit.plm")
    clf.save(path)
    loaded = pseudolinear.load(path)
    print(
        f"{path.stat().st_size / 1000:.0f} kB,",
        "predictions are equal:",
        end=" ",
    )
    print((loaded.predict(X_test) == clf.predict(X_test)).all())

# %%
# Precision, recall and F1 wherever the score could be cut:

display = ThresholdDisplay.from_estimator(clf, X_test, y_test)
display.figure_.suptitle(
    "Bad credits: every threshold, and the one that was chosen"
)
plt.show()
