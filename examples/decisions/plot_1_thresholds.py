"""
Which threshold is best for my scores?
======================================

You have a classifier with scores, and half is not the right place to cut them.
The function :func:`~pseudolinear.best_threshold` finds the exact best cut for
any measure, or under a constraint. It looks at every cut that makes a
difference, not at a grid.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import (
    ErrorCurve,
    FalseNegativesAtFalsePositives,
    PrecisionAtRecall,
    RecallAtPrecision,
    best_threshold,
)

# %%
# Probabilities of an underactive thyroid. They are out-of-fold, because a
# threshold that is chosen on the rows of the training fits them, and not new
# ones.

table = pd.read_csv("../data/hypothyroid.csv.xz")
X, y = table.select_dtypes("number"), table["target"] == "hypothyroid"
pipeline = make_pipeline(
    SimpleImputer(), StandardScaler(), LogisticRegression()
)
scores = cross_val_predict(pipeline, X, y, method="predict_proba")[:, 1]

# %%
# One function, many aims:

aims = {
    "F1": "f1",
    "F2 (recall counts more)": "f2",
    "F0.5 (precision counts more)": "f0.5",
    "most recall with precision >= 0.9": RecallAtPrecision(0.9),
    "most precision with recall >= 0.95": PrecisionAtRecall(0.95),
    "fewest misses, false alarms <= 0.5 %": FalseNegativesAtFalsePositives(
        0.005
    ),
}
cuts = {name: best_threshold(y, scores, aim) for name, aim in aims.items()}
for name, cut in cuts.items():
    precision, recall = cut.profile.precision[0], cut.profile.recall[0]
    print(
        f"{name:37} cut {cut.threshold:.3f}  precision {precision:.2f}  recall {recall:.2f}"
    )

# %%
# Every cut of the scores makes some misses and some false alarms. The best cut
# of a measure is a corner of the lower left hull of all cuts; constraints may
# choose a cut between two corners.

curve = ErrorCurve.from_scores(y, scores)
hull = curve.hull()
fig, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
ax.plot(
    100 * curve.fp[:, 0],
    100 * curve.fn[:, 0],
    color="#808080",
    label="every cut",
)
ax.plot(
    100 * curve.fp[hull, 0],
    100 * curve.fn[hull, 0],
    "o--",
    color="#0072B2",
    ms=4,
    label="hull",
)
for (name, cut), marker in zip(cuts.items(), "D^vs*P", strict=True):
    fp, fn = 100 * cut.profile.fp, 100 * cut.profile.fn
    ax.plot(fp, fn, marker, color="k", ms=10, mfc="none", ls="", label=name)
ax.set(xlabel="false alarms (% of all rows)", ylabel="misses (% of all rows)")
ax.set(xlim=(-0.05, 2.5), ylim=(-0.05, 2.5))
ax.legend()
fig.suptitle("Errors of every cut, and the best cuts for six aims")
plt.show()
