"""What holds for every display."""

import sys

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from sklearn.linear_model import LogisticRegression

from pseudolinear import ErrorProfile, inspection
from pseudolinear.datasets import three_point_profiles
from pseudolinear.inspection import (
    BoundaryDisplay,
    ConeDisplay,
    Display,
    LabelsDisplay,
    LevelDisplay,
    MeasureCurveDisplay,
    ParetoDisplay,
    SurfaceDisplay,
    SweepDisplay,
    ThresholdDisplay,
)

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(scope="module")
def makers(data, fitted):
    """How to make one of each, by what it shows."""
    X, y = data
    names, profiles = three_point_profiles()
    plane = {"plane": LogisticRegression().fit(X[:, :2], y)}
    profile = ErrorProfile(0.05, 0.02, 0.15)
    Y = (X[:100, :3] > 0).astype(int)
    return {
        "marked surface": lambda ax=None: SurfaceDisplay.from_measure(
            "f1", 0.15, profile=profile, resolution=30, ax=ax
        ),
        "surface": lambda ax=None: SurfaceDisplay.from_measure(
            "jaccard", 0.3, resolution=30, ax=ax
        ),
        "front": lambda ax=None: ParetoDisplay.from_profiles(profiles, "f1", names, ax=ax),
        "levels": lambda ax=None: LevelDisplay.from_sweep(fitted.sweep_, ax=ax),
        "costs": lambda ax=None: LevelDisplay.from_sweep(fitted.sweep_, against="cost", ax=ax),
        "cones": lambda ax=None: ConeDisplay.from_sweep(fitted.sweep_, ax=ax),
        "curve": lambda ax=None: MeasureCurveDisplay.from_estimator(fitted, X, y, ax=ax),
        "thresholds": lambda ax=None: ThresholdDisplay.from_estimator(fitted, X, y, ax=ax),
        "evidence": lambda ax=None: ThresholdDisplay.from_sweep(fitted.sweep_, ax=ax),
        "labels": lambda ax=None: LabelsDisplay.from_predictions(Y, Y[::-1], "f1_macro", ax=ax),
        "many labels": lambda ax=None: LabelsDisplay.from_predictions(
            np.tile(Y, 20), np.tile(Y[::-1], 20), "f1_macro", ax=ax
        ),
        "boundary": lambda ax=None: BoundaryDisplay.from_estimators(
            plane, X[:, :2], y, resolution=30, ax=ax
        ),
    }


@pytest.fixture(scope="module")
def displays(makers):
    return [make() for make in makers.values()]


def test_every_display_is_tested_here(displays):
    """All public names are displays, and each is made above."""
    every = {getattr(inspection, name) for name in inspection.__all__} - {Display, SweepDisplay}
    assert every == set(map(type, displays))


@pytest.mark.slow
def test_everything_written_is_inside_the_figure(makers):
    """Labels, legends and numbers on lines are not cut off, and given axes are used."""
    for make in makers.values():
        figure, ax = plt.subplots(layout="constrained")
        display = make(ax)
        assert display.ax_ is ax
        assert display.figure_ is figure
        figure.canvas.draw()
        page, box = figure.bbox_inches.padded(1e-3), figure.get_tightbbox()
        assert page.fully_contains(*box.min)
        assert page.fully_contains(*box.max)
        for text in ax.texts:
            box = text.get_window_extent()
            assert ax.bbox.padded(2).fully_contains(*box.min), text
            assert ax.bbox.padded(2).fully_contains(*box.max), text
        plt.close(figure)


def test_plot_draws_again_and_returns_itself(displays):
    """In a new figure, unless axes are given."""
    for display in displays:
        first = display.ax_
        assert display.plot() is display
        assert display.ax_ is not first
        assert display.figure_ is display.ax_.figure


def test_style_is_for_what_the_display_is_about(displays):
    """Options replace ours, by any of matplotlib's names for them; a surface has no line."""
    for display in displays:
        if isinstance(display, SurfaceDisplay):
            assert display.plot(alpha=0.5).ax_.collections[0].get_alpha() == 0.5
            continue
        ax = display.plot(label="styled", linewidth=4, color="k").ax_
        assert ax.get_legend_handles_labels()[1].count("styled") == 1


def test_predictions_and_classifiers_give_the_same_pictures(data, fitted):
    """What a classifier predicts is what from_predictions is given."""
    X, y = data
    other = LogisticRegression().fit(X, y)
    for display, same in (
        (
            ParetoDisplay.from_estimators({"ours": fitted, "plain": other}, X, y),
            ParetoDisplay.from_predictions(
                y, {"ours": fitted.predict(X), "plain": other.predict(X)}
            ),
        ),
        (
            SurfaceDisplay.from_estimator(fitted, X, y, resolution=9),
            SurfaceDisplay.from_predictions(y, fitted.predict(X), "f1", resolution=9),
        ),
        (LevelDisplay.from_estimator(fitted), LevelDisplay.from_sweep(fitted.sweep_)),
        (ConeDisplay.from_estimator(fitted), ConeDisplay.from_sweep(fitted.sweep_)),
    ):
        assert_frame_equal(display.frame(), same.frame())
    rows = SurfaceDisplay.from_estimator(fitted, X, y, resolution=9).rows()
    (marked,) = (row["value"] for row in rows if row["kind"] == "chosen")
    assert marked == pytest.approx(fitted.score(X, y))


def test_a_frame_holds_the_rows(displays):
    """Every row has all columns; nothing but kinds and names is text."""
    for display in displays:
        frame, rows = display.frame(), display.rows()
        assert len(frame) == len(rows)
        assert {tuple(row) for row in rows} == {tuple(frame)}
        assert set(frame.select_dtypes(exclude=["number", "bool"])) <= {"kind", "name"}


def test_missing_libraries_are_named(makers, monkeypatch):
    """Rows need no pandas; what does says how to get it, and a plot how to get matplotlib."""
    display = makers["levels"]()
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert display.rows()
    with pytest.raises(ImportError, match=r"frame needs pandas; .*'pip install pandas', or use ro"):
        display.frame()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install pseudolinear"):
        display.plot()
    with pytest.raises(ImportError, match="pip install pseudolinear"):
        makers["surface"]()
