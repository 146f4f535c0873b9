"""Budgets on the command line: a file is a batch, however it is read."""

import pytest


def test_budget_of_each_group_is_kept_over_the_whole_file(run, frame, csv, tmp_path):
    """Not part by part."""
    pandas = pytest.importorskip("pandas")
    model, out = tmp_path / "m.plm", tmp_path / "p.csv"
    fit = ("fit", csv, "--target", "churned", "--drop", "id,site", "--estimator", "linear")
    code, shown, _ = run(*fit, "--budget", 10, "--budget-by", "zip", "--out", model)
    assert code == 0
    assert "flags at most 10 rows of each 'zip'" in shown
    assert run("predict", model, csv, "--out", out, "--keep", "zip", "--chunk-rows", 7)[0] == 0
    found = pandas.read_csv(out)
    assert found["prediction"].eq("yes").groupby(found["zip"]).sum().tolist() == [10, 10, 10]


@pytest.mark.parametrize(
    ("options", "flagged"), [(("--budget", 25), 25), (("--budget-share", 0.1), 24)]
)
def test_model_is_retargeted_to_a_budget(run, csv, model, tmp_path, options, flagged):
    """Without training."""
    pandas = pytest.importorskip("pandas")
    other, out = tmp_path / "m.plm", tmp_path / "p.csv"
    assert run("retarget", model, *options, "--out", other)[0] == 0
    assert run("predict", other, csv, "--out", out, "--chunk-rows", 7)[0] == 0
    assert pandas.read_csv(out)["prediction"].eq("yes").sum() == flagged


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((), "Say what to aim at: --measure, --budget, --budget-share or --prevalence"),
        (("--budget", 3, "--budget-share", 0.1), "exclude each other"),
        (("--budget-by", "zip"), "needs --budget or --budget-share"),
        (("--budget", 3, "--measure", "f2"), "leave --measure f2 out"),
        (("--budget", 0), "x>=1"),
        (("--budget", 3, "--budget-by", "zip"), "needs rows to see how many each 'zip' has"),
    ],
)
def test_what_makes_no_sense_is_refused(run, model, tmp_path, options, text):
    """One sentence each."""
    code, _, said = run("retarget", model, *options, "--out", tmp_path / "m.plm")
    assert code != 0
    assert text in said
