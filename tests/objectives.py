"""What solutions of the squared hinge are worth, by the formula."""

import numpy as np


def objectives(X, Y, problems, fit, weight=1.0):
    values = []
    for w, b, label, above, below, scale in zip(fit.coef, fit.intercept, *problems, strict=True):
        y = Y[:, label]
        margin = np.where(y > 0, 1, -1) * (X @ w + b)
        costs = weight * np.where(y > 0, above, below)
        values.append(0.5 * w @ w + scale * costs @ np.maximum(0.0, 1.0 - margin) ** 2)
    return np.array(values)
