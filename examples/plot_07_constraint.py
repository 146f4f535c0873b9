"""
Most of the fraud at a precision of 60 %
========================================

Somebody reads every alarm, so the precision has a floor, and the recall above it is what counts.
Rows of one customer belong together: they are never in training and validation at once. What is
deployed is the decision alone; the evidence stays where it was made.
"""

import pickle

import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import precision_score, recall_score

from pseudolinear import MeasureClassifier, RecallAtPrecision
from pseudolinear.inspection import MeasureCurveDisplay

# %%
# Two thousand customers with four rows each; "fraud" is rare, so it is the positive class.
X, y = make_classification(
    8000, n_informative=6, weights=[0.95], class_sep=0.8, flip_y=0.02, random_state=0
)
kinds = np.array(["honest", "fraud"])[y]
customers = np.arange(8000) // 4
train, test = customers < 1000, customers >= 1000

# %%
# F1 is swept, and among all candidates and thresholds the constraint chooses.
classifier = MeasureClassifier("linear", measure=RecallAtPrecision(0.6), random_state=0)
classifier.fit(X[train], kinds[train], groups=customers[train])
predicted = classifier.predict(X[test])
print(f"positive class: {classifier.pos_label_}")
for score in (precision_score, recall_score):
    print(f"{score.__name__}: {score(kinds[test], predicted, pos_label='fraud'):.3f}")

# %%
# The same sweep for another wish, without training: twice as much weight on recall.
print(f"F2 in place of it: {classifier.retarget('f2').score(X[test], kinds[test]):.3f}")

# %%
# What predicts is small.
small, whole = (len(pickle.dumps(c)) for c in (classifier.slim(), classifier))
print(f"{small / 1000:.1f} kB deployed, {whole / 1000:.1f} kB with the evidence")

# %%
MeasureCurveDisplay.from_estimator(classifier, X[test], kinds[test])
