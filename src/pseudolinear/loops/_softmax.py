"""Loops of the softmax loss: problems of several classes side by side, see ``_smooth``.

Every problem has as many neighbouring lanes as there are classes.
"""

import numpy as np

from pseudolinear.loops import _compile
from pseudolinear.loops._smooth import FLAGS

Array = np.ndarray
FLOOR = 40.0  # log-probabilities further below the largest are taken for so far below


@_compile.compiled(**FLAGS)
def evaluate(
    V: Array,
    S: Array,
    tau: Array,
    b: Array,
    present: Array,
    codes: Array,
    weight: Array,
    class_costs: Array,
    Vnew: Array,
    R: Array,
    sums: Array,
    spread: Array,
    totals: Array,
) -> None:
    """Evaluate the loss ``log(sum_k exp(z_k)) - z_y`` at the scores z = ``V + tau * S + b``.

    Parameters
    ----------
    V, S : ndarray of shape (n, p * K)
        Scores and their direction.
    tau, b, present : ndarray of shape (p * K,)
        Length of the step, intercept, and 1 or 0: whether the problem knows the class.
    codes, weight : ndarray of shape (n,)
        Class and weight of each row.
    class_costs : ndarray of shape (K, p)
        What the weight of a row is multiplied by, by its class.
    Vnew, R : ndarray of shape (n, p * K)
        Written: ``V + tau * S``, and the derivatives of the weighted loss by the scores.
    sums : ndarray of shape (2, p)
        Written: sums of the weighted loss, and of its derivative along S.
    spread : ndarray of shape (p,)
        Written: the largest difference of two scores of a row.
    totals : ndarray of shape (p * K,)
        Written: sums of R.
    """
    n, lanes = V.shape
    K, p = class_costs.shape
    z, own = np.empty(lanes), np.empty(p)
    sums[:] = 0.0
    spread[:] = 0.0
    totals[:] = 0.0
    for i in range(n):
        vi, si, vo, ro, y = V[i], S[i], Vnew[i], R[i], codes[i]
        for j in range(lanes):
            v = vi[j] + tau[j] * si[j]
            vo[j] = v
            z[j] = v + b[j]
        for m in range(p):
            top = z[m * K]
            for j in range(m * K + 1, (m + 1) * K):
                top = max(top, z[j])
            for j in range(m * K, (m + 1) * K):
                z[j] -= top
                spread[m] = max(spread[m], -z[j] * present[j])
            own[m] = z[m * K + y]
        for j in range(lanes):  # exp(z): Taylor expansion of exp(z / 256), then eight squarings
            x = max(z[j], -FLOOR) / 256.0
            u = x * (1 / 720 + x * (1 / 5040 + x * (1 / 40320 + x / 362880)))
            u = 1.0 + x * (1.0 + x * (1 / 2 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120 + u)))))
            u *= u
            u *= u
            u *= u
            u *= u
            u *= u
            u *= u
            u *= u
            u *= u
            z[j] = u * present[j]
        for m in range(p):
            total = 0.0
            for j in range(m * K, (m + 1) * K):
                total += z[j]
            c = weight[i] * class_costs[y, m]
            sums[0, m] += c * (np.log(total) - own[m])
            share = c / total
            for j in range(m * K, (m + 1) * K):
                ro[j] = share * z[j]
            ro[m * K + y] -= c
            along = 0.0
            for j in range(m * K, (m + 1) * K):
                along += ro[j] * si[j]
            sums[1, m] += along
        for j in range(lanes):
            totals[j] += ro[j]
