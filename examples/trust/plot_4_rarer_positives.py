"""
What if positives are rarer where I use it?
===========================================

A hospital has nearly as many sick patients as healthy ones, and trains a
classifier. In the town hardly anybody is sick. Sick people look the same in
both places, and so do healthy people, but the best threshold is another one:
nearly everybody is healthy now, and too many of them are flagged. Rows of the
town, without labels, are enough to put it right.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification

from pseudolinear import MeasureClassifier, best_threshold

X, y = make_classification(
    30_000,
    n_informative=6,
    class_sep=1.2,
    flip_y=0.02,
    weights=[0.6],
    random_state=0,
)
hospital, town = slice(0, 3000), slice(3000, None)
clf = MeasureClassifier("linear", random_state=0).fit(X[hospital], y[hospital])
X, y = X[town], y[town]


def patients(prevalence, n=4000):
    """Draw patients of a town in which this share is sick."""
    rng = np.random.default_rng(1)
    n_sick = round(prevalence * n)
    sick = rng.choice(np.flatnonzero(y == 1), n_sick, replace=False)
    return np.concatenate(
        [sick, rng.choice(np.flatnonzero(y == 0), n - n_sick, replace=False)]
    )


# %%
# The classifier looks at 4,000 patients of a town in which 3 % are sick, and
# is not told who.
rows = patients(0.03)
adapted = clf.adapt(X[rows])
print(adapted.adaptation_)
print(f"F1 as trained {clf.score(X[rows], y[rows]):.3f}")
print(f"F1 adapted {adapted.score(X[rows], y[rows]):.3f}")

# %%
# Who knows the prevalence need not have it estimated; a probability is then
# one of that town.
known = clf.retarget(prevalence=0.03)
print(f"F1 with the prevalence given {known.score(X[rows], y[rows]):.3f}")
low, high = known.honest_interval_
print(
    f"What to expect there: {known.honest_score_:.3f}, 95 % interval {low:.3f} to {high:.3f}"
)

# %%
# The same for towns from 1 % to 60 % of sick people. The dashed line knows the
# labels of the town and takes the threshold that is best for them.
shares = np.geomspace(0.01, 0.6, 12)
values = {"as trained": [], "adapted": [], "best threshold for the labels": []}
for share in shares:
    rows = patients(share)
    values["as trained"].append(clf.score(X[rows], y[rows]))
    values["adapted"].append(clf.adapt(X[rows]).score(X[rows], y[rows]))
    best = best_threshold(y[rows], clf.decision_function(X[rows]), "f1")
    values["best threshold for the labels"].append(best.value)

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for (name, line), style in zip(
    values.items(), ["o-", "s-.", "--"], strict=True
):
    colour = {"as trained": "#0072B2", "adapted": "#D55E00"}.get(name, "k")
    axes.plot(shares, line, style, color=colour, label=name, markersize=5)
trained = adapted.adaptation_.labels[0].trained
axes.axvline(trained, color="#808080", linewidth=1)
axes.annotate("training", (trained, 0.02), xycoords=("data", "axes fraction"), xytext=(-4, 0),
              textcoords="offset points", ha="right", color="k")  # fmt: skip
axes.set(
    xscale="log", xlabel="share of positives where it is used", ylabel="F1"
)
ticks = [0.01, 0.03, 0.1, 0.3, 0.6]
axes.set_xticks(ticks, [f"{100 * tick:g} %" for tick in ticks])
axes.minorticks_off()
axes.legend(loc="upper left")
figure.suptitle("F1 where positives are rarer or more common than in training")
plt.show()
