"""The verb fit: what it takes, what it writes, and what it refuses before it works."""

import gzip
import io
import json
import sys

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from pseudolinear import ExpectedCost, MeasureClassifier
from pseudolinear.cli.shared._options import ESTIMATORS
from pseudolinear.extreme._routing import TREE
from pseudolinear.persistence import load
from pseudolinear.portfolio._auto import RECIPES

FAST = ("--estimator", "linear")


def test_the_model_is_that_of_the_library(run, frame, csv, tmp_path):
    """Same seed, same columns: the same predictions as in Python."""
    out = tmp_path / "m.plm"
    code, shown, _ = run(
        "fit", csv, "--target", "churned", "--drop", "id,site", "--out", out, *FAST
    )
    assert code == 0
    assert "f1" in shown.lower()
    X, y = frame.drop(columns=["id", "site", "churned"]), frame["churned"]
    clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    model = load(out)
    assert model.target_name_ == "churned"
    assert model.pos_label_ == "yes"
    assert [path.name for path in tmp_path.iterdir()] == ["m.plm"]
    np.testing.assert_array_equal(model.predict(X), clf.predict(X))


def test_weights_groups_and_positive_reach_fit(run, frame, csv, tmp_path):
    """As sample_weight, groups and pos_label."""
    out = tmp_path / "m.plm"
    options = ("--weight", "importance", "--groups", "site", "--positive", "no", "--drop", "id")
    assert run("fit", csv, "--target", "churned", "--out", out, *options, *FAST)[0] == 0
    X = frame.drop(columns=["id", "site", "importance", "churned"])
    clf = MeasureClassifier("linear", random_state=0, pos_label="no").fit(
        X, frame["churned"], sample_weight=frame["importance"], groups=frame["site"]
    )
    assert load(out).pos_label_ == "no"
    assert load(out).threshold_ == pytest.approx(clf.threshold_)


def test_a_checkpoint_is_kept_and_taken(run, csv, tmp_path):
    """The second command finds all that the first has trained, and writes the same model."""
    out, kept = [tmp_path / "a.plm", tmp_path / "b.plm"], tmp_path / "kept"
    written = []
    for path in out:
        options = ("--target", "churned", "--drop", "id", "--out", path, "--checkpoint", kept)
        assert run("fit", csv, *options, *FAST)[0] == 0
        written.append({one.name: one.read_bytes() for one in kept.glob("*.npz")})
    assert written[0] == written[1] != {}
    assert load(out[0]).threshold_ == load(out[1]).threshold_
    code, _, errors = run("fit", csv, *options[:6], "--force", "--checkpoint", csv, *FAST)
    assert code == 1
    assert "cannot be written" in errors


def test_json_alone_is_on_stdout(run, csv, tmp_path):
    """What was chosen and reached, for machines."""
    out = tmp_path / "m.plm"
    code, shown, _ = run("fit", csv, "--target", "churned", "--out", out, "--json", *FAST)
    found = json.loads(shown)
    assert code == 0
    assert found["model"] == str(out)
    assert found["honest_interval"][0] <= found["honest_score"] <= found["honest_interval"][1]
    assert found["classes"] == ["no", "yes"]


@pytest.mark.parametrize("suffix", ["tsv", "jsonl", "parquet", "feather", "csv.gz", "csv.zip"])
def test_every_format_gives_the_same_model(run, frame, model, tmp_path, suffix):
    """The same rows, however they are stored."""
    path, out = tmp_path / f"rows.{suffix}", tmp_path / "m.plm"
    if suffix == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif suffix in ("parquet", "feather"):
        getattr(frame, f"to_{suffix}")(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
    assert run("fit", path, "--target", "churned", "--drop", "id", "--out", out, *FAST)[0] == 0
    assert load(out).threshold_ == pytest.approx(load(model).threshold_)


def test_svmlight_has_its_labels_in_front(run, tmp_path):
    """So no target is named, and naming one is wrong use."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 4)), np.arange(90) % 3 == 0
    dump_svmlight_file(X, y.astype(int), str(tmp_path / "a.svm"))
    assert run("fit", tmp_path / "a.svm", "--out", tmp_path / "m.plm", *FAST)[0] == 0
    assert load(tmp_path / "m.plm").n_features_in_ == 4
    code, _, err = run("fit", tmp_path / "a.svm", "--target", "y", "--out", tmp_path / "n.plm")
    assert code == 2
    assert "leave --target out" in err


def test_labels_in_columns_or_in_one(run, frame, tmp_path):
    """Several columns of 0 and 1, or names with a separator, are several labels."""
    y = frame["churned"] == "yes"
    both = frame[["age", "plan"]].assign(a=y.astype(int), b=(frame["age"] > 45).astype(int))
    both["tags"] = [";".join(t for t in "ab" if row[t]) for _, row in both.iterrows()]
    both.to_csv(tmp_path / "rows.csv", index=False)
    common = ("fit", tmp_path / "rows.csv", "--measure", "f1_macro", *FAST)
    one, other = tmp_path / "one.plm", tmp_path / "other.plm"
    assert run(*common, "--labels", "a,b", "--drop", "tags", "--out", one)[0] == 0
    separated = ("--target", "tags", "--label-separator", ";", "--drop", "a,b")
    assert run(*common, *separated, "--out", other)[0] == 0
    assert list(load(one).classes_) == list(load(other).classes_) == ["a", "b"]
    np.testing.assert_allclose(load(one).threshold_, load(other).threshold_)
    value = [run("evaluate", m, tmp_path / "rows.csv", "--json")[1] for m in (one, other)]
    assert json.loads(value[0])["value"] == pytest.approx(json.loads(value[1])["value"])
    _, shown, _ = run("predict", other, tmp_path / "rows.csv", "--out", "-")
    assert set(shown.split("\n")[1:-1]) <= {"a", "b", "a;b", '""'}


def test_a_column_of_text_alone(run, tmp_path):
    """Others are not learnt from, and the model knows which column it was."""
    lines = [
        "text,n,y",
        *("cheap pills now,1,1\nsee you at noon,1,0\nlunch at two,2,0" for _ in range(20)),
    ]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    out = tmp_path / "m.plm"
    assert (
        run("fit", tmp_path / "a.csv", "--target", "y", "--text", "text", "--out", out, *FAST)[0]
        == 0
    )
    assert load(out).text_name_ == "text"
    (tmp_path / "new.csv").write_text("n,text\n7,cheap pills\n7,lunch at noon\n")
    _, shown, _ = run("predict", out, tmp_path / "new.csv", "--out", "-")
    assert shown == "prediction\n1\n0\n"


def test_rows_from_the_standard_input(run, csv, model, tmp_path, monkeypatch):
    """CSV, unless --format says otherwise."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(csv.read_bytes())))
    out = tmp_path / "m.plm"
    assert run("fit", "-", "--target", "churned", "--drop", "id", "--out", out, *FAST)[0] == 0
    assert load(out).threshold_ == pytest.approx(load(model).threshold_)


@pytest.mark.parametrize(
    ("content", "options", "code", "match"),
    [
        ("a,y\n1,0\n", ("--target", "z"), 2, "has no column 'z'; it has 'a', 'y'"),
        ("a,Label\n1,0\n", ("--target", "label"), 2, "did you mean 'Label'?"),
        ("a,y\n1,0\n", (), 2, "Say what to predict"),
        ("a,y\n1,0\n", ("--target", "y", "--labels", "a"), 2, "one of --target and --labels"),
        ("a,y\n1,0\n", ("--target", "y", "--measure", "f_1"), 2, "did you mean 'f1'?"),
        ("a,y\n1,0\n", ("--target", "y", "--drop", "a"), 2, "No column is left"),
        ("a,y\n1,u\n2,v\n", ("--target", "y"), 2, "nearly as frequent"),
        ("a,y\n1,u\n2,v\n", ("--target", "y", "--positive", "w"), 2, "there are u, v"),
        (",a,y\n0,1,0\n1,2,1\n", ("--target", "y"), 2, "--drop 'Unnamed: 0'"),
        ("a,y\n1,u\n2,v\n", ("--target", "y", "--text", "a"), 2, "holds numbers"),
        ("", ("--target", "y"), 1, "is empty"),
        ("a,y\n", ("--target", "y"), 1, "has no rows"),
        ("a,y\n1,0\n3\n", ("--target", "y"), 1, "line 3 has 1 value where 2 have names"),
        ("a,y\n1,0\n3,4,5\n", ("--target", "y"), 1, "not a valid csv file"),
        ("a,y\n1,0,3\n3,4,5\n", ("--target", "y"), 1, "more values than there are names"),
        ("a,y\n\xff,0\n", ("--target", "y"), 1, "not text in UTF-8"),
        ("a,y\n1,0\n3,\n", ("--target", "y"), 1, "missing in 1 of 2 rows"),
        ("a,y\n1,0\n3,0\n", ("--target", "y"), 1, "only one class"),
        ("a,y,w\n1,0,x\n3,1,y\n", ("--target", "y", "--weight", "w"), 1, "not all numbers"),
        ("a,y\n1,0\n3,1\n", ("--target", "y"), 1, "3 folds need at least 3 rows"),
    ],
)
def test_what_is_wrong_is_one_sentence(run, tmp_path, content, options, code, match):
    """Exit code 2 for wrong use and 1 for failure, no traceback, no file."""
    path = tmp_path / "a.csv"
    path.write_bytes(content.encode("latin-1"))
    found, out, err = run("fit", path, *options, "--out", tmp_path / "m.plm")
    assert found == code
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith(("Try ", "Warning"))]
    assert len(lines) == 1
    assert lines[0].startswith("Error: ")
    assert match in lines[0]
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_nothing_is_overwritten_or_lost(run, csv, tmp_path):
    """What could not be written is refused before the file of rows is even looked at."""
    (tmp_path / "m.plm").write_text("mine")
    code, _, err = run("fit", "nowhere.csv", "--target", "y", "--out", tmp_path / "m.plm")
    assert code == 1
    assert "--force overwrites it" in err
    code, _, err = run("fit", "nowhere.csv", "--target", "y", "--out", tmp_path / "no" / "m.plm")
    assert code == 1
    assert "does not exist" in err
    assert (tmp_path / "m.plm").read_text() == "mine"
    options = ("--target", "churned", "--out", tmp_path / "m.plm", "--force", "--quiet")
    code, out, err = run("fit", csv, *options, *FAST)
    assert (code, err) == (0, "")
    assert "F1" in out  # quiet leaves out messages, not the result
    assert load(tmp_path / "m.plm").target_name_ == "churned"


def test_warnings_are_plain_lines(run, csv, tmp_path):
    """No file name and no line of code."""
    out = tmp_path / "m.plm"
    options = ("--target", "churned", "--drop", "id", "--out", out, "--max-seconds", "0.01")
    _, _, err = run("fit", csv, *options)
    warned = [line for line in err.splitlines() if line.startswith("Warning: ")]
    assert warned
    assert all("--max-seconds left no time" in line for line in warned)
    assert ".py" not in err


def test_a_damaged_file_is_named(run, csv, tmp_path):
    """A file that ends too early is no interrupt."""
    whole = gzip.compress(csv.read_bytes())
    (tmp_path / "a.csv.gz").write_bytes(whole[: len(whole) // 2])
    options = ("--target", "churned", "--out", tmp_path / "m.plm")
    code, _, err = run("fit", tmp_path / "a.csv.gz", *options)
    assert code == 1
    assert "a.csv.gz cannot be decompressed" in err


def test_costs_are_numbers_or_columns(run, frame, csv, tmp_path):
    """The model is that of ExpectedCost, and is judged in the same unit."""
    out = tmp_path / "m.plm"
    costs = ("--cost-fn", "importance", "--cost-fp", "0.3", "--cost-tp", "-0.1")
    options = ("--target", "churned", "--drop", "id,site", "--out", out)
    assert run("fit", csv, *options, *costs, *FAST)[0] == 0
    X, y = frame.drop(columns=["id", "site", "churned"]), frame["churned"]
    measure = ExpectedCost(fn="importance", fp=0.3, tp=-0.1)
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, y)
    np.testing.assert_array_equal(load(out).predict(X), clf.predict(X))
    code, shown, _ = run("evaluate", out, csv, "--json")
    assert code == 0
    assert json.loads(shown)["value"] == pytest.approx(clf.score(X, y))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--cost-fn", "5"), "give --cost-fp as well"),
        (("--cost-fn", "imp", "--cost-fp", "1"), "no column 'imp'"),
        (("--cost-fn", "5", "--cost-fp", "1", "--measure", "f2"), "leave --measure out"),
        (("--cost-fn", "1", "--cost-fp", "1", "--cost-tp", "2"), "must cost more"),
    ],
)
def test_costs_that_say_nothing_are_refused(run, csv, tmp_path, options, text):
    """One sentence, before anything is written."""
    code, _, said = run("fit", csv, "--target", "churned", "--out", tmp_path / "m", *options, *FAST)
    assert code in (1, 2)
    assert text in said


def test_a_folder_is_read_in_parts(run, tmp_path):
    """Which is said to who did not ask for it."""
    code, _, err = run("fit", tmp_path, "--target", "y", "--out", tmp_path / "m.plm")
    assert code == 2
    assert "is a folder; --in-parts reads a folder of files." in err


def test_identifiers_and_copies_are_told(run, frame, tmp_path):
    """One line names them and the option that leaves them out."""
    rows = tmp_path / "rows.csv"
    frame.assign(left=(frame["churned"] == "yes").astype(int)).to_csv(rows, index=False)
    common = ("fit", rows, "--target", "churned", "--out", tmp_path / "m.plm", *FAST)
    code, _, err = run(*common)
    assert code == 0
    assert err.count("Warning: ") == 1
    assert "hold identifiers of rows ('id': no value twice) and copies of the target ('left'" in err
    assert "leave such columns out by --drop unless they are meant" in err
    assert "Warning" not in run(*common, "--drop", "id,left", "--force")[2]


def test_learners_by_name_are_those_of_the_library():
    """The shell lists them without loading what they are made of."""
    assert sorted(ESTIMATORS) == sorted(["auto", TREE, *RECIPES])
