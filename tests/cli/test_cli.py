"""The command line: the verbs, and what bad input gives."""

import json

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file, make_classification

from pseudolinear.cli._main import main


@pytest.fixture
def rows(tmp_path):
    X, y = make_classification(150, weights=[0.8], random_state=0)
    path = tmp_path / "rows.svm"
    dump_svmlight_file(X, 2 * y - 1, str(path), zero_based=False)
    return path


def test_compare_prints_a_row_per_method(rows, capsys):
    """The same figures as JSON and as a table."""
    assert main(["compare", str(rows), "--methods", "default,plain", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["method"] for row in found} == {"default", "plain"}
    assert main(["compare", str(rows), "--methods", "default,plain"]) == 0
    out = capsys.readouterr().out
    for row in found:
        assert f"{row['value']:.4f}" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "missing.svm"], "missing.svm"),
        (["datasets", "--download", "enron"], "enron"),
        (["reproduce", "--datasets", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_sentence_and_a_failure(arguments, message, capsys, tmp_path, monkeypatch):
    """No traceback, no file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PSEUDOLINEAR_DATA", str(tmp_path))
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"pseudolinear {arguments[0]}: ")
    assert message in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_datasets_shows_the_published_attributes(capsys, tmp_path, monkeypatch):
    """Without data, what is published alone."""
    monkeypatch.setenv("PSEUDOLINEAR_DATA", str(tmp_path))
    assert main(["datasets"]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if "scene      n_train" in x)
    assert np.isclose(float(line.split()[-1]), 1211)
