"""
What does equal recall for two groups cost?
===========================================

A classifier finds most of the loans that will default in one region, and fewer
in another region, of which less is known. A threshold for each group brings
the recalls together. What that costs in F1 is a curve, and where on it you
want to be is yours to decide.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pseudolinear import MeasureClassifier, best_group_thresholds

# %%
# The data are made up. In the south incomes are noisier and defaults rarer.

rng = np.random.default_rng(0)
n = 12_000
south = rng.random(n) < 0.3
y = (rng.random(n) < np.where(south, 0.12, 0.22)).astype(int)
noise = np.where(south, 1.6, 1.0)
X = pd.DataFrame(
    {
        "income": -y + noise * rng.normal(size=n),
        "debt": y + noise * rng.normal(size=n),
        "history": 0.5 * y + rng.normal(size=n),
        "region": np.where(south, "south", "north"),
    }
)
fit, choose, test = slice(0, 4000), slice(4000, 8000), slice(8000, n)

clf = MeasureClassifier("linear", random_state=0).fit(X[fit], y[fit])
print(clf.evaluate(X[test], y[test], by="region").by)

# %%
# Thresholds that keep the recalls within three points, chosen on rows that the
# training has not seen. On other rows the gap is larger or smaller by chance;
# its interval says how much.

near = clf.by_group(
    "region", X[choose], y[choose], rate="recall", within=0.03, randomise=False
)
print(near.group_cut_)
print(near.evaluate(X[test], y[test], by="region").by)

# %%
# Every bound on the difference has its best F1. Two single thresholds hardly
# ever have equal recalls, so where the bound is tight, thresholds that take
# turns at random do better.

bounds = np.linspace(0.0, 0.4, 41)
scores, region = clf.decision_function(X[choose]), X["region"][choose]
drawn, single = (
    [
        best_group_thresholds(y[choose], scores, region, within=b, randomise=r)
        for b in bounds
    ]
    for r in (True, False)
)
for k in (0, 5, 10, 40):
    print(
        f"recall within {bounds[k]:.2f}: F1 {drawn[k].value:.3f}, {single[k].value:.3f} single"
    )

figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(7, 7), layout="constrained", sharex=True
)
top.plot(
    bounds,
    [cut.value for cut in drawn],
    color="#0072B2",
    label="thresholds may take turns",
)
top.plot(
    bounds[1:],
    [cut.value for cut in single[1:]],
    "--",
    color="#D55E00",
    label="one threshold each",
)
top.set(
    ylabel="best F1 of all loans", xlabel="bound on the difference of recalls"
)
for k, (name, style) in enumerate({"north": "-", "south": "--"}.items()):
    colour = ("#0072B2", "#D55E00")[k]
    bottom.plot(
        bounds,
        [cut.groups[k].recall for cut in drawn],
        style,
        color=colour,
        label=name,
    )
bottom.set(
    ylabel="recall", ylim=(0, 1), xlabel="bound on the difference of recalls"
)
for ax in (top, bottom):
    ax.grid(alpha=0.3)
    ax.legend(loc="lower right")
figure.suptitle(
    "What a bound on the difference of recalls costs, and what it does"
)
plt.show()
