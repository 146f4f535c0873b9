"""The command line: the verbs, and what bad input gives."""

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file, make_classification

from pseudolinear import cli
from pseudolinear.cli import main


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


def test_a_new_verb_is_one_file(capsys, tmp_path, monkeypatch):
    """A module in the folder of the command line is listed, parsed and run."""
    (tmp_path / "_greet.py").write_text(
        "HELP = 'say hello'\n"
        "def add_arguments(parser):\n"
        "    parser.add_argument('name')\n"
        "def run(args):\n"
        "    print(f'hello {args.name}')\n"
    )
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert all(verb in out for verb in ("compare", "datasets", "demo", "reproduce"))
    assert "say hello" in out
    assert main(["greet", "you"]) == 0
    assert capsys.readouterr().out == "hello you\n"


def test_the_package_is_a_command_that_lists_its_verbs_at_once():
    """With python -m too; what a verb needs is imported when it runs."""
    command = [sys.executable, "-X", "importtime", "-m", "pseudolinear", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "usage: pseudolinear" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pseudolinear.cli._main" in loaded
    assert not loaded & {"matplotlib", "pseudolinear.experiments", "pseudolinear.inspection"}
