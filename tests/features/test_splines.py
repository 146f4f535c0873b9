"""Hats of numbers: what one number becomes does not depend on the others."""

import numpy as np
import pytest
from features.test_views import view
from numpy.testing import assert_allclose

from pseudolinear.blocks import as_plain


@pytest.mark.parametrize("zeros", [False, True])
def test_a_number_gets_the_hats_it_would_get_alone(zeros):
    """Also beyond the rows that were learnt from, and where many rows have one value."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    if zeros:
        X = np.maximum(X, 0.0) * [1, 1, -1]
    new = np.vstack([X, 3 * X, X - 1, X + 1])
    together = np.asarray(as_plain(view(X, "splines", new)))[:, 3:].reshape(len(new), 3, -1)
    for j in range(3):
        alone = np.asarray(as_plain(view(X[:, [j]], "splines", new[:, [j]])))[:, 1:]
        assert_allclose(together[:, j], alone, atol=1e-12)
        assert zeros or np.abs(together[:300, j]).max(axis=0).min() > 0.5  # no hat is lost
