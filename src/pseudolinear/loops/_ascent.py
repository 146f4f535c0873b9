"""Compiled loops on a Gram matrix: products, and ascent along one or two dual variables.

Every step scans all rows for the best one. LLVM vectorises neither maxima of floats nor the search
for their place, but maxima of integers: so a number is ranked by its bits, the last of which give
way to its place. What is lost of its precision decides between nearly equal rows only.
"""

import numpy as np

from pseudolinear.loops._compile import compiled

CHECK = 32  # steps between two evaluations of the duality gap
STATIONARY = 1e-13  # relative difference of errors from which pairs gain nothing but rounding
EPS = 1e-12  # least curvature of a pair, for duplicate rows
PLACES = (1 << 20) - 1  # bits of a rank that say the place: a million rows
ALL = (1 << 63) - 1


@compiled(error_model="numpy")
def rank(number, place):
    """Return an integer that grows with the number and ends in its place."""
    bits = np.float64(number).view(np.int64)
    return ((bits ^ ((bits >> 63) & ALL)) & ~PLACES) | place


@compiled
def accumulate(K, rows, values, f):
    """Add the sum of some rows of K times their values to ``f``, four rows at a time."""
    fours = rows.size - rows.size % 4
    for k in range(0, fours, 4):
        a, b, c, d = K[rows[k]], K[rows[k + 1]], K[rows[k + 2]], K[rows[k + 3]]
        va, vb, vc, vd = values[k], values[k + 1], values[k + 2], values[k + 3]
        for j in range(f.size):
            f[j] += (va * a[j] + vb * b[j]) + (vc * c[j] + vd * d[j])
    for k in range(fours, rows.size):
        a, va = K[rows[k]], values[k]
        for j in range(f.size):
            f[j] += va * a[j]


@compiled
def combine(K, coef):
    """Return ``K coef``, reading only the rows of nonzero coefficients."""
    f = np.zeros(coef.size)
    rows = np.flatnonzero(coef)
    accumulate(K, rows, coef[rows], f)
    return f


@compiled
def submatrix(K, rows, columns):
    """Return some columns of some rows of K."""
    part = np.empty((rows.size, columns.size))
    for i in range(rows.size):
        row = K[rows[i]]
        for j in range(columns.size):
            part[i, j] = row[columns[j]]
    return part


@compiled(error_model="numpy")
def update(error, t, up_row, down_row, no_up):
    """Move the errors by a pair step; return the row of the largest error.

    ``no_up`` is -inf for variables that cannot grow, and for others a number that takes away what
    all errors have in common: a rank keeps few digits, and differences decide.
    """
    largest = -ALL
    for i in range(error.size):
        e = error[i] - t * (up_row[i] - down_row[i])
        error[i] = e
        high = rank(e + no_up[i], i)
        largest = high if high > largest else largest
    return largest & PLACES


@compiled(error_model="numpy")
def partner(error, up, up_row, diagonal, no_down):
    """Return the variable whose fall, with the growth of ``up``, gains most, and if any gains.

    ``no_down`` is inf for variables that cannot fall.
    """
    largest, own, best = error[up], diagonal[up], 0
    for i in range(error.size):
        drop = largest - (error[i] + no_down[i])
        drop = drop if drop > 0.0 else 0.0
        curvature = own + diagonal[i] - 2.0 * up_row[i]
        curvature = curvature if curvature > EPS else EPS
        gain = rank(drop * drop / curvature, i)
        best = gain if gain > best else best
    return best & PLACES, best > PLACES


@compiled
def extremes(low, high, coef, error):
    """Return the largest error of a variable that may grow, the smallest of one that may fall."""
    largest, smallest = -np.inf, np.inf
    for i in range(coef.size):
        if coef[i] < high[i]:
            largest = max(largest, error[i])
        if coef[i] > low[i]:
            smallest = min(smallest, error[i])
    return largest, smallest


@compiled
def stationary(largest, smallest):
    """Return whether these extremes differ by no more than rounding."""
    return largest - smallest <= STATIONARY * max(1.0, abs(largest), abs(smallest))


@compiled
def certificate(y, low, high, coef, error, b):
    """Return primal - dual and the primal of dual variables that sum to 0, or of b = 0."""
    norm2 = slack = primal = 0.0
    for i in range(y.size):
        loss = (high[i] - low[i]) * max(y[i] * (error[i] - b), 0.0)
        norm2 += coef[i] * (y[i] - error[i])
        primal += loss
        slack += loss - coef[i] * (error[i] - b)
    return slack, primal + 0.5 * norm2


@compiled
def ascend_pairs(K, y, low, high, coef, error, enough, max_iter):
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
    enough, max_iter : float, int
        Duality gap to reach and limit of steps.

    Returns
    -------
    n_iter : int
        Number of steps.
    """
    diagonal = np.diag(K).copy()
    no_down, no_up = np.where(coef > low, 0.0, np.inf), np.empty(coef.size)
    for n_iter in range(max_iter):
        if n_iter % CHECK == 0:
            largest, smallest = extremes(low, high, coef, error)
            gap = certificate(y, low, high, coef, error, 0.5 * (largest + smallest))[0]
            if gap <= enough or stationary(largest, smallest):
                return n_iter
            for i in range(coef.size):
                no_up[i] = -smallest if coef[i] < high[i] else -np.inf
            up = update(error, 0.0, K[0], K[0], no_up)
        down, gains = partner(error, up, K[up], diagonal, no_down)
        if not gains:
            return n_iter
        t = (error[up] - error[down]) / max(diagonal[up] + diagonal[down] - 2.0 * K[up, down], EPS)
        t = min(t, high[up] - coef[up], coef[down] - low[down])
        coef[up] = high[up] if t == high[up] - coef[up] else coef[up] + t
        coef[down] = low[down] if t == coef[down] - low[down] else coef[down] - t
        for i in (up, down):
            no_up[i] = -smallest if coef[i] < high[i] else -np.inf
            no_down[i] = 0.0 if coef[i] > low[i] else np.inf
        up = update(error, t, K[up], K[down], no_up)
    return max_iter


@compiled(error_model="numpy")
def steepest(error, t, row, coef, low, high, diagonal, inverse):
    """Move the errors by a step of one variable; return the variable that now gains most.

    The gain counts the bounds: it is that of the step which the variable may really take.
    """
    best = 0
    for i in range(error.size):
        e = error[i] - t * row[i]
        error[i] = e
        s, least, most = e * inverse[i], low[i] - coef[i], high[i] - coef[i]
        s = s if s > least else least
        s = s if s < most else most
        gain = rank(s * (e - 0.5 * s * diagonal[i]), i)
        best = gain if gain > best else best
    return best & PLACES, best > PLACES


@compiled
def ascend_singles(K, y, low, high, coef, error, enough, max_iter):
    """Maximise the dual along one variable after the other, where there is no intercept.

    Parameters and results are those of `ascend_pairs`; the variables need not sum to 0.
    """
    diagonal = np.maximum(np.diag(K), EPS)
    inverse = 1.0 / diagonal
    i, gains = steepest(error, 0.0, K[0], coef, low, high, diagonal, inverse)
    for n_iter in range(max_iter):
        if n_iter % CHECK == 0 and certificate(y, low, high, coef, error, 0.0)[0] <= enough:
            return n_iter
        if not gains:
            return n_iter
        old = coef[i]
        coef[i] = min(max(old + error[i] * inverse[i], low[i]), high[i])
        i, gains = steepest(error, coef[i] - old, K[i], coef, low, high, diagonal, inverse)
    return max_iter
