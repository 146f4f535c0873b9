"""A learner that cannot win is left after the first fold."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from pseudolinear import MeasureClassifier

X, y = make_classification(900, n_informative=5, class_sep=2.0, flip_y=0, random_state=0)
FITS = []


class Guess(ClassifierMixin, BaseEstimator):
    """Scores rows by chance."""

    def fit(self, X, y, sample_weight=None):
        FITS.append(len(X))
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.random.default_rng(0).normal(size=len(X))

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def test_chance_is_tried_on_one_fold_only():
    """It says so, has no weight, and changes nothing."""
    FITS.clear()
    both = MeasureClassifier(
        [LogisticRegression(), Guess()], cost_sensitive=False, random_state=0
    ).fit(X, y)
    assert FITS == [600]
    assert both.portfolio_[1]["note"] == "far below the best on the first fold"
    assert both.portfolio_[1]["labels"] == 0
    alone = MeasureClassifier([LogisticRegression()], cost_sensitive=False, random_state=0)
    assert (alone.fit(X, y).predict(X) == both.predict(X)).all()
