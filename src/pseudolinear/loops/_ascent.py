"""Compiled loops on a Gram matrix: products, and ascent along one or two dual variables.

Every step scans all rows for the best one. LLVM vectorises neither maxima of floats nor the search
for their place, but maxima of integers: so a number is ranked by its bits, the last of which give
way to its place. What is lost of its precision decides between nearly equal rows only.

Steps are chosen and followed in single precision, in which a register holds twice as many numbers,
and the cache twice as many rows of K. What they come to is for the caller to compute: only the
dual variables are moved in double precision.
"""

import numpy as np

from pseudolinear.loops._compile import compiled

CHECK = 32  # steps between two evaluations of the duality gap
STATIONARY = 1e-13  # relative difference of errors from which pairs gain nothing but rounding
FLAT = np.float32(1e-6)  # least curvature of a pair, as a share of its diagonal: of less, rounding
FLATTEST = np.float32(1e-30)  # least diagonal, which is divided by
PLACES = 4095  # bits of a rank that say the place: 4,096 rows
BARRED = np.float32(1e30)  # beyond all errors: added to those of variables that cannot move
ZERO, HALF, ONE, TWO = (np.float32(number) for number in (0.0, 0.5, 1.0, 2.0))


@compiled(error_model="numpy")
def rank(number, place):
    """Return an integer that grows with a number of at least 0 and ends in its place."""
    return np.int32((np.float32(number).view(np.int32) & ~PLACES) | place)


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
def submatrix(K, rows, columns, scale):
    """Return some columns of some rows of K times a scale, in single precision."""
    part = np.empty((rows.size, columns.size), np.float32)
    for i in range(rows.size):
        row = K[rows[i]]
        for j in range(columns.size):
            part[i, j] = scale * row[columns[j]]
    return part


@compiled(error_model="numpy")
def update(error, t, up_row, down_row, no_up):
    """Move the errors by a pair step; return the row of the largest error, and if any is above.

    ``no_up`` is out of reach for variables that cannot grow, and for others a number that takes
    away the least error of interest: a rank keeps few digits, and differences decide.
    """
    largest = np.int32(0)
    for i in range(error.size):
        e = error[i] - t * (up_row[i] - down_row[i])
        error[i] = e
        above = e + no_up[i]
        high = rank(above if above > ZERO else ZERO, i)
        largest = high if high > largest else largest
    return largest & PLACES, largest > PLACES


@compiled(error_model="numpy")
def partner(error, up, up_row, diagonal, no_down):
    """Return the variable whose fall, with the growth of ``up``, gains most, and if any gains.

    ``no_down`` is out of reach for variables that cannot fall.
    """
    largest, own, best = error[up], diagonal[up], np.int32(0)
    for i in range(error.size):
        drop = largest - (error[i] + no_down[i])
        drop = drop if drop > ZERO else ZERO
        both = own + diagonal[i]
        curvature, least = both - TWO * up_row[i], FLAT * both
        curvature = curvature if curvature > least else least
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
def ascend_pairs(K, scale, y, low, high, coef, error, enough, share, max_iter):
    """Maximise the dual ``y coef - coef K coef / 2`` over pairs of variables.

    The pair is the most violating variable that may grow with the partner of the largest
    second-order gain (Fan, Chen and Lin 2005).

    Parameters
    ----------
    K : ndarray of shape (n, n), float32
        Gram matrix, times the scale.
    scale : float
        Factor of K that keeps it within single precision.
    y, low, high : ndarray of shape (n,)
        Signs and bounds of the signed dual variables.
    coef : ndarray of shape (n,)
        Signed dual variables, of sum 0; read and written.
    error : ndarray of shape (n,)
        ``y - K coef`` at the start.
    enough, share, max_iter : float, float, int
        Duality gap to reach, absolute or as a share of the primal, and limit of steps.

    Returns
    -------
    n_iter : int
        Number of steps.
    """
    largest, smallest = extremes(low, high, coef, error)
    if not largest > smallest:
        return 0
    middle = 0.5 * (largest + smallest)  # errors near it are the ones that count
    near = (error - middle).astype(np.float32)
    diagonal = np.maximum(np.diag(K), FLATTEST)
    no_up = np.empty(coef.size, np.float32)
    no_down = np.where(coef > low, ZERO, BARRED)
    n_iter = up = check = 0
    while n_iter < max_iter:
        if n_iter >= check:
            largest, smallest = extremes(low, high, coef, near)
            b = 0.5 * (largest + smallest)
            gap, primal = certificate(y, low, high, coef, near, b)
            if gap <= max(enough, share * primal) or stationary(largest, smallest):
                return n_iter
            for i in range(coef.size):
                no_up[i] = -smallest if coef[i] < high[i] else -BARRED
            up, found = update(near, ZERO, K[0], K[0], no_up)
            check = n_iter + CHECK
            if not found:
                return n_iter
        down, gains = partner(near, up, K[up], diagonal, no_down)
        if not gains:
            return n_iter
        both = diagonal[up] + diagonal[down]
        t = (near[up] - near[down]) / max(both - TWO * K[up, down], FLAT * both) * scale
        t = min(t, high[up] - coef[up], coef[down] - low[down])
        coef[up] = high[up] if t == high[up] - coef[up] else coef[up] + t
        coef[down] = low[down] if t == coef[down] - low[down] else coef[down] - t
        for i in (up, down):
            no_up[i] = -smallest if coef[i] < high[i] else -BARRED
            no_down[i] = ZERO if coef[i] > low[i] else BARRED
        up, found = update(near, np.float32(t / scale), K[up], K[down], no_up)
        n_iter += 1
        if not found:  # all errors are below what was the smallest: look again
            check = n_iter
    return max_iter


@compiled(error_model="numpy")
def steepest(error, t, row, down, up, diagonal, inverse):
    """Move the errors by a step of one variable; return the variable that now gains most.

    The gain counts the bounds: it is that of the step, between ``down`` and ``up``, which the
    variable may really take.
    """
    best = np.int32(0)
    for i in range(error.size):
        e = error[i] - t * row[i]
        error[i] = e
        s = e * inverse[i]
        s = s if s > down[i] else down[i]
        s = s if s < up[i] else up[i]
        gain = s * (e - HALF * s * diagonal[i])
        gain = rank(gain if gain > ZERO else ZERO, i)
        best = gain if gain > best else best
    return best & PLACES, best > PLACES


@compiled
def ascend_singles(K, scale, y, low, high, coef, error, enough, share, max_iter):
    """Maximise the dual along one variable after the other, where there is no intercept.

    Parameters and results are those of `ascend_pairs`; the variables need not sum to 0.
    """
    near, diagonal = error.astype(np.float32), np.maximum(np.diag(K), FLATTEST)
    inverse = ONE / diagonal
    down = ((low - coef) / scale).astype(np.float32)
    up = ((high - coef) / scale).astype(np.float32)
    i, gains = steepest(near, ZERO, K[0], down, up, diagonal, inverse)
    for n_iter in range(max_iter):
        if n_iter % CHECK == 0:
            gap, primal = certificate(y, low, high, coef, near, 0.0)
            if gap <= max(enough, share * primal):
                return n_iter
        if not gains:
            return n_iter
        old = coef[i]
        coef[i] = min(max(old + near[i] * inverse[i] * scale, low[i]), high[i])
        down[i], up[i] = (low[i] - coef[i]) / scale, (high[i] - coef[i]) / scale
        t = np.float32((coef[i] - old) / scale)
        i, gains = steepest(near, t, K[i], down, up, diagonal, inverse)
    return max_iter
