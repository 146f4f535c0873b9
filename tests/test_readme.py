"""The code of the README runs as it stands."""

import re
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification


def test_readme_code_runs():
    """Its blocks use the names that a reader would have: X, y, scores and a few more."""
    X, y = make_classification(300, weights=[0.8], random_state=0)
    scores = X[:, 0] + 5 * y
    names = {
        "X": X, "y": y, "X_new": X, "X_test": X, "y_test": y, "scores": scores,
        "Y": np.stack([y, 1 - y], axis=1), "score_matrix": np.stack([scores, -scores], axis=1),
    }  # fmt: skip
    text = (Path(__file__).parents[1] / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, names)
    assert 0 < names["clf"].score(X, y) <= 1
