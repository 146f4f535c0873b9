"""Fits with and without a checkpoint, and what it means that they are the same."""

from numpy.testing import assert_array_equal
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.naive_bayes import GaussianNB

from pseudolinear import MeasureClassifier

X, y = make_classification(400, 8, weights=[0.8], flip_y=0.1, random_state=0)
FOREST = ExtraTreesClassifier(5)
PORTFOLIO = ["linear", FOREST]


def make(estimator="linear", **params):
    return MeasureClassifier(estimator, random_state=0, **params)


def pieces(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


def assert_same(one, other, rows=X):
    """Everything that a fit leaves behind is the same, bit for bit; seconds are not."""
    assert_array_equal(one.decision_function(rows), other.decision_function(rows))
    assert_array_equal(one.predict_proba(rows), other.predict_proba(rows))
    assert (one.best_score_, one.honest_score_) == (other.best_score_, other.honest_score_)
    for mine, theirs in zip(one.sweep_.by_goal, other.sweep_.by_goal, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            assert (a.problem, a.level, a.converged) == (b.problem, b.level, b.converged)
            for c, d in zip((a.curve, *a.fold_curves), (b.curve, *b.fold_curves), strict=True):
                for name in ("fn", "fp", "prevalence", "thresholds"):
                    assert_array_equal(getattr(c, name), getattr(d, name), strict=True)


class Counted(GaussianNB):
    """Counts how often it is trained; stops when it is told to."""

    n_fits, stop_at = 0, None

    def fit(self, X, y, sample_weight=None):
        if Counted.n_fits == Counted.stop_at:
            raise KeyboardInterrupt
        Counted.n_fits += 1
        return super().fit(X, y, sample_weight)
