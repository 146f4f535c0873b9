"""
Precision, recall and the measure
=================================

The curve of a score with the lines of equal F1, the best cut and the one that was chosen.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import MeasureCurveDisplay

X, y = make_classification(
    6000, n_features=10, n_informative=5, weights=[0.9], flip_y=0.03, class_sep=0.7, random_state=1
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

# %%
# Plain training predicts too few positives; training for F1 ends near the best cut.

fitted = {
    "plain": LogisticRegression().fit(X_train, y_train),
    "trained for F1": MeasureClassifier("linear", measure="f1", random_state=0).fit(
        X_train, y_train
    ),
}
figure, axes = plt.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
for ax, (name, clf) in zip(axes, fitted.items(), strict=True):
    display = MeasureCurveDisplay.from_estimator(clf, X_test, y_test, "f1", name=name, ax=ax)
    chosen, best = (display.measure.value(e) for e in (display.chosen, display.best))
    print(f"{name}: F1 = {chosen:.3f}, at the best threshold {best:.3f}")

# %%
# The lines belong to the measure. Where misses count four times as much (F2), the best cut has
# more recall; Cohen's kappa is stricter with false alarms.

scores = fitted["trained for F1"].decision_function(X_test)
figure, axes = plt.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
for ax, measure in zip(axes, ("f2", "cohen_kappa"), strict=True):
    MeasureCurveDisplay.from_predictions(y_test, scores, measure, ax=ax)
plt.show()
