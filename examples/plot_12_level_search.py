"""
Which level is best
===================

The value that each level reaches, for a grid of levels and for a search that halves the range.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from pseudolinear import Bracket, LinearLearner, MeasureClassifier
from pseudolinear.inspection import LevelDisplay

X, y = make_classification(
    3000, n_features=10, n_informative=5, weights=[0.92], flip_y=0.03, class_sep=0.6, random_state=1
)

# %%
# With natural thresholds only the costs matter, and the curve has one top. An exact learner has it
# where the value equals the level; a surrogate loss moves it.

figure, axes = plt.subplots(1, 2, figsize=(13, 5), layout="constrained")
for ax, search in zip(axes, ("grid", Bracket(n_rounds=5)), strict=True):
    clf = MeasureClassifier(
        LinearLearner(), measure="f1", search=search, tune_threshold=False, random_state=0
    ).fit(X, y)
    display = LevelDisplay.from_sweep(clf.sweep_, ax=ax)
    ax.set_title("a grid" if search == "grid" else "a bracket that is halved")
    print(
        f"{search}: {len(display.levels)} levels, the best {clf.level_:.3f} "
        f"reaches F1 = {clf.best_score_:.3f}"
    )

# %%
# The same search against the cost of a false negative: F1 and Jaccard have different levels but
# try the same costs.

figure, axes = plt.subplots(1, 2, figsize=(13, 5), layout="constrained")
for ax, measure in zip(axes, ("f1", "jaccard"), strict=True):
    clf = MeasureClassifier(
        LinearLearner(), measure=measure, search="grid", tune_threshold=False, random_state=0
    ).fit(X, y)
    LevelDisplay.from_sweep(clf.sweep_, against="cost", ax=ax)
plt.show()
