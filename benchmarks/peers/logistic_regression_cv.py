"""scikit-learn's LogisticRegressionCV: the best of ten C by F1, label by label, cut at one half."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegressionCV


def predict(X: Any, Y: np.ndarray, X_test: Any) -> np.ndarray:
    """Fit every label and predict; one that has a single value, or too few rows, is not fitted."""
    columns = []
    for y in Y.T:
        if min(y.sum(), (1 - y).sum()) < 3:
            columns.append(np.full(X_test.shape[0], int(2 * y.sum() > len(y))))
        else:
            model = LogisticRegressionCV(Cs=10, cv=3, scoring="f1", max_iter=1000)
            columns.append(model.fit(X, y).predict(X_test))
    return np.stack(columns, axis=1)
