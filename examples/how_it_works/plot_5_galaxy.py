"""
Why is a tuned threshold not enough?
====================================

Four clusters in the plane, of which two small ones are mostly positive. A
threshold only shifts the line of a classifier. Costs can turn it.
"""

import matplotlib.pyplot as plt

from pseudolinear import LinearLearner, MeasureClassifier
from pseudolinear.datasets import GALAXY_OPTIMUM, make_galaxy
from pseudolinear.inspection import BoundaryDisplay

X, y = make_galaxy(18_000, random_state=0)
X_test, y_test = make_galaxy(100_000, random_state=1)

# %%
# Logistic regression before and after thresholding, trained plainly and with
# costs.

options = {"trained plainly": False, "trained with costs": True}
figure, axes = plt.subplots(
    2, 1, figsize=(7, 10), sharex=True, layout="constrained"
)
for ax, (title, costs) in zip(axes, options.items(), strict=True):
    fitted = {}
    for cut, tuned in {
        "before thresholding": False,
        "after thresholding": True,
    }.items():
        clf = MeasureClassifier(
            LinearLearner("logistic"),
            measure="f1",
            cost_sensitive=costs,
            tune_threshold=tuned,
            cv="holdout",
            random_state=0,
        ).fit(X, y)
        value = clf.score(X_test, y_test)
        fitted[f"{cut}: F1 = {100 * value:.1f}"] = clf
        print(f"{title}, {cut}: test F1 = {100 * value:.1f}")
    BoundaryDisplay.from_estimators(fitted, X[:4000], y[:4000], ax=ax)
    ax.set_title(title)
print(f"best possible: {100 * GALAXY_OPTIMUM:.1f}")
figure.suptitle(
    "A threshold shifts the line of logistic regression; costs turn it"
)
plt.show()
