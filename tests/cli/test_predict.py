"""The verb predict: what is written, in which form, in parts."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import dump_svmlight_file

from pseudolinear.cli import main
from pseudolinear.persistence import load


@pytest.mark.parametrize("name", ["p.csv", "p.tsv.gz", "p.jsonl", "p.parquet"])
def test_predictions_are_those_of_the_library_in_any_format(run, frame, csv, model, tmp_path, name):
    """In the order of the rows, read in parts or not."""
    pandas = pytest.importorskip("pandas")
    out = tmp_path / name
    options = ("--scores", "--probabilities", "--keep", "id,zip", "--chunk-rows", "50")
    code, shown, said = run("predict", model, csv, "--out", out, *options)
    assert code == 0
    assert (shown, said) == ("", f"{len(frame)} rows: {out}\n")
    read = {
        "p.csv": pandas.read_csv,
        "p.tsv.gz": lambda path: pandas.read_csv(path, sep="\t"),
        "p.jsonl": lambda path: pandas.read_json(path, lines=True, dtype=False),
        "p.parquet": pandas.read_parquet,
    }
    found, clf = read[name](out), load(model)
    X = frame[clf.feature_names_in_]
    assert found.columns.tolist() == ["id", "zip", "prediction", "score", "probability"]
    assert_array_equal(found["id"], frame["id"])
    assert_array_equal(found["zip"], frame["zip"])
    assert_array_equal(found["prediction"], clf.predict(X))
    np.testing.assert_allclose(found["score"], clf.decision_function(X), rtol=1e-9)
    np.testing.assert_allclose(found["probability"], clf.predict_proba(X)[:, 1], rtol=1e-9)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_scores_are_of_the_positive_class(run, frame, tmp_path):
    """Also where it is the first of both in the order of the alphabet."""
    pandas = pytest.importorskip("pandas")
    rows = frame.assign(churned=frame["churned"].map({"yes": "gone", "no": "here"}))
    rows.to_csv(tmp_path / "rows.csv", index=False)
    options = ("--target", "churned", "--drop", "id", "--estimator", "linear", "--quiet")
    assert run("fit", tmp_path / "rows.csv", *options, "--out", tmp_path / "m.plm")[0] == 0
    options = ("--scores", "--probabilities", "--out", tmp_path / "p.csv")
    assert run("predict", tmp_path / "m.plm", tmp_path / "rows.csv", *options)[0] == 0
    found = pandas.read_csv(tmp_path / "p.csv")
    assert_array_equal(found["score"] > 0, found["prediction"] == "gone")
    assert found["score"].corr(found["probability"], method="spearman") > 0.99


def test_strings_stay_strings(run, frame, model, tmp_path):
    """A part whose codes all look like numbers is not a part of numbers: 0150 is not 150."""
    pandas = pytest.importorskip("pandas")
    some = frame[frame["zip"] == "0150"]
    some.to_csv(tmp_path / "some.csv", index=False)
    assert (
        run("predict", model, tmp_path / "some.csv", "--out", tmp_path / "p.csv", "--scores")[0]
        == 0
    )
    clf = load(model)
    expected = clf.decision_function(some[clf.feature_names_in_])
    np.testing.assert_allclose(pandas.read_csv(tmp_path / "p.csv")["score"], expected)


def test_dates_of_another_form_are_refused(run, frame, tmp_path):
    """One sentence, where day and month could be mistaken for each other."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("skrub")
    days = pandas.Series(pandas.date_range("2021-01-01", periods=len(frame)))
    rows = frame[["age", "churned"]].assign(when=days.dt.strftime("%Y-%m-%d"))
    rows.to_csv(tmp_path / "iso.csv", index=False)
    rows.assign(when=days.dt.strftime("%d.%m.%Y")).to_csv(tmp_path / "other.csv", index=False)
    options = ("--target", "churned", "--estimator", "linear", "--out", tmp_path / "m.plm")
    assert run("fit", tmp_path / "iso.csv", *options)[0] == 0
    out = tmp_path / "p.csv"
    assert run("predict", tmp_path / "m.plm", tmp_path / "iso.csv", "--out", out)[0] == 0
    code, shown, said = run(
        "predict", tmp_path / "m.plm", tmp_path / "other.csv", "--out", out, "--force"
    )
    assert (code, shown, said.count("\n")) == (1, "", 1)
    assert "Column 'when' held dates in fit, but now has '01.01.2021'; give dates" in said


def test_decimal_commas_are_numbers_in_fit_and_predict(run, frame, tmp_path):
    """The same predictions as with points, from a model of either."""
    rows = frame[["age", "churned"]].assign(age=frame["age"] / 4)
    rows.to_csv(tmp_path / "comma.csv", sep=";", decimal=",", index=False)
    rows.to_csv(tmp_path / "point.csv", index=False)
    found = []
    for fitted in ("comma", "point"):
        model = tmp_path / f"{fitted}.plm"
        options = ("--target", "churned", "--estimator", "linear", "--out", model)
        assert run("fit", tmp_path / f"{fitted}.csv", *options)[0] == 0
        for given in ("comma", "point"):
            shown = run(
                "predict", model, tmp_path / f"{given}.csv", "--out", "-", "--scores",
                "--chunk-rows", "7",
            )  # fmt: skip
            assert shown[0] == 0
            found.append(shown[1])
    assert found == [found[0]] * 4


def test_further_columns_are_ignored_and_missing_ones_named(run, frame, model, tmp_path):
    """In whatever order they are."""
    other = frame[frame.columns[::-1]].assign(more=1)
    other.to_csv(tmp_path / "other.csv", index=False)
    code, shown, _ = run("predict", model, tmp_path / "other.csv", "--out", "-")
    assert code == 0
    clf = load(model)
    assert shown.split()[1:] == clf.predict(frame[clf.feature_names_in_]).tolist()
    frame.drop(columns=["age", "plan"]).to_csv(tmp_path / "less.csv", index=False)
    code, shown, err = run("predict", model, tmp_path / "less.csv", "--out", tmp_path / "p.csv")
    assert (code, shown) == (1, "")
    assert "lacks 2 of the model's columns: 'age', 'plan'" in err
    assert not (tmp_path / "p.csv").exists()


def test_json_on_the_standard_output(run, csv, model):
    """One object per row."""
    code, shown, _ = run("predict", model, csv, "--out", "-", "--json", "--scores")
    assert code == 0
    assert json.loads(shown.splitlines()[0]).keys() == {"prediction", "score"}


def test_the_name_must_say_what_to_write(run, csv, model, tmp_path):
    """Before the model is loaded."""
    code, _, err = run("predict", model, csv, "--out", tmp_path / "p.xls")
    assert code == 2
    assert "--output-format" in err


def test_sparse_rows_in_parts_are_numbered_alike(run, tmp_path):
    """A part without the first or the last feature is not shifted or narrower."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 4)), np.arange(120) % 3 == 0
    X[60:, [0, 3]] = 0
    for zero_based in (True, False):
        path, out = tmp_path / f"{zero_based}.svm", tmp_path / f"{zero_based}.plm"
        dump_svmlight_file(X, y.astype(int), str(path), zero_based=zero_based)
        assert run("fit", path, "--out", out, "--estimator", "linear")[0] == 0
        options = ("--out", "-", "--scores", "--chunk-rows", "30")
        _, shown, _ = run("predict", out, path, *options)
        found = [float(line.split(",")[1]) for line in shown.split()[1:]]
        np.testing.assert_allclose(found, load(out).decision_function(X), rtol=1e-6)


def test_several_classes_have_a_score_each(run, frame, tmp_path):
    """And a probability each."""
    frame[["age", "plan", "zip"]].to_csv(tmp_path / "a.csv", index=False)
    out = tmp_path / "m.plm"
    options = ("--target", "plan", "--measure", "f1_macro", "--out", out, "--estimator", "linear")
    assert run("fit", tmp_path / "a.csv", *options)[0] == 0
    _, shown, _ = run("predict", out, tmp_path / "a.csv", "--out", "-", "--scores")
    header = shown.splitlines()[0].split(",")
    assert header == ["prediction", "score_basic", "score_gold", "score_none yet"]


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error(csv, model, tmp_path):
    """As with head: nothing on stderr."""
    pandas = pytest.importorskip("pandas")
    pandas.concat([pandas.read_csv(csv)] * 60).to_csv(tmp_path / "long.csv", index=False)
    command = [
        sys.executable,
        "-m",
        "pseudolinear",
        "predict",
        str(model),
        str(tmp_path / "long.csv"),
    ]
    with subprocess.Popen(
        [*command, "--out", "-", "--scores", "--chunk-rows", "2000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout.readline() == b"prediction,score\n"
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(frame, model, tmp_path):
    """Ten times the rows, the same peak within a tenth."""
    peaks = []
    for times in (100, 1000):
        path = tmp_path / "rows.csv"
        header, _, lines = frame.to_csv(index=False).partition("\n")
        path.write_text(f"{header}\n{lines * times}")
        peaks.append(_peak(["predict", str(model), str(path), "--out", os.devnull, "--force"]))
    assert peaks[1] < 1.1 * peaks[0]


def _peak(arguments):
    """Return the largest memory of a command, in kB."""
    code = (
        "import resource, sys; from pseudolinear.cli import main; code = main(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss); sys.exit(code)"
    )
    arguments[4:5] = ["-", "--quiet"]
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return int(run.stdout.split()[-1])


def test_an_interrupted_write_leaves_nothing(run, csv, model, tmp_path, monkeypatch):
    """Not even a part of the file, nor a temporary one."""
    from pseudolinear.cli.shared import _writers

    def stop(self, frame):
        raise KeyboardInterrupt

    monkeypatch.setattr(_writers._Text, "write", stop)
    assert main(["predict", str(model), str(csv), "--out", str(tmp_path / "p.csv")]) == 130
    assert list(tmp_path.iterdir()) == []
