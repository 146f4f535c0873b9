"""What the cones of a sweep leave possible."""

import numpy as np
import pytest
from curves import MEASURES
from numpy.testing import assert_allclose, assert_array_equal
from pictures import line

from pseudolinear import ConeBound, FBeta, MeasureClassifier
from pseudolinear.inspection import ConeDisplay


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_ceilings_are_above_every_value_of_an_exact_oracle(exact_sweep, measure, seed):
    """Also above those that the sweep has not met: at the level that each reaches."""
    sweep, profiles, prevalence = exact_sweep(measure, seed)
    display = ConeDisplay.from_sweep(sweep)
    values = measure.value(profiles)
    assert (values <= display.ceiling(values) + 1e-9).all()
    assert display.best - 1e-12 <= values.max() <= display.bound + 1e-9
    for cone, candidate in zip(display.cones, sweep.by_goal[0], strict=True):
        pair = candidate.curve.errors[0, 0]
        assert cone == ConeBound.from_pair(measure, prevalence, candidate.level, pair)
    t, ceiling = line(display.ax_, "lowest ceiling").T
    assert (values.max() <= np.interp(values.max(), t, ceiling) + 1e-3).all()


def test_the_frame_is_what_is_drawn(fitted):
    """Each cone is a V with its apex at its level, and the lowest ceiling is their minimum."""
    display = ConeDisplay.from_sweep(fitted.sweep_)
    frame = display.frame()
    parts = {kind: part[["level", "value"]] for kind, part in frame.groupby("kind")}
    labels = {"lowest ceiling": "lowest ceiling", "cheapest": "cheapest at", "best": "best reached"}
    for kind, label in labels.items():
        assert_array_equal(line(display.ax_, label), parts[kind])
    drawn = [x.get_xydata() for x in display.ax_.get_lines()[: len(display.cones)]]
    assert_array_equal(np.concatenate(drawn), parts["cone"])
    cones = frame[frame["kind"] == "cone"].groupby("cone")
    for (_, cone), apex in zip(cones, parts["cheapest"].to_numpy(), strict=True):
        if apex[0] < display.perfect:
            assert_array_equal(cone[["level", "value"]].min(), [0.0, apex[1]])
    fine = parts["lowest ceiling"]["level"]
    every = [np.interp(fine, cone["level"], cone["value"]) for _, cone in cones]
    assert_allclose(np.min(every, axis=0), parts["lowest ceiling"]["value"])
    assert_array_equal(parts["best"], [[display.best] * 2])
    assert_array_equal(parts["bound"], [[display.bound] * 2])


def test_a_level_may_reach_more_than_a_ceiling_shows_above_it(exact_sweep):
    """Ceilings bound the points (t, t), not what the costs of t give, hence the docstring."""
    sweep, *_ = exact_sweep(FBeta(), 82)
    display = ConeDisplay.from_sweep(sweep)
    levels, values = np.array([(cone.level, cone.apex) for cone in display.cones]).T
    assert (values > display.ceiling(levels) + 0.1).any()
    assert (values <= display.ceiling(values) + 1e-12).all()


def test_the_bound_shrinks_with_more_levels(exact_sweep):
    """Cones only add up."""
    few, profiles, _ = exact_sweep(FBeta(), 3, (0.2, 0.6))
    many, *_ = exact_sweep(FBeta(), 3, (0.2, 0.35, 0.5, 0.6, 0.7, 0.8))
    bounds = [ConeDisplay.from_sweep(sweep).bound for sweep in (few, many)]
    assert FBeta().value(profiles).max() - 1e-12 <= bounds[1] <= bounds[0]


@pytest.mark.parametrize("rule", ["largest_value", "least_cost"])
def test_the_bound_is_never_below_what_the_sweep_found(data, rule):
    """A learner with a surrogate loss: whatever was found at other levels is taken in."""
    clf = MeasureClassifier("linear", search="cone", selection=rule, random_state=0).fit(*data)
    display = ConeDisplay.from_sweep(clf.sweep_)
    found = [FBeta().value(c.curve).max() for c in clf.sweep_.by_goal[0]]
    assert clf.best_score_ <= display.best <= max(found) <= display.bound


def test_labels_of_a_micro_average_are_bounded_together(multilabel):
    clf = multilabel("micro")
    assert clf.best_score_ <= ConeDisplay.from_sweep(clf.sweep_).bound < 1
