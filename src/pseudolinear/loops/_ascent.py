"""Compiled loops on a Gram matrix: products, and ascent along one or two dual variables.

The rows are scanned in blocks whose extreme is a vector operation; only the winning block is
searched for the row. Maxima do not depend on their order, so ``nnan`` and ``nsz`` change no result.
"""

import numpy as np

from pseudolinear.loops._compile import compiled

CHECK = 32  # steps between two evaluations of the duality gap
BLOCK = 128
EPS = 1e-12  # least curvature of a pair, for duplicate rows


@compiled
def combine(K, coef):
    """Return ``K coef``, reading only the rows of nonzero coefficients."""
    f = np.zeros(coef.size)
    for i in range(coef.size):
        if coef[i] != 0.0:
            row = K[i]
            for j in range(f.size):
                f[j] += coef[i] * row[j]
    return f


@compiled(fastmath={"nnan", "nsz"})
def update(error, t, up_row, down_row, no_up, no_down):
    """Move the errors by a pair step; return the row of the largest and the smallest error.

    ``no_up`` is -inf for variables that cannot grow, ``no_down`` inf for those that cannot fall.
    """
    n = error.size
    largest, smallest = -np.inf, np.inf
    block = 0
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        err, rise, fall = error[part], up_row[part], down_row[part]
        up_mask, down_mask = no_up[part], no_down[part]
        high = -np.inf
        for i in range(err.size):
            e = err[i] - t * (rise[i] - fall[i])
            err[i] = e
            high = max(high, e + up_mask[i])
            smallest = min(smallest, e + down_mask[i])
        if high > largest:
            largest, block = high, start
    up = block
    while up < n - 1 and error[up] + no_up[up] != largest:
        up += 1
    return up, largest, smallest


@compiled(fastmath={"nnan", "nsz"})
def partner(error, largest, up, up_row, diagonal, no_down):
    """Return the variable whose fall, with the growth of ``up``, gains most in the dual."""
    n = error.size
    best = 0.0
    block = 0
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        err, row, own, mask = error[part], up_row[part], diagonal[part], no_down[part]
        high = 0.0
        for j in range(err.size):
            drop = max(largest - (err[j] + mask[j]), 0.0)
            high = max(high, drop * drop / max(diagonal[up] + own[j] - 2.0 * row[j], EPS))
        if high > best:
            best, block = high, start
    down = block
    most = -1.0
    for j in range(block, min(block + BLOCK, n)):
        drop = max(largest - (error[j] + no_down[j]), 0.0)
        gain = drop * drop / max(diagonal[up] + diagonal[j] - 2.0 * up_row[j], EPS)
        if gain > most:
            most, down = gain, j
    return down


@compiled
def relative_gap(y, low, high, coef, error, b):
    """Return (primal - dual) / primal of signed dual variables that sum to 0, or of b = 0."""
    norm2 = slack = primal = 0.0
    for i in range(y.size):
        loss = (high[i] - low[i]) * max(y[i] * (error[i] - b), 0.0)
        norm2 += coef[i] * (y[i] - error[i])
        primal += loss
        slack += loss - coef[i] * (error[i] - b)
    primal += 0.5 * norm2
    return slack / primal if primal > 0.0 else 0.0


@compiled
def ascend_pairs(K, y, low, high, coef, error, tol, max_iter):
    """Maximise the dual ``y coef - coef K coef / 2`` over pairs of variables.

    The pair is the most violating variable that may grow with the partner of the largest
    second-order gain (Fan, Chen and Lin 2005).

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix.
    y, low, high : ndarray of shape (n,)
        Signs and bounds of the signed dual variables.
    coef, error : ndarray of shape (n,)
        Signed dual variables, of sum 0, and ``y - K coef``; read and written.
    tol, max_iter : float, int
        Relative duality gap to reach and limit of steps.

    Returns
    -------
    b, gap, n_iter : float, float, int
        Intercept, relative gap and number of steps.
    """
    diagonal = np.diag(K).copy()
    no_up = np.where(coef < high, 0.0, -np.inf)
    no_down = np.where(coef > low, 0.0, np.inf)
    down, t, n_iter = 0, 0.0, 0
    up, largest, smallest = update(error, t, K[0], K[0], no_up, no_down)
    while True:
        b = 0.5 * (largest + smallest)
        stationary = largest - smallest <= 1e-10
        if n_iter % CHECK == 0 or stationary or n_iter >= max_iter:
            gap = relative_gap(y, low, high, coef, error, b)
            if gap <= tol or stationary or n_iter >= max_iter:
                return b, gap, n_iter
        n_iter += 1
        down = partner(error, largest, up, K[up], diagonal, no_down)
        t = (largest - error[down]) / max(diagonal[up] + diagonal[down] - 2.0 * K[up, down], EPS)
        t = min(t, high[up] - coef[up], coef[down] - low[down])
        coef[up] = high[up] if t == high[up] - coef[up] else coef[up] + t
        coef[down] = low[down] if t == coef[down] - low[down] else coef[down] - t
        for i in (up, down):
            no_up[i] = 0.0 if coef[i] < high[i] else -np.inf
            no_down[i] = 0.0 if coef[i] > low[i] else np.inf
        up, largest, smallest = update(error, t, K[up], K[down], no_up, no_down)


@compiled(fastmath={"nnan", "nsz"})
def steepest(error, t, row, coef, low, high, diagonal, inverse):
    """Move the errors by a step of one variable; return the variable that now gains most.

    The gain counts the bounds: it is that of the step which the variable may really take.
    """
    n = error.size
    best = 0.0
    block = 0
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        err, rise, own, inv = error[part], row[part], diagonal[part], inverse[part]
        at, least, most = coef[part], low[part], high[part]
        gain = 0.0
        for i in range(err.size):
            e = err[i] - t * rise[i]
            err[i] = e
            s = min(max(e * inv[i], least[i] - at[i]), most[i] - at[i])
            gain = max(gain, s * (e - 0.5 * s * own[i]))
        if gain > best:
            best, block = gain, start
    chosen = block
    largest = -1.0
    for i in range(block, min(block + BLOCK, n)):
        s = min(max(error[i] * inverse[i], low[i] - coef[i]), high[i] - coef[i])
        gain = s * (error[i] - 0.5 * s * diagonal[i])
        if gain > largest:
            largest, chosen = gain, i
    return chosen, largest


@compiled
def ascend_singles(K, y, low, high, coef, error, tol, max_iter):
    """Maximise the dual along one variable after the other, where there is no intercept.

    Parameters and results are those of `ascend_pairs`; the variables need not sum to 0, and the
    intercept is 0.
    """
    diagonal = np.maximum(np.diag(K), EPS)
    inverse = 1.0 / diagonal
    n_iter = 0
    i, gain = steepest(error, 0.0, K[0], coef, low, high, diagonal, inverse)
    while True:
        if n_iter % CHECK == 0 or gain <= 0.0 or n_iter >= max_iter:
            gap = relative_gap(y, low, high, coef, error, 0.0)
            if gap <= tol or gain <= 0.0 or n_iter >= max_iter:
                return 0.0, gap, n_iter
        n_iter += 1
        old = coef[i]
        coef[i] = min(max(old + error[i] * inverse[i], low[i]), high[i])
        i, gain = steepest(error, coef[i] - old, K[i], coef, low, high, diagonal, inverse)
