"""From any table to the best classifier.

A table as it comes from a database: numbers of any scale, categories, dates, free text and gaps.
Nothing has to be prepared, and nothing about the features has to be said: `MeasureClassifier()`
makes of every column what each of its learners likes, inside the folds, and blends the learners.
"""

import numpy as np
import pandas as pd

from pseudolinear import MeasureClassifier

# %%
# Customers of a shop; one in ten leaves. Who leaves depends on age of the contract, price and plan,
# and on what the last message to the service was about.

rng = np.random.default_rng(0)
n = 3000
table = pd.DataFrame(
    {
        "since": pd.Timestamp("2025-01-01") - pd.to_timedelta(rng.integers(10, 2000, n), unit="D"),
        "price": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(10, 1, n)),
        "plan": rng.choice(["basic", "plus", "family", None], n),
        "city": rng.choice([f"city {i}" for i in range(300)], n),
        "active": rng.random(n) < 0.8,
        "message": rng.choice(
            ["thank you", "when does it arrive", "please cancel my order", "wrong size"], n
        ),
    }
)
age = (pd.Timestamp("2025-01-01") - table["since"]).dt.days
risk = (
    -4
    + 1.5 * (age < 400)
    + 1.5 * (table["plan"] == "basic")
    + 2.0 * table["message"].str.contains("cancel")
    + 1.0 * (table["price"] > 40_000)
)
leaves = np.where(rng.random(n) < 1 / (1 + np.exp(-risk)), "leaves", "stays")
print(table.head(3).to_string())

# %%
# One line trains; the rarer class is the positive one.

train, test = slice(0, 2000), slice(2000, n)
classifier = MeasureClassifier(measure="f1", random_state=0).fit(table[train], leaves[train])
print("positive class:", classifier.pos_label_)
for row in classifier.portfolio_:
    print(f"{row['learner']:10s} F1 alone {row['value']:.3f}")
print(f"blend: {classifier.best_score_:.3f} on the folds, honestly {classifier.honest_score_:.3f}")
print(f"new rows: {classifier.score(table[test], leaves[test]):.3f}")

# %%
# New rows may have gaps, categories and words that training has not shown.

unseen = table[test].head(2).assign(plan="brand new", price=np.nan, message="?!")
print(classifier.predict(unseen), classifier.predict_proba(unseen).round(2).tolist())

# %%
# The same fit answers for another measure without training again.

print(f"F2: {classifier.retarget('f2').score(table[test], leaves[test]):.3f}")
