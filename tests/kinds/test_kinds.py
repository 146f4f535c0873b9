"""Kinds of problem: y is read once, and what is decided comes back in the user's own terms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pseudolinear import BalancedAccuracy, CohenKappa, FBeta, FBetaOverLabels, Jaccard
from pseudolinear.kinds import Binary, ClassGoal, Multiclass, Multilabel, measure_for, read_target
from pseudolinear.measures import get_measure

WORDS = np.array(["ham", "spam", "ham", "eggs", "eggs", "ham"])
LABELS = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 1]])


@pytest.mark.parametrize(
    ("y", "measure", "kind"),
    [
        (WORDS == "ham", "f1", Binary),
        (WORDS, "f1_macro", Multiclass),
        (WORDS == "ham", "f1_macro", Multiclass),
        (LABELS, "f1_micro", Multilabel),
        (LABELS, "f1_macro", Multilabel),
    ],
)
def test_right_margins_are_decoded_into_y(y, measure, kind):
    """Margins that put every row where it belongs give back y, in its own type."""
    found, codes = read_target(y, get_measure(measure))
    assert type(found) is kind
    margins = found.indicators(codes) - 0.5
    if kind is Multiclass:  # a column per class, in the order of `classes`
        margins = margins[:, [found.order.tolist().index(c) for c in found.classes.tolist()]]
    predicted = found.predict(margins)
    assert_array_equal(predicted, y)
    assert predicted.dtype.kind == y.dtype.kind


def test_of_equal_margins_the_first_class_is_ahead_of_its_rivals():
    """As `predict` decides."""
    y = np.array(["a", "b", "c"])
    kind, _ = read_target(y, FBeta(average="macro"))
    margins = np.array([[2.0, 2.0, 1.0], [0.0, 0.0, 0.0], [-5e9, 1.0, 1.0], [1.0, 2.0, 3.0]])
    ahead = margins > kind.rivals(margins)
    assert_array_equal(kind.predict(margins), y[ahead.argmax(axis=1)])
    assert_array_equal(ahead.sum(axis=1), 1)


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_the_decision_function_is_that_of_the_second_class(positive):
    """As scikit-learn wants it, whichever class is the positive one."""
    y = np.array(["no", "yes", "yes", "no"])
    kind, codes = read_target(y, FBeta(pos_label=positive))
    assert_array_equal(codes[:, 0], y == positive)
    margins = np.where(y == positive, 2.0, -1.0)[:, None]
    assert_array_equal(kind.decision_function(margins) > 0, y == "yes")
    assert_array_equal(kind.probabilities(margins).argmax(axis=1), y == "yes")
    assert_array_equal(kind.predict(margins), y)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_goals_share_the_labels(average):
    """Every label belongs to one goal: a micro average has one, a mean one per label."""
    kind, codes = read_target(LABELS, FBeta(average=average))
    goals = kind.goals(codes, FBeta(average=average), None)
    assert sorted(label for goal in goals for label in goal.labels) == [0, 1, 2]
    assert len(goals) == (1 if average == "micro" else 3)
    assert sum(goal.n_positive for goal in goals) == LABELS.sum()
    for other in ("micro", "macro", "weighted"):  # regrouping is the same as asking at once
        again = kind.regroup(goals, FBeta(average=other))
        direct = kind.goals(codes, FBeta(average=other), None)
        assert [goal.labels for goal in again] == [goal.labels for goal in direct]
        for one, two in zip(again, direct, strict=True):
            assert_allclose(one.prevalence, two.prevalence)
            assert one.weight == two.weight == (one.prevalence if other == "weighted" else 1.0)


@pytest.mark.parametrize(
    ("y", "name", "average"),
    [
        (WORDS, "balanced_accuracy", "multiclass"),
        (WORDS[:, None], "accuracy", "multiclass"),
        (WORDS == "ham", "balanced_accuracy", "binary"),
        (WORDS, "f1", "binary"),  # refused where y is read
        (WORDS, "cohen_kappa_macro", "macro"),
        (LABELS, "accuracy", "binary"),  # labels need an average; refused as well
    ],
)
def test_plain_names_go_by_the_number_of_classes(y, name, average):
    """As scikit-learn's scorers do."""
    assert measure_for(get_measure(name), y).average == average


@pytest.mark.parametrize(
    "measure",
    [
        FBeta(average="macro"),
        FBeta(average="weighted"),
        BalancedAccuracy(average="multiclass"),
        CohenKappa(average="multiclass"),
    ],
    ids=repr,
)
def test_classes_without_rows_do_not_change_the_costs(measure):
    """They are as if they were not there."""
    shares = np.array([0.5, 0.3, 0.2])
    alone = ClassGoal((0,), measure, shares, 10).training_costs(0.6)
    goal = ClassGoal((0,), measure, np.insert(shares, 1, 0.0), 10)
    assert_allclose(goal.training_costs(0.6)[:, [0, 2, 3]], alone)


@pytest.mark.parametrize("measure", [FBeta(), FBeta(2.0), Jaccard(), CohenKappa()], ids=repr)
@pytest.mark.parametrize("level", [0.2, 0.7])
def test_learners_get_the_cost_ratio_of_the_level(measure, level):
    """(cost_fn, cost_fp), relative to the cost of a negative row."""
    kind, codes = read_target(LABELS[:, 0], measure)
    (goal,) = kind.goals(codes, measure, None)
    fn, fp = measure.costs(level, float(goal.prevalence))
    assert_allclose(goal.training_costs(level), [[fn / fp, 1.0]])


def test_two_classes_with_a_default_are_the_binary_problem():
    """With one other class, micro-F with a default class is plain F (checklist, 17)."""
    y = (WORDS == "ham").astype(int)
    costs = {}
    for measure in (FBeta(), FBeta(average="micro", default_class=0)):
        kind, codes = read_target(y, measure)
        (goal,) = kind.goals(codes, measure, None)
        problem = kind.problem(0, tuple(goal.training_costs(0.6)[0]), {})
        costs[kind.name] = problem.class_costs
    assert_allclose(costs["multiclass"], costs["binary"])


def test_a_default_class_is_the_first_code():
    """Whatever its place among the sorted classes; it is what the costs refer to."""
    measure = FBetaOverLabels(default_class="ham")
    kind, codes = read_target(WORDS, measure)
    assert kind.order.tolist() == ["ham", "eggs", "spam"]
    assert_array_equal(kind.order[codes[:, 0]], WORDS)
    (goal,) = kind.goals(codes, measure, None)
    assert goal.training_costs(0.5)[0, 0] == 1.0


def test_prevalence_is_that_of_the_weighted_rows():
    """In all kinds, by repeating rows."""
    weight = np.array([0, 1, 2, 3, 1, 0])
    for y, measure in ((WORDS, "f1_macro"), (LABELS, "f1_micro"), (LABELS[:, 1], "f1")):
        repeated = np.repeat(y, weight, axis=0)
        kind, codes = read_target(y, get_measure(measure), weight.astype(float))
        other, more = read_target(repeated, get_measure(measure))
        (one,) = kind.goals(codes, get_measure(measure), weight.astype(float))
        (two,) = other.goals(more, get_measure(measure), None)
        assert_allclose(one.prevalence, two.prevalence)


@pytest.mark.parametrize("measure", ["f1_macro", "jaccard_macro", "f1_micro"])
@pytest.mark.parametrize("weighted", [False, True])
def test_only_goals_below_their_floor_are_lifted(measure, weighted):
    """Labels counted together give the same verdict as each of them."""
    rng = np.random.default_rng(0)
    Y = (rng.random((80, 12)) < np.linspace(0.05, 0.9, 12)).astype(int)
    kind, codes = read_target(Y, get_measure(measure))
    weight = rng.random(80) if weighted else None
    goals = kind.goals(codes, get_measure(measure), weight)
    scores = {k: rng.normal(size=80) + 2 * Y[:, k] * (k % 2) for k in range(12)}
    rows = codes, scores, dict.fromkeys(range(12), 0.5), weight
    below = kind.below_floor(goals, *rows)
    lifted = [bool(kind.lift(goal, *rows)[1]) for goal in goals]
    assert any(lifted) or measure == "f1_micro"
    assert all(low for low, own in zip(below, lifted, strict=True) if own)
    if len(goals) > 1:
        assert list(below) == lifted
