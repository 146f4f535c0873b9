"""Cones: what a classifier of least cost says about all the others is never violated."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from curves import MEASURES, random_curve
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import make_multilabel_classification

from pseudolinear import ConeBound, ErrorCurve, FBeta, Jaccard, MeasureClassifier, certify
from pseudolinear.selection._selection import Candidate, Group, select


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


def as_sweep(measure, profiles, prevalence, levels):
    """Return a group and one candidate per level whose curve is all of the profiles."""
    curve = ErrorCurve(profiles.fn, profiles.fp, profiles.prevalence, np.arange(len(profiles.fn)))
    group = Group((0,), measure, np.asarray(prevalence), 1000)
    costs = (1.0, 1.0)
    return group, [Candidate(0, t, costs, {}, curve, (), 0.0, True) for t in levels]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@settings(max_examples=400)
@given(seed=st.integers(0, 10**6), n_levels=st.integers(1, 9))
def test_no_statement_of_a_certificate_is_ever_violated(measure, seed, n_levels):
    """With an exact oracle; and the cone says more than the grid, the grid than the literature."""
    profiles, prevalence = random_curve(seed)
    levels = np.sort(np.random.RandomState(seed).uniform(0.02, 0.98, n_levels)).tolist()
    group, candidates = as_sweep(measure, profiles, prevalence, levels)
    # What the sweep has found: at every level the cheapest, cut nowhere else.
    cheapest = [int(np.argmin(profiles.total_cost(measure.costs(t, prevalence)))) for t in levels]
    candidates = [replace(c, curve=c.curve[[i]]) for c, i in zip(candidates, cheapest, strict=True)]
    choice = select(group, candidates, "f_max")
    certificate = certify([group], [candidates], [choice])
    best = float(measure.value(profiles).max())
    bounds = [certificate[name].ceiling for name in ("cone", "grid", "literature")]
    assert all(best <= bound + 1e-9 for bound in bounds)
    assert bounds[0] <= bounds[1] + 1e-9
    assert bounds[1] <= bounds[2] + 1e-9
    assert certificate["threshold"].ceiling == certificate.value == choice.value


@given(seed=st.integers(0, 10**6), spare=st.floats(0.0, 0.02))
def test_a_given_suboptimality_is_paid_for(seed, spare):
    """The bounds hold for any classifier that is nearly the cheapest, if that is said."""
    measure = FBeta()
    profiles, prevalence = random_curve(seed)
    cost = profiles.total_cost(measure.costs(0.5, prevalence))
    near = np.flatnonzero(cost <= cost.min() + spare)
    group, (candidate,) = as_sweep(measure, profiles, prevalence, [0.5])
    candidate = replace(candidate, curve=candidate.curve[[int(near[seed % near.size])]])
    choice = select(group, [candidate], "f_max")
    certificate = certify([group], [[candidate]], [choice], suboptimality=spare)
    best = float(measure.value(profiles).max())
    for statement in certificate.statements[1:]:
        assert best <= statement.ceiling + 1e-9
        assert f"{spare:g}" in statement.assumes or spare == 0


def test_fitted_certificates_say_what_they_assume():
    """Value, ceilings and words; micro, macro and binary; none where there is no ratio."""
    X, Y = make_multilabel_classification(200, n_classes=3, random_state=0)
    for measure, y in (("f1", Y[:, 0]), ("f1_micro", Y), ("f1_macro", Y)):
        certificate = MeasureClassifier(measure=measure, random_state=0).fit(X, y).certificate_
        assert [s.name for s in certificate.statements] == [
            "threshold", "cone", "grid", "literature"
        ]  # fmt: skip
        gaps = [s.gap for s in certificate.statements]
        assert min(gaps) >= 0
        assert certificate["cone"].gap <= certificate["grid"].gap <= certificate["literature"].gap
        assert all(s.assumes for s in certificate.statements)
        assert f"{certificate.value:.4f}" in str(certificate)
    classes = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y.sum(axis=1))
    assert classes.certificate_.statements == ()
    with pytest.raises(KeyError, match="There is no statement 'cone'"):
        classes.certificate_["cone"]


@pytest.mark.parametrize("seed", range(6))
def test_bounds_are_those_of_the_validation_rows(seed):
    """Rows that are held out may carry a label more or less often, or not at all."""
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(90, 3))
    Y = np.stack([X[:, 0] > 0, np.arange(90) < 3], axis=1).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = MeasureClassifier.published("f1_macro", random_state=seed).fit(X, Y)
    certificate = clf.certificate_
    assert 0 <= certificate.value <= 1
    ceilings = [s.ceiling for s in certificate.statements]
    assert min(ceilings) >= certificate.value
    assert ceilings[1:] == sorted(ceilings[1:])
    assert max(ceilings) <= 1
