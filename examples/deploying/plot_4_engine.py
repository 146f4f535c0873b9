"""
How can hundreds of trainings take seconds?
===========================================

The full grid of the literature has 19 costs and 13 strengths of
regularisation. The built-in learners solve all these problems side by side,
and each starts from the solution of its neighbour.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification, make_moons

from pseudolinear import KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.inspection import BoundaryDisplay

# %%
# Lines: 247 problems on each of three folds
# ------------------------------------------
# ``optimality`` is how far a solution can be from the exact one; times depend
# on your machine.

X, y = make_classification(
    2000,
    n_features=30,
    n_informative=8,
    weights=[0.9],
    flip_y=0.03,
    class_sep=0.7,
    random_state=0,
)
C = {"C": 2.0 ** np.arange(-6, 7)}
for loss in ("logistic", "squared_hinge"):
    clf = MeasureClassifier(
        LinearLearner(loss), search="grid", param_grid=C, random_state=0
    )
    clf.fit(X[:500], y[:500])  # the first fit of a process compiles
    start = time.perf_counter()
    clf.fit(X, y)
    seconds = time.perf_counter() - start
    gap = max(row["optimality"] for row in clf.sweep_.rows())
    print(
        f"{loss:14} F1 {clf.best_score_:.3f} at C = {clf.best_params_['C']:g}, "
        f"{3 * len(clf.sweep_)} problems in {seconds:.1f} s, worst optimality {gap:.0e}"
    )

# %%
# Jobs and precision
# ------------------
# Any number of jobs gives the same result to the last digit. Rows of single
# precision are not copied.

two = MeasureClassifier("linear", n_jobs=2, random_state=0).fit(X, y)
one = MeasureClassifier("linear", random_state=0).fit(X, y)
print(
    "the same for any number of jobs:",
    np.array_equal(one.threshold_, two.threshold_),
)
single = MeasureClassifier("linear", random_state=0).fit(
    X.astype(np.float32), y
)
print(
    "rows decided otherwise in single precision:",
    (single.predict(X) != one.predict(X)).sum(),
)

# %%
# Curves: steps and kernels
# -------------------------
# Where a number counts by its size and not by its sign, a line fails.
# ``"steps"`` cuts every number into quantiles.

middle = (np.abs(X[:, 0]) < 0.5).astype(int)
for member in ("linear", "steps"):
    clf = MeasureClassifier(member, random_state=0).fit(
        X[:1500], middle[:1500]
    )
    print(f"{member:7} F1 {clf.score(X[1500:], middle[1500:]):.3f}")

# %%
# A kernel machine bends the line. Its matrix is computed once for every
# ``gamma``.

X, y = make_moons(600, noise=0.25, random_state=0)
kept = np.flatnonzero(
    (y == 0) | (np.arange(600) % 5 == 0)
)  # thin out the positives
X, y = X[kept], y[kept]
plain = KernelLearner(gamma=1.0).fit(X, y)
grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.5, 1.0, 2.0]}
clf = MeasureClassifier(
    KernelLearner(), measure="f1", param_grid=grid, random_state=0
).fit(X, y)
print("kernel machine:", clf.best_params_, f"F1 {clf.best_score_:.3f}")
display = BoundaryDisplay.from_estimators(
    {"plain": plain, "trained for F1": clf}, X, y
)
display.figure_.suptitle("A kernel machine, trained plainly and for F1")
plt.show()
