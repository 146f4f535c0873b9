"""Measures by the words that people use."""

import pytest

from pseudolinear import LinearFractional, WeightedAccuracy, get_measure
from pseudolinear.measures import short_name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("f1", "F1"),
        ("f0.5_macro", "macro-F0.5"),
        ("jaccard_micro", "micro-Jaccard"),
        ("accuracy", "accuracy"),
        ("accuracy_macro", "macro-accuracy"),
        ("balanced_accuracy", "balanced accuracy"),
        ("cohen_kappa", "Cohen's kappa"),
        ("cohen_kappa_macro", "macro Cohen's kappa"),
        ("gower_legendre", "Gower-Legendre"),
        ("tversky", "Tversky"),
        ("mcc", "Matthews correlation"),
        ("g_mean", "geometric mean"),
    ],
)
def test_names_of_measures_are_the_usual_ones(name, words):
    assert short_name(get_measure(name)) == words


def test_of_several_classes_the_words_are_the_same():
    assert short_name(get_measure("cohen_kappa").for_classes(3)) == "Cohen's kappa"
    assert short_name(get_measure("accuracy").for_classes(3)) == "accuracy"


def test_other_costs_are_named_and_unknown_measures_keep_their_class():
    assert short_name(WeightedAccuracy(8.0, 1.0)) == "accuracy with costs 8 and 1"
    measure = LinearFractional(1.0, (-1.0, 0.0), 1.0, (0.0, 1.0))
    assert short_name(measure).startswith("LinearFractional")
    assert short_name("anything") == "anything"
