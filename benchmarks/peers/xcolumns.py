"""xCOLUMNs: Frank-Wolfe on out-of-fold probabilities of logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold


def _probabilities(X: Any, y: np.ndarray, X_test: Any) -> np.ndarray:
    if y.min() == y.max():
        return np.full(X_test.shape[0], float(y[0]))
    return LogisticRegression(max_iter=1000).fit(X, y).predict_proba(X_test)[:, 1]


def predict(X: Any, Y: np.ndarray, X_test: Any) -> np.ndarray:
    """Fit all labels and predict."""
    import xcolumns.metrics
    from xcolumns.frank_wolfe import find_classifier_using_fw

    held_out = np.zeros(Y.shape)
    for train, test in KFold(3, shuffle=True, random_state=0).split(X):
        for k in range(Y.shape[1]):
            held_out[test, k] = _probabilities(X[train], Y[train, k], X[test])
    measure = xcolumns.metrics.macro_f1_score_on_conf_matrix
    truth = Y.astype(np.float64)
    found = find_classifier_using_fw(truth, held_out, measure, 0, skip_tn=True, seed=0)
    scores = np.stack([_probabilities(X, y, X_test) for y in Y.T], axis=1)
    return np.asarray(found.predict(scores, seed=0)).astype(int)
