"""What each level reached, and which one was chosen."""

import numpy as np
import pytest
from curves import MEASURES
from numpy.testing import assert_allclose, assert_array_equal
from pictures import legend, line, points
from sklearn.datasets import make_multilabel_classification

from pseudolinear import FBeta, Jaccard, MeasureClassifier
from pseudolinear.inspection import LevelDisplay


def test_level_display_shows_what_the_classifier_chose(fitted):
    """Levels in the order of the search, the best value and its level, all from `sweep_`."""
    display = LevelDisplay.from_sweep(fitted.sweep_)
    tried = [row["level"] for row in fitted.sweep_.rows() if row["fold"] == -1]
    assert_array_equal(display.levels, tried)
    assert_array_equal(display.levels[:3], [0.5, 1.0, 1.5])
    assert_allclose(display.levels[display.chosen], fitted.level_)
    assert_allclose(display.values[display.chosen], fitted.best_score_)
    assert display.values.max() == fitted.best_score_
    low, high = display.bracket
    assert low < fitted.level_ < high
    assert not ((low < display.levels) & (display.levels < high)).sum() > 1


def test_levels_of_single_labels_are_not_those_of_all():
    """A retargeted classifier has kept the levels at which its models were trained."""
    X, Y = make_multilabel_classification(200, random_state=0)
    clf = MeasureClassifier("linear", measure="balanced_accuracy_macro", random_state=0)
    other = clf.fit(X, Y).retarget("f1_micro")
    with pytest.raises(ValueError, match=r"not tried for all labels.* retargeted"):
        LevelDisplay.from_estimator(other)


def test_the_frame_is_the_best_row_of_each_level_and_is_drawn(multilabel):
    """The best value over the hyper-parameters, from the table of the sweep."""
    sweep = multilabel("macro").sweep_
    rows = [row for row in sweep.rows() if row["fold"] == -1]
    for label in range(5):
        display = LevelDisplay.from_sweep(sweep, label)
        frame, best = display.frame(), {}
        for row in rows:
            if row["label"] == label:
                best[row["level"]] = max(row["value"], best.get(row["level"], 0.0))
        assert dict(zip(frame["level"], frame["value"], strict=True)) == pytest.approx(best)
        assert_array_equal(frame["order"], np.arange(len(best)) + 1)
        assert_array_equal(points(display.ax_, "tried"), frame[["level", "value"]])
        star = line(display.ax_, "chosen level")
        assert_array_equal(star, frame[["level", "value"]][frame["chosen"]])


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_the_bracket_of_an_exact_learner_holds_the_optimum(exact_sweep, measure, seed):
    """Values are above the diagonal below the optimum, below it above, and unimodal."""
    sweep, profiles, _ = exact_sweep(measure, seed)
    display = LevelDisplay.from_sweep(sweep)
    top = measure.value(profiles).max()
    below = display.levels <= top
    assert (display.values[below] >= display.levels[below] - 1e-12).all()
    assert (display.values[~below] < display.levels[~below]).all()
    assert (np.diff(display.values[below]) >= -1e-12).all()
    assert (np.diff(display.values[~below]) <= 1e-12).all()
    low, high = display.bracket
    assert low <= np.clip(top, display.levels.min(), display.levels.max()) <= high


@pytest.mark.parametrize(
    ("measure", "share"),
    [(FBeta(), lambda t: 1 - t / 2), (FBeta(2.0), lambda t: 1 - t / 5),
     (Jaccard(), lambda t: 1 / (1 + t))],
    ids=["F1", "F2", "Jaccard"],
)  # fmt: skip
def test_costs_are_those_of_the_level(exact_sweep, measure, share):
    """On the other axis the diagonal is a curve: the cost of each level against the level."""
    sweep, *_ = exact_sweep(measure, 0)
    display = LevelDisplay.from_sweep(sweep, against="cost")
    cost, level = line(display.ax_, "value = level").T
    assert_allclose(cost, share(level))
    assert_allclose(level[-1], 1.0)
    frame = display.frame()
    assert_allclose(frame["cost"], share(frame["level"]))
    assert_array_equal(points(display.ax_, "tried"), frame[["cost", "value"]])


def test_every_label_of_a_macro_average_has_a_level_curve(multilabel):
    """One goal per label for macro; one in all for micro, with the value of all labels."""
    macro, micro = multilabel("macro"), multilabel("micro")
    for label in range(5):
        display = LevelDisplay.from_sweep(macro.sweep_, label)
        assert_allclose(display.levels[display.chosen], macro.level_[label])
        assert display.ax_.get_ylabel().startswith(f"F1 of label {label}")
    display = LevelDisplay.from_sweep(micro.sweep_)
    assert_allclose(display.values.max(), micro.best_score_)
    assert display.ax_.get_ylabel().startswith("micro-F1")
    with pytest.raises(ValueError, match="no goal 1; this sweep has the goals 0 to 0"):
        LevelDisplay.from_sweep(micro.sweep_, 1)


def test_a_rule_that_looks_at_all_labels_is_shown_as_it_chose(multilabel):
    """What is marked is the level of the classifier, not the best of the label alone."""
    clf = multilabel("macro", selection="shrunk")
    for label in range(5):
        display = LevelDisplay.from_sweep(clf.sweep_, label)
        assert_array_equal(display.levels[display.chosen], clf.level_[label])


def test_many_chosen_levels_are_not_listed_one_by_one():
    """Labels of a micro average may choose different levels; the legend stays short."""
    levels = np.arange(1, 10) / 10
    for n_chosen, text in ((2, "chosen level 0.10, 0.20"), (9, "9 chosen levels, 0.10 to 0.90")):
        display = LevelDisplay(FBeta(), 0.3, levels, levels, np.arange(n_chosen), "F1").plot()
        assert legend(display.ax_)[-1] == text


def test_the_axis_is_one_of_two(fitted):
    with pytest.raises(ValueError, match="against must be 'level' or 'cost', got 'costs'"):
        LevelDisplay.from_sweep(fitted.sweep_, against="costs")
