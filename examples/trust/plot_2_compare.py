"""
Is it better than what I have, or only luckier?
===============================================

:func:`~pseudolinear.compare` fits every method that applies on the same
splits, and scores each on rows that took no part in any of its choices.
Differences come with intervals: where an interval holds 0, the order is a
matter of luck.
"""

# %%
# The thyroid table, its numbers, and three held-out folds. ``"default"`` is
# the default of this package, a blend of several learners, trees among them.
# ``"linear"`` is the same with logistic regression alone. ``"plain"`` is
# logistic regression as it is, ``"threshold"`` the same with a tuned
# threshold; the others are methods of the literature, all of them linear.

import matplotlib.pyplot as plt
import pandas as pd

from pseudolinear import compare

table = pd.read_csv("../data/hypothyroid.csv.xz")
X = table[["age", "TSH", "T3", "TT4", "T4U", "FTI"]]
X, y = (
    X.fillna(X.median()).to_numpy(),
    (table["target"] == "hypothyroid").to_numpy(dtype=int),
)
methods = [
    "default",
    "linear",
    "plain",
    "threshold",
    "plug_in",
    "svm_perf",
    "soft_f",
]
rows = compare(X, y, "f1", methods=methods, random_state=0)
print(rows)

# %%
# Methods are compared row by row, because they find the same rows difficult.
# What ``"default"`` is above ``"linear"`` is due to the other learners.

fig, ax = plt.subplots(figsize=(6.8, 3.6), layout="constrained")
others = rows[:0:-1]
below = [row["below"] for row in others]
ends = [[b - row["low"] for b, row in zip(below, others, strict=True)]]
ends.append([row["high"] - b for b, row in zip(below, others, strict=True)])
ax.errorbar(
    below,
    [row["method"] for row in others],
    xerr=ends,
    fmt="o",
    color="#0072B2",
)
ax.axvline(0, color="#808080", linewidth=1)
ax.set(
    xlabel=f"F1 below that of {rows[0]['method']!r}, with a 95 % interval",
    ylabel="method",
)
fig.suptitle("How far the others are below the first")
plt.show()
