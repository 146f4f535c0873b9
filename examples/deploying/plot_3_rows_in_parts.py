"""
What if the rows do not fit into memory?
========================================

A fit can read its rows part by part: from Parquet files, memory-mapped arrays,
batches or Dask. The rows stay where they are; the fit needs a few passes over
them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import ThresholdDisplay

# %%
# A folder of Parquet files, as Spark or DuckDB write them. A column may hold
# categories and gaps.

rng = np.random.default_rng(0)


def some_rows(n):
    amount, age = rng.lognormal(3, 1, n), rng.integers(18, 90, n)
    country = rng.choice(["at", "de", "ch", None], n)
    odds = 0.02 * amount - 0.03 * age + 1.5 * (country == "ch") - 3
    return pd.DataFrame(
        {
            "amount": amount,
            "age": age,
            "country": country,
            "fraud": np.where(odds + rng.logistic(size=n) > 0, "yes", "no"),
        }
    )


with TemporaryDirectory() as folder:
    for month in range(3):
        some_rows(6000).to_parquet(
            Path(folder, f"2026-{month + 1:02}.parquet")
        )

    # %%
    # The folder takes the place of X, and the name of a column that of y.
    clf = MeasureClassifier("linear", measure="f1", random_state=0).fit(
        folder, "fraud"
    )
    print(clf)

    # %%
    # Evaluation and predictions read files as well.
    with TemporaryDirectory() as new:
        some_rows(6000).to_parquet(Path(new, "2026-04.parquet"))
        print(clf.evaluate(new, "fraud"))
        print(clf.predict(new)[:5])

# %%
# What was fitted is an ordinary classifier. Thresholds are chosen on all rows;
# ``resolution_`` says by how much a cut between two counted ones could be
# better.

print("resolution:", clf.resolution_)
print("for F2:", clf.retarget("f2").threshold_)
display = ThresholdDisplay.from_sweep(clf.sweep_)
display.figure_.suptitle(
    "Fraud in a folder of files: precision, recall and F1"
)
plt.show()
