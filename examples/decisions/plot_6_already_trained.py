"""
Can I keep the classifier that I have?
======================================

Your classifier is in use and cannot be trained again, but new rows with known
answers have come in. Freeze it: the rows choose where its scores are cut, for
any measure, and nothing is trained.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    precision_score,
    recall_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import MeasureClassifier, RecallAtPrecision
from pseudolinear.inspection import MeasureCurveDisplay

# %%
# Nearest neighbours know neither weights nor costs. That does not matter,
# since they have scores.

table = pd.read_csv("../data/hypothyroid.csv.xz").sample(
    frac=1, random_state=0
)
X, y = (
    table.select_dtypes("number"),
    (table["target"] == "hypothyroid").astype(int),
)
old, fresh, test = slice(0, 1000), slice(1000, 2000), slice(2000, None)
in_use = make_pipeline(
    SimpleImputer(), StandardScaler(), KNeighborsClassifier(15)
)
in_use.fit(X[old], y[old])

# %%
# One fit reads the scores of the fresh rows. From then on it has the best cut
# of every measure.

classifier = MeasureClassifier(FrozenEstimator(in_use), measure="f1").fit(
    X[fresh], y[fresh]
)
aims = {
    "as it is": in_use,
    "F1": classifier,
    "F2": classifier.retarget("f2"),
    "recall at 70 % precision": classifier.retarget(RecallAtPrecision(0.7)),
}
print(f"{'':26}{'F1':>8}{'F2':>8}{'precision':>11}{'recall':>8}")
for name, model in aims.items():
    predicted = model.predict(X[test])
    f1, f2 = (
        f1_score(y[test], predicted),
        fbeta_score(y[test], predicted, beta=2),
    )
    precision, recall = (
        precision_score(y[test], predicted),
        recall_score(y[test], predicted),
    )
    print(f"{name:26}{f1:8.3f}{f2:8.3f}{precision:11.3f}{recall:8.3f}")

# %%
# All cuts on rows that took no part in any choice:

display = MeasureCurveDisplay.from_estimator(
    classifier, X[test], y[test], name="nearest neighbours"
)
display.figure_.suptitle(
    "A frozen classifier: the cut that fresh rows have chosen"
)
plt.show()
