"""
Costs in money
==============

A fraud that is missed costs its amount, a payment that is stopped without need costs 20, and one
that is checked costs 5 even where it is a fraud. Which payments should be checked? Amounts differ
by a factor of a hundred, so the same suspicion is worth a check for one payment and not for
another. ``ExpectedCost(fn="amount", ...)`` names the column that holds them, and everything is in
money from there on: the threshold, the value, its interval.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

from pseudolinear import ExpectedCost, MeasureClassifier, evaluate_difference

# %%
# Payments, of which one in twenty-five is a fraud.
X, fraud = make_classification(
    12_000, 12, n_informative=6, weights=[0.96], flip_y=0.02, class_sep=0.8, random_state=3
)
X = pd.DataFrame(X).add_prefix("x")
X["amount"] = np.random.default_rng(0).lognormal(4.3, 1.2, len(X)).round(2)
train, test = slice(0, 6000), slice(6000, None)

# %%
# Three classifiers: for costs by row, for the mean costs of an error, and for F1.
by_row = ExpectedCost(fn="amount", fp=20, tp=5)
missed = X["amount"][train][fraud[train] == 1].mean()
measures = {
    "costs by row": by_row,
    "mean costs": ExpectedCost(fn=missed, fp=20, tp=5),
    "F1": "f1",
}
fitted = {
    name: MeasureClassifier("linear", measure=measure, random_state=0).fit(X[train], fraud[train])
    for name, measure in measures.items()
}
print(fitted["costs by row"].summary())

# %%
# What they cost on payments that they have not seen.
costs = by_row.on(X[test])
predictions = {name: clf.predict(X[test]) for name, clf in fitted.items()}
for name, predicted in predictions.items():
    cost = -costs.score(fraud[test], predicted)
    print(f"{name:14}{cost:6.2f} per payment, {predicted.mean():.1%} checked")
print(fitted["costs by row"].evaluate(X[test], fraud[test]))
print(
    evaluate_difference(fraud[test], predictions["mean costs"], predictions["costs by row"], costs)
)

# %%
# Wherever their scores are cut: no threshold of the other two is as cheap as what is chosen by row.
fig, ax = plt.subplots(figsize=(6.4, 4.2))
at = np.linspace(0.002, 0.3, 120)
for (name, clf), colour in zip(fitted.items(), ["#0072B2", "#D55E00", "#009E73"], strict=True):
    margins = clf.decision_function(X[test])
    checked = np.quantile(margins, 1 - at)
    values = [-costs.score(fraud[test], (margins >= cut).astype(int)) for cut in checked]
    ax.plot(100 * at, values, color=colour, label=name)
    chosen = (margins > 0).mean(), -costs.score(fraud[test], predictions[name])
    ax.plot(100 * chosen[0], chosen[1], "o", ms=8, color=colour)
nothing = -costs.score(fraud[test], np.zeros(len(margins), dtype=int))
ax.axhline(nothing, color="0.5", ls=":", lw=1)
ax.annotate("nothing is checked", (30, nothing), ha="right", va="bottom", color="0.35")
ax.set(xlabel="payments that are checked (%)", ylabel="cost per payment")
ax.set(title="What a threshold costs; dots are what was chosen")
ax.legend(frameon=False, loc="lower right")
fig.tight_layout()
plt.show()
