"""Selection: what is chosen for rare labels, and for two averages at once."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

from pseudolinear import ErrorCurve, ErrorProfile, FBeta, LinearLearner, MeasureClassifier
from pseudolinear.kinds import Goal
from pseudolinear.learners import LabelProblem
from pseudolinear.selection import Candidate, Rule
from pseudolinear.thresholds import combine


def random_sweep(seed, n_labels, n_samples, rate, n_candidates=3):
    """Return goals and candidates of labels with random scores."""
    rng = np.random.RandomState(seed)
    goals, by_goal = [], []
    for k in range(n_labels):
        y = rng.uniform(size=n_samples) < rate[k]
        y[:2] = True, False
        curves = [
            ErrorCurve.from_scores(y, rng.normal(size=n_samples) + 1.5 * y).outline()
            for _ in range(n_candidates)
        ]
        goals.append(Goal((k,), FBeta(), curves[0].prevalence[0], n_samples))
        by_goal.append(
            [
                Candidate(LabelProblem(k, (1.0, 1.0), {"C": j}), 1.0, curve, (), 0.0, True)
                for j, curve in enumerate(curves)
            ]
        )
    return goals, by_goal


def choose(goals, by_goal, rule):
    return Rule.known[rule]().choose(goals, by_goal)


def all_combinations(errors, prevalence):
    """Return the profiles of one pair of errors per label, of all that each label can have."""
    fn, fp = np.moveaxis(np.array(list(product(*errors))), -1, 0)
    return ErrorProfile(fn, fp, prevalence)


def predicted_per_true(choice):
    profile = choice.profile
    return float((profile.prevalence - profile.fn + profile.fp)[0] / profile.prevalence[0])


@pytest.mark.parametrize("seed", range(2))
def test_frequent_labels_are_chosen_by_their_own_evidence(seed):
    """With thousands of positive rows, shrinking towards the others changes next to nothing."""
    goals, by_goal = random_sweep(seed, 4, 20000, [0.3, 0.4, 0.5, 0.35])
    alone = choose(goals, by_goal, "largest_value")
    shrunk = choose(goals, by_goal, "shrunk")
    for one, other in zip(alone, shrunk, strict=True):
        assert one.candidates[0] is other.candidates[0]
        assert_allclose(one.value, other.value, atol=5e-4)


def test_a_rare_label_is_cut_like_the_others():
    """One lucky row at the top must not decide: the ratio of predicted to true is shared."""
    ratios = {"largest_value": [], "shrunk": []}
    for seed in range(10):
        goals, by_goal = random_sweep(seed, 6, 600, [0.2] * 5 + [0.003])
        for rule, seen in ratios.items():
            choices = choose(goals, by_goal, rule)
            others = [predicted_per_true(choice) for choice in choices]
            seen.append(abs(np.log(others[-1] / np.median(others[:-1]))))
    assert np.median(ratios["shrunk"]) < 0.3 * np.median(ratios["largest_value"])


def test_one_label_has_nothing_to_shrink_towards():
    """With a single label the rule is the plain one."""
    goals, by_goal = random_sweep(0, 1, 100, [0.2])
    (alone,), (shrunk,) = (choose(goals, by_goal, rule) for rule in ("largest_value", "shrunk"))
    assert alone.candidates == shrunk.candidates
    assert alone.cuts == shrunk.cuts


@pytest.mark.parametrize("seed", range(4))
def test_joint_choice_is_the_best_combination(seed):
    """Of all candidates and cuts of all labels at one level, by brute force."""
    goals, by_goal = random_sweep(seed, 3, 10, [0.2, 0.3, 0.5], n_candidates=2)
    measure = FBeta(average="micro")
    prevalence = np.array([float(goal.prevalence) for goal in goals])
    together = Goal((0, 1, 2), measure, prevalence, 10)
    errors = [np.concatenate([c.curve.errors[:, 0] for c in own]) for own in by_goal]
    best = measure.value(all_combinations(errors, prevalence)).max()
    (choice,) = choose([together], [[c for own in by_goal for c in own]], "joint")
    assert_allclose(choice.value, best)


@pytest.mark.parametrize("seed", range(4))
def test_both_averages_are_served_together(seed):
    """The mean of macro and micro F1 is that of brute force over all cuts, or nearly."""
    goals, by_goal = random_sweep(seed, 3, 12, [0.2, 0.3, 0.5], n_candidates=1)
    curves = [candidates[0].curve for candidates in by_goal]
    prevalence = np.array([curve.prevalence[0] for curve in curves])

    def both(profiles):
        return sum(FBeta(average=average).value(profiles) for average in ("macro", "micro"))

    best = both(all_combinations([curve.errors[:, 0] for curve in curves], prevalence)).max()
    plain, reached = (
        both(combine(curves, [choice.cuts[0] for choice in choose(goals, by_goal, rule)]))
        for rule in ("largest_value", "both")
    )
    assert plain <= reached + 1e-12
    assert best - 0.01 <= reached <= best + 1e-12


def test_both_gives_micro_without_losing_macro():
    """On data with rare labels the micro average gains more than the macro average loses."""
    scores = {"largest_value": [], "both": []}
    for seed in range(3, 7):
        X, Y = make_multilabel_classification(
            600, n_classes=8, n_labels=2, allow_unlabeled=True, random_state=seed
        )
        for rule, found in scores.items():
            clf = MeasureClassifier(
                LinearLearner(),
                measure="f1_macro",
                param_grid={"C": [2.0**-4, 2.0**-1, 2.0**2, 2.0**5]},
                selection=rule,
                random_state=0,
            )
            predicted = clf.fit(X[:300], Y[:300]).predict(X[300:])
            found.append(
                [
                    f1_score(Y[300:], predicted, average=a, zero_division=0)
                    for a in ("macro", "micro")
                ]
            )
    macro, micro = np.mean(scores["both"], axis=0) - np.mean(scores["largest_value"], axis=0)
    assert micro >= 0.0
    assert macro + micro >= -0.005


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
def test_labels_of_one_value_are_predicted_as_they_are(measure):
    """Nothing can be learnt there: never positive stays never, always positive always."""
    X, Y = make_multilabel_classification(80, n_classes=3, random_state=0)
    Y = np.column_stack([Y, np.zeros(80, int), np.ones(80, int)])
    with pytest.warns(UserWarning, match="Label 3 and 1 other labels have the same value"):
        clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, Y)
    predicted = clf.predict(X)
    assert not predicted[:, 3].any()
    assert predicted[:, 4].all()
    assert np.isfinite(clf.decision_function(X)).all()


def test_published_protocol_is_a_preset():
    """One third held out, 19 levels, 13 values of C, no shrinkage, nothing trained again."""
    X, Y = make_multilabel_classification(90, n_classes=2, random_state=0)
    clf = MeasureClassifier.published("f1_macro", random_state=0).fit(X, Y)
    assert len(clf.sweep_) == 2 * 19 * 13
    assert clf.sweep_.rule.name == "largest_value"
    assert {row["fold"] for row in clf.sweep_.rows()} == {-1, 0}
    assert MeasureClassifier.published("f1_micro").selection == "least_cost"
    assert MeasureClassifier.published(cv=5).cv == 5


def test_threshold_variability_is_shown():
    """Per label: positives, threshold, its spread over the folds, and the value's."""
    X, Y = make_multilabel_classification(120, n_classes=3, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    rows = clf.sweep_.labels()
    assert [row["label"] for row in rows] == [0, 1, 2]
    for row, k in zip(rows, range(3), strict=True):
        assert row["n_positive"] == Y[:, k].sum()
        assert row["threshold"] == clf.threshold_[k]
        by_fold = [
            r["threshold"]
            for r in clf.sweep_.rows()
            if r["label"] == k
            and r["fold"] >= 0
            and r["level"] == clf.level_[k]
            and r["C"] == clf.best_params_[k]["C"]
        ]
        assert_allclose(row["threshold_spread"], np.std(by_fold))
