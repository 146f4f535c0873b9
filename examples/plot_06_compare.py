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
    print(
        f"{row['method']:15} F1 {row['value']:.3f} +- {row['spread']:.3f}, {row['seconds']:.2f} s"
    )

# %%
# The spread over the folds says which differences mean something.

fig, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
names = [row["method"] for row in rows][::-1]
ax.errorbar(
    [row["value"] for row in rows][::-1],
    names,
    xerr=[row["spread"] for row in rows][::-1],
    fmt="o",
    color="#0072b2",
    ecolor="0.6",
)
ax.set(xlabel="F1 on held-out folds: mean and standard deviation")
plt.show()
