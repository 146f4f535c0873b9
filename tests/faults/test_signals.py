"""Commands that are stopped: no part of a file, no process that goes on, no long trace."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX"),
]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Return a file whose fit takes some seconds."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 30))
    frame = pd.DataFrame(X).add_prefix("x")
    frame["y"] = (X[:, 0] + rng.normal(size=len(X)) > 1).astype(int)
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    frame.to_csv(path, index=False)
    return path


def is_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition, seconds=120):
    """Return whether something has come true in that time."""
    deadline = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fit_that_is_stopped_leaves_nothing(stop, jobs, rows, tmp_path, tmp_path_factory):
    out = tmp_path / "model.plm"
    out.write_text("old")
    command = [sys.executable, "-m", "pseudolinear", "fit", str(rows), "--target", "y"]
    command += ["--jobs", jobs, "--force", "--out", str(out)]
    kept = tmp_path_factory.mktemp("kept")  # whose first file says that the fit is under way
    command += ["--checkpoint", str(kept)]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_until(lambda: any(path.is_file() for path in kept.rglob("*")) or run.poll() is not None)
    run.send_signal(stop)
    said = run.communicate(timeout=60)[1]
    assert run.returncode != 0
    assert out.read_text() == "old"
    assert os.listdir(tmp_path) == ["model.plm"]
    assert "Traceback" not in said
    assert wait_until(lambda: not is_alive(run.pid))
