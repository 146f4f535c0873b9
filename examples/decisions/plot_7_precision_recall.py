"""
Where on the precision-recall curve am I?
=========================================

A curve of precision and recall does not say which of its points is best: that
depends on the measure. Lines of equal measure do. The best cut is where the
curve touches the highest line.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import MeasureCurveDisplay

X, y = make_classification(
    6000,
    n_features=10,
    n_informative=5,
    weights=[0.9],
    flip_y=0.03,
    class_sep=0.7,
    random_state=1,
)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, stratify=y, random_state=0
)

# %%
# Plain training predicts too few positives. Training for F1 ends near the best
# cut of the test rows, which it has not seen.

fitted = {
    "plain": LogisticRegression().fit(X_train, y_train),
    "trained for F1": MeasureClassifier(
        "linear", measure="f1", random_state=0
    ).fit(X_train, y_train),
}
figure, axes = plt.subplots(2, 1, figsize=(7, 9.5), layout="constrained")
for ax, (name, clf) in zip(axes, fitted.items(), strict=True):
    display = MeasureCurveDisplay.from_estimator(
        clf, X_test, y_test, "f1", name=name, ax=ax
    )
    ax.set_title(name)
    chosen, best = (
        display.measure.value(e) for e in (display.chosen, display.best)
    )
    print(f"{name}: F1 = {chosen:.3f}, at the best threshold {best:.3f}")
figure.suptitle(
    "Precision and recall of every threshold, with lines of equal F1"
)

# %%
# The lines belong to the measure. Where recall counts more (F2), the best cut
# has more recall. Cohen's kappa is close to F1 where positives are rare.

scores = fitted["trained for F1"].decision_function(X_test)
figure, axes = plt.subplots(2, 1, figsize=(7, 9.5), layout="constrained")
for ax, measure in zip(axes, ("f2", "cohen_kappa"), strict=True):
    MeasureCurveDisplay.from_predictions(y_test, scores, measure, ax=ax)
    ax.set_title("F2" if measure == "f2" else "Cohen's kappa")
figure.suptitle("The same scores with the lines of two other measures")
plt.show()
