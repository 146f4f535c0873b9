"""Verbs that take a model: evaluate, inspect, retarget, report, export."""

import json

import pytest
import sklearn
from sklearn.metrics import f1_score

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
