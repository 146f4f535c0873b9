"""Cones: what a classifier of least cost says about all the others is never violated."""

import numpy as np
import pytest
from curves import MEASURES, random_curve
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from pseudolinear import ConeBound, FBeta, Jaccard


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@given(seed=st.integers(0, 10**6), level=st.floats(0.05, 0.95), spare=st.floats(0, 0.05))
def test_no_classifier_is_above_the_ceiling(measure, seed, level, spare):
    """Every better one stays below the cone at its own value, and below the diagonal bound.

    Also if the classifier is only nearly the cheapest.
    """
    profiles, prevalence = random_curve(seed)
    cost = profiles.total_cost(measure.costs(level, prevalence))
    near = np.flatnonzero(cost <= cost.min() + spare)
    chosen = int(near[seed % near.size])
    cone = ConeBound.from_pair(
        measure, prevalence, level, profiles.errors[chosen, 0],
        suboptimality=cost[chosen] - cost.min(),
    )  # fmt: skip
    values = measure.value(profiles)
    better = values[values > values[chosen]]
    assert (better <= cone.ceiling(better) + 1e-9).all()
    assert values.max() <= cone.bound() + 1e-9
    assert cone.left <= 0 <= cone.right < 1


@given(seed=st.integers(0, 10**6), level=st.floats(0.05, 0.95), beta=st.sampled_from([0.5, 1, 2]))
def test_slopes_are_the_published_ones(seed, level, beta):
    """For F-beta both published forms, for Jaccard the same argument."""
    profiles, P = random_curve(seed)
    b2, N = beta**2, 1 - P
    chosen = int(np.argmin(profiles.total_cost(FBeta(beta).costs(level))))
    fn, fp = profiles.errors[chosen, 0]
    value = FBeta(beta).value(profiles)[chosen]
    cone = ConeBound.from_pair(FBeta(beta), P, level, (fn, fp))
    D = (1 + b2) * P - fn + fp
    top = min(N, (1 + b2) * P * (1 - value) / value) if value > 0 else N
    bottom = -(1 + b2) * P * (1 - value) / (1 + b2 - value)
    assert_allclose(cone.left, (fp - fn - top) / D, atol=1e-9)
    assert_allclose(cone.right, (fp - fn - bottom) / D, atol=1e-9)
    if fn < P:
        assert_allclose(top, fp + min(N - fp, fn * (b2 * P + fp) / (P - fn)), atol=1e-9)
    assert_allclose(bottom, -fn - fp * (P - fn) / (b2 * P + fp), atol=1e-9)
    jaccard = ConeBound.from_pair(Jaccard(), P, level, (fn, fp))
    j = (P - fn) / (P + fp)
    top = min(N, P * (1 - j) / j) if j > 0 else N
    assert_allclose(jaccard.left, (fp - top) / (P + fp), atol=1e-9)
    assert_allclose(jaccard.right, fp / (P + fp), atol=1e-9)


@pytest.mark.parametrize("measure", [FBeta(), FBeta(2.0), Jaccard()], ids=repr)
@given(seed=st.integers(0, 10**6), level=st.floats(0.05, 0.95))
def test_the_cone_is_tighter_than_the_classical_bound(measure, seed, level):
    """The classical one has the slope 2 |delta| Phi M on either side (Proposition 3)."""
    profiles, prevalence = random_curve(seed)
    chosen = int(np.argmin(profiles.total_cost(measure.costs(level, prevalence))))
    cone = ConeBound.from_pair(measure, prevalence, level, profiles.errors[chosen, 0])
    radius = np.linalg.norm(profiles.errors[:, 0], axis=1).max()
    slope = 2 * measure.lipschitz(prevalence) * measure.resolution(prevalence) * radius
    assert max(-cone.left, cone.right) <= slope + 1e-9


@given(seed=st.integers(0, 10**6), level=st.floats(0.05, 0.95))
def test_a_floor_makes_the_cone_narrower(seed, level):
    """Only classifiers better than the best one so far matter."""
    profiles, prevalence = random_curve(seed)
    values = FBeta().value(profiles)
    pair = profiles.errors[int(np.argmin(profiles.total_cost(FBeta().costs(level)))), 0]
    wide = ConeBound.from_pair(FBeta(), prevalence, level, pair)
    narrow = ConeBound.from_pair(FBeta(), prevalence, level, pair, floor=float(np.median(values)))
    assert narrow.left >= wide.left - 1e-12
    assert narrow.right <= wide.right + 1e-12
