"""A measure over its two errors: straight level sets, each with its value."""

import numpy as np
import pytest
from curves import MEASURES
from numpy.testing import assert_allclose, assert_array_equal
from pictures import level_sets, line

from pseudolinear import BalancedAccuracy, ErrorProfile, FBeta, LinearFractional, WeightedAccuracy
from pseudolinear.inspection import SurfaceDisplay

SURFACES = [*MEASURES, BalancedAccuracy(), WeightedAccuracy(cost_fn=2.0)]
SURFACES.append(LinearFractional(1.0, [-2.0, -0.5], 1.0, [0.5, 0.2]))


@pytest.mark.parametrize("prevalence", [0.03, 0.7])
@pytest.mark.parametrize("measure", SURFACES, ids=repr)
def test_drawn_level_sets_are_straight_and_have_their_value(measure, prevalence):
    """Every vertex that is drawn has the value of its line, and lies between its ends."""
    display = SurfaceDisplay.from_measure(measure, prevalence, resolution=20)
    drawn = level_sets(display.ax_)
    assert len(drawn) >= 4
    for level, (fp, fn) in ((level, xy.T) for level, xy in drawn.items()):
        values = measure.pair_value(fn, fp, prevalence)
        assert_allclose(values, level, atol=1e-6 * np.abs(display.values).max())
        (fn0, fp0), (fn1, fp1) = display.lines[level]
        assert_allclose((fn - fn0) * (fp1 - fp0), (fp - fp0) * (fn1 - fn0), atol=1e-7)


def test_surface_is_the_textbook_formula():
    """F1 by true positives, on the whole box of errors."""
    display = SurfaceDisplay.from_measure("f1", 0.3, resolution=15)
    fn, fp = np.meshgrid(display.fn, display.fp, indexing="ij")
    tp = 0.3 - fn
    assert (fn.max(), fp.max()) == (0.3, 0.7)
    assert_allclose(display.values, 2 * tp / (2 * tp + fn + fp))


def test_surface_of_a_rare_class_may_be_shown_in_part():
    """Lines end where the picture ends, and still have their value."""
    display = SurfaceDisplay.from_measure("f1", 0.01, max_fp=0.02, resolution=10)
    assert display.fp[-1] == 0.02
    for level, ends in display.lines.items():
        assert ends[:, 1].max() <= 0.02
        assert_allclose(FBeta().pair_value(*ends.T, 0.01), level)


def test_surface_of_a_micro_average_is_over_summed_errors():
    """Two labels: the marked pair is the sum of their errors, and its level set goes through it."""
    measure, prevalence = FBeta(average="micro"), [0.2, 0.5]
    profile = ErrorProfile([0.05, 0.1], [0.1, 0.2], prevalence)
    display = SurfaceDisplay.from_measure(measure, prevalence, profile=profile, resolution=10)
    assert_allclose(display.point, [0.15, 0.3])
    (fp0, fn0), (fp1, fn1) = line(display.ax_, "level set of the chosen")
    assert_allclose((0.15 - fn0) * (fp1 - fp0), (0.3 - fp0) * (fn1 - fn0), atol=1e-12)
    assert_allclose((display.fn[-1], display.fp[-1]), (0.7, 1.3))


def test_every_row_of_the_frame_has_the_value_of_its_errors():
    """The grid, both ends of each level set, and the marked profile with its own level set."""
    profile = ErrorProfile(0.1, 0.05, 0.3)
    display = SurfaceDisplay.from_measure("jaccard", 0.3, profile=profile, resolution=10)
    frame = display.frame()
    assert_allclose(frame["value"], (0.3 - frame["fn"]) / (0.3 + frame["fp"]))
    parts = dict(list(frame.groupby("kind")))
    assert_array_equal(parts["surface"]["value"].to_numpy().reshape(10, 10), display.values)
    assert sorted(set(parts["level set"]["value"])) == list(level_sets(display.ax_))
    for kind, label in (("chosen", "chosen"), ("level set of the chosen",) * 2):
        assert_array_equal(line(display.ax_, label), parts[kind][["fp", "fn"]])


def test_bad_input_gets_one_clear_sentence():
    profiles = ErrorProfile(np.zeros((3, 1)), np.zeros((3, 1)), 0.2)
    with pytest.raises(ValueError, match=r"prevalence must be between 0 and 1, got 1\.5"):
        SurfaceDisplay.from_measure("f1", 1.5)
    with pytest.raises(ValueError, match="max_fp must be positive, got 0"):
        SurfaceDisplay.from_measure("f1", 0.3, max_fp=0)
    with pytest.raises(ValueError, match=r"one profile with the prevalence 0\.3"):
        SurfaceDisplay.from_measure("f1", 0.3, profile=profiles)
    with pytest.raises(ValueError, match="draw one label at a time"):
        SurfaceDisplay.from_measure("f1_macro", [0.3, 0.2])
