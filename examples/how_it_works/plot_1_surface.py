"""
Why can costs reach the best F1?
================================

A classifier makes two errors: misses and false alarms. F1 is a surface over
both, and all points of equal F1 lie on a straight line. The points of equal
cost lie on straight lines as well. So, for the right costs, the cheapest
classifier is the one with the best F1.
"""

import matplotlib.pyplot as plt

from pseudolinear import ErrorProfile, FBeta, Jaccard
from pseudolinear.inspection import SurfaceDisplay

# %%
# The flatter a line, the more a false negative costs against a false positive.
# Low levels care for misses, high ones for both errors nearly alike.

for level in (0.2, 0.5, 0.8):
    cost_fn, cost_fp = FBeta().costs(level)
    print(
        f"level {level}: one miss costs as much as {cost_fn / cost_fp:.2f} false alarms"
    )

# %%
# Three in ten rows are positive. The star misses a third of them and raises a
# few false alarms.

profile = ErrorProfile(fn=0.1, fp=0.05, prevalence=0.3)
display = SurfaceDisplay.from_measure("f1", 0.3, profile=profile)
display.figure_.suptitle(
    "F1 over the two errors: lines of equal F1 are straight"
)

# %%
# Two other measures: F2 prefers false alarms to misses, and the Jaccard index
# has the lines of F1 with other numbers on them.

figure, axes = plt.subplots(2, 1, figsize=(7, 9.5), layout="constrained")
for ax, measure in zip(axes, (FBeta(2), Jaccard()), strict=True):
    SurfaceDisplay.from_measure(measure, 0.3, profile=profile, ax=ax)
figure.suptitle("F2 (above) and the Jaccard index (below) over the two errors")
plt.show()
