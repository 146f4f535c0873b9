"""Every example for the shell runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples" / "shell").glob("*.sh"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_shell_example_runs(path, tmp_path):
    """As a newcomer would run it: every command succeeds."""
    pytest.importorskip("onnxruntime")
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(["sh", path], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "f1" in done.stdout
