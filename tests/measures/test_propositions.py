"""The theory: identities of pseudo-linear measures, and the guarantees that follow from them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    ErrorCurve,
    ErrorProfile,
    FBeta,
    FBetaOverLabels,
    GowerLegendre,
    Jaccard,
    LinearFractional,
    Tversky,
    WeightedAccuracy,
)

CASES = [
    (FBeta(0.1), 1),
    (FBeta(0.5), 1),
    (FBeta(), 1),
    (FBeta(3.0), 1),
    (FBeta(average="micro"), 3),
    (FBeta(2.0, average="micro"), 2),
    (FBeta(default_class=0), 3),
    (FBeta(0.5, default_class=0), 4),
    (FBetaOverLabels(2.0, default_class=0), 3),
    (Jaccard(), 1),
    (Jaccard(average="micro"), 3),
    (Jaccard(default_class=0), 3),
    (Tversky(0.8, 0.2), 1),
    (Tversky(2.0, 0.5), 1),
    (Tversky(0.3, 3.0, average="micro"), 2),
    (CohenKappa(), 1),
    (BalancedAccuracy(), 1),
    (BalancedAccuracy(average="micro"), 2),
    (WeightedAccuracy(3.0, 0.5), 1),
    (GowerLegendre(), 1),
    (GowerLegendre(average="micro"), 3),
    (LinearFractional(2.0, [-1.0, -0.5], 3.0, [-1.0, 1.0]), 1),
    (LinearFractional(3.0, [-1.0, -0.5, -2.0, -0.1], 4.0, [-1.0, 1.0, 0.5, -0.5]), 2),
]
EVERY = pytest.mark.parametrize(("measure", "n_labels"), CASES, ids=lambda value: repr(value))
EACH = settings(max_examples=10)  # of up to 20 profiles, for each of the measures
SEEDS = st.integers(0, 2**32 - 1)
BETAS = [0.1, 0.5, 1.0, 2.0, 3.0]

P, P3, Q3 = 0.2, np.array([0.5, 0.3, 0.2]), 0.5  # Q3: mass of all classes but the first
S_P, B2 = P3.sum(), 4.0
U, V = 0.7, 3.0
ZERO, ROOT = [0, 0], np.sqrt
# measure, prevalence, costs a(t) at t = 0.3, b(0.3), resolution, Lipschitz constant, width
ROWS = [
    (FBeta(2.0), P, [4.7, 0.3], 5 * P * -0.7, 1 / (B2 * P), ROOT(2), 1),
    (FBeta(2.0, average="micro"), P3, [[4.7, 0.3]] * 3, 5 * S_P * -0.7, 1 / (B2 * S_P), ROOT(6), 3),
    (FBeta(2.0, default_class=0), P3, [[0.3, 0], [4.7, 0], [4.7, 0]], 5 * Q3 * -0.7,
     1 / (B2 * Q3), ROOT(3), 1),
    (FBetaOverLabels(2.0, default_class=0), P3, [ZERO, [4.7, 0.3], [4.7, 0.3]], 5 * Q3 * -0.7,
     1 / (B2 * Q3), ROOT(4), 2),
    (Jaccard(), P, [1, 0.3], P * -0.7, 1 / P, 1, 1 - P),
    (Jaccard(average="micro"), P3, [[1, 0.3]] * 3, S_P * -0.7, 1 / S_P, ROOT(3), 3 - S_P),
    (Jaccard(default_class=0), P3, [[0.3, 0], [1, 0], [1, 0]], Q3 * -0.7, 1 / Q3, 1, P3[0]),
    (Tversky(U, V), P, [1 + 0.3 * (U - 1), 0.3 * V], P * -0.7, 1 / (U * P),
     ROOT((U - 1) ** 2 + V**2), (1 - U) * P + V * (1 - P)),
    (Tversky(2.0, V), P, [1.3, 0.3 * V], P * -0.7, 1 / P, ROOT(1 + V**2), P + V * (1 - P)),
    (WeightedAccuracy(2.0, 0.5), P, [2, 0.5], -0.7, 1, 0, 0),
    (BalancedAccuracy(), P, [1 / (2 * P), 1 / (2 * (1 - P))], -0.7, 1, 0, 0),
    (GowerLegendre(), P, [0.85, 0.85], -0.7, 2, ROOT(0.5), 0.5),
    (CohenKappa(), P, [1 - P + 0.3 * (P - 0.5), P - 0.3 * (P - 0.5)], P * (1 - P) * -0.7,
     2 / P, ROOT(2) * (0.5 - P), 0.5 - P),
]  # fmt: skip
TABLE = pytest.mark.parametrize("row", ROWS, ids=lambda row: repr(row[0]))


def random_profiles(seed, n_labels, size=20, lowest=0.05):
    """Draw profiles uniformly from the box of a random prevalence."""
    rng = np.random.default_rng(seed)
    if n_labels == 1:
        prevalence = rng.uniform(lowest, 1 - lowest, 1)
    else:  # of classes that exclude each other; as good as any for several labels
        prevalence = rng.dirichlet(np.ones(n_labels)) * (1 - n_labels * lowest) + lowest
    fn = rng.uniform(0, prevalence, (size, n_labels))
    fp = rng.uniform(0, 1 - prevalence, (size, n_labels))
    return rng, ErrorProfile(fn, fp, prevalence)


def denominator(measure, profiles):
    c = measure.coefficients(profiles.prevalence)
    return c.alpha1 + profiles.total_cost(c.delta)


def cost(measure, level, profiles):
    return profiles.total_cost(measure.costs(level, profiles.prevalence))


@EVERY
@EACH
@given(seed=SEEDS)
def test_cost_above_offset_is_distance_to_level_times_denominator(measure, n_labels, seed):
    """(I1): <a(t), e> + b(t) = (t - F(e)) D(e), for levels inside and outside [0, 1]."""
    rng, profiles = random_profiles(seed, n_labels)
    level = rng.uniform(-1, 3)
    surplus = cost(measure, level, profiles) + measure.offset(level, profiles.prevalence)
    expected = (level - measure.value(profiles)) * denominator(measure, profiles)
    np.testing.assert_allclose(surplus, expected, rtol=1e-10, atol=1e-12)


@EVERY
@EACH
@given(seed=SEEDS)
def test_difference_of_values_is_difference_of_costs(measure, n_labels, seed):
    """(I2): F(e') - F(e) = <a(F(e')), e - e'> / D(e) = <a(F(e)), e - e'> / D(e')."""
    _, profiles = random_profiles(seed, n_labels, size=2)
    value, scale = measure.value(profiles), denominator(measure, profiles)
    at_0, at_1 = (cost(measure, v, profiles) for v in value)
    expected = [(at_1[0] - at_1[1]) / scale[0], (at_0[0] - at_0[1]) / scale[1]]
    np.testing.assert_allclose(expected, value[1] - value[0], rtol=1e-10, atol=1e-11)


@EVERY
@EACH
@given(seed=SEEDS)
def test_gradient_points_against_the_costs(measure, n_labels, seed):
    """(I3): grad F(e) = -a(F(e)) / D(e), here against central differences."""
    _, profiles = random_profiles(seed, n_labels, size=1, lowest=0.15)
    p, centre = profiles.prevalence, 0.25 * np.stack([profiles.prevalence, 1 - profiles.prevalence])
    fn, fp = centre + profiles.errors[0].T / 2  # the inner half of the box
    step = 1e-5 * np.eye(2 * n_labels).reshape(-1, 2, n_labels)
    up = measure.value(ErrorProfile(fn + step[:, 0], fp + step[:, 1], p))
    down = measure.value(ErrorProfile(fn - step[:, 0], fp - step[:, 1], p))
    here = ErrorProfile(fn, fp, p)
    gradient = -measure.costs(measure.value(here), p) / denominator(measure, here)
    np.testing.assert_allclose((up - down) / 2e-5, gradient.T.ravel(), rtol=1e-5, atol=1e-6)


@EVERY
@EACH
@given(seed=SEEDS)
def test_level_sets_are_hyperplanes(measure, n_labels, seed):
    """P1: sign(F(e) - t) = -sign(<a(t), e> + b(t)); the profile itself lies on its level."""
    rng, profiles = random_profiles(seed, n_labels)
    level = rng.choice([rng.uniform(0, 1), measure.value(profiles)[0]])
    distance = measure.value(profiles) - level
    surplus = cost(measure, level, profiles) + measure.offset(level, profiles.prevalence)
    clear = np.abs(distance) > 1e-9
    np.testing.assert_array_equal(np.sign(distance[clear]), -np.sign(surplus[clear]))
    np.testing.assert_allclose(surplus[~clear], 0, atol=1e-8)


@given(
    beta=st.sampled_from(BETAS),
    n=st.integers(2, 30),
    positives=st.integers(1, 29),
    errors=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=40),
)
def test_best_profiles_are_exactly_the_cheapest_at_the_best_level(beta, n, positives, errors):
    """P2: argmin <a(F*), e> and argmax F are the same set, ties included."""
    positives = min(positives, n - 1)
    fn, fp = np.minimum(np.array(errors), [positives, n - positives]).T[..., None] / n
    profiles = ErrorProfile(fn, fp, positives / n)
    values = FBeta(beta).value(profiles)
    costs = cost(FBeta(beta), values.max(), profiles)
    np.testing.assert_array_equal(costs <= costs.min() + 1e-13, values >= values.max() - 1e-13)


def test_profiles_on_one_level_all_are_cheapest():
    """P2 with a tie: finding 1 of 2 without error and both with two errors give the same F1."""
    profiles = ErrorProfile([[0.1], [0.0], [0.1]], [[0.0], [0.2], [0.1]], 0.2)
    np.testing.assert_allclose(FBeta().value(profiles), [2 / 3, 2 / 3, 1 / 2])
    costs = cost(FBeta(), 2 / 3, profiles)
    assert costs[0] == pytest.approx(costs[1], abs=1e-13)
    assert costs[2] > costs[0] + 0.01


@EVERY
@EACH
@given(seed=SEEDS)
def test_inexact_costs_lose_at_most_what_the_paper_bounds(measure, n_labels, seed):
    """P3: F(e) >= F* - Phi (2 eps0 M + eps1) for e that is eps1-optimal at costs a(t)."""
    rng, profiles = random_profiles(seed, n_labels)
    level, slack = rng.uniform(-0.5, 2), rng.choice([0.0, rng.exponential(0.1)])
    value, costs, p = measure.value(profiles), cost(measure, level, profiles), profiles.prevalence
    chosen = costs <= costs.min() + slack
    inexact = measure.lipschitz(p) * abs(level - value.max())
    largest = np.sqrt((profiles.errors**2).sum(axis=(-2, -1))).max()
    loss = measure.resolution(p) * (2 * inexact * largest + slack)
    assert (value[chosen] >= value.max() - loss - 1e-10).all()


@EVERY
@EACH
@given(seed=SEEDS)
def test_inexact_levels_lose_at_most_the_sharper_bound(measure, n_labels, seed):
    """2.3: F* - F(e) <= (eps1 + |t - F*| |<delta, e - e*>|) / D(e) <= Phi (eps1 + W |t - F*|)."""
    rng, profiles = random_profiles(seed, n_labels)
    level, slack = rng.uniform(-0.5, 2), rng.choice([0.0, rng.exponential(0.1)])
    value, costs, p = measure.value(profiles), cost(measure, level, profiles), profiles.prevalence
    best, chosen = value.argmax(), costs <= costs.min() + slack
    scale, off = denominator(measure, profiles), abs(level - value.max())
    gap = (value[best] - value)[chosen]
    near = ((slack + off * np.abs(scale - scale[best])) / scale)[chosen]
    far = measure.resolution(p) * (slack + measure.width(p) * off)
    assert (gap <= near + 1e-10).all()
    assert (near <= far + 1e-10).all()


def test_published_grid_step_fails_for_several_labels():
    """2.2: with the paper's Lipschitz constant its bound is broken; with sqrt(2L) it holds."""
    nothing, everything = [0.1] * 4, [0.9] * 4
    zero, p, level = [0.0] * 4, np.full(4, 0.1), 0.2
    profiles = ErrorProfile([nothing, zero], [zero, everything], p)
    measure = FBeta(average="micro")
    value = measure.value(profiles)
    best = value.max()
    phi, off = measure.resolution(p), level - best
    largest = np.sqrt((profiles.errors**2).sum(axis=(-2, -1))).max()
    np.testing.assert_allclose(value, [0, 2 / 11], rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(cost(measure, level, profiles), [0.72, 0.72])
    claimed = phi * 2 * (1.0 * off) * largest
    assert claimed == pytest.approx(0.1636, abs=5e-5)
    assert claimed < best
    assert measure.lipschitz(p) == pytest.approx(np.sqrt(8))
    corrected = phi * 2 * (measure.lipschitz(p) * off) * largest
    assert corrected == pytest.approx(0.4628, abs=5e-5)
    sharper = phi * off * abs(profiles.total_cost([-1, 1])[1] - profiles.total_cost([-1, 1])[0])
    assert sharper == pytest.approx(best)  # tight


@pytest.mark.parametrize(
    "measure", [FBeta(0.5), FBeta(), FBeta(2.0), Jaccard(), CohenKappa()], ids=repr
)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_value_rises_then_falls_along_the_levels(measure, seed):
    """2.4: with an exact oracle on a score's cuts, t -> F(e(t)) has a single hill."""
    rng = np.random.default_rng(seed)
    y = np.arange(30) < rng.integers(1, 29)
    curve = ErrorCurve.from_scores(y, rng.integers(0, 15, 30) + rng.integers(0, 8) * y)
    low, high = measure.level_range(curve.prevalence[0])
    levels = np.linspace(max(low, 0), min(high, 3), 43)[1:-1]
    chosen = [cost(measure, t, curve).argmin() for t in levels]
    steps = np.diff(measure.value(curve)[chosen])
    falls = np.flatnonzero(steps < -1e-12)
    assert falls.size == 0 or (steps[falls[0] :] <= 1e-12).all()


@pytest.mark.parametrize("beta", BETAS)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_side_test_tells_on_which_side_the_optimum_lies(beta, seed):
    """2.4: F(e(t)) >= t exactly when F* >= t, for e(t) of least cost at the level t."""
    rng, profiles = random_profiles(seed, 1)
    values, level = FBeta(beta).value(profiles), rng.uniform(0, 1)
    reached = values[cost(FBeta(beta), level, profiles).argmin()]
    assert (reached >= level) == (values.max() >= level)


@TABLE
def test_costs_are_those_of_the_table(row):
    """1.3 and 1.5: a(t)."""
    np.testing.assert_allclose(row[0].costs(0.3, row[1]), row[2], atol=1e-14)


@TABLE
def test_offset_is_that_of_the_table(row):
    """1.3 and 1.5: b(t)."""
    assert row[0].offset(0.3, row[1]) == pytest.approx(row[3])


@TABLE
def test_resolution_is_that_of_the_table(row):
    """1.3 and 1.5: Phi, the inverse of the smallest denominator."""
    assert row[0].resolution(row[1]) == pytest.approx(row[4])


@TABLE
def test_lipschitz_constant_is_that_of_the_table(row):
    """1.3: the norm of delta."""
    assert row[0].lipschitz(row[1]) == pytest.approx(row[5])


@TABLE
def test_width_is_that_of_the_table(row):
    """1.3: W, the range of the denominator."""
    assert row[0].width(row[1]) == pytest.approx(row[6])


@pytest.mark.parametrize("measure", [FBeta(0.5), FBeta(), FBeta(3.0), Jaccard()], ids=repr)
def test_resolution_is_attained_where_nothing_is_predicted(measure):
    """P4: from the corner FN = P, FP = 0 a gain costs exactly 1 / Phi times its size."""
    profiles = ErrorProfile([[P], [0.05]], [[0.0], [0.1]], P)
    nothing, some = measure.value(profiles)
    costs = profiles.total_cost(measure.costs(some))
    assert nothing == 0
    assert (some - nothing) / (costs[0] - costs[1]) == pytest.approx(measure.resolution(P))


@pytest.mark.parametrize(
    ("measure", "limits"),
    [
        (FBeta(), (0, 2)),
        (FBeta(0.5), (0, 1.25)),
        (FBeta(3.0, average="micro"), (0, 10)),
        (Jaccard(), (0, np.inf)),
        (GowerLegendre(), (-np.inf, 2)),
        (WeightedAccuracy(), (-np.inf, np.inf)),
        (Tversky(0.75, 1.0), (0, 4)),
    ],
    ids=repr,
)
def test_costs_are_non_negative_in_the_level_range_only(measure, limits):
    """1.3: F-beta costs are valid up to 1 + beta^2, those of Jaccard for every t >= 0."""
    assert measure.level_range() == pytest.approx(limits)
