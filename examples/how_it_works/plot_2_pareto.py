"""
Which classifiers can be the best at all?
=========================================

Take the smallest problem on which every classifier can be listed: three points
with known shares of positives, and so eight classifiers. Whatever the measure,
the best one is a corner of the lower left hull of their errors.
"""

import matplotlib.pyplot as plt

from pseudolinear import FBeta, get_measure
from pseudolinear.datasets import three_point_profiles
from pseudolinear.inspection import ParetoDisplay

# %%
# A classifier is named by what it predicts for the three points.

names, profiles = three_point_profiles()
for name, value in zip(names, FBeta().value(profiles), strict=True):
    print(f"{name}: F1 = {value:.4f}")

# %%
# One of the eight is beaten in both errors, three more are on the front but
# never the cheapest, and four are vertices of the hull. Nothing lies on the
# lower left side of the level set of the best: no classifier is cheaper at the
# costs of the level that it reaches.

display = ParetoDisplay.from_profiles(profiles, "f1", names)
display.figure_.suptitle(
    "Errors of eight classifiers; the best F1 is a corner of the hull"
)

# %%
# Another measure has lines of another slope, and may choose another vertex of
# the same hull.

figure, axes = plt.subplots(2, 1, figsize=(7, 9.5), layout="constrained")
for ax, name in zip(axes, ("f0.5", "f2"), strict=True):
    display = ParetoDisplay.from_profiles(profiles, name, names, ax=ax)
    ax.set_title(name.upper())
    print(f"best for {get_measure(name)!r}: {names[display.best]}")
figure.suptitle("Other measures choose other corners")
plt.show()
