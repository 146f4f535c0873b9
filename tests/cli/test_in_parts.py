"""fit --in-parts: rows that are read part by part."""

import json

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


@pytest.fixture
def folder(tmp_path):
    """Two Parquet files with a number that is no feature."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2000, 3)), columns=list("abc")).assign(key=range(2000))
    odds = 2 * frame.a - frame.b - 2 + rng.logistic(size=2000)
    frame["churn"] = np.where(odds > 0, 1, 0)
    (tmp_path / "rows").mkdir()
    frame[:900].to_parquet(tmp_path / "rows" / "1.parquet")
    frame[900:].to_parquet(tmp_path / "rows" / "2.parquet")
    frame.to_parquet(tmp_path / "all.parquet")
    return tmp_path


def test_folder_and_file_give_the_same_model(run, folder):
    """And the model predicts and is judged as any other."""
    options = ("--target", "churn", "--drop", "key", "--in-parts", "--effort", "fast", "--json")
    found = []
    for name in ("rows", "all.parquet"):
        out = folder / f"{name}.plm"
        code, shown, _ = run("fit", folder / name, *options, "--out", out)
        assert code == 0
        found.append(json.loads(shown)["validation_score"])
        code, shown, _ = run("evaluate", out, folder / "all.parquet", "--json")
        assert code == 0
        assert json.loads(shown)["value"] > 0.5
    assert found[0] == pytest.approx(found[1])


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (("--target", "chrun"), "no column"),
        (("--target", "churn", "--groups", "key"), "--groups needs all rows at once"),
        ((), "Say what to predict"),
    ],
)
def test_what_does_not_go_together_is_said(run, folder, options, match):
    """In one sentence, and nothing is written."""
    command = ("fit", folder / "rows", *options, "--in-parts", "--out", folder / "m.plm")
    code, _, said = run(*command)
    assert code == 2
    assert match in " ".join(said.split())
    assert not (folder / "m.plm").exists()
