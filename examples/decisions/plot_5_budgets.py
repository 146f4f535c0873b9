"""
What if I can only check fifty rows a day?
==========================================

An inspection team can visit 50 sites a day. A threshold sends it to another
number of sites every day. A :class:`~pseudolinear.Budget` sends it to the 50
sites that promise the most hits, day by day.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from pseudolinear import Budget, MeasureClassifier

# %%
# Sixteen days of 500 sites each; few sites are at fault. The last eight days
# are new.

X, y = make_classification(
    8000, n_features=12, n_informative=8, n_redundant=0, n_clusters_per_class=3, weights=[0.97],
    class_sep=1.2, flip_y=0.02, random_state=0,
)  # fmt: skip
columns = [f"reading {i}" for i in range(X.shape[1])]
sites = pd.DataFrame(X, columns=columns).assign(day=np.arange(len(X)) // 500)
past, new = sites["day"] < 8, sites["day"] >= 8

# %%
# The column of the days makes the batches. At the fit it says what share of
# the rows 50 visits are.

team = MeasureClassifier(
    measure=Budget(50, by="day"), effort="fast", random_state=0
)
team.fit(sites[past], y[past])
print(team)

# %%
# Every day has its 50 visits; the value is the share of the faults that they
# find.

visits = team.predict(sites[new])
by_day = pd.DataFrame(
    {"day": sites["day"][new], "visits": visits, "hits": visits * y[new]}
)
print(by_day.groupby("day").sum().T.to_string())
print(f"\n{team.evaluate(sites[new], y[new])}")

# %%
# The same model with a threshold for F1 visits as many as it likes:

free = team.retarget("f1").predict(sites[new])
print("visits by a threshold:", free.reshape(8, -1).sum(axis=1).tolist())

# %%
# How many faults other budgets would find. Nothing is trained again: the sizes
# of the days are enough.

plain = LogisticRegression(max_iter=1000).fit(X[past], y[past])
odds = pd.Series(plain.decision_function(X[new]))
rank = odds.groupby(sites["day"][new].to_numpy()).rank(
    ascending=False, method="first"
)
sizes = [5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400]
ours = [
    team.retarget(Budget(k, by="day"), sites[past]).score(sites[new], y[new])
    for k in sizes
]
theirs = [y[new][rank <= k].sum() / y[new].sum() for k in sizes]

fig, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
ax.plot([0, *sizes], [0, *ours], "o-", color="#0072B2", ms=5, label="Budget")
ax.plot(
    [0, *sizes],
    [0, *theirs],
    "s--",
    color="#D55E00",
    ms=5,
    label="logistic regression, ranked",
)
ax.plot([0, 500], [0, 1], ":", color="#808080", label="random visits")
ax.axvline(50, color="#808080", lw=1, zorder=0)
ax.annotate(
    f"50 visits a day: {ours[sizes.index(50)]:.0%} of the faults",
    (50, ours[sizes.index(50)]), xytext=(75, ours[sizes.index(50)] - 0.14),
    arrowprops={"arrowstyle": "-", "color": "k"},
)  # fmt: skip
ax.set(
    xlabel="visits a day, of 500 sites",
    ylabel="share of the faults found",
    xlim=(0, 420),
)
ax.set_ylim(0, 1.02)
ax.legend(loc="lower right", frameon=False)
fig.suptitle("Faults that are found with a given number of visits a day")
plt.show()
