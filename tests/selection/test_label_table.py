"""What is chosen for many labels on arrays is what a rule gives candidate by candidate."""

import numpy as np
import pytest
from selection.test_selection import random_sweep

from pseudolinear import FBeta, Jaccard
from pseudolinear.selection import LabelTable
from pseudolinear.selection._choice import Choice, label_values
from pseudolinear.selection._shrunk import TRUST, Shrunk, shrink
from pseudolinear.thresholds import first_best

RATES = [0.3, 0.02, 0.1, 0.005]


def one_by_one(goals, by_goal):
    """Choose as the docstring of the rule says, one object after the other."""
    values = [
        [label_values(g, c).max() for c in own] for g, own in zip(goals, by_goal, strict=True)
    ]
    gains = [np.array(own) - np.mean(own) for own in values]
    mean = np.mean(gains, axis=0)  # the candidates of every label have the same settings
    chosen = [
        own[first_best(shrink(gain, mean, goal.n_positive, TRUST))]
        for goal, own, gain in zip(goals, by_goal, gains, strict=True)
    ]
    ratios = []
    for goal, c in zip(goals, chosen, strict=True):
        rate = c.curve.prevalence[0] - c.curve.fn[:, 0] + c.curve.fp[:, 0]
        n, p = goal.n_samples, float(goal.prevalence)
        ratios.append(np.log((rate * n + 0.5) / (p * n + 0.5)))
    best = [
        ratio[first_best(label_values(g, c))]
        for g, c, ratio in zip(goals, chosen, ratios, strict=True)
    ]
    n_positive = np.array([goal.n_positive for goal in goals])
    wanted = shrink(np.array(best), np.average(best, weights=n_positive), n_positive, TRUST)
    return [
        Choice.of(goal, [c], [int(np.argmin(np.abs(ratio - want)))])
        for goal, c, ratio, want in zip(goals, chosen, ratios, wanted, strict=True)
    ]


@pytest.mark.parametrize("seed", range(10))
def test_shrinkage_on_arrays_is_that_of_one_label_after_the_other(seed):
    goals, by_goal = random_sweep(seed, 4, 400, RATES, n_candidates=5)
    for found, expected in zip(
        Shrunk().choose(goals, by_goal), one_by_one(goals, by_goal), strict=True
    ):
        assert found.candidates[0] is expected.candidates[0]
        assert found.cuts == expected.cuts
        assert found.value == expected.value


@pytest.mark.parametrize("measures", [[FBeta()] * 4, [FBeta(), Jaccard(), FBeta(2), Jaccard()]])
def test_values_are_those_of_each_label_by_its_own_measure(measures):
    goals, by_goal = random_sweep(0, 4, 300, RATES)
    goals = [replaced(goal, measure) for goal, measure in zip(goals, measures, strict=True)]
    table = LabelTable.of(goals, by_goal)
    expected = [label_values(g, c) for g, own in zip(goals, by_goal, strict=True) for c in own]
    np.testing.assert_array_equal(table.values, np.concatenate(expected))
    np.testing.assert_array_equal(table.best_values, [own.max() for own in expected])
    positions = table.best_cuts - table.curves.starts[:-1]
    np.testing.assert_array_equal(positions, [first_best(own) for own in expected])


def replaced(goal, measure):
    return type(goal)(goal.labels, measure, goal.prevalence, goal.n_samples)


def test_a_child_that_cuts_otherwise_is_asked():
    class Nothing(Shrunk):
        name = ""

        def cut(self, goal, candidate):
            return 0

    goals, by_goal = random_sweep(0, 3, 200_000, RATES[:3])
    for choice in Nothing().choose(goals, by_goal):
        predicted = choice.profile.prevalence - choice.profile.fn + choice.profile.fp
        assert predicted[0] < 1e-3
