"""
What equal recall costs
=======================

A classifier finds most of the loans that will default in one region, and fewer in another of which
less is recorded. Thresholds per group bring both together; how much F1 that costs is a curve.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pseudolinear import MeasureClassifier, best_group_thresholds

# %%
# In the south incomes are noisier and defaults rarer.

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
# Thresholds that keep the recalls within three points, chosen on rows that the training has not
# seen. On other rows the gap is larger or smaller by chance; its interval says how much.

near = clf.by_group("region", X[choose], y[choose], rate="recall", within=0.03, randomise=False)
print(near.group_cut_)
print(near.evaluate(X[test], y[test], by="region").by)

# %%
# Every bound has its best F1. Where it is tight, thresholds that take turns do better than single
# ones, which hardly ever have equal recalls. Without a bound each region is cut where an error
# costs the same.

bounds = np.linspace(0.0, 0.4, 41)
scores, region = clf.decision_function(X[choose]), X["region"][choose]
drawn, single = (
    [best_group_thresholds(y[choose], scores, region, within=b, randomise=r) for b in bounds]
    for r in (True, False)
)
for k in (0, 5, 10, 40):
    print(f"recall within {bounds[k]:.2f}: F1 {drawn[k].value:.3f}, {single[k].value:.3f} single")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained", sharex=True)
left.plot(bounds, [cut.value for cut in drawn], label="thresholds may take turns")
left.plot(bounds[1:], [cut.value for cut in single[1:]], "--", label="one threshold each")
left.set(ylabel="best F1 of all loans", xlabel="bound on the difference of recalls")
for k, name in enumerate(("north", "south")):
    right.plot(bounds, [cut.groups[k].recall for cut in drawn], label=name)
right.set(ylabel="recall", ylim=(0, 1), xlabel="bound on the difference of recalls")
for ax in (left, right):
    ax.grid(alpha=0.3)
    ax.legend(loc="lower right")
plt.show()
