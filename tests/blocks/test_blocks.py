"""Blocks: codes and steps are the matrices that they stand for."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from pseudolinear.blocks import Blocks, Codes, Steps, as_plain


def make_codes(n=60, groups=(3, 1, 5, 2), seed=0):
    """Return codes with gaps, and the one-hot array."""
    rng, d = np.random.RandomState(seed), sum(groups)
    codes, array = np.full((n, len(groups)), d), np.zeros((n, d))
    for j, (width, end) in enumerate(zip(groups, np.cumsum(groups), strict=True)):
        drawn = rng.randint(-1, width, n)
        codes[:, j] = np.where(drawn < 0, d, end - width + drawn)
        array[drawn >= 0, codes[drawn >= 0, j]] = 1.0
    return Codes(codes, d), array


def make_steps(n=60, seed=0):
    """Return steps, one number without any, and the array of comparisons."""
    X = np.random.RandomState(seed).randint(0, 9, (n, 4)).astype(float)
    thresholds = [np.arange(7.0), np.array([]), np.array([3.0]), np.array([-1.0, 2.5, 99.0])]
    array = np.hstack([X[:, [j]] > own for j, own in enumerate(thresholds)])
    return Steps.of(X, thresholds), array.astype(float)


def make_blocks(n=60):
    """Return a block of every kind, and all of them as an array."""
    dense, (codes, one_hot), (steps, passed) = (
        np.random.RandomState(1).randn(n, 3),
        make_codes(n),
        make_steps(n),
    )
    words = sparse.random(n, 6, 0.3, "csr", random_state=0)
    blocks = Blocks([dense, codes, words, steps])
    return blocks, np.hstack([dense, one_hot, words.toarray(), passed])


MAKERS = [make_codes, make_steps, make_blocks]


@pytest.mark.parametrize("make", MAKERS)
def test_it_is_the_array(make):
    """Shape, columns, rows and products, with one vector and with many."""
    X, array = make()
    assert X.shape == array.shape
    assert_array_equal(X.toarray(), array)
    W = np.random.RandomState(2).randn(X.shape[1], 5)
    assert_allclose(X @ W, array @ W)
    assert_allclose(X @ W[:, 0], array @ W[:, 0])
    rows = np.array([3, 3, 0, 59])
    assert_array_equal(X[rows].toarray(), array[rows])
    assert_array_equal(X[array[:, 0] > 0].toarray(), array[array[:, 0] > 0])


@pytest.mark.parametrize("make", MAKERS)
def test_it_can_be_sent_and_says_what_it_is(make):
    """Workers get it by pickle; its repr is a line."""
    X, array = make()
    assert_array_equal(pickle.loads(pickle.dumps(X)).toarray(), array)
    assert str(X.shape) in repr(X)


def test_plain_matrices_of_any_blocks():
    """Sparse where a block is, and as they are where they are plain already."""
    blocks, array = make_blocks()
    assert sparse.issparse(as_plain(blocks))
    assert_array_equal(as_plain(blocks).toarray(), array)
    assert_array_equal(as_plain(blocks.blocks[1]), blocks.blocks[1].toarray())
    assert as_plain(array) is array


def test_a_number_exceeds_a_step_or_not():
    """A number that equals a threshold does not exceed it, and none exceeds more than infinity."""
    steps = Steps.of(np.array([[1.0], [2.0], [np.inf], [-np.inf]]), [np.array([1.0, 2.0])])
    assert_array_equal(steps.toarray(), [[0, 0], [1, 0], [1, 1], [0, 0]])
