"""
Hundreds of problems at once
============================

The full grid of the literature, 19 costs by 13 values of C, is a matter of seconds: the built-in
learners solve all problems of a label side by side, each starting from its neighbour.
"""

# %%
# A linear learner: 247 problems on each of three folds.

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification, make_moons

from pseudolinear import KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.inspection import BoundaryDisplay

X, y = make_classification(
    3000, n_features=30, n_informative=8, weights=[0.9], flip_y=0.03, class_sep=0.7, random_state=0
)
C = {"C": 2.0 ** np.arange(-6, 7)}
for loss in ("logistic", "squared_hinge", "hinge"):
    clf = MeasureClassifier(LinearLearner(loss), search="grid", param_grid=C, random_state=0)
    clf.fit(X[:500], y[:500])  # the first fit of a process compiles
    start = time.perf_counter()
    clf.fit(X, y)
    seconds = time.perf_counter() - start
    gap = max(row["optimality"] for row in clf.sweep_.rows())
    print(
        f"{loss:14} F1 {clf.best_score_:.3f} at C = {clf.best_params_['C']:g}, "
        f"{3 * len(clf.sweep_)} problems in {seconds:.1f} s, worst relative gap {gap:.0e}"
    )

# %%
# Where a line is not enough: an RBF kernel, its Gram matrix computed once for every gamma.

X, y = make_moons(600, noise=0.25, random_state=0)
rare = np.flatnonzero((y == 0) | (np.arange(600) % 5 == 0))  # thin out the positives
X, y = X[rare], y[rare]
plain = KernelLearner(gamma=1.0).fit(X, y)
grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.5, 1.0, 2.0]}
clf = MeasureClassifier(KernelLearner(), measure="f1", param_grid=grid, random_state=0).fit(X, y)
print("kernel machine:", clf.best_params_, f"F1 {clf.best_score_:.3f}")
BoundaryDisplay.from_estimators({"plain": plain, "trained for F1": clf}, X, y)
plt.show()
