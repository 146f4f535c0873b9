"""Level searches with an exact cost-sensitive oracle, and inside the classifier."""

import numpy as np
import pytest
from curves import MEASURES, random_curve
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import (
    Bisection,
    Bracket,
    Cone,
    Dinkelbach,
    FBeta,
    Grid,
    LinearFractional,
    MeasureClassifier,
    WeightedAccuracy,
)
from pseudolinear.search._level_search import Reached


def run(search, measure, profiles, prevalence):
    """Carry a search out with the exact oracle; return the levels and the best value."""
    process = search.search(measure, prevalence)
    tried, best = [], -np.inf
    levels = next(process)
    while True:
        costs = [profiles.total_cost(measure.costs(t, prevalence)) for t in levels]
        chosen = profiles[[int(np.argmin(cost)) for cost in costs]]
        values = measure.value(chosen)
        tried.extend(levels.tolist())
        best = max(best, float(values.max()))
        try:
            levels = process.send(Reached(values, chosen.errors[:, 0]))
        except StopIteration:
            return tried, best


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@given(seed=st.integers(0, 10**6))
def test_dinkelbach_finds_the_optimum(measure, seed):
    """Newton's method on a convex function: at most ten oracle calls, and exact."""
    profiles, prevalence = random_curve(seed)
    search = Dinkelbach(max_steps=20, tol=0.0, n_refine=0)
    tried, best = run(search, measure, profiles, prevalence)
    assert_allclose(best, measure.value(profiles).max(), rtol=1e-12)
    assert len(tried) <= 10


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@given(seed=st.integers(0, 10**6))
def test_bisection_closes_in_on_the_optimum(measure, seed):
    """The side test is right at every level, so the last bounds hold the optimum between them."""
    profiles, prevalence = random_curve(seed)
    tried, best = run(Bisection(12), measure, profiles, prevalence)
    top = measure.value(profiles).max()
    nearest = min(abs(t - top) for t in tried)
    assert nearest <= 2.0**-12
    slack = measure.resolution(prevalence) * measure.width(prevalence) * nearest
    assert best >= top - slack - 1e-12


@given(seed=st.integers(0, 10**6))
def test_bracket_follows_plateaus_to_the_optimum(seed):
    """With ties broken towards level = value, eleven levels lose next to nothing."""
    profiles, prevalence = random_curve(seed)
    tried, best = run(Bracket(), FBeta(), profiles, prevalence)
    assert len(tried) == 11
    assert best >= FBeta().value(profiles).max() - 0.01


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@given(seed=st.integers(0, 10**6))
def test_cone_stops_when_nothing_better_is_possible(measure, seed):
    """With an exact oracle it ends within its tolerance of the optimum."""
    profiles, prevalence = random_curve(seed)
    tried, best = run(Cone(max_levels=20, tol=1e-3), measure, profiles, prevalence)
    assert best >= measure.value(profiles).max() - 1e-3 - 1e-12
    assert len(tried) <= 11  # the range is halved ten times at the most


@pytest.mark.parametrize("search", [Bracket(), Bisection(), Dinkelbach(), Cone()], ids=repr)
def test_linear_measures_need_no_search(search):
    """Accuracy has the same costs at every level, so every search ends at its optimum."""
    profiles, prevalence = random_curve(0)
    _, best = run(search, WeightedAccuracy(), profiles, prevalence)
    assert best == WeightedAccuracy().value(profiles).max()


@pytest.fixture(scope="module", params=["f1", "f1_micro", "f1_macro", "default class"])
def by_grid(request):
    """Rows of every kind of problem, and the classifier of an exhaustive grid."""
    measure = FBeta(default_class=0) if request.param == "default class" else request.param
    if measure in ("f1_micro", "f1_macro"):
        X, y = make_multilabel_classification(200, n_classes=3, random_state=0)
    else:
        n_classes = 2 if measure == "f1" else 3
        X, y = make_classification(
            250, n_classes=n_classes, n_informative=6, flip_y=0.2, random_state=0
        )
    rule = "largest_value" if measure == "f1" else "auto"
    clf = MeasureClassifier(
        "linear", measure=measure, search=Grid(), selection=rule, random_state=0
    )
    return X, y, clf.fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("search", ["bracket", "bisection", "dinkelbach", "cone"])
def test_searches_come_near_the_grid(search, by_grid):
    """Inside the classifier every search works for every kind of problem, with fewer problems."""
    X, y, grid = by_grid
    fast = clone(grid).set_params(search=search).fit(X, y)
    assert fast.best_score_ >= grid.best_score_ - 0.03
    assert len(fast.sweep_) < len(grid.sweep_)


RATIOS = LinearFractional(1.66, [-2, 0, -2.5, 0], 1.66, [-1, 1, -1, 0.5])  # costs per label


@pytest.mark.parametrize("search", [Grid(), Bracket()], ids=repr)
def test_levels_leave_every_label_with_positive_costs(search):
    """Where labels have costs of their own, levels stay where none of them is negative."""
    prevalence = np.array([0.4, 0.43])
    process = search.search(RATIOS, prevalence)
    levels = next(process)
    assert len(levels)
    while True:
        for level in levels:
            assert (RATIOS.costs(level, prevalence) > 0).all()
        try:  # more and more at high levels, which drives the search to its upper end
            levels = process.send(Reached(levels, np.zeros((len(levels), 2))))
        except StopIteration:
            return


def test_cones_are_for_measures_of_one_pair():
    """A macro average over classes, or costs per label, do not collapse to a pair of errors."""
    X, y = make_classification(100, n_classes=3, n_informative=5, random_state=0)
    with pytest.raises(ValueError, match="no single pair of errors"):
        MeasureClassifier("linear", measure="f1_macro", search="cone").fit(X, y)
    with pytest.raises(ValueError, match="no single pair of errors"):
        next(Cone().search(RATIOS, np.array([0.4, 0.43])))
