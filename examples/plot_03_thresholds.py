"""
Thresholds alone
================

Any scores will do: the exact best cut for a measure, or under a constraint.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict

from pseudolinear import (
    ErrorCurve,
    FalseNegativesAtFalsePositives,
    PrecisionAtRecall,
    RecallAtPrecision,
    best_threshold,
)

X, y = make_classification(3000, weights=[0.9], flip_y=0.02, class_sep=0.5, random_state=0)
forest = RandomForestClassifier(100, random_state=0)
scores = cross_val_predict(forest, X, y, method="predict_proba")[:, 1]

# %%
# One function, many objectives.

objectives = {
    "F1": "f1",
    "F2 (recall counts more)": "f2",
    "F0.5 (precision counts more)": "f0.5",
    "most recall with precision >= 0.9": RecallAtPrecision(0.9),
    "most precision with recall >= 0.7": PrecisionAtRecall(0.7),
    "fewest misses with 1 % false alarms": FalseNegativesAtFalsePositives(0.01),
}
cuts = {name: best_threshold(y, scores, objective) for name, objective in objectives.items()}
for name, cut in cuts.items():
    precision, recall = cut.profile.precision[0], cut.profile.recall[0]
    print(
        f"{name:36} threshold {cut.threshold:.3f}  precision {precision:.2f}  recall {recall:.2f}"
    )

# %%
# All cuts of the score, in the plane of errors. The best cut of any pseudo-linear measure lies on
# the lower left hull.

curve = ErrorCurve.from_scores(y, scores)
hull = curve.hull()
fig, ax = plt.subplots(layout="constrained")
ax.plot(curve.fp[:, 0], curve.fn[:, 0], color="#BBBBBB", label="every cut")
ax.plot(curve.fp[hull, 0], curve.fn[hull, 0], "o-", color="#0072B2", ms=4, label="hull")
for (name, cut), marker in zip(cuts.items(), "D^vs*P", strict=True):
    ax.plot(cut.profile.fp, cut.profile.fn, marker, color="k", ms=9, mfc="none", label=name)
ax.set(xlabel="false positives", ylabel="false negatives", xlim=(-0.002, 0.1), ylim=(-0.002, 0.1))
ax.legend(fontsize=8)
plt.show()
