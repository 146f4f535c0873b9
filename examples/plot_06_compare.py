"""
Ours and the rivals on your own data
====================================

`compare` fits every method that applies on the same splits and scores it on rows that took no part
in any of its choices.
"""

# %%
# A binary problem with 10 % positives and noisy labels, three held-out folds.

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from pseudolinear import compare

X, y = make_classification(
    1500, n_features=20, n_informative=6, weights=[0.9], flip_y=0.03, class_sep=0.8, random_state=0
)
methods = ["default", "plain", "threshold", "plug_in", "svm_perf", "soft_f", "asymmetric_svm"]
rows = compare(X, y, "f1", methods=methods, random_state=0)
for row in rows:
    verdict = "level with the best" if row["level"] else "below the best"
    print(f"{row['method']:15} F1 {row['value']:.3f}, {row['seconds']:.2f} s, {verdict}")

# %%
# Methods that find the same rows difficult are compared row by row. Where the interval of the
# difference holds 0, the first place is a matter of luck: ties are no wins.

fig, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
others = rows[:0:-1]
below = [row["below"] for row in others]
ends = [[b - row["low"] for b, row in zip(below, others, strict=True)]]
ends.append([row["high"] - b for b, row in zip(below, others, strict=True)])
ax.errorbar(below, [row["method"] for row in others], xerr=ends, fmt="o", color="#0072b2")
ax.axvline(0, color="0.6", linewidth=1)
ax.set(xlabel=f"F1 below {rows[0]['method']!r}: paired 95 % interval")
plt.show()
