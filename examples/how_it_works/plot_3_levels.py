"""
How does it find the right costs?
=================================

Costs depend on the best value, which nobody knows before. So levels, values to
aim at, are tried: on a grid, or by a search that halves the range.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from pseudolinear import Bracket, LinearLearner, MeasureClassifier
from pseudolinear.inspection import LevelDisplay

X, y = make_classification(
    3000,
    n_features=10,
    n_informative=5,
    weights=[0.92],
    flip_y=0.03,
    class_sep=0.6,
    random_state=1,
)

# %%
# Without tuned thresholds only the costs matter. A learner that finds the
# cheapest classifier has its best value where the value equals the level.
# Logistic regression minimises another loss, so its best level can be a
# different one.


def search_levels(measure, search):
    """Train logistic regression at the levels of a search, without tuned thresholds."""
    learner = LinearLearner()
    return MeasureClassifier(
        learner,
        measure=measure,
        search=search,
        tune_threshold=False,
        random_state=0,
    ).fit(X, y)


grid = search_levels("f1", "grid")
print(
    f"{len(grid.sweep_)} levels, the best {grid.level_:.3f}, F1 = {grid.best_score_:.3f}"
)
display = LevelDisplay.from_sweep(grid.sweep_)
display.figure_.suptitle("F1 that each level of a grid reaches")

# %%
# A search that halves the range around the best level so far tries fewer
# levels, and finer ones.

halved = search_levels("f1", Bracket(n_rounds=5))
print(
    f"{len(halved.sweep_)} levels, the best {halved.level_:.3f}, F1 = {halved.best_score_:.3f}"
)
display = LevelDisplay.from_sweep(halved.sweep_)
display.figure_.suptitle("A search that halves the range")

# %%
# The same grid against the cost of a false negative. F1 and the Jaccard index
# have different levels but try the same costs.

figure, axes = plt.subplots(2, 1, figsize=(7, 9.5), layout="constrained")
for ax, (measure, name) in zip(
    axes, {"f1": "F1", "jaccard": "Jaccard index"}.items(), strict=True
):
    LevelDisplay.from_sweep(
        search_levels(measure, "grid").sweep_, against="cost", ax=ax
    )
    ax.set_title(name)
figure.suptitle("The same searches against the cost of a false negative")
plt.show()
