"""The certificate of many labels at once is the mean of those of one label after the other."""

import numpy as np
import pytest
from curves import MEASURES, random_curve

from pseudolinear.bounds import LabelBounds, certify, certify_labels, mean_certificate
from pseudolinear.errors import ErrorProfile


def cheapest(curve, measure, prevalence, levels):
    costs = [curve.total_cost(measure.costs(level, prevalence)) for level in levels]
    cuts = [int(np.argmin(own)) for own in costs]
    return ErrorProfile(curve.fn[cuts], curve.fp[cuts], curve.prevalence)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n_levels", [1, 4])
def test_it_is_the_mean_of_the_certificates_of_labels(measure, n_levels):
    """Also of a label without a positive row, and of one that reached less than its levels."""
    curves = [random_curve(seed) for seed in range(12)]
    low, high = measure.level_range(0.3)
    levels = np.linspace(max(low, 0.0), min(high, 1.0), n_levels + 2)[1:-1]
    profiles = [cheapest(curve, measure, p, levels) for curve, p in curves]
    if measure.zero_division == 0.0 and type(measure).__name__ != "CohenKappa":
        profiles.append(ErrorProfile(np.zeros((n_levels, 1)), np.full((n_levels, 1), 0.1), 0.0))
    values = np.array([np.min(measure.value(profile)) for profile in profiles])
    by_threshold, weights = values + 0.01, np.arange(1.0, len(profiles) + 1)
    expected = mean_certificate(
        [
            certify(measure, levels, profile, value=float(value), by_threshold=float(best))
            for profile, value, best in zip(profiles, values, by_threshold, strict=True)
        ],
        weights,
    )
    bounds = LabelBounds(
        measure,
        np.array([profile.prevalence[0] for profile in profiles]),
        np.tile(levels, (len(profiles), 1)),
        np.stack([profile.fn[:, 0] for profile in profiles]),
        np.stack([profile.fp[:, 0] for profile in profiles]),
        values,
    )
    found = certify_labels(bounds, by_threshold, weights)
    assert [s.name for s in found.statements] == [s.name for s in expected.statements]
    assert [s.assumes for s in found.statements] == [s.assumes for s in expected.statements]
    ceilings = [[s.ceiling for s in one.statements] for one in (found, expected)]
    np.testing.assert_allclose(*ceilings, rtol=1e-12)
    assert found.value == pytest.approx(expected.value)
    assert found.perfect == pytest.approx(expected.perfect)
