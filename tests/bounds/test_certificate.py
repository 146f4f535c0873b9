"""Certificates: what a sweep says about all classifiers is never violated."""

import warnings

import numpy as np
import pytest
from curves import MEASURES, random_curve
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_multilabel_classification

from pseudolinear import ErrorProfile, FBeta, IterativeKFold, MeasureClassifier, certify
from pseudolinear.bounds import mean_certificate
from pseudolinear.bounds._certificate import diagonal_bound


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@given(seed=st.integers(0, 10**6), n_levels=st.integers(1, 9))
def test_no_statement_of_a_certificate_is_ever_violated(measure, seed, n_levels):
    """With an exact oracle; and the cone says more than the grid, the grid than the literature."""
    profiles, prevalence = random_curve(seed)
    levels = np.sort(np.random.RandomState(seed).uniform(0.02, 0.98, n_levels)).tolist()
    cheapest = [int(np.argmin(profiles.total_cost(measure.costs(t, prevalence)))) for t in levels]
    certificate = certify(measure, levels, profiles[cheapest])
    best = float(measure.value(profiles).max())
    bounds = [certificate[name].ceiling for name in ("cone", "grid", "literature")]
    assert all(best <= bound + 1e-9 for bound in bounds)
    assert bounds[0] <= bounds[1] + 1e-9
    assert bounds[1] <= bounds[2] + 1e-9
    assert certificate.value == measure.value(profiles)[cheapest].max()


@given(seed=st.integers(0, 10**6), spare=st.floats(0.0, 0.02))
def test_a_given_suboptimality_is_paid_for(seed, spare):
    """The bounds hold for any classifier that is nearly the cheapest, if that is said."""
    measure = FBeta()
    profiles, prevalence = random_curve(seed)
    cost = profiles.total_cost(measure.costs(0.5, prevalence))
    near = np.flatnonzero(cost <= cost.min() + spare)
    found = profiles[[int(near[seed % near.size])]]
    certificate = certify(measure, [0.5], found, suboptimality=spare)
    best = float(measure.value(profiles).max())
    assert len(certificate.statements) == 3
    for statement in certificate.statements:
        assert best <= statement.ceiling + 1e-9
        assert f"{spare:g}" in statement.assumes or spare == 0


def test_certificates_of_labels_average_to_that_of_the_macro_average():
    """A macro average decomposes into labels, and so do value and bounds."""
    X, Y = make_multilabel_classification(120, n_classes=3, random_state=0)
    options = {"selection": "largest_value", "random_state": 0}
    fit = MeasureClassifier("linear", measure="f1_macro", **options).fit(X, Y)
    folds = IterativeKFold(3, random_state=np.random.RandomState(0).randint(2**31 - 1))
    alone = [
        MeasureClassifier("linear", cv=list(folds.split(X, Y)), **options).fit(X, y).certificate_
        for y in Y.T
    ]
    mean = mean_certificate(alone, np.ones(len(alone)))
    assert mean.value == pytest.approx(fit.certificate_.value)
    for one, other in zip(mean.statements, fit.certificate_.statements, strict=True):
        assert one.ceiling == pytest.approx(other.ceiling)


def test_fitted_certificates_say_what_they_assume():
    """Value, ceilings and words; micro, macro and binary; none where there is no ratio."""
    X, Y = make_multilabel_classification(120, n_classes=3, random_state=0)
    for measure, y in (("f1", Y[:, 0]), ("f1_micro", Y), ("f1_macro", Y)):
        certificate = (
            MeasureClassifier("linear", measure=measure, random_state=0).fit(X, y).certificate_
        )
        assert [s.name for s in certificate.statements] == [
            "threshold", "cone", "grid", "literature"
        ]  # fmt: skip
        gaps = [s.gap for s in certificate.statements]
        assert min(gaps) >= 0
        assert certificate["cone"].gap <= certificate["grid"].gap <= certificate["literature"].gap
        assert all(s.assumes for s in certificate.statements)
        assert f"{certificate.value:.4f}" in str(certificate)
    classes = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y.sum(axis=1))
    assert classes.certificate_.statements == ()
    with pytest.raises(KeyError, match="There is no statement 'cone'"):
        classes.certificate_["cone"]


def test_two_sentences_say_what_is_ruled_out_and_nothing_that_is_not():
    """A ceiling at the value of no error is no news, so it is not told."""
    errors = ErrorProfile([[0.1]], [[0.2]], [0.5])
    tight = certify(FBeta(), [0.6], errors, by_threshold=0.75)
    first, second = str(tight).splitlines()
    assert first.endswith(
        "was reached, and another threshold of the same scores would reach 0.7500."
    )
    assert f"more than {tight['cone'].ceiling:.4f} there, provided that" in second
    loose = certify(FBeta(), [0.6], errors, suboptimality=1.0)  # nothing is known
    assert loose["cone"].ceiling == loose.perfect == 1.0
    assert "do not rule out any larger value" in str(loose)
    assert "1.0000" not in str(loose)


@pytest.mark.parametrize("seed", range(2))
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


def test_a_level_that_is_its_value_bounds_nothing_at_slope_one():
    """``v <= value + |level - v|`` holds for every v, and is no division of zero by zero."""
    level = np.array([0.6])
    assert diagonal_bound(level, level, slope=1.0, top=1.0) == 1.0
