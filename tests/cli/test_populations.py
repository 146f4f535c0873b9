"""Models for populations in which positives are rarer: retarget --prevalence, and adapt."""

import json

import pytest

from pseudolinear.persistence import load


def test_retarget_aims_at_another_population(run, model, tmp_path):
    """The thresholds are those of the classifier's method, and the summary says what for."""
    out = tmp_path / "rare.plm"
    code, said, _ = run("retarget", model, "--prevalence", "0.02", "--out", out)
    assert code == 0
    assert "a prevalence of 0.02" in said
    wanted = load(model).retarget("f2", prevalence={"yes": 0.1}).threshold_
    arguments = ("--measure", "f2", "--prevalence", "yes=0.1", "--out", out, "--force", "--json")
    code, said, _ = run("retarget", model, *arguments)
    assert code == 0
    assert json.loads(said)["prevalence"] == 0.1
    assert load(out).threshold_ == wanted


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Say what to aim at: --measure, --budget, --budget-share or --prevalence"),
        (("--prevalence", "2"), "must lie between 0 and 1, got 2.0"),
        (("--prevalence", "few"), "'few' is no number"),
        (("--prevalence", "no=0.1"), "names 'no'"),
        (("--prevalence", "0.1", "--prevalence", "0.2"), "give each as LABEL=0.1"),
    ],
)
def test_what_is_no_population_says_so(run, model, tmp_path, arguments, said):
    """In one line, and nothing is written."""
    out = tmp_path / "rare.plm"
    code, _, error = run("retarget", model, *arguments, "--out", out)
    assert code != 0
    assert said in error
    assert not out.exists()


def test_adapt_goes_where_the_rows_come_from(run, frame, model, tmp_path):
    """The rows need no target; what is estimated is said, saved and used."""
    new, out = tmp_path / "new.csv", tmp_path / "adapted.plm"
    rows = frame[frame["churned"] == "no"].drop(columns="churned")
    rows.to_csv(new, index=False)
    code, said, _ = run("adapt", model, new, "--out", out)
    assert code == 0
    assert said.startswith(f"Prevalence among {len(rows)} rows")
    adapted = load(out)
    assert adapted.prevalence_ < 0.1
    assert adapted.adaptation_.n_rows == len(rows)
    code, said, _ = run("adapt", model, new, "--out", out, "--force", "--json")
    assert json.loads(said)["adaptation"]["labels"][0]["label"] == "yes"


def test_adapt_needs_evidence_and_rows(run, model, frame, tmp_path):
    """One line each."""
    new, slim = tmp_path / "new.csv", tmp_path / "slim.plm"
    frame.to_csv(new, index=False)
    load(model).slim().save(slim)
    out = tmp_path / "adapted.plm"
    assert "--evidence" in run("adapt", slim, new, "--out", out)[2]
    frame[:0].to_csv(new, index=False)
    assert "no rows" in run("adapt", model, new, "--out", out)[2]
    frame[["age"]].to_csv(new, index=False)
    assert "lacks" in run("adapt", model, new, "--out", out)[2]
    assert not out.exists()
