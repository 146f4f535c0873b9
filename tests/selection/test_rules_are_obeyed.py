"""Rules are objects; single learners and portfolios obey the same ones."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import FBeta, LinearLearner, MeasureClassifier
from pseudolinear.selection import LargestValue, LeastCost, Rule, get_rule

X, Y = make_multilabel_classification(400, n_classes=5, n_labels=1, random_state=3)
LEARNERS = [LinearLearner(C=0.1), LinearLearner(C=10.0)]


@pytest.fixture(scope="module", params=["single", "portfolio"])
def fits(request):
    """The same problem by every rule for labels of their own."""
    estimator = LinearLearner() if request.param == "single" else LEARNERS
    return {
        rule: MeasureClassifier(estimator, measure="f1_macro", selection=rule, random_state=0).fit(
            X, Y
        )
        for rule in ("largest_value", "shrunk", "both")
    }


def means(classifier):
    """Return the macro and the micro average on the validation rows."""
    from pseudolinear.thresholds import combine

    choices = classifier.sweep_.choices
    profile = combine(
        [c for o in choices for c in (k.curve for k in o.candidates)],
        [cut for o in choices for cut in o.cuts],
    )
    return FBeta(average="macro").value(profile), FBeta(average="micro").value(profile)


def test_largest_value_has_the_largest_macro_average(fits):
    """No rule beats it at its own goal on the rows that it looks at."""
    macro = {rule: means(fit)[0] for rule, fit in fits.items()}
    assert macro["largest_value"] >= max(macro.values()) - 1e-12


def test_both_has_the_largest_sum_of_averages(fits):
    """It maximises the mean of macro and micro average, from where the largest values are."""
    total = {rule: sum(means(fit)) for rule, fit in fits.items()}
    assert total["both"] >= total["largest_value"] - 1e-12


def test_rules_choose_differently(fits):
    """Also for a portfolio, which once ignored them."""
    assert (fits["largest_value"].threshold_ != fits["shrunk"].threshold_).any()
    assert (fits["both"].threshold_ != fits["shrunk"].threshold_).any()


def test_a_rule_of_ones_own_is_known_by_its_name():
    """One class is enough; nothing else has to be told."""

    class MostPredicted(Rule):
        name = "most_predicted"

        def choose_one(self, goal, candidates):
            return self.recut_one(goal, [candidates[-1]])

        def cut(self, goal, candidate):
            return len(candidate.curve) - 1

    try:
        X1, y1 = make_classification(200, random_state=0)
        classifier = MeasureClassifier("linear", selection="most_predicted").fit(X1, y1)
        assert classifier.sweep_.choices[0].profile.fn == 0  # everything is predicted positive
    finally:
        del Rule.known["most_predicted"]


def test_auto_follows_from_the_goals():
    """Several goals shrink, several labels of one goal are joint, one label is smoothed."""
    names = {
        measure: MeasureClassifier("linear", measure=measure, random_state=0)
        .fit(X, Y)
        .sweep_.rule.name
        for measure in ("f1_macro", "f1_micro")
    }
    assert names == {"f1_macro": "shrunk", "f1_micro": "joint"}
    one = MeasureClassifier("linear", random_state=0).fit(X, Y[:, 0])
    assert one.sweep_.rule.name == "smoothed"
    classes = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y[:, 0])
    assert classes.sweep_.rule.name == "largest_value"


def test_rules_say_what_they_choose_and_assume():
    """In words, for reports."""
    for rule in Rule.known.values():
        assert rule.chooses
        assert rule.assumes


def test_unknown_rule_is_refused_with_the_known_ones():
    """The literature's names are not names here."""
    with pytest.raises(
        ValueError, match="joint, largest_value, least_cost, shrunk, smoothed or a rule"
    ):
        MeasureClassifier("linear", selection="f_max").fit(X, Y[:, 0])


def test_rules_by_cost_refuse_averages_over_classes():
    """A macro average over classes has no single cost at a level."""
    X3, y3 = make_classification(200, n_classes=3, n_informative=5, random_state=0)
    with pytest.raises(ValueError, match="no cost at a level"):
        MeasureClassifier("linear", measure="f1_macro", selection="least_cost").fit(X3, y3)
    MeasureClassifier("linear", measure="f1_macro", selection="largest_value").fit(X3, y3)


def test_least_cost_takes_the_cheapest_at_its_level_by_brute_force():
    """Every other candidate of the chosen level, at every cut, costs at least as much."""
    fit = MeasureClassifier(
        "linear", measure="f1_micro", selection=LeastCost(), random_state=0, search="grid"
    ).fit(X, Y)
    (goal,), (candidates,), (choice,) = fit.sweep_.goals, fit.sweep_.by_goal, fit.sweep_.choices
    level = choice.candidates[0].level
    costs = goal.measure.costs(level, goal.prevalence)
    for chosen, cut, a in zip(choice.candidates, choice.cuts, costs, strict=True):
        own = [c for c in candidates if c.label == chosen.label and c.level == level]
        least = min(c.curve.total_cost(a).min() for c in own)
        assert chosen.curve.total_cost(a)[cut] == pytest.approx(least)


def test_get_rule_keeps_a_rule():
    """An object stands for itself."""
    goals = MeasureClassifier("linear", random_state=0).fit(X, Y[:, 0]).sweep_.goals
    rule = LargestValue()
    assert get_rule(rule, goals) is rule
    assert isinstance(get_rule("auto", [replace(goals[0])]), LargestValue)
    assert np.isscalar(goals[0].n_positive)
