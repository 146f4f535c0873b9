"""
How close to the best possible am I?
====================================

A classifier of least cost at one level says something about all other levels:
whatever lies above its cone is out of reach. A few cones leave a small range
for the best value.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from pseudolinear import Cone, LinearLearner, MeasureClassifier
from pseudolinear.inspection import ConeDisplay

X, y = make_classification(
    3000,
    n_features=10,
    n_informative=5,
    weights=[0.85],
    flip_y=0.05,
    class_sep=0.7,
    random_state=1,
)

# %%
# One level, then three. A ceiling is to be compared with the diagonal, because
# the best classifier reaches its own level; beyond the lowest meeting point
# there is nothing.

figure, axes = plt.subplots(2, 1, figsize=(7, 10), layout="constrained")
for ax, n_levels in zip(axes, (1, 3), strict=True):
    search = Cone(max_levels=n_levels)
    clf = MeasureClassifier(
        LinearLearner(), search=search, random_state=0
    ).fit(X, y)
    display = ConeDisplay.from_sweep(clf.sweep_, ax=ax)
    ax.set(title=f"levels: {n_levels}", xlim=(0.3, 0.8), ylim=(0.3, 0.8))
    print(
        f"levels: {n_levels}, reached {display.best:.4f}, possible at most {display.bound:.4f}, "
        f"gap {display.bound - display.best:.4f}"
    )
figure.suptitle("What one level and what three levels leave possible")
plt.show()

# %%
# The bound takes the learner at its word: it holds if nothing is cheaper at
# these levels than what was found. Logistic regression minimises another loss,
# so here the bound says what costs and thresholds can do with this learner.
