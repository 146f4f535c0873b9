"""The page about estimators: its code runs as it stands."""

import re
from pathlib import Path

import pytest
from sklearn.datasets import make_classification

TEXT = (Path(__file__).parents[1] / "docs" / "estimators.md").read_text()


def test_code_of_the_page_runs():
    """One block after the other, with old and new rows."""
    X, y = make_classification(800, weights=[0.8], class_sep=2.0, random_state=0)
    names = {"X_old": X[:400], "y_old": y[:400], "X_new": X[400:], "y_new": y[400:]}
    frozen, boosted = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(frozen, names)
    assert names["clf"].score(X[400:], y[400:]) == pytest.approx(names["clf"].best_score_)
    pytest.importorskip("lightgbm")
    exec(boosted, names)
