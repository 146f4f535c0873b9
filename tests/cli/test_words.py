"""What the command line says: options and verbs, never the names that Python has for them."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

PYTHON = re.compile(r"clf\.|\b\w+=\S|\b[A-Z]\w+\(|sample_weight|pos_label|by_group|best_threshold")
FIT = ("fit", "rows.csv", "--target", "churned", "--estimator", "linear", "--out", "m.plm")
EVALUATE, JUDGE = ("evaluate", "MODEL", "rows.csv"), ("evaluate", "scores.csv")
CUT = ("threshold", "scores.csv", "--target", "y", "--score", "p")
SCORES = pd.DataFrame({"y": [0, 1] * 50, "p": np.linspace(0, 1, 100), "c": list("abca") * 25})


@pytest.fixture
def place(frame, model, tmp_path, monkeypatch):
    """A folder with rows, scores and a model."""
    monkeypatch.chdir(tmp_path)
    frame.assign(w=-1.0, one="x", none=np.nan).to_csv("rows.csv", index=False)
    SCORES.to_csv("scores.csv", index=False)
    return model


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*FIT, "--weight", "w"), "--weight must not be negative, got -1"),
        ((*FIT, "--measure", "f1_macro", "--positive", "yes"), "--positive yes is for a binary"),
        ((*FIT, "--max-seconds", "0.001"), "--max-seconds left no time for"),
        ((*FIT, "--cost-fn", "none", "--cost-fp", "1"), "the column 'none' is NaN or infinite"),
        ((*EVALUATE, "--method", "wilson", "--measure", "mcc"), "use --method delta"),
        ((*JUDGE, "--target", "y", "--prediction", "p"), "give them as --score"),
        ((*JUDGE, "--target", "c", "--prediction", "c"), "This measure needs two classes, got 3"),
        ((*CUT, "--budget", "500"), "--budget 500 would flag all 100 rows"),
    ],
)  # fmt: skip
def test_messages_name_options(run, place, arguments, said):
    """Each was found by asking for what cannot be."""
    _, _, err = run(*(str(place) if one == "MODEL" else one for one in arguments))
    assert said in err
    assert not PYTHON.search(err)


def test_models_that_decide_otherwise_than_by_thresholds(run, place):
    """They have neither groups nor an export."""
    assert run(*FIT, "--budget", "20", "--evidence")[0] == 0
    _, _, err = run(
        "groups", "m.plm", "rows.csv", "--by", "zip", "--within", "0.1", "--out", "g.plm"
    )
    assert "Thresholds per group are for a measure" in err
    assert "--budget 20" in err
    assert not PYTHON.search(err)
    _, _, err = run("export", "m.plm", "--onnx", "m.onnx")
    assert "use predict with the model itself" in err
    assert not PYTHON.search(err)


def test_pages_give_advice_for_the_shell(run, place):
    """No calls of Python, but for what the classifier is, which says how it was made."""
    assert run(*FIT[:4], "--drop", "id", "--effort", "fast", "--out", "m.plm")[0] == 0
    for arguments in (["m.plm"], ["m.plm", "rows.csv"], [str(place), "rows.csv"], [str(place)]):
        assert run("report", *arguments, "--out", "page.html", "--force")[0] == 0
        page = Path("page.html").read_text()
        assert "clf." not in page
        assert "X_test" not in page
        assert "evidence=True" not in page
    assert "in the shell --importance" in page
    shuffled = ("report", str(place), "rows.csv", "--importance", "--out", "page.html", "--force")
    assert run(*shuffled)[0] == 0
    assert "in the shell --importance" not in Path("page.html").read_text()
    code, _, err = run("report", str(place), "--importance", "--out", "page.html", "--force")
    assert code == 2
    assert "give a file of them" in err
