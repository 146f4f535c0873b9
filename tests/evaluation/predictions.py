"""Truths and predictions that several tests evaluate."""

import numpy as np


def labels(n=200, n_labels=3, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.uniform(size=(n, n_labels)) < [0.5, 0.2, 0.1][:n_labels]
    return true.astype(int), (true ^ (rng.uniform(size=true.shape) < 0.15)).astype(int)


def classes(n=200, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.choice(list("abcd"), size=n, p=[0.5, 0.3, 0.15, 0.05])
    return true, np.where(rng.uniform(size=n) < 0.3, rng.permutation(true), true)


TRUE, FLAGGED = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 1, 0, 0, 0, 0]
