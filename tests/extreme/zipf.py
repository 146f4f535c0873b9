"""Rows of words with many labels, most of them rare."""

import numpy as np
from scipy import sparse


def zipf_rows(n_samples, n_features, n_labels, seed=0):
    """Draw labels by Zipf's law, and words: two thirds of them from the labels of the row."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, n_labels + 1)
    rows = np.repeat(np.arange(n_samples), 1 + rng.poisson(2, n_samples))
    labels = rng.choice(n_labels, rows.size, p=share / share.sum())
    Y = sparse.csr_array((np.ones(rows.size), (rows, labels)), shape=(n_samples, n_labels))
    Y.data[:] = 1.0
    words = rng.integers(0, n_features, (n_labels, 8))
    at = np.repeat(np.arange(n_samples), 20)
    picked = Y.indptr[at] + (rng.random(at.size) * np.diff(Y.indptr)[at]).astype(int)
    word = words[Y.indices[picked], rng.integers(0, 8, at.size)]
    word = np.where(rng.random(at.size) < 1 / 3, rng.integers(0, n_features, at.size), word)
    X = sparse.csr_array((np.full(at.size, 0.2), (at, word)), shape=(n_samples, n_features))
    return X, Y
