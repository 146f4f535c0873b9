"""
What if a fit is killed, or new rows come in?
=============================================

A long fit dies with the machine, the queue or the battery. With a checkpoint,
every finished batch of problems is kept in a folder, and the same call goes on
from there, to the same result. When new rows come in later, ``retrain`` uses
them without trying everything again.
"""

import shutil
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from pseudolinear import Grid, MeasureClassifier

X, y = make_classification(
    5_000,
    60,
    n_informative=10,
    class_sep=1.2,
    flip_y=0.02,
    weights=[0.8],
    random_state=0,
)
X_test, y_test = X[3_000:], y[3_000:]


class PowerCut(GaussianNB):
    """A classifier during whose training the power fails."""

    trained, fails_at = 0, None

    def fit(self, X, y, sample_weight=None):
        if PowerCut.trained == PowerCut.fails_at:
            raise KeyboardInterrupt("the power has failed")
        PowerCut.trained += 1
        return super().fit(X, y, sample_weight)


# %%
# Six levels on three folds and the last training are 19 trainings; the power
# fails after 13.
folder = Path(tempfile.mkdtemp()) / "checkpoint"
clf = MeasureClassifier(PowerCut(), search=Grid(6), random_state=0)
PowerCut.fails_at = 13
try:
    clf.fit(X[:1_000], y[:1_000], checkpoint=folder)
except KeyboardInterrupt as reason:
    print(
        f"{reason}: {PowerCut.trained} trainings, {len(list(folder.glob('*.npz')))} files kept"
    )

# %%
# The same call again. Whole batches count, here a level on all folds: four
# were finished.
PowerCut.trained, PowerCut.fails_at = 0, None
clf.fit(X[:1_000], y[:1_000], checkpoint=folder)
print(f"the same call again: {PowerCut.trained} trainings")
never_cut = MeasureClassifier(PowerCut(), search=Grid(6), random_state=0).fit(
    X[:1_000], y[:1_000]
)
same = np.array_equal(
    clf.decision_function(X_test), never_cut.decision_function(X_test)
)
print(f"the same scores as without a power cut: {same}")
shutil.rmtree(folder)

# %%
# Rows come in by and by. `retrain` keeps level and hyper-parameters, trains on
# all rows so far and cuts anew; a fit tries everything again.
sizes = np.linspace(300, 3_000, 6).astype(int)
first = MeasureClassifier("linear", random_state=0).fit(
    X[: sizes[0]], y[: sizes[0]]
)
values, seconds = {}, {}
for name in ("as it was", "retrained", "fitted again"):
    values[name], spent = [], 0.0
    current = first
    for n in sizes:
        began = time.process_time()
        if name == "retrained":
            current = current.retrain(X[:n], y[:n])
        elif name == "fitted again":
            current = MeasureClassifier("linear", random_state=0).fit(
                X[:n], y[:n]
            )
        spent += time.process_time() - began
        values[name].append(current.score(X_test, y_test))
    seconds[name] = spent
    print(f"{name}: F1 {values[name][-1]:.3f}")

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for (name, line), style in zip(
    values.items(), [":", "o-", "s--"], strict=True
):
    label = (
        name
        if name == "as it was"
        else f"{name}, {seconds[name]:.2f} s of CPU"
    )
    colour = {"retrained": "#D55E00", "fitted again": "#0072B2"}.get(
        name, "#808080"
    )
    axes.plot(sizes, line, style, color=colour, label=label, markersize=5)
axes.set(xlabel="rows so far", ylabel="F1 on other rows")
axes.legend()
figure.suptitle("New rows: left alone, retrained, fitted again")
plt.show()
