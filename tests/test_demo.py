"""The embedded problems and the demo."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pseudolinear import FBeta
from pseudolinear._cli import main
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
    """Logistic regression gains by a threshold, more by costs and threshold (6 points band)."""
    picture = tmp_path / "galaxy.png"
    assert main(["demo", "--json", "--output", str(picture)]) == 0
    result = json.loads(capsys.readouterr().out)
    f1 = {row["trained"]: 100 * row["test_f1"] for row in result["rows"]}
    reference = {"plain": 34.5, "threshold": 49.7, "costs": 37.0, "costs and threshold": 55.6}
    for option, value in reference.items():
        assert abs(f1[option] - value) < 6.0
    assert f1["plain"] < f1["costs"] < f1["threshold"] < f1["costs and threshold"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["galaxy.png"]


def test_demo_names_a_missing_folder(tmp_path, capsys):
    """One sentence on stderr and exit code 1, before any work."""
    assert main(["demo", "--output", str(tmp_path / "nowhere" / "x.png")]) == 1
    error = capsys.readouterr().err
    assert "does not exist; create it or change --output" in error
    assert error.count("\n") == 1


def test_unknown_verbs_are_refused(capsys):
    """The parser names the verbs there are."""
    with pytest.raises(SystemExit) as stop:
        main(["dmeo"])
    assert stop.value.code == 2
    assert "invalid choice: 'dmeo'" in capsys.readouterr().err


def test_galaxy_is_reproducible():
    """The same seed gives the same rows."""
    np.testing.assert_array_equal(
        make_galaxy(50, random_state=1)[0], make_galaxy(50, random_state=1)[0]
    )
