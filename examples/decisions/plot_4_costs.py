"""
What if an error costs a different amount in every row?
=======================================================

A credit that turns out bad loses its amount. A good customer who is refused
loses the bank about 800, whatever the amount. So the same risk can be fine for
a small credit and too much for a large one. Users of scikit-learn ask for
costs that differ by row (`#29150
<https://github.com/scikit-learn/scikit-learn/issues/29150>`__, `#30545
<https://github.com/scikit-learn/scikit-learn/issues/30545>`__). Here
``ExpectedCost(fn="amount", fp=800)`` names the column that holds them.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from pseudolinear import ExpectedCost, MeasureClassifier, evaluate_difference

# %%
# A thousand credits, with amounts from 250 to 18,424 in German marks.

table = pd.read_csv("../data/german.csv.xz")
X, y = table.drop(columns="target"), (table["target"] == "bad").astype(int)
print(X["amount"].describe().round(0).astype(int).to_string())

# %%
# Three classifiers decide on credits that they have not seen: one knows the
# costs of every row, one the mean costs of an error, and one is trained for
# F1.

by_row = ExpectedCost(fn="amount", fp=800)
refused = {
    name: np.zeros(len(y), dtype=int)
    for name in ("costs by row", "mean costs", "F1")
}
for fit, rest in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
    missed = X["amount"].iloc[fit][y.iloc[fit] == 1].mean()
    for name, measure in zip(
        refused, (by_row, ExpectedCost(fn=missed, fp=800), "f1"), strict=True
    ):
        clf = MeasureClassifier("linear", measure=measure, random_state=0)
        refused[name][rest] = clf.fit(X.iloc[fit], y.iloc[fit]).predict(
            X.iloc[rest]
        )

# %%
# What they cost. A value is *minus* a cost, so that larger is better, as for
# every measure.

costs = by_row.on(X)
print(
    f"everybody gets the credit {-costs.score(y, np.zeros(len(y), dtype=int)):6.0f} per credit"
)
for name, decision in refused.items():
    print(
        f"{name:25} {-costs.score(y, decision):6.0f} per credit, {decision.mean():.0%} refused"
    )

# %%
# Is the difference more than luck? Read the interval before you believe an
# order.

print(evaluate_difference(y, refused["F1"], refused["costs by row"], costs))
print(
    evaluate_difference(
        y, refused["mean costs"], refused["costs by row"], costs
    )
)

# %%
# Why it saves: large credits are refused at a smaller risk.

fig, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
edges = np.quantile(X["amount"], np.linspace(0, 1, 6))
group = np.digitize(X["amount"], edges[1:-1])
styles = zip(
    ("o-", "s--", "^-."), ("#0072B2", "#D55E00", "#009E73"), strict=True
)
for (name, decision), (style, colour) in zip(
    refused.items(), styles, strict=True
):
    share = [100 * decision[group == k].mean() for k in range(5)]
    ax.plot(range(5), share, style, color=colour, label=name)
names = [f"{low:,.0f} to\n{high:,.0f}" for low, high in pairwise(edges)]
ax.set_xticks(range(5), names)
ax.set(
    xlabel="amount (fifths of the credits)",
    ylabel="refused (%)",
    ylim=(0, 100),
)
ax.legend()
fig.suptitle("Credits that are refused, by amount")
plt.show()
