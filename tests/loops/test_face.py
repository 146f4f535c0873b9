"""Conjugate gradients on a face of the dual: the optimum inside, the bounds where they are met."""

import numpy as np
import pytest
from scipy import sparse

from pseudolinear.loops._constants import LANES
from pseudolinear.loops._face import maximise


@pytest.fixture
def face():
    """Return sparse rows, slopes of the dual and the curvature of the free variables."""
    rng = np.random.RandomState(0)
    X = sparse.random(20, 40, density=0.3, format="csr", random_state=rng)
    slopes, rho = rng.randn(20, LANES), 0.5
    return X, slopes, rho, (X @ X.T).toarray() + rho


def change(face, room, limit=200):
    """Return the change that the loop makes within ``room`` of every variable."""
    X, slopes, rho, K = face
    inverse = np.repeat(1.0 / K.diagonal()[:, None], LANES, axis=1)
    high = np.full_like(slopes, room)
    W = np.zeros((40, LANES))
    arrays = (
        X.indptr.view(np.uint32),
        X.indices.view(np.uint32),
        X.data,
        inverse,
        slopes.copy(),
        -high,
        high,
        np.ones_like(high),
    )
    return maximise(*arrays, rho, np.full(LANES, 1e-9), limit, W)


def test_far_from_bounds_it_solves_the_equation(face):
    """Without bounds in reach the slopes vanish."""
    _, slopes, _, K = face
    np.testing.assert_allclose(K @ change(face, 1e6), slopes, atol=1e-8)


def test_stays_within_bounds_and_gains(face):
    """Steps end at the bounds that they meet, and the dual grows."""
    _, slopes, _, K = face
    step = change(face, 0.1)
    assert np.abs(step).max() == 0.1
    gain = np.einsum("iq,iq->q", step, slopes - 0.5 * K @ step)
    assert np.all(gain > 0.0)
    free = np.abs(step) < 0.1
    np.testing.assert_allclose((slopes - K @ step)[free], 0.0, atol=1e-8)
