"""Lines of log-odds against scikit-learn's logistic regression."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from pseudolinear._calibration import DOUBT, platt_of_rows


@pytest.mark.parametrize("weighted", [False, True])
def test_line_is_that_of_logistic_regression_on_doubted_labels(weighted):
    """Weights take the place of soft labels: each row is there as a positive and as a negative."""
    rng = np.random.default_rng(0)
    scores = rng.normal(3.0, 5.0, 400)
    y = (rng.random(400) < 1 / (1 + np.exp(-0.4 * scores + 2))).astype(int)
    weight = rng.uniform(0.1, 3.0, 400) if weighted else np.ones(400)
    share = np.average(y, weights=weight)
    of_one = weight * np.where(y == 1, 1.0 - DOUBT, DOUBT * share)
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(
        np.tile(scores, 2)[:, None], np.repeat([1, 0], 400), np.append(of_one, weight - of_one)
    )
    line = platt_of_rows(y, scores, weight if weighted else None)
    assert line.slope == pytest.approx(peer.coef_[0, 0], rel=1e-4)
    assert line.intercept == pytest.approx(peer.intercept_[0], rel=1e-4)


@pytest.mark.parametrize(
    ("y", "scores"), [([1, 1], [0.0, 1.0]), ([0, 1], [2.0, 2.0]), ([0, 0, 1], [1.0, 2.0, 0.0])]
)
def test_scores_that_say_nothing_have_no_line(y, scores):
    assert platt_of_rows(np.array(y), np.array(scores)) is None


def test_line_of_a_perfect_score_is_finite():
    line = platt_of_rows(np.array([0, 0, 1, 1]), np.array([-2.0, -1.0, 1.0, 2.0]))
    assert 0.0 < line.slope < 50.0
