"""What is chosen from the stored errors: brute force, ties, and the rules of the package."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from experiment_labels import LEVELS, OPTIONS, all_classifiers, f1, random_labels, validation_f1
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import f1_score

from pseudolinear import FBeta, LinearLearner, MeasureClassifier
from pseudolinear.experiments import QUICK
from pseudolinear.experiments._choice import (
    RULES,
    choose,
    goal_of,
    least_costs,
    offered,
    pooled,
    value_on_test,
)
from pseudolinear.experiments._claims import largest_dip, tried_levels
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._figures import ceilings
from pseudolinear.experiments._label_piece import LabelPiece, problem_levels
from pseudolinear.experiments._sources import load_source, split_rows
from pseudolinear.selection import LargestValue, LeastCost


@pytest.mark.parametrize("seed", range(5))
def test_stored_counts_have_the_usual_f1(seed):
    """Also where nothing is found, or nothing is to be found."""
    rng = np.random.default_rng(seed)
    y, predicted = (rng.random((2, 8)) < rng.random((2, 1))).astype(int)
    curves = Curves.from_scores(y, predicted[None] - 0.5, y, predicted[None] - 0.5)
    value = f1_score(y, predicted, zero_division=0.0)
    assert_allclose(FBeta().value(curves.on_validation(np.array([0]))), [value])
    assert_allclose(value_on_test([curves], [0], "binary_F1"), value)


@pytest.mark.parametrize("seed", range(2))
def test_curves_count_rows_at_validation_scores(seed):
    """A cut is one of the validation scores, or above all; test rows are counted at the same."""
    y, scores, y_test, scores_test, labels, _ = random_labels(seed)
    for k, curves in enumerate(labels):
        for i, row in enumerate(scores[k]):
            own = curves.problem == i
            possible = set()
            for threshold in [np.inf, *row, 0.0]:
                counts = []
                for truth, score in ((y[k], row), (y_test[k], scores_test[k, i])):
                    counts += [
                        ((truth == 1) & (score < threshold)).sum(),
                        ((truth == 0) & (score >= threshold)).sum(),
                    ]
                possible.add(tuple(counts))
            stored = np.hstack([curves.validation[own], curves.test[own]])
            assert {tuple(line) for line in stored.tolist()} <= possible
            assert curves.natural[own].tolist() == [True] + [False] * (own.sum() - 1)
            assert tuple(stored[0]) == tuple(counts)  # the last threshold was 0


def test_curves_survive_packing():
    """Packed and unpacked, every array is the same."""
    curves = random_labels(0)[4][0]
    again = Curves.from_bytes(curves.to_bytes())
    for name, value in vars(curves).items():
        assert_array_equal(getattr(again, name), value)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_largest_f1_equals_brute_force(seed, option):
    """F_max: no problem and threshold of the option has a larger F1 on the validation rows."""
    y, scores, _, _, labels, levels = random_labels(seed)
    cuts = choose(labels, levels, option, "F_max", LEVELS)
    for k, (curves, cut) in enumerate(zip(labels, cuts, strict=True)):
        best = max(
            f1(((y[k] == 1) & (p == 0)).sum(), ((y[k] == 0) & (p == 1)).sum(), y[k].sum())
            for _, p in all_classifiers(option, y[k], scores[k], levels)
        )
        assert validation_f1(curves, cut) == best


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_least_cost_equals_brute_force(seed, option):
    """C_min: within a level the least cost of each label, among levels the largest micro F1."""
    y, scores, _, _, labels, levels = random_labels(seed)
    found = least_costs(labels, levels, option, LEVELS)
    for level, errors, value in zip(LEVELS, found.errors * 15, found.values, strict=True):
        costs = FBeta().costs(level)
        for k, own_errors in enumerate(errors):
            least = min(
                costs @ [((y[k] == 1) & (p == 0)).sum(), ((y[k] == 0) & (p == 1)).sum()]
                for own, p in all_classifiers(option, y[k], scores[k], levels)
                if option in ("none", "T") or own == level
            )
            assert_allclose(costs @ own_errors, least)
        fn, fp = np.sum(errors, axis=0)
        assert_allclose(value, 2 * (y.sum() - fn) / (2 * y.sum() - fn + fp))
    chosen = choose(labels, levels, option, "C_min", LEVELS)
    errors = [curves.validation[cut] for curves, cut in zip(labels, chosen, strict=True)]
    assert_allclose(errors, found.errors[found.values.argmax()] * 15)


def first_largest_f1(curves, levels, option):
    """The published loops: over levels, hyper-parameters and cuts, better ones only."""
    best, chosen = Fraction(-1), None
    for level in LEVELS if option.startswith("CS") else (1.0,):
        for cut in offered(curves, levels, option, level):
            if validation_f1(curves, cut) > best:
                best, chosen = validation_f1(curves, cut), cut
    return chosen


def first_least_cost(labels, levels, option):
    """The same for C_min, in tenths of a cost, which are whole numbers."""
    best, chosen = Fraction(-1), None
    for level in LEVELS:
        a = np.array([20 - round(10 * level), round(10 * level)])
        cuts = [
            min(offered(c, levels, option, level), key=lambda cut: a @ c.validation[cut])
            for c in labels
        ]
        fn, fp = np.sum([c.validation[cut] for c, cut in zip(labels, cuts, strict=True)], axis=0)
        value = f1(fn, fp, sum(int(c.positives[0]) for c in labels))
        if value > best:
            best, chosen = value, cuts
    return chosen


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_of_equals_the_first_is_taken(seed, option):
    """Fifteen rows have many cuts of the same F1 and the same cost."""
    labels, levels = random_labels(seed, n_settings=5)[4:]
    cuts = choose(labels, levels, option, "F_max", LEVELS)
    assert cuts == [first_largest_f1(curves, levels, option) for curves in labels]
    cuts = choose(labels, levels, option, "C_min", LEVELS)
    assert cuts == first_least_cost(labels, levels, option)


@pytest.mark.parametrize("selection", ["F_max", "C_min"])
@pytest.mark.parametrize("seed", range(3))
def test_problems_of_a_level_may_be_pooled(seed, selection):
    """A rule takes the same cuts from one candidate per problem."""
    labels, levels = random_labels(seed)[4:]
    single = [
        pooled(k, curves, cuts[curves.problem[cuts] == i], levels[i])
        for k, curves in enumerate(labels)
        for i in range(len(levels))
        for cuts in [offered(curves, levels, "CS&T", levels[i])]
    ]
    choice = RULES[selection].choose_one(goal_of(labels), single)
    assert choice.thresholds == choose(labels, levels, "CS&T", selection, LEVELS)


def test_rules_break_ties_as_they_are_told():
    """The first of equal candidates, or the one whose level is nearest to the value."""
    y = np.array([1, 1, 0, 0])
    score = np.array([[1.0, -1.0, -1.0, -1.0]])  # F1 is 2/3 at the natural cut
    curves = Curves.from_scores(y, score, y, score)
    same = [pooled(0, curves, np.array([0]), level) for level in (0.2, 0.6, 1.4)]
    for rule in (LargestValue, LeastCost):
        assert rule(take_first=True).choose_one(goal_of([curves]), same).candidates == [same[0]]
        assert rule().choose_one(goal_of([curves]), same).candidates == [same[1]]


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_costs_that_rounding_alone_tells_apart_are_equal(order):
    """At the level 0.8 two false negatives cost as much as three false positives: 2.4."""
    y, score = np.repeat([1, 0], [7, 23]), np.full((1, 30), -1.0)
    curves = Curves.from_scores(y, score, y, score)
    curves = replace(curves, validation=np.array([[2, 0], [0, 3]])[order])
    pool = pooled(0, curves, np.arange(2), 0.8)
    low, high = np.sort(pool.curve.total_cost(FBeta().costs(0.8)))
    assert 0 < high - low < 1e-12
    assert LeastCost(take_first=True).choose_one(goal_of([curves]), [pool]).cuts == [0]


@pytest.mark.parametrize("seed", range(3))
def test_options_are_nested(seed):
    """More to choose from is never worse where the choice is made."""
    labels, levels = random_labels(seed)[4:]
    chosen = [choose(labels, levels, option, "F_max", LEVELS) for option in OPTIONS]
    for curves, *cuts in zip(labels, *chosen, strict=True):
        none, t, cs, both = (validation_f1(curves, cut) for cut in cuts)
        assert none <= min(t, cs)
        assert both >= max(t, cs)


def test_choices_do_not_see_test_rows():
    """Other test rows, the same choice."""
    y, scores, y_test, scores_test, labels, levels = random_labels(1)
    others = [
        Curves.from_scores(*parts)
        for parts in zip(y, scores, 1 - y_test, -scores_test, strict=True)
    ]
    for option, selection in product(OPTIONS, ("F_max", "C_min")):
        cuts = choose(labels, levels, option, selection, LEVELS)
        assert cuts == choose(others, levels, option, selection, LEVELS)
        assert value_on_test(labels, cuts, "macro_F1") != value_on_test(others, cuts, "macro_F1")


def test_value_on_test_is_the_usual_one():
    """Micro and macro F1 of the predictions that the chosen cuts stand for."""
    _, _, y_test, scores_test, labels, levels = random_labels(2)
    cuts = choose(labels, levels, "none", "F_max", LEVELS)  # natural cuts: predictions are known
    problems = [curves.problem[cut] for curves, cut in zip(labels, cuts, strict=True)]
    predicted = np.array([scores_test[k, i] >= 0 for k, i in enumerate(problems)]).T
    for measure in ("macro", "micro"):
        value = f1_score(y_test.T, predicted, average=measure, zero_division=0.0)
        assert_allclose(value_on_test(labels, cuts, f"{measure}_F1"), value)


@pytest.mark.parametrize("seed", range(2))
def test_exact_costs_give_one_peak(seed):
    """A learner that tries every threshold of one score is exact: F1 is unimodal in the level."""
    rng = np.random.default_rng(seed)
    y = (rng.random(200) < 0.3).astype(int)
    score = (y + rng.normal(size=200))[None]
    curves = [Curves.from_scores(y, score, y, score)]
    levels = np.arange(1, 20) / 10
    found = least_costs(curves, np.ones(1), "T", levels)
    assert largest_dip(found.values) == 0
    tried = tried_levels(curves, found)
    assert len(tried) == len(set(tried)) <= 10
    assert found.values.max() - found.values[tried].max() < 0.02


@pytest.mark.parametrize("seed", range(2))
def test_no_choice_is_above_the_drawn_ceilings(seed):
    """Whatever one cut per label reaches, of the thousands that there are."""
    pytest.importorskip("matplotlib").use("agg")
    labels = random_labels(seed)[4]
    display = ceilings([labels], (0.2, 0.5, 0.8, 1.0, 1.6), "random")
    assert [cone.level for cone in display.cones] == [0.2, 0.5, 0.8, 1.0]
    cuts = np.random.default_rng(seed).integers(0, [len(c.problem) for c in labels], (5000, 3))
    fn, fp = sum(c.validation[cut] for c, cut in zip(labels, cuts.T, strict=True)).T
    positives = sum(c.positives[0] for c in labels)
    values = 2 * (positives - fn) / (2 * positives - fn + fp)
    assert values.max() <= display.bound + 1e-12
    assert display.best <= display.bound + 1e-12


def test_dips_are_measured_from_the_lower_side():
    """A valley is as deep as the lower of the two peaks beside it."""
    assert largest_dip(np.array([1.0, 2.0, 2.0, 0.5])) == 0
    assert largest_dip(np.array([5.0, 1.0, 3.0, 2.0])) == 2
    assert largest_dip(np.array([0.0, 4.0, 3.0, 9.0])) == 1


@pytest.mark.parametrize(("measure", "selection"), [("f1_macro", "F_max"), ("f1_micro", "C_min")])
def test_validation_values_are_those_of_the_classifier(measure, selection):
    """`MeasureClassifier` on the same split and grid reaches the same value."""
    data, setting = load_source(QUICK.source("six topics")), QUICK.learner("LR")
    setting = replace(setting, params=setting.params | {"tol": 1e-8})
    train, validation = split_rows(len(data.Y_train), 0)
    classifier = MeasureClassifier.published(
        measure,
        LinearLearner("logistic", intercept_scaling=100.0, tol=1e-8),
        param_grid={"C": setting.grid["C"]},
        cv=[(train, validation)],
    ).fit(data.X_train, data.Y_train)
    labels = [
        LabelPiece(QUICK.source("six topics"), "", setting, 0, k).compute(None)
        for k in range(data.Y_train.shape[1])
    ]
    cuts = choose(labels, problem_levels(setting), "CS&T", selection, QUICK.levels)
    # Validation rows in the place of the test rows.
    swapped = [replace(c, test=c.validation, positives=c.positives[[0, 0]]) for c in labels]
    value = value_on_test(swapped, cuts, f"{measure[3:]}_F1")
    assert_allclose(value, classifier.best_score_)
