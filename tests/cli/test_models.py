"""Verbs that take a model: evaluate, inspect, retarget, guarantee, groups, report, export."""

import json

import numpy as np
import pytest
import sklearn
from cli.conftest import make_frame
from sklearn.metrics import f1_score, fbeta_score

from pseudolinear.cli import _evaluate as verb
from pseudolinear.evaluation import _evaluate as function
from pseudolinear.persistence import load


def test_evaluate_knows_the_target_and_gives_the_measure(run, frame, csv, model):
    """The value is scikit-learn's; per label and in words too."""
    code, out, _ = run("evaluate", model, csv, "--json")
    assert code == 0
    found, clf = json.loads(out), load(model)
    predicted = clf.predict(frame[clf.feature_names_in_])
    truth = f1_score(frame["churned"], predicted, pos_label="yes")
    assert found["value"] == pytest.approx(truth)
    assert found["interval"][0] < truth < found["interval"][1]
    code, out, _ = run("evaluate", model, csv)
    assert code == 0
    assert f"{truth:.4f}" in out
    hits = ((predicted == "yes") & (frame["churned"] == "yes")).sum()
    assert f"Of {(predicted == 'yes').sum()} rows flagged as yes, {hits} are right." in out


def test_evaluate_by_another_measure(run, frame, csv, model):
    """Of the same predictions; a threshold of its own a model does not take."""
    code, out, _ = run("evaluate", model, csv, "--measure", "f2", "--json")
    clf = load(model)
    predicted = clf.predict(frame[clf.feature_names_in_])
    wanted = fbeta_score(frame["churned"], predicted, beta=2, pos_label="yes")
    assert code == 0
    assert json.loads(out)["value"] == pytest.approx(wanted)
    code, _, error = run("evaluate", model, csv, "--threshold", "0.5")
    assert code == 2
    assert "--threshold and --positive are for --score and --prediction" in error


def test_evaluate_compares_groups(run, frame, csv, model):
    """By a column of the file, whether the model uses it or not."""
    code, out, _ = run("evaluate", model, csv, "--by", "zip", "--json")
    assert code == 0
    found, clf = json.loads(out)["by"], load(model)
    own = frame[frame["zip"] == "0150"]
    predicted = clf.predict(own[clf.feature_names_in_])
    assert found["groups"][0]["group"] == "0150"
    assert found["groups"][0]["value"] == pytest.approx(
        f1_score(own["churned"], predicted, pos_label="yes")
    )
    assert [gap["of"] for gap in found["gaps"]][:2] == ["f1", "recall"]
    code, out, _ = run("evaluate", model, csv, "--by", "zip")
    assert code == 0
    assert "f1: largest gap" in out
    assert "N1 9GU" in out
    code, _, error = run("evaluate", model, csv, "--by", "zipp")
    assert code == 2
    assert "did you mean 'zip'" in error
    code, _, error = run("evaluate", model, csv, "--by", "id")
    assert code == 1
    assert "240 different values" in error


def test_another_target_can_be_named(run, frame, model, tmp_path):
    """Or must be, where the file calls it otherwise."""
    frame.rename(columns={"churned": "gone"}).to_csv(tmp_path / "a.csv", index=False)
    code, _, err = run("evaluate", model, tmp_path / "a.csv")
    assert code == 2
    assert "has no column 'churned'" in err
    assert run("evaluate", model, tmp_path / "a.csv", "--target", "gone")[0] == 0


def test_several_classes_have_a_confusion_table(run, frame, tmp_path):
    """True classes down, predicted ones across."""
    frame[["age", "churned", "plan"]].to_csv(tmp_path / "a.csv", index=False)
    out = tmp_path / "m.plm"
    options = ("--target", "plan", "--measure", "f1_macro", "--out", out, "--estimator", "linear")
    assert run("fit", tmp_path / "a.csv", *options)[0] == 0
    code, shown, _ = run("evaluate", out, tmp_path / "a.csv")
    assert code == 0
    assert "true, predicted" in shown
    assert "none yet" in shown


def test_inspect_says_what_a_model_is(run, model):
    """For people and for machines."""
    code, out, _ = run("inspect", model, "--json")
    found, clf = json.loads(out), load(model)
    assert code == 0
    assert found["measure"] == "f1"
    assert found["thresholds"] == pytest.approx(clf.threshold_)
    assert found["features"] == clf.feature_names_in_.tolist()
    assert found["bytes"] == model.stat().st_size
    assert found["versions"]["scikit-learn"] == sklearn.__version__
    code, out, _ = run("inspect", model)
    assert code == 0
    assert "churned" in out


def test_inspect_says_what_decides_besides_thresholds(run, model, tmp_path):
    """Thresholds per group, of which nothing is expected."""
    rows = make_frame(seed=1)
    fair = load(model).by_group("importance", rows.drop(columns=["id", "churned"]), rows["churned"])
    fair.save(tmp_path / "fair.plm")
    found = json.loads(run("inspect", tmp_path / "fair.plm", "--json")[1])
    assert found["decision"].startswith("one threshold per group of 'importance'")
    assert found["honest_score"] is None
    assert json.loads(run("inspect", model, "--json")[1])["decision"] is None


def test_retarget_aims_at_another_measure(run, frame, model, tmp_path):
    """F2 wants more rows flagged; without evidence it says what to do."""
    out = tmp_path / "f2.plm"
    assert run("retarget", model, "--measure", "f2", "--out", out)[0] == 0
    clf, other = load(model), load(out)
    X = frame[clf.feature_names_in_]
    assert (other.predict(X) == "yes").sum() >= (clf.predict(X) == "yes").sum()
    assert (other.measure, other.target_name_) == ("f2", "churned")
    slim = tmp_path / "slim.plm"
    clf.save(slim)
    code, _, err = run("retarget", slim, "--measure", "f2", "--out", tmp_path / "no.plm")
    assert code == 1
    assert "fit it again with --evidence" in err


def test_report_and_export_write_what_they_say(run, csv, model, tmp_path):
    """A page, with and without rows, and a graph."""
    page = tmp_path / "report.html"
    assert run("report", model, "--out", page)[0] == 0
    assert run("report", model, csv, "--out", page)[0] == 1  # it is there already
    assert run("report", model, csv, "--out", page, "--force")[0] == 0
    assert "<html" in page.read_text()
    onnx = pytest.importorskip("onnx")
    code, out, _ = run("export", model, "--onnx", tmp_path / "m.onnx", "--json")
    assert code == 0
    assert json.loads(out)["bytes"] == (tmp_path / "m.onnx").stat().st_size
    onnx.load(tmp_path / "m.onnx")
    code, _, err = run("evaluate", model)
    assert code == 2
    assert "got 1 name." in err


def test_evaluate_takes_a_method(run, csv, model):
    """Those of the function; what is exact is longer."""
    assert verb.METHODS == function.METHODS
    plain, exact = (
        json.loads(run("evaluate", model, csv, "--json", "--method", method)[1])
        for method in ("auto", "exact")
    )
    assert exact["method"] == "Clopper-Pearson"
    assert np.ptp(exact["interval"]) > np.ptp(plain["interval"])


def test_messages_speak_the_words_of_the_shell(run, frame, csv, model, tmp_path):
    """Options and names of measures, in place of what is written in Python."""
    code, _, err = run("evaluate", model, csv)
    assert code == 0
    assert "no part in it, or see the honest score that inspect shows." in err
    assert "honest score" in run("inspect", model)[1]
    out = ("--out", tmp_path / "m.plm")
    code, _, err = run("retarget", model, "--measure", "f1_macro", *out)
    assert code == 1
    assert "Error: f1_macro is an average, but this sweep has one label" in err
    code, _, err = run("fit", csv, "--target", "zip", *out)
    assert code == 1
    assert "use f1_macro, balanced_accuracy, or cohen_kappa." in err
    code, _, err = run("groups", model, csv, "--by", "id", *out)
    assert code == 1
    assert "Error: --by: the model has no feature 'id'; it has" in err


def test_groups_writes_a_model_with_thresholds_per_group(run, model, tmp_path):
    """It says what they gave, predicts by them, and a page compares the groups."""
    rows, out, page = tmp_path / "fresh.csv", tmp_path / "near.plm", tmp_path / "page.html"
    make_frame(400, seed=1).to_csv(rows, index=False)
    given = ("groups", model, rows, "--by", "zip", "--within", 0.1, "--single", "--out", out)
    code, shown, err = run(*given)
    assert code == 0
    assert "N1 9GU" in shown
    assert f"model: {out}" in err
    before = json.loads(run("inspect", model, "--json")[1])["thresholds"]
    assert f"relative to that of the model before, {before:.4g}" in shown
    cut = load(out).group_cut_
    assert cut.gap("recall") <= 0.1 + 1e-9
    assert not cut.randomised
    # A threshold of a group is one of the scores that predict writes with the model before.
    predict = ("predict", model, rows, "--keep", "zip", "--scores", "--out", "-", "--json")
    scores = [json.loads(line) for line in run(*predict)[1].splitlines()]
    for group in json.loads(run(*given, "--force", "--json")[1])["groups"]:
        own = [row["score"] for row in scores if row["zip"] == group["group"]]
        flagged = sum(score >= group["thresholds"][0] for score in own)
        assert flagged / len(own) == pytest.approx(group["selection_rate"])
    given = tuple(one for one in given if one != "--single")
    rates = ("--rate", "recall", "--rate", "false_positive_rate")
    code, shown, _ = run(*given, *rates, "--force", "--json")
    assert code == 0
    found = json.loads(shown)
    assert found["relative_to"] == before
    assert len(found["groups"]) == 3
    assert load(out).group_cut_.gap("false_positive_rate") <= 0.1 + 1e-9
    others = tmp_path / "others.csv"
    make_frame(300, seed=2).to_csv(others, index=False)
    assert run("report", out, others, "--by", "zip", "--out", page)[0] == 0
    assert "How groups compare" in page.read_text()
    code, _, err = run("report", out, "--by", "zip", "--out", page, "--force")
    assert code == 2
    assert "give a file of them" in err
    code, _, err = run("groups", model, rows, "--by", "id", "--out", tmp_path / "no.plm")
    assert code == 1
    assert "has no feature 'id'" in err
    gaps = make_frame(400, seed=1)
    gaps.loc[:9, "zip"] = None
    gaps.to_csv(rows, index=False)
    for command in (("groups", model, rows, "--out", tmp_path / "no.plm"), ("evaluate", out, rows)):
        code, _, err = run(*command, "--by", "zip")
        assert code == 1
        assert "The column 'zip' is missing in 10 of 400 rows" in err


def test_guarantee_writes_a_model_that_keeps_a_promise(run, model, tmp_path):
    """It says what is promised, keeps it in the model, and writes nothing where it cannot."""
    rows, out = tmp_path / "fresh.csv", tmp_path / "promised.plm"
    make_frame(300, seed=1).to_csv(rows, index=False)
    given = ("guarantee", model, rows, "--promise", "recall >= 0.7", "--out", out)
    code, shown, err = run(*given, "--error", 0.2)
    assert code == 0
    assert "With probability 80 % over the 300 rows used here, the recall on rows like" in shown
    assert f"model: {out}" in err
    assert "recall >= 0.7 with probability 80 %" in run("inspect", out)[1]
    assert load(out).promise_.labels[0].threshold == load(out).threshold_
    assert run(*given)[0] == 1  # it is there already
    code, shown, _ = run(*given, "--force", "--json")
    assert code == 0
    assert json.loads(shown)["error"] == 0.1
    no = tmp_path / "no.plm"
    code, _, err = run("guarantee", model, rows, "--promise", "precision >= 0.999", "--out", no)
    assert code == 1
    assert "No threshold can promise precision >= 0.999 at error 0.1 on these 300 rows" in err
    assert not no.exists()
    load(model).save(no)
    code, _, err = run("guarantee", no, rows, "--promise", "recall >= 0.7", "--out", tmp_path / "x")
    assert code == 1
    assert "fit it again with --evidence" in err


@pytest.mark.parametrize("name", ["tags.jsonl", "tags.parquet"])
def test_a_model_of_separated_labels_is_judged_on_lists(run, tmp_path, name):
    """As on the same labels with separators between them, rows without a label among them."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    tags = [[tag for tag in ("red", "blue") if rng.random() < 0.4] for _ in range(120)]
    rows = pandas.DataFrame({"a": [("red" in row) + rng.normal(0, 0.3) for row in tags]})
    rows["b"] = [("blue" in row) + rng.normal(0, 0.3) for row in tags]
    rows.assign(tags=[";".join(row) for row in tags]).to_csv(tmp_path / "tags.csv", index=False)
    lists = rows.assign(tags=tags)
    lists.to_json(tmp_path / "tags.jsonl", orient="records", lines=True)
    lists.to_parquet(tmp_path / "tags.parquet")
    model = tmp_path / "model.plm"
    options = ("--target", "tags", "--label-separator", ";", "--measure", "f1_macro")
    learner = ("--estimator", "linear", "--out", model)
    assert run("fit", tmp_path / "tags.csv", *options, *learner)[0] == 0
    code, expected, _ = run("evaluate", model, tmp_path / "tags.csv", "--json")
    assert code == 0
    code, found, said = run("evaluate", model, tmp_path / name, "--json")
    assert (code, json.loads(found)["value"]) == (0, json.loads(expected)["value"])
    assert "separator" not in said


def test_a_model_of_lists_asks_for_the_separator_of_a_text(run, tmp_path):
    """A CSV file cannot hold lists, and a row without a label is no gap."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    tags = [[tag for tag in ("red", "blue") if rng.random() < 0.4] for _ in range(120)]
    rows = pandas.DataFrame({"a": [("red" in row) + rng.normal(0, 0.3) for row in tags]})
    rows.assign(tags=tags).to_json(tmp_path / "tags.jsonl", orient="records", lines=True)
    rows.assign(tags=["|".join(row) for row in tags]).to_csv(tmp_path / "tags.csv", index=False)
    options = ("--target", "tags", "--measure", "f1_macro", "--estimator", "linear")
    model = tmp_path / "model.plm"
    assert run("fit", tmp_path / "tags.jsonl", *options, "--out", model)[0] == 0
    code, out, said = run("evaluate", model, tmp_path / "tags.csv")
    assert (code, out) == (2, "")
    assert "'tags' holds no lists of them; say what is between them by --label-separator" in said
    assert run("evaluate", model, tmp_path / "tags.csv", "--label-separator", "|")[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("retarget", "--measure", "f2"),
        ("groups", "ROWS", "--by", "zip", "--within", "1"),
        ("guarantee", "ROWS", "--promise", "recall >= 0.3"),
        ("inspect",),
        ("evaluate", "ROWS"),
    ],
)
def test_quiet_verbs_print_their_result(run, model, csv, tmp_path, arguments):
    """On stdout, as without it; nothing is said on stderr."""
    verb, *options = (str(csv) if one == "ROWS" else one for one in arguments)
    out = [] if verb in ("inspect", "evaluate") else ["--out", tmp_path / "m.plm", "--force"]
    code, shown, _ = run(verb, model, *options, *out)
    assert code == 0
    assert shown
    assert run(verb, model, *options, *out, "--quiet") == (0, shown, "")
