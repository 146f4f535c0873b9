"""Compiled loops of the semismooth Newton method.

Loops along the rest of a row run over slices: of an index that starts elsewhere than at 0, Numba
asks every time whether it counts from the end, and LLVM does not vectorise that.
"""

import numpy as np

from pseudolinear.loops import _compile

# The numpy error model spares the tests of every divisor; none of them can be zero.
compiled = _compile.compiled(plain=True, error_model="numpy")
# Sums may be split over vector registers.
summing = _compile.compiled(plain=True, error_model="numpy", fastmath=_compile.ANY_ORDER)


def project(f, y, sw, a, delta, p, step, band, flip):
    """Move the dual fractions to ``p = clip(a + (1 - y f) / delta, 0, 1)``.

    Parameters
    ----------
    f, y, sw : ndarray of shape (n,)
        Decision values, signs and sample weights.
    a : ndarray of shape (n,)
        Centre of the smoothing: the fractions of the previous outer iteration.
    delta : float
        Width of the smoothing, in units of the margin.
    p, step, band, flip : ndarray of shape (n,)
        Written: the fractions, their change times ``sw``, whether the row is in the band (strictly
        between its bounds), and +1 / -1 if it has just entered / left the band.

    Returns
    -------
    ndarray of shape (2, 3)
        For the negative and the positive class the weighted sums of the hinge loss, of ``p`` and of
        the complementarity error ``max(0, r) - p r`` where ``r = 1 - y f``.
    """
    sums = np.zeros((2, 3))
    _project(f, y, sw, a, delta, p, step, band, flip, sums)
    return sums


@summing
def _project(f, y, sw, a, delta, p, step, band, flip, sums):
    losses = fractions = errors = above_losses = above_fractions = above_errors = 0.0
    for i in range(f.size):
        r = 1.0 - y[i] * f[i]
        q = a[i] + r / delta
        new = 0.0 if q <= 0.0 else 1.0 if q >= 1.0 else q
        inside = np.int8(1) if (q > 0.0) & (q < 1.0) else np.int8(0)
        hinge = r if r > 0.0 else 0.0
        above = sw[i] if y[i] > 0.0 else 0.0
        losses += sw[i] * hinge
        fractions += sw[i] * new
        errors += sw[i] * (hinge - new * r)
        above_losses += above * hinge
        above_fractions += above * new
        above_errors += above * (hinge - new * r)
        step[i] = sw[i] * (new - p[i])
        p[i] = new
        flip[i] = inside - band[i]
        band[i] = inside
    sums[1, 0], sums[1, 1], sums[1, 2] = above_losses, above_fractions, above_errors
    sums[0, 0] = losses - above_losses
    sums[0, 1] = fractions - above_fractions
    sums[0, 2] = errors - above_errors


@summing
def slope(f, df, y, u0, u1, sw, a, delta, t):
    """Return the derivative in ``t`` of the smoothed loss at ``f + t df`` and its curvature."""
    first = 0.0
    second = 0.0
    for i in range(f.size):
        q = a[i] + (1.0 - y[i] * (f[i] + t * df[i])) / delta
        weighted = sw[i] * df[i] * (u1 if y[i] > 0 else u0)
        first -= weighted * y[i] * (0.0 if q <= 0.0 else 1.0 if q >= 1.0 else q)
        second += weighted * df[i] if (q > 0.0) & (q < 1.0) else 0.0
    return first, second / delta


@compiled
def line_search(f, df, y, u0, u1, sw, a, delta, wz, zz, least):
    """Minimise the smoothed objective along a descent direction by safeguarded Newton steps.

    The objective is a convex piecewise quadratic with derivative ``wz + t zz + slope(t)``; the
    search ends when the derivative has fallen to a tenth, or to ``least``, below which it counts
    for nothing and may be rounding, along which a step could go to infinity.
    """
    first, _ = slope(f, df, y, u0, u1, sw, a, delta, 0.0)
    enough = 0.1 * abs(wz + first)
    if enough < least:
        enough = least
    low, high, t = 0.0, np.inf, 1.0
    for _ in range(60):
        first, second = slope(f, df, y, u0, u1, sw, a, delta, t)
        g = wz + t * zz + first
        if abs(g) <= enough:
            break
        if g < 0.0:
            low = t
        else:
            high = t
        curvature = zz + second
        t = t - g / curvature if curvature > 0.0 else np.inf
        if high == np.inf:  # a curvature that is only rounding would send the step to infinity
            most = 4.0 * (low if low > 1.0 else 1.0)
            t = t if t < most else most
        elif not low < t < high:
            t = 0.5 * (low + high)
    return t


@compiled
def combine(H, negative, positive, diagonal, M):
    """Write the upper triangle of ``negative H[0] + positive H[1] + diagonal`` into ``M``."""
    for i in range(diagonal.size):
        below, above, row = H[0, i, i:], H[1, i, i:], M[i, i:]
        for j in range(row.size):
            row[j] = negative * below[j] + positive * above[j]
        row[0] += diagonal[i]


@compiled
def csr_absorb(indptr, indices, data, y, sw, step, flip, V, H):
    """Update the class sums ``V`` of ``p x`` and (upper triangles) ``H`` of band ``x x'``.

    Column indices must be sorted within rows.
    """
    for i in range(y.size):
        c = 1 if y[i] > 0 else 0
        start, end = indptr[i], indptr[i + 1]
        if step[i] != 0.0:
            for j in range(start, end):
                V[c, indices[j]] += step[i] * data[j]
        if flip[i] != 0:
            weight = sw[i] * flip[i]
            for j in range(start, end):
                row = H[c, indices[j]]
                xj = weight * data[j]
                for k in range(j, end):
                    row[indices[k]] += xj * data[k]


@compiled
def dense_absorb(X, y, sw, step, flip, V, H):
    """Update the class sums as ``csr_absorb`` does, for a dense ``X``."""
    for i in range(y.size):
        c = 1 if y[i] > 0 else 0
        x = X[i]
        if step[i] != 0.0:
            for j in range(x.size):
                V[c, j] += step[i] * x[j]
        if flip[i] != 0:
            weight = sw[i] * flip[i]
            for j in range(x.size):
                row, others = H[c, j, j:], x[j:]
                xj = weight * x[j]
                for k in range(others.size):
                    row[k] += xj * others[k]
