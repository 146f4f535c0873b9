"""Level searches: which levels a grid tries, and what they guarantee."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    ErrorProfile,
    FBeta,
    FBetaOverLabels,
    GowerLegendre,
    Grid,
    Jaccard,
    LinearFractional,
    MeasureClassifier,
    Tversky,
    WeightedAccuracy,
)
from pseudolinear.selection import LargestValue


def levels_of(grid, measure, prevalence=0.3):
    return next(grid.search(measure, np.asarray(prevalence)))


def shares_of(measure, levels, prevalence):
    """Give the share of false positives in the costs, at each level."""
    costs = np.array([measure.costs(level, prevalence) for level in levels])
    return costs[:, 1] / costs.sum(axis=1)


def test_f1_grid_is_that_of_the_literature():
    """19 levels are 0.1, 0.2, ..., 1.9."""
    np.testing.assert_allclose(levels_of(Grid(), FBeta()), np.arange(1, 20) / 10)


@pytest.mark.parametrize("prevalence", [0.05, [0.2, 0.3, 0.5]])
def test_f1_grid_does_not_depend_on_the_prevalence(prevalence):
    """Binary, micro and default-class averages have the same pair of costs."""
    measure = FBeta(average="micro") if np.ndim(prevalence) else FBeta()
    np.testing.assert_allclose(levels_of(Grid(9), measure, prevalence), np.arange(1, 10) / 5)


@pytest.mark.parametrize(
    "measure",
    [FBeta(), FBeta(2.0), FBeta(0.5), Jaccard(), Tversky(0.3, 2.0), Tversky(0.8, 0.2)],
    ids=repr,
)
def test_grid_spaces_the_shares_of_the_costs_evenly(measure):
    """False positives make up 1/20, 2/20, ..., 19/20 of both costs."""
    shares = shares_of(measure, levels_of(Grid(), measure), 0.3)
    np.testing.assert_allclose(np.sort(shares), np.arange(1, 20) / 20)


@pytest.mark.parametrize(
    ("f1", "jaccard", "prevalence"),
    [
        (FBeta(), Jaccard(), 0.3),
        (FBeta(average="micro"), Jaccard(average="micro"), [0.1, 0.3]),
        (FBeta(default_class=0), Jaccard(default_class=0), [0.5, 0.3, 0.2]),
    ],
    ids=["binary", "micro", "default class"],
)
def test_f1_and_jaccard_try_the_same_ratios_of_costs(f1, jaccard, prevalence):
    """3.1: the levels are t_J = t_F / (2 - t_F), at which the costs are proportional."""
    of_f1, of_jaccard = (levels_of(Grid(), measure, prevalence) for measure in (f1, jaccard))
    np.testing.assert_allclose(of_jaccard, of_f1 / (2 - of_f1))
    for t_f1, t_jaccard in zip(of_f1, of_jaccard, strict=True):
        one, two = f1.costs(t_f1, prevalence), jaccard.costs(t_jaccard, prevalence)
        np.testing.assert_allclose(one / one.sum(), two / two.sum())


@pytest.mark.parametrize(
    "measure",
    [BalancedAccuracy(), WeightedAccuracy(2.0, 1.0), GowerLegendre(), WeightedAccuracy()],
    ids=repr,
)
def test_one_level_is_enough_where_the_ratio_of_costs_never_changes(measure):
    """A linear measure, or one whose costs shrink together, has a single cost-sensitive problem."""
    assert levels_of(Grid(), measure).size == 1


@pytest.mark.parametrize("prevalence", [0.05, 0.3, 0.8])
def test_kappa_grid_stays_where_its_costs_are_positive(prevalence):
    """1.5: the ratio of costs is limited, so that not every share can be had."""
    levels = levels_of(Grid(), CohenKappa(), prevalence)
    costs = np.array([CohenKappa().costs(level, prevalence) for level in levels])
    assert levels.size
    assert (costs > 0).all()


MEASURES = [
    (FBeta(), 1),
    (FBeta(0.5), 1),
    (FBeta(2.0, average="micro"), 3),
    (FBeta(default_class=0), 3),
    (FBetaOverLabels(default_class=0), 3),
    (Jaccard(), 1),
    (Jaccard(average="micro"), 2),
    (Tversky(0.3, 2.0), 1),
    (GowerLegendre(), 1),
    (BalancedAccuracy(), 1),
    (LinearFractional(0.6, [-0.5, 0], 1.0, [-0.5, 1]), 1),
]


@pytest.mark.parametrize(("measure", "n_labels"), MEASURES, ids=lambda value: repr(value))
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_levels_of_an_accuracy_reach_it(measure, n_labels, seed):
    """2.3: with an exact oracle the best classifier over the levels is that close to F*."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(n_labels + 1))[:n_labels] * 0.8 + 0.05
    fn, fp = rng.uniform(0, p, (20, n_labels)), rng.uniform(0, 1 - p, (20, n_labels))
    profiles, accuracy = ErrorProfile(fn, fp, p), rng.uniform(0.02, 0.3)
    values = measure.value(profiles)
    levels = levels_of(Grid(accuracy=accuracy), measure, p)
    chosen = [profiles.total_cost(measure.costs(t, p)).argmin() for t in levels]
    assert values[chosen].max() >= values.max() - accuracy - 1e-12


def test_step_for_an_accuracy_is_that_of_the_galaxy_example():
    """2.3: P = 0.0189 and an accuracy of 0.01 need about 2,600 levels, a step of 3.8e-4."""
    levels = levels_of(Grid(accuracy=0.01), FBeta(), 0.0189)
    assert FBeta().resolution(0.0189) == pytest.approx(52.9, abs=0.05)
    assert np.diff(levels).max() == pytest.approx(3.8e-4, abs=1e-5)
    assert levels.size == pytest.approx(2600, abs=50)


def test_levels_of_an_accuracy_reach_values_above_one():
    """2.3 holds for any ratio: twice F1 has the best classifiers of F1."""
    twice = LinearFractional(0.8, [-4, 0], 0.4, [-1, 1])  # 2 F1 at the prevalence 0.2
    fn, fp = np.array([[0.02], [0.06], [0.1]]), np.array([[0.05], [0.0], [0.0]])
    profiles = ErrorProfile(fn, fp, 0.2)
    levels = levels_of(Grid(accuracy=0.01), twice, 0.2)
    assert levels.max() >= twice.value(profiles).max() - 0.01


def test_given_levels_are_tried_in_order_and_once():
    """Levels of one's own replace the grid."""
    np.testing.assert_array_equal(levels_of(Grid(levels=[0.7, 0.2, 0.7]), FBeta()), [0.2, 0.7])


def test_grid_proposes_once():
    """All levels come in one round."""
    search = Grid(3).search(FBeta(), np.asarray(0.3))
    next(search)
    with pytest.raises(StopIteration):
        search.send(np.zeros(3))


@pytest.mark.parametrize(
    ("grid", "measure", "message"),
    [
        (Grid(levels=[]), FBeta(), "there are no levels to try; give at least one"),
        (Grid(0), FBeta(), "there are no levels to try; give at least one"),
        (Grid(levels=[0.0, 0.5]), FBeta(), r"the level 0 is outside \(0, 2\), where both costs"),
        (Grid(levels=[0.5, 2.5]), FBeta(), r"the level 2.5 is outside \(0, 2\)"),
        (Grid(levels=[1.3]), FBeta(0.5), r"the level 1.3 is outside \(0, 1.25\)"),
        (Grid(levels=[-0.1]), Jaccard(), r"the level -0.1 is outside \(0, inf\)"),
        (Grid(accuracy=0.0), FBeta(), "accuracy must be positive, got 0"),
        (Grid(accuracy=-1.0), FBeta(), "accuracy must be positive, got -1"),
    ],
)
def test_grid_says_what_is_wrong(grid, measure, message):
    """Each mistake has its sentence."""
    with pytest.raises(ValueError, match=message):
        levels_of(grid, measure)


def test_accuracy_needs_positives():
    """Without a positive row the denominator can be zero, and nothing is guaranteed."""
    with pytest.raises(ValueError, match="no guarantee is possible at the prevalence"):
        levels_of(Grid(accuracy=0.1), FBeta(), 0.0)


def test_nan_is_not_a_level():
    """A level is a number."""
    with pytest.raises(ValueError, match="nan"):
        levels_of(Grid(levels=[np.nan]), FBeta())


def test_a_grid_does_not_ask_what_its_levels_have_reached():
    """All levels are proposed at once, so that a rule need not choose for each of them."""

    class Once(LargestValue):
        name = ""

        def choose_one(self, goal, candidates):
            asked.append(len(candidates))
            return super().choose_one(goal, candidates)

    X, y = make_classification(200, weights=[0.8], random_state=0)
    asked = []
    MeasureClassifier("linear", search=Grid(3), selection=Once(), random_state=0).fit(X, y)
    assert asked == [12]  # all candidates at once: three levels by four values of C
