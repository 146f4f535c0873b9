"""Compiling leaves no traces: not on machines that cannot be written to, nor in the process."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from numba import config

import pseudolinear
from pseudolinear.loops._compile import joined, uncollected

SCRIPT = """
import sys, warnings
warnings.simplefilter("error")
sys.path.insert(0, sys.argv[1])
import numpy as np
import pseudolinear
assert pseudolinear.__file__.startswith(sys.argv[1]), pseudolinear.__file__
from pseudolinear.loops._curves import merge_cuts
print(type(merge_cuts._cache).__name__)
if len(sys.argv) > 2:
    X = np.arange(80.0)[:, None]
    clf = pseudolinear.MeasureClassifier("linear", random_state=0).fit(X, X[:, 0] > 60)
    clf.save(sys.argv[2])
    print((pseudolinear.load(sys.argv[2]).predict(X) == clf.predict(X)).all())
"""


@pytest.fixture
def sealed():
    """Copy the package to where no cache can be made: not even root can write below a file."""
    with tempfile.TemporaryDirectory() as top:
        copy = Path(top) / "pseudolinear"
        source = Path(pseudolinear.__file__).parent
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        folders = [Path(top), copy, *(path for path in copy.rglob("*") if path.is_dir())]
        for folder in folders:
            (folder / "__pycache__").write_text("no folder")
            folder.chmod(0o555)
        yield top
        for folder in folders:
            folder.chmod(0o755)


def run(folder, *arguments, before=()):
    """Run the script in a process without a home; return what it prints."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    kept.pop("PYTHONPATH", None)
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    command = [*before, sys.executable, "-B", "-c", SCRIPT, folder, *arguments]
    found = subprocess.run(command, env=kept | nowhere, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    return found.stdout.split()


def test_package_loads_where_nothing_can_be_written(sealed):
    """Numba calls it a null cache where there is none."""
    assert run(sealed) == ["NullCache"]


@pytest.mark.slow
def test_fit_and_load_where_nothing_can_be_written(sealed, tmp_path):
    """Every loop is compiled anew, and all the rest works as ever."""
    assert run(sealed, str(tmp_path / "model.plm")) == ["NullCache", "True"]


@pytest.mark.slow
def test_package_loads_as_a_user_without_rights(sealed):
    """A user who owns nothing, and may write nowhere."""
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv to become another user")
    probe = [*nobody, sys.executable, "-c", "import numba, sklearn"]
    if subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("another user may not read this Python")
    assert run(sealed, before=nobody) == ["NullCache"]


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled):
    """Also where compiling fails, and where somebody has switched it off."""
    seen = []
    try:
        gc.enable() if enabled else gc.disable()
        assert uncollected(lambda number: seen.append(gc.isenabled()) or number)(3) == 3
        assert gc.isenabled() == enabled
        with pytest.raises(ZeroDivisionError):
            uncollected(lambda: 1 / 0)()
        assert gc.isenabled() == enabled
    finally:
        gc.enable()
    assert seen == [False]


@pytest.mark.parametrize("before", [0, 1])
def test_compiling_leaves_the_setting_as_it_was(before, monkeypatch):
    monkeypatch.setattr(config, "SLP_VECTORIZE", before)
    assert joined(lambda number: config.SLP_VECTORIZE + number)(3) == 4
    assert before == config.SLP_VECTORIZE
    with pytest.raises(ZeroDivisionError):
        joined(lambda: 1 / 0)()
    assert before == config.SLP_VECTORIZE
