"""What holds for every display."""

import sys

import pytest
from sklearn.linear_model import LogisticRegression

from pseudolinear import ErrorProfile, inspection
from pseudolinear.datasets import three_point_profiles
from pseudolinear.inspection import (
    BoundaryDisplay,
    ConeDisplay,
    Display,
    LevelDisplay,
    MeasureCurveDisplay,
    ParetoDisplay,
    SurfaceDisplay,
)

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(scope="module")
def makers(data, fitted):
    """How to make one of each, by what it shows."""
    X, y = data
    names, profiles = three_point_profiles()
    plane = {"plane": LogisticRegression().fit(X[:, :2], y)}
    profile = ErrorProfile(0.05, 0.02, 0.15)
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
        "boundary": lambda ax=None: BoundaryDisplay.from_estimators(
            plane, X[:, :2], y, resolution=30, ax=ax
        ),
    }


@pytest.fixture(scope="module")
def displays(makers):
    return [make() for make in makers.values()]


def test_every_display_is_tested_here(displays):
    """All public names are displays, and each is made above."""
    every = {getattr(inspection, name) for name in inspection.__all__} - {Display}
    assert every == set(map(type, displays))


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
