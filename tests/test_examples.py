"""Every example runs."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(path, monkeypatch, capsys):
    """It prints its result and draws its plots without a screen."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    runpy.run_path(str(path))
    plt.close("all")
    assert capsys.readouterr().out
