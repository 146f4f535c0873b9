"""A table of numbers and categories that can be exported."""

import numpy as np
import pandas as pd


def make_table(n_samples=800, seed=0):
    """Return numbers, booleans and categories, with gaps and categories that come late."""
    rng = np.random.RandomState(seed)
    table = pd.DataFrame(
        {
            "amount": rng.randn(n_samples),
            "age": rng.randint(18, 80, n_samples).astype(float),
            "member": rng.rand(n_samples) < 0.5,
            "town": rng.choice(["Ulm", "Köln", "Bonn", "Kiel"], n_samples),
            "code": rng.choice([f"c{i}" for i in range(40)], n_samples),
            "grade": pd.Categorical(rng.choice([1, 2, 3], n_samples)),
            "label": rng.choice(["yes", "no"], n_samples),
        }
    )
    noise = rng.randn(n_samples)
    y = (table["amount"] + (table["town"] == "Ulm") + 0.3 * noise > 0.8).to_numpy()
    table.loc[::7, "age"] = np.nan
    table.loc[::9, "town"] = None
    table.loc[600:, "code"] = "late"
    table.loc[700:, "town"] = "Rom"
    return table, np.where(y, "buys", "leaves")
