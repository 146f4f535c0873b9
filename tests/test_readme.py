"""The README: its code runs as it stands, and its figures are those of the demo."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score

from pseudolinear import load
from pseudolinear.cli import main

TEXT = (Path(__file__).parents[1] / "README.md").read_text()


def test_readme_code_does_what_its_comments_say(capsys, tmp_path, monkeypatch):
    """Its blocks use the names that a reader would have: X, y, scores and a few more."""
    monkeypatch.chdir(tmp_path)  # where it writes files
    rows, classes = make_classification(900, weights=[0.8], class_sep=2.0, random_state=0)
    X, y = rows[:300], classes[:300]
    scores = X[:, 0] + 5 * y
    names = {
        "X": X, "y": y, "X_new": rows[600:], "X_test": rows[300:600], "scores": scores,
        "y_test": classes[300:600],
        "customers": np.arange(300) // 2,
        "Y": np.stack([y, 1 - y], axis=1), "score_matrix": np.stack([scores, -scores], axis=1),
    }  # fmt: skip
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, names)
    clf = names["clf"]
    assert clf.score(X, y) == pytest.approx(f1_score(y, clf.predict(X)))  # the measure itself
    assert f"reached    {clf.best_score_:.4f} on held-out rows" in capsys.readouterr().out
    assert (load("model.plm").predict(X) == clf.predict(X)).all()
    values = [f1_score(y, scores >= theta) for theta in scores]
    cut = names["best_threshold"](y, scores, "f1").threshold
    assert f1_score(y, scores >= cut) == pytest.approx(max(values))  # exact


@pytest.mark.slow
def test_readme_shows_what_the_demo_prints(capsys):
    """Every figure of the table, to its last digit."""
    table = re.findall(
        r"^\| (plain|threshold|costs[a-z ]*?) *\| *([\d.]+) \| *([\d.]+) \|$", TEXT, re.M
    )
    assert len(table) == 4
    assert main(["demo", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    found = {(row["learner"], row["trained"]): 100 * row["test_f1"] for row in rows}
    for trained, logistic, svm in table:
        assert f"{found['logistic regression', trained]:.1f}" == logistic
        assert f"{found['linear SVM', trained]:.1f}" == svm
