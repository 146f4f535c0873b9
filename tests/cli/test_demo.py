"""The embedded problems and the demo."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression

from pseudolinear import FBeta
from pseudolinear.cli import _demo, main
from pseudolinear.datasets import GALAXY_OPTIMUM, make_galaxy, three_point_profiles


def test_galaxy_has_the_published_masses():
    """1.89 % of the rows are positive, and the best rule is the two small clusters."""
    _, y = make_galaxy(200_000, random_state=0)
    assert_allclose(y.mean(), 0.0189, atol=0.001)
    assert_allclose(GALAXY_OPTIMUM, 0.6622, atol=5e-5)


def test_three_points_are_the_published_classifiers():
    """The classifier 110 is the best, at 75.04 %."""
    names, profiles = three_point_profiles()
    values = dict(zip(names, FBeta().value(profiles), strict=True))
    assert_allclose(values["110"], 0.750408, atol=5e-7)
    assert max(values, key=values.get) == "110"


@pytest.mark.slow
def test_demo_shows_the_published_order_and_bands(tmp_path, capsys):
    """Test F1 within 6 points of the reference figures, and in their order."""
    picture = tmp_path / "galaxy.png"
    assert main(["demo", "--json", "--output", str(picture)]) == 0
    result = json.loads(capsys.readouterr().out)
    f1 = {(row["learner"], row["trained"]): 100 * row["test_f1"] for row in result["rows"]}
    options = ("plain", "threshold", "costs", "costs and threshold")
    reference = {
        "logistic regression": (37.2, 50.3, 40.5, 55.8),
        "linear SVM": (47.0, 66.0, 59.5, 66.0),
    }
    for learner, values in reference.items():
        for option, value in zip(options, values, strict=True):
            assert abs(f1[learner, option] - value) < 6.0
        plain, threshold, costs, both = (f1[learner, option] for option in options)
        assert plain < costs < threshold < both + 1.0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["galaxy.png"]


def test_demo_names_a_missing_folder(tmp_path, capsys):
    """One sentence on stderr and exit code 1, before any work."""
    assert main(["demo", "--output", str(tmp_path / "nowhere" / "x.png")]) == 1
    error = capsys.readouterr().err
    assert "does not exist; create it first" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a", b"\x89PNG")]
)
def test_the_picture_has_the_format_of_its_name(tmp_path, name, start):
    """PNG where the name says none; nothing else is written, and others may read it."""
    X, y = make_galaxy(300, random_state=0)
    rows = [{"learner": learner, "trained": "plain", "test_f1": 0.5} for learner in _demo.LOSSES]
    path = tmp_path / name
    _demo.draw(path, rows, [LogisticRegression().fit(X, y)] * 2, X, y)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o044


def test_galaxy_is_reproducible():
    """The same seed gives the same rows."""
    np.testing.assert_array_equal(
        make_galaxy(50, random_state=1)[0], make_galaxy(50, random_state=1)[0]
    )
