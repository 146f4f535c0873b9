"""A table of everything that people put into one."""

import numpy as np
import pandas as pd


def make_table(n_samples=240, seed=0):
    """Return numbers of wild scale, booleans, categories, strings, dates and text with gaps."""
    rng = np.random.RandomState(seed)
    y = (rng.rand(n_samples) < 0.3).astype(int)
    words = np.array(["red", "green", "blue", "old", "new", "big", "small", "fast", "slow"])
    moods = np.where(y == 1, "broken", "fine")
    table = pd.DataFrame(
        {
            "tiny": 1e-9 * (rng.randn(n_samples) + 2 * y),
            "huge": 1e9 * rng.randn(n_samples),
            "whole": rng.randint(0, 9, n_samples),
            "flag": rng.rand(n_samples) < 0.5,
            "colour": rng.choice(["red", "green", "blue"], n_samples),
            "grade": pd.Categorical(rng.choice(["a", "b"], n_samples)),
            "user": [f"user{i:04d}" for i in rng.randint(0, 2000, n_samples)],
            "day": pd.date_range("2020-01-01", periods=n_samples, freq="h"),
            "lasted": pd.to_timedelta(rng.randint(0, 999, n_samples), unit="s"),
            "gaps": np.where(rng.rand(n_samples) < 0.2, np.nan, rng.randn(n_samples)),
            "note": [
                " ".join([*rng.choice(words, 4), mood, *rng.choice(words, 4)]) for mood in moods
            ],
        }
    )
    table.loc[::9, "colour"] = None
    table.loc[::11, "note"] = None
    table.loc[::13, "day"] = pd.NaT
    return table, y
