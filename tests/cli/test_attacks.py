"""Files and options as people have them by accident: each gets a sentence, or the right result."""

import json

import numpy as np
import pytest

from pseudolinear.cli import main

FAST = ("--estimator", "linear", "--effort", "fast", "--force", "--quiet")
PAIRS = [(i % 7, i % 5, int(i % 7 > 4)) for i in range(60)]
LINES = [f"{a},{b},{y}" for a, b, y in PAIRS]


def write(path, *lines):
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("names", "options", "code", "match"),
    [
        ("a,y,y", ["--target", "y"], 1, "2 columns are called 'y'"),
        ("a,a,y", ["--target", "y"], 1, "2 columns are called 'a'"),
        ("a b,c,d", ["--target", "y"], 2, "'a b', 'c', 'd'"),
        ("0.5,7,1", ["--target", "y"], 2, "first line of a file must name its columns"),
        ("a,b,y", ["--target", "y", "--jobs", "0"], 2, "0 jobs"),
        ("a,b,y", ["--target", "y", "--seed", "-1"], 2, "range"),
        ("a,b,y", ["--target", "y", "--max-seconds", "0"], 2, "range"),
        ("a,b,y", ["--target", "y", "--label-separator", ""], 2, "must not be empty"),
        ("a,b,y", ["--target", "a", "--groups", "y", "--measure", "f1_macro"], 1, "3 groups"),
    ],
)
def test_a_sentence_says_what_is_wrong(run, tmp_path, names, options, code, match):
    """None of them is a message of another library, or silence."""
    path = write(tmp_path / "rows.csv", names, *LINES)
    found, _, error = run("fit", path, *options, "--out", tmp_path / "m.plm", *FAST)
    assert found == code
    assert match in error


@pytest.mark.parametrize(
    ("lines", "match"),
    [
        (["a,g,y", "1,,0", *(f"{i},x{i % 9},{i % 2}" for i in range(40))], "in 1 of 41 rows"),
        (["a,g,y", "1,p,0", "2,q,1"], "at least 3 groups, and there are 2"),
        (["a,g,y", "1,p,0", '2,"q,1'], "quotation mark is not closed"),
        (["a,g,y", "1,p,0", "2,q,1,7"], "csv file: Expected 3 fields in line 3, saw 4."),
    ],
)
def test_groups_and_damaged_rows(run, tmp_path, lines, match):
    """Gaps in groups, too few of them, and rows that no program could read."""
    path = write(tmp_path / "rows.csv", *lines)
    out = tmp_path / "m.plm"
    code, _, error = run("fit", path, "--target", "y", "--groups", "g", "--out", out, *FAST)
    assert code == 1
    assert match in error


@pytest.mark.parametrize(
    ("head", "separator"),
    [('"a, b";c;y', ";"), ("price, net;c;y", ";"), ("\n\na;c;y", ";"), ("\ufeffa|c|y", "|")],
)
def test_the_separator_is_found(run, tmp_path, head, separator):
    """By most of its occurrences outside of quotes, below empty lines."""
    path = write(tmp_path / "rows.csv", head, *(line.replace(",", separator) for line in LINES))
    assert run("fit", path, "--target", "y", "--out", tmp_path / "m.plm", *FAST)[0] == 0


def test_a_name_with_a_comma_is_quoted(run, tmp_path):
    """As in the file."""
    path = write(tmp_path / "rows.csv", '"a, b",c,y', *LINES)
    out = tmp_path / "m.plm"
    assert run("fit", path, "--target", "y", "--drop", '"a, b"', "--out", out, *FAST)[0] == 0
    assert json.loads(run("inspect", out, "--json")[1])["features"] == ["c"]


@pytest.mark.parametrize(
    ("classes", "positive"), [(["TRUE", "FALSE"], "TRUE"), (["1.0", "0.0"], "1")]
)
def test_the_positive_class_as_the_file_has_it(run, tmp_path, classes, positive):
    """However Python writes it."""
    lines = [f"{a},{classes[y]}" for a, _, y in PAIRS]
    path = write(tmp_path / "rows.csv", "a,y", *lines)
    arguments = ["fit", path, "--target", "y", "--positive", positive]
    assert run(*arguments, "--out", tmp_path / "m.plm", *FAST)[0] == 0


def test_labels_that_look_like_numbers(run, tmp_path):
    """A gap among them does not make 2 a 2.0; a separator that never occurs is told."""
    lines = [f"{a},{'' if b == 4 else 2 if y else 3}" for a, b, y in PAIRS]
    path = write(tmp_path / "rows.csv", "a,tags", *lines)
    arguments = ["fit", path, "--target", "tags", "--label-separator", ";", "--measure", "f1_macro"]
    code, out, error = run(*arguments, "--out", tmp_path / "m.plm", *FAST[:-1], "--json")
    assert code == 0
    assert json.loads(out)["classes"] == ["2", "3"]
    assert "holds the separator ';'" in error


def test_evaluate_refuses_classes_that_the_model_does_not_know(run, frame, model, tmp_path):
    """A value of 0 would be blamed on the model."""
    other = frame.assign(churned=(frame["churned"] == "yes").astype(int))
    other.to_csv(tmp_path / "other.csv", index=False)
    code, _, error = run("evaluate", model, tmp_path / "other.csv")
    assert code == 1
    assert "'0'" in error
    assert "its classes are 'no', 'yes'" in error
    frame.assign(churned="no").to_csv(tmp_path / "none.csv", index=False)
    assert "No row of the file is yes." in run("evaluate", model, tmp_path / "none.csv")[1]


def test_tables_keep_their_columns_in_a_narrow_terminal(run, frame, tmp_path, monkeypatch):
    """Labels were lost at 80 characters."""
    monkeypatch.setenv("COLUMNS", "80")
    out = tmp_path / "m.plm"
    rows = tmp_path / "rows.csv"
    names = ["churned and not back", "an unhappy customer"]
    rng = np.random.default_rng(0)
    frame.assign(**{n: rng.integers(0, 2, len(frame)) for n in names}).to_csv(rows, index=False)
    arguments = ["fit", rows, "--labels", ",".join(names), "--measure", "f1_macro", "--out", out]
    assert main([*map(str, arguments), *FAST]) == 0
    for width in ("80", "40"):
        monkeypatch.setenv("COLUMNS", width)
        shown = " ".join(run("evaluate", out, rows)[1].split())
        assert "label value interval precision recall positives found wrong" in shown
        assert "unhappy" in shown


def test_kept_columns_do_not_vanish(run, frame, model, tmp_path):
    """A column of the file that is called as ours."""
    frame.assign(prediction=1).to_csv(tmp_path / "rows.csv", index=False)
    code, _, error = run(
        "predict", model, tmp_path / "rows.csv", "--keep", "prediction", "--out", "-"
    )
    assert code == 2
    assert "rename it" in error


def test_json_lines_say_which_line(run, model, tmp_path):
    """Counted in the file."""
    path = write(tmp_path / "rows.jsonl", '{"age": 1}', "", '{"age"')
    assert "line 3 is no JSON object" in run("predict", model, path, "--out", "-")[2]


def test_a_model_with_a_broken_part(run, model, tmp_path):
    """Packed bytes that cannot be unpacked."""
    content = bytearray(model.read_bytes())
    content[100:130] = b"\xff" * 30
    (tmp_path / "m.plm").write_bytes(content)
    code, _, error = run("inspect", tmp_path / "m.plm")
    assert code == 1
    assert "missing or damaged" in error


@pytest.mark.parametrize(
    ("options", "code", "match"),
    [
        (["--target", "y", "--score", "a", "--measure", "f1_macro"], 2, "average over several"),
        (["--target", "t,y", "--score", "a,b", "--measure", "f1_macro"], 1, "other values than"),
        (["--target", "y", "--score", "a", "--confidence", "1.5"], 2, "range"),
        (["--target", "y", "--score", "a", "--resamples", "0"], 2, "range"),
        (["--target", "y", "--score", "a", "--min-precision", "2"], 2, "range"),
        (["--target", "", "--score", ""], 2, "as many columns"),
    ],
)
def test_thresholds_that_make_no_sense(run, tmp_path, options, code, match):
    """F1 was called macro-F1 where there is one target."""
    path = write(tmp_path / "scores.csv", "a,b,y,t", *(f"{line},no" for line in LINES))
    found, _, error = run("threshold", path, *options)
    assert found == code
    assert match in error
