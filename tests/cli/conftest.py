"""A small table with numbers, categories, text and gaps, and a model fitted on it."""

import numpy as np
import pytest

from pseudolinear.cli import main


def make_frame(n=240, seed=0):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.25
    age = np.where(rng.random(n) < 0.1, np.nan, (40 + 15 * y + rng.normal(0, 8, n)).round())
    return pandas.DataFrame(
        {
            "id": np.arange(n),
            "age": age,
            "zip": rng.choice(["0150", "10115", "N1 9GU"], n),
            "plan": np.where(rng.random(n) < 0.7, np.where(y, "gold", "basic"), "none yet"),
            "site": np.arange(n) // 3,
            "importance": rng.integers(1, 4, n),
            "churned": np.where(y, "yes", "no"),
        }
    )


@pytest.fixture(scope="session")
def frame():
    return make_frame()


@pytest.fixture(scope="session")
def csv(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="session")
def model(csv, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.plm"
    arguments = ["fit", csv, "--target", "churned", "--drop", "id", "--out", path, "--quiet"]
    assert main([*map(str, arguments), "--estimator", "linear", "--evidence"]) == 0
    return path


@pytest.fixture
def run(capsys):
    """Run a command; return its exit code, stdout and stderr."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run
