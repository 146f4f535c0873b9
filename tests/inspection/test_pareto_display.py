"""Profiles with their front, their hull and the level set of the best."""

import numpy as np
import pytest
from curves import MEASURES
from numpy.testing import assert_allclose, assert_array_equal
from pictures import line
from scipy.spatial import ConvexHull

from pseudolinear import ErrorProfile
from pseudolinear.datasets import three_point_profiles
from pseudolinear.inspection import ParetoDisplay


def test_three_points_have_the_published_hull():
    """A, D, F and G are vertices, F (110) is the best, and the picture says so."""
    names, profiles = three_point_profiles()
    display = ParetoDisplay.from_profiles(profiles, "f1", names)
    assert [names[i] for i in display.hull] == ["000", "100", "110", "111"]
    assert names[display.best] == "110"
    assert sorted(set(names) - {names[i] for i in display.front}) == ["011"]
    xy = line(display.ax_, "lower left hull")
    assert_array_equal(xy, np.stack([profiles.fp, profiles.fn], 1)[display.hull, :, 0])
    assert [text.get_text() for text in display.ax_.texts] == names
    assert list(display.frame()["name"]) == names


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("seed", range(2))
def test_hull_is_scipys_and_nothing_is_below_the_level_set_of_the_best(measure, seed):
    """Scattered profiles: vertices by another algorithm, and a supporting line at the best."""
    rng = np.random.RandomState(seed)
    profiles = ErrorProfile(0.4 * rng.rand(40, 1), 0.6 * rng.rand(40, 1), 0.4)
    display = ParetoDisplay.from_profiles(profiles, measure)
    hull = ConvexHull(profiles.errors[:, 0])
    facing = {
        int(i)
        for simplex, normal in zip(hull.simplices, hull.equations, strict=True)
        if (normal[:2] <= 0).all()
        for i in simplex
    }
    facing |= {int(profiles.fn[:, 0].argmin()), int(profiles.fp[:, 0].argmin())}
    assert set(display.hull.tolist()) == facing
    assert display.best in display.hull
    level = float(display.values[display.best])
    height = profiles.total_cost(measure.costs(level, 0.4)) + measure.offset(level, 0.4)
    assert height.min() >= -1e-12
    fp, fn = line(display.ax_, "level set of the best").T
    assert_allclose(measure.pair_value(fn, fp, 0.4), level)


@pytest.mark.parametrize("seed", range(3))
def test_the_frame_marks_the_profiles_that_none_dominates(seed):
    """By brute force, ties in one error included; and every mark is drawn where the frame says."""
    rng = np.random.RandomState(seed)
    errors = rng.permutation(100)[:40]  # distinct pairs on a small grid
    profiles = ErrorProfile(errors[:, None] % 10 / 25, errors[:, None] // 10 / 20, 0.4)
    display = ParetoDisplay.from_profiles(profiles, "f1")
    frame = display.frame()
    pairs = frame[["fn", "fp"]].to_numpy()
    assert_array_equal(pairs, profiles.errors[:, 0])
    dominated = [((pairs <= own).all(1) & (pairs < own).any(1)).any() for own in pairs]
    assert_array_equal(frame["front"], ~np.array(dominated))
    assert frame["front"][frame["hull"]].all()
    assert frame["value"][frame["best"]].item() == frame["value"].max()
    found, misses = 0.4 - frame["fn"], frame["fn"] + frame["fp"]
    assert_allclose(frame["value"], 2 * found / (2 * found + misses))
    marks = {"Pareto front": frame["front"], "lower left hull": frame["hull"],
             "dominated": ~frame["front"], "best": frame["best"]}  # fmt: skip
    for label, marked in marks.items():
        drawn = line(display.ax_, label)
        assert sorted(drawn.tolist()) == sorted(frame[["fp", "fn"]][marked].values.tolist())


def test_a_name_belongs_to_every_profile():
    profiles = ErrorProfile(np.zeros((3, 1)), np.zeros((3, 1)), 0.2)
    with pytest.raises(ValueError, match="2 names for 3 profiles"):
        ParetoDisplay.from_profiles(profiles, "f1", ["a", "b"])
