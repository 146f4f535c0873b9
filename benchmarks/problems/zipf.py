"""Rows with many labels, as texts have them: sparse words, labels of Zipf frequencies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

TOPIC_WORDS = 30  # words that speak for a label, some of them for others as well
LABELS_PER_ROW = 3.0
TOLD = 0.6  # share of the words of a row that come from its labels; the others are anybody's
FORGOTTEN = 0.1  # share of the labels that nobody has written down, so that none is certain


class ZipfRows(NamedTuple):
    """Rows and their labels.

    Attributes
    ----------
    X : csr_matrix of shape (n_rows, n_features)
        Word counts on a log scale, each row of length 1.
    Y : csr_matrix of shape (n_rows, n_labels)
        0/1; the frequency of the label of rank r is proportional to 1 / r.
    """

    X: sparse.csr_matrix
    Y: sparse.csr_matrix


def make_zipf(
    n_rows: int,
    n_labels: int,
    n_features: int = 50_000,
    n_words: int = 50,
    random_state: int = 0,
) -> ZipfRows:
    """Draw rows whose words depend on their labels, so that labels can be learnt from them.

    Every label has words of its own, drawn by a Zipf law, so that labels share the frequent ones.
    A row has one label or more, most of its words come from their words, and the others from all.
    """
    rng = np.random.default_rng(random_state)
    words = 1.0 / np.arange(10, n_features + 10)
    words /= words.sum()
    topics = rng.choice(n_features, size=(n_labels, TOPIC_WORDS), p=words**0.5 / (words**0.5).sum())
    frequency = 1.0 / np.arange(1, n_labels + 1)
    counts = 1 + rng.poisson(LABELS_PER_ROW - 1, n_rows)
    owner = np.repeat(np.arange(n_rows), counts)
    label = rng.choice(n_labels, size=owner.size, p=frequency / frequency.sum())
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    picked = (
        first[:, None] + (rng.random((n_rows, n_words)) * counts[:, None]).astype(int)
    ).ravel()
    own = topics[label[picked], rng.integers(TOPIC_WORDS, size=picked.size)]
    any_word = rng.choice(n_features, size=picked.size, p=words)
    column = np.where(rng.random(picked.size) < TOLD, own, any_word)
    row = np.repeat(np.arange(n_rows), n_words)
    X = sparse.csr_matrix((np.ones(row.size), (row, column)), shape=(n_rows, n_features))
    X.sum_duplicates()
    X.data = 1.0 + np.log(X.data)
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X.data /= np.repeat(length, np.diff(X.indptr))
    written = rng.random(owner.size) >= FORGOTTEN
    ones = np.ones(int(written.sum()), np.int8)
    Y = sparse.csr_matrix((ones, (owner[written], label[written])), shape=(n_rows, n_labels))
    Y.data[:] = 1
    return ZipfRows(X, Y)
