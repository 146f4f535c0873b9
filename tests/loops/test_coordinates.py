"""The loops of the hinge's coordinate descent, beside plain sums and brute force."""

import numpy as np
import pytest

from pseudolinear.loops._constants import LANES
from pseudolinear.loops._coordinates import best_intercepts


@pytest.mark.parametrize("rare", [0.5, 0.02, 0.0, 1.0])
@pytest.mark.parametrize("cost", [1.0, 1e-9])
def test_no_bend_of_the_loss_is_better_than_the_best_intercept(rare, cost):
    rng = np.random.RandomState(0)
    y = np.where(rng.rand(60, LANES) < rare, 1.0, -1.0)
    U, F = rng.rand(60, LANES) * np.where(y > 0, cost, 1.0), rng.randn(60, LANES)
    b, loss = np.empty((2, LANES))
    best_intercepts(y, U, F, 30, np.empty_like(F), b, loss, *np.empty((4, LANES)))

    def losses(b):
        return (U * np.maximum(1.0 - y * (F + b), 0.0)).sum(axis=0)

    np.testing.assert_allclose(loss, losses(b), atol=1e-12)
    for bend in y - F:  # a piecewise linear function is least where it bends
        assert (loss <= losses(bend) * (1.0 + 1e-12) + 1e-15).all()
