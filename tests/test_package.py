"""What tools see of the package: version, types and metadata."""

import subprocess
import sys
from importlib.metadata import metadata, version
from importlib.util import find_spec
from pathlib import Path

import pytest

import pseudolinear

PACKAGE = Path(pseudolinear.__file__).parent
SCRIPT = """
import numpy as np
import pseudolinear
from pseudolinear import FBeta, MeasureClassifier, best_threshold, get_measure

X, y = np.eye(4)[[0, 1, 2, 3] * 10], np.array([0, 1, 1, 0] * 10)
clf = MeasureClassifier("linear", measure=FBeta(2.0), random_state=0).fit(X, y)
value: float = clf.score(X, y)
shape: tuple[int, ...] = clf.coef_.shape
version: str = pseudolinear.__version__
other = clf.retarget(get_measure("f1")).slim()
cut = best_threshold(y, clf.decision_function(X), "f1")
MeasureClassifier(measure=3.5)  # a mistake
"""


def test_version_is_that_of_the_installed_package():
    """Read when it is asked for, so that the import stays cheap."""
    assert pseudolinear.__version__ == version("pseudolinear")


def test_metadata_says_where_to_look_and_what_is_needed():
    """For the page of the package, and for those who search for it."""
    pyproject = (PACKAGE.parents[1] / "pyproject.toml").read_text()
    for name in ("Homepage", "Documentation", "Issues", "Changelog"):
        assert f"{name} = " in pyproject
    assert "Typing :: Typed" in pyproject
    assert metadata("pseudolinear")["Name"] == "pseudolinear"


def test_the_package_says_that_it_is_typed():
    """Type checkers look for this file (PEP 561)."""
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.slow
def test_a_users_script_is_type_checked(tmp_path):
    """The public surface has types: a right script passes, and a wrong argument is found."""
    if find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    options = ["--ignore-missing-imports", "--follow-imports=silent", f"--cache-dir={tmp_path}"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", *options, str(script)],
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""},
    )
    errors = [line for line in run.stdout.splitlines() if "error" in line]
    wrong = SCRIPT.splitlines().index("MeasureClassifier(measure=3.5)  # a mistake") + 1
    assert f"script.py:{wrong}: error" in errors[0], run.stdout
    assert len(errors) == 2, run.stdout  # this one, and the count
