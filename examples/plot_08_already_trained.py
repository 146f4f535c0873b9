"""
Thresholds for a classifier that is trained already
===================================================

The classifier is in use and cannot be trained again, but fresh rows with their classes have come
in. They choose where its scores are cut: for three measures, without training anything.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score, fbeta_score, precision_score, recall_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import MeasureClassifier, RecallAtPrecision
from pseudolinear.inspection import MeasureCurveDisplay

# %%
# Nearest neighbours know neither weights nor costs; no matter, they have scores.
X, y = make_classification(
    9000, n_informative=6, weights=[0.92], class_sep=0.8, flip_y=0.02, random_state=0
)
old, fresh, test = slice(0, 3000), slice(3000, 6000), slice(6000, 9000)
in_use = make_pipeline(StandardScaler(), KNeighborsClassifier(25)).fit(X[old], y[old])

# %%
# One fit reads the scores of the fresh rows once, and holds the best cut of every other measure.
classifier = MeasureClassifier(FrozenEstimator(in_use), measure="f1").fit(X[fresh], y[fresh])
wishes = {
    "as it is": in_use,
    "F1": classifier,
    "F2": classifier.retarget("f2"),
    "recall at 80 % precision": classifier.retarget(RecallAtPrecision(0.8)),
}
print(f"{'':26}{'F1':>8}{'F2':>8}{'precision':>11}{'recall':>8}")
for name, model in wishes.items():
    predicted = model.predict(X[test])
    f1, f2 = f1_score(y[test], predicted), fbeta_score(y[test], predicted, beta=2)
    precision, recall = precision_score(y[test], predicted), recall_score(y[test], predicted)
    print(f"{name:26}{f1:8.3f}{f2:8.3f}{precision:11.3f}{recall:8.3f}")

# %%
MeasureCurveDisplay.from_estimator(classifier, X[test], y[test])
plt.show()
