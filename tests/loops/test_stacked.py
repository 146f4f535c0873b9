"""Systems of many labels, solved with the inverses of their factors."""

import numpy as np
import pytest

from pseudolinear.loops._stacked import FOUR, invert_triangles, solve_lanes


@pytest.mark.parametrize("n", [FOUR, 3 * FOUR])
@pytest.mark.parametrize("beyond", range(FOUR))  # rows that fill the last four
def test_lanes_get_the_solutions_of_their_own_systems(n, beyond):
    rng = np.random.default_rng(0)
    d, place = n - beyond, np.array([1, -1, 0, 1, 2])
    A = rng.normal(size=(3, 2 * n, d))
    H = A.transpose(0, 2, 1) @ A
    triangles = np.stack([np.eye(n)] * 3)
    triangles[:, :d, :d] = np.linalg.cholesky(H)
    inverses = triangles.copy()
    invert_triangles(inverses, np.empty(n))
    np.testing.assert_allclose(inverses, np.linalg.inv(triangles), atol=1e-10)
    G, U = rng.normal(size=(d, len(place))), np.full((d, len(place)), np.nan)
    solve_lanes(inverses, place, G, U, *np.zeros((2, n)))
    for lane, own in enumerate(place):
        expected = np.linalg.solve(H[own], G[:, lane]) if own >= 0 else np.zeros(d)
        np.testing.assert_allclose(U[:, lane], expected, atol=1e-8)
