"""
How do I train for F1 instead of accuracy?
==========================================

One patient in twenty has an underactive thyroid. A classifier that calls
everybody healthy is right 95 times in 100, and useless. You report F1, so
train for F1: put your classifier into
:class:`~pseudolinear.MeasureClassifier`.
"""

# %%
# The table has real measurements of 3,163 patients, with gaps. Your own
# pipeline stays as it is.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import MeasureCurveDisplay

table = pd.read_csv("../data/hypothyroid.csv.xz")
X, y = table.select_dtypes("number"), table["target"]
X_train, X_test, y_train, y_test = train_test_split(
    X, y, stratify=y, test_size=0.5, random_state=0
)
print(y.value_counts().to_string())

# %%
# Trained as usual, and cut at a probability of one half:

pipeline = make_pipeline(
    SimpleImputer(), StandardScaler(), LogisticRegression()
)
plain = pipeline.fit(X_train, y_train)
value = f1_score(y_test, plain.predict(X_test), pos_label="hypothyroid")
print(f"as usual: F1 = {value:.3f}")

# %%
# The same pipeline, trained for F1. It is trained with several costs of a
# missed case, and the best costs and the best threshold are chosen together on
# rows that were held out.

clf = MeasureClassifier(pipeline, measure="f1", random_state=0).fit(
    X_train, y_train
)
print(f"for F1:   F1 = {clf.score(X_test, y_test):.3f}")
print(f"the positive class is the rarer one: {clf.pos_label_!r}")

# %%
# Where both are among all thresholds. Lines join points of equal F1. The usual
# cut misses too many patients; the chosen one trades some precision for
# recall.

display = MeasureCurveDisplay.from_estimator(
    clf, X_test, y_test, name="trained for F1"
)
found = plain.predict(X_test) == "hypothyroid"
ill = y_test == "hypothyroid"
recall, precision = (
    (found & ill).sum() / ill.sum(),
    (found & ill).sum() / found.sum(),
)
display.ax_.plot(
    recall,
    precision,
    "s",
    color="k",
    ms=8,
    label=f"as usual: F1 = {value:.3f}",
)
display.ax_.legend(loc="lower left", framealpha=1)
display.figure_.suptitle(
    "Precision and recall of every threshold on test rows"
)
plt.show()
