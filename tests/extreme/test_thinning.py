"""A sample of labels decides for the others."""

from __future__ import annotations

import numpy as np
import pytest

from pseudolinear import FBeta
from pseudolinear.extreme._settings import Settings
from pseudolinear.extreme._thinning import Evidence, sample_labels
from pseudolinear.kinds import Goal
from pseudolinear.measures import BalancedAccuracy
from pseudolinear.portfolio import C_VALUES
from pseudolinear.search import Grid


def zipf(n_labels=1000, top=5000):
    return np.maximum(top / np.arange(1, n_labels + 1), 3).round()


def test_a_sample_has_labels_of_all_frequencies():
    n_positive = zipf()
    sample = sample_labels(n_positive, seed=0)
    assert len(np.unique(sample)) == len(sample) == 40
    positive = np.sort(n_positive[sample])
    assert positive[-1] >= 1000
    assert positive[0] <= 10


def test_six_problems_a_label_are_enough_from_a_thousand_labels_on():
    """Three folds of 16 settings, the truncation and the training; the others one setting."""
    for n_labels in (1000, 2000, 10_000):
        n_sample = len(sample_labels(zipf(n_labels), seed=1))
        problems = n_sample * (3 * 16 + 1 + 1) + (n_labels - n_sample) * (3 + 1)
        assert problems <= 6 * n_labels


def test_a_few_labels_are_all_in_the_sample():
    assert sample_labels(zipf(30), seed=0).tolist() == list(range(30))


def test_settings_are_the_levels_of_each_labels_goal():
    prevalence = np.array([0.3, 0.01])
    for measure in (FBeta(average="macro"), BalancedAccuracy(average="macro")):
        settings = Settings.of(measure, prevalence)
        for label, p in enumerate(prevalence):
            goal = Goal((0,), measure.binary(), np.asarray(p), 100)
            levels = next(Grid(4).search(goal.measure, p))
            ratios = [goal.training_costs(level)[0, 0] for level in levels]
            assert settings.levels[label] == pytest.approx(levels)
            assert settings.ratios[label] == pytest.approx(ratios)


def test_labels_of_a_micro_average_share_their_levels():
    prevalence = np.array([0.3, 0.01])
    measure = FBeta(average="micro")
    settings, goal = Settings.of(measure, prevalence), Goal((0, 1), measure, prevalence, 100)
    levels = next(Grid(4).search(measure, prevalence))
    assert (settings.levels == levels).all()
    costs = np.stack([goal.training_costs(level)[:, 0] for level in levels], axis=1)
    assert settings.ratios == pytest.approx(costs)
    assert settings.values_of_c(np.arange(16))[:4] == pytest.approx(C_VALUES)


def test_what_gains_at_frequent_labels_is_taken_for_frequent_ones():
    n_positive = np.array([10.0, 12.0, 1000.0, 1200.0])
    gains = np.array([[0.1, -0.1], [0.1, -0.1], [-0.2, 0.2], [-0.2, 0.2]])
    chosen = Evidence(n_positive, gains, np.arange(2)).choose(np.array([8.0, 3000.0, 1e9]))
    assert chosen.tolist() == [0, 1, 1]


def test_a_frequent_label_of_the_sample_trusts_its_own_rows_and_a_rare_one_the_others():
    n_positive = np.array([2000.0, 2000.0, 2000.0, 2.0, 2.0, 2.0])
    gains = np.array([[0.2, -0.2], [0.2, -0.2], [-0.1, 0.1]] * 2)
    found = Evidence(n_positive, gains, np.arange(2)).choose_own()
    assert found.tolist() == [0, 0, 1, 0, 0, 0]
