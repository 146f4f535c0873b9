"""LibMultiLabel's cost-sensitive and thresholding techniques, by LIBLINEAR."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

OPTIONS = "-s 0 -c 1 -B 1 -e 0.0001 -m 1 -q"  # logistic regression, as ours


def predict(X: Any, Y: np.ndarray, X_test: Any, technique: str = "cost_sensitive") -> np.ndarray:
    """Fit all labels and predict."""
    import logging

    from libmultilabel import linear

    logging.disable(logging.INFO)
    np.random.seed(0)  # noqa: NPY002 (the library offers no seed of its own)
    train = getattr(linear, f"train_{technique}")
    labels = sparse.csr_matrix(Y.astype(float))
    model = train(labels, sparse.csr_matrix(X), options=OPTIONS, verbose=False)
    return (np.asarray(model.predict_values(sparse.csr_matrix(X_test))) > 0).astype(int)
