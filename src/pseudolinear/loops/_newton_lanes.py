"""Compiled loops of the squared hinge's Newton steps, for ``LANES`` problems side by side.

Signs and costs of the rows stand in one array: ``T = 2 cost y``; ``scale`` is C. A loop over the
lanes that does too much at once, or adds to an array of two dimensions, is not made vector code.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._lanes import ONE, add, scores


@compiled(plain=True, lanes=True)
def moments(T, F, XS, t, b, f, loss, slope, tilt, bend, cross, total):
    """Sum the losses at the scores ``F + t XS + b`` and their derivatives, at scale 1.

    ``slope`` and ``bend`` are by ``t``, ``tilt`` and ``total`` by ``b``, ``cross`` by both.
    """
    for q in range(LANES):
        loss[q] = 0.0
        slope[q] = 0.0
        tilt[q] = 0.0
        bend[q] = 0.0
        cross[q] = 0.0
        total[q] = 0.0
    for i in range(np.uint64(len(F))):
        for q in range(LANES):
            f[q] = F[i, q] + t[q] * XS[i, q] + b[q]
        for q in range(LANES):
            h = 1.0 - f[q] if T[i, q] > 0.0 else -1.0 - f[q]
            w = abs(T[i, q]) if h * T[i, q] > 0.0 else 0.0
            f[q] = w
            total[q] += w
            tilt[q] -= w * h
            loss[q] += 0.5 * w * h * h
            slope[q] -= w * h * XS[i, q]
        for q in range(LANES):
            v = f[q] * XS[i, q]
            cross[q] += v
            bend[q] += v * XS[i, q]


@compiled(plain=True, lanes=True)
def project(indptr, indices, data, W, F):
    """Write ``X W`` into ``F``."""
    for i in range(np.uint64(len(F))):
        for q in range(LANES):
            F[i, q] = 0.0
        scores(indices, data, indptr[i], indptr[i + ONE], W, F[i])


@compiled(plain=True, lanes=True)
def active_rows(T, live, F, b, reach, rows):
    """List the rows that are within reach of a loss in a live problem; return their number."""
    m = 0
    for i in range(np.uint64(len(F))):
        some = 0.0
        for q in range(LANES):
            f = F[i, q] + b[q]
            h = 1.0 - f if T[i, q] > 0.0 else -1.0 - f
            h = h if T[i, q] > 0.0 else -h
            some += live[q] if h + reach[q] > 0.0 else 0.0
        if some > 0.0:
            rows[m] = i
            m += 1
    return m


@compiled(plain=True)
def gather(indptr, indices, data, rows, place, starts, own, values, columns):
    """Copy some rows, their columns numbered as they come; return how many columns they have.

    ``place`` is 0 for every column of X, before and after.
    """
    end, d = np.uint32(0), np.uint32(0)
    starts[0] = end
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for j in range(indptr[i], indptr[i + ONE]):
            c = indices[j]
            if place[c] == 0:
                columns[d] = c
                d += np.uint32(1)
                place[c] = d
            own[end] = place[c] - np.uint32(1)
            values[end] = data[j]
            end += np.uint32(1)
        starts[k + ONE] = end
    for k in range(np.uint64(d)):
        place[columns[k]] = 0
    return d


@compiled(plain=True, lanes=True)
def weigh(starts, indices, data, rows, T, scale, live, F, b, reach, D, V, Q, total, f, g):
    """Write the curvatures of some rows into ``D``, and add those of the features to ``Q``.

    Rows within reach count as curved; ``V`` becomes the sum of the rows times the derivatives.
    """
    for q in range(LANES):
        total[q] = 0.0
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            f[q] = F[i, q] + b[q]
        for q in range(LANES):
            h = 1.0 - f[q] if T[i, q] > 0.0 else -1.0 - f[q]
            w = scale[q] * live[q] * abs(T[i, q])
            f[q] = w * h if h * T[i, q] > 0.0 else 0.0
            h = h if T[i, q] > 0.0 else -h
            g[q] = w if h + reach[q] > 0.0 else 0.0
        for q in range(LANES):
            D[k, q] = g[q]
            total[q] += g[q]
        for j in range(starts[k], starts[k + ONE]):
            x, c = data[j], indices[j]
            z = x * x
            for q in range(LANES):
                V[c, q] += x * f[q]
                Q[c, q] += z * g[q]


@compiled(plain=True, lanes=True)
def press(starts, indices, data, D, total, free, P, Z, H, mean, f):
    """Write the Hessian's product with ``P`` into ``H``, and the scores of P into ``Z``.

    The intercept follows at its best: minus ``mean``.
    """
    for q in range(LANES):
        mean[q] = 0.0
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            f[q] = 0.0
        scores(indices, data, starts[k], starts[k + ONE], P, f)
        for q in range(LANES):
            Z[k, q] = f[q]
            mean[q] += D[k, q] * f[q]
    for q in range(LANES):
        mean[q] *= free / (total[q] + TINY)
    for c in range(np.uint64(len(P))):
        for q in range(LANES):
            H[c, q] = P[c, q]
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            f[q] = D[k, q] * (Z[k, q] - mean[q])
        add(indices, data, starts[k], starts[k + ONE], f, H)


@compiled(plain=True, lanes=True)
def newton(
    starts, indices, data, D, total, free, root, enough, share, limit,
    live, R, S, ZS, e, P, H, Z, room,
):  # fmt: skip
    """Solve Newton's equation by conjugate gradients.

    Parameters
    ----------
    starts, indices, data : ndarray
        The rows that are curved, without the columns that they do not have.
    D, total : ndarray of shape (m, LANES) and (LANES,)
        Their curvatures and the sums of these.
    free : float
        1 with an intercept, 0 without.
    root : ndarray of shape (d, LANES)
        What directions are divided by.
    enough, share : ndarray of shape (LANES,), float
        Squared norm of the residual, and its share of the first, at which a problem ends.
    limit : int
        Largest number of steps.
    live : ndarray of shape (LANES,)
        0 for problems that are solved.
    R : ndarray of shape (d, LANES)
        Minus the gradient. Written.
    S, ZS, e : ndarray of shape (d, LANES), (m, LANES) and (LANES,)
        The step, its scores, and that of the intercept. Written.
    P, H, Z, room : ndarray of shape (d, LANES), (d, LANES), (m, LANES) and (8, LANES)
        Room to work in.
    """
    step, beta, curvature, product, left, first, mean, f = (
        room[0],
        room[1],
        room[2],
        room[3],
        room[4],
        room[5],
        room[6],
        room[7],
    )
    for q in range(LANES):
        product[q] = 0.0
        first[q] = 0.0
        e[q] = 0.0
    for c in range(np.uint64(len(R))):
        for q in range(LANES):
            P[c, q] = R[c, q] / root[c, q]
            product[q] += R[c, q] * P[c, q]
            first[q] += R[c, q] * R[c, q]
            S[c, q] = 0.0
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            ZS[k, q] = 0.0
    for q in range(LANES):
        step[q] = live[q]
        first[q] = max(share * first[q], enough[q])
    for _ in range(limit):
        press(starts, indices, data, D, total, free, P, Z, H, mean, f)
        for q in range(LANES):
            curvature[q] = 0.0
            left[q] = 0.0
            beta[q] = 0.0
        for c in range(np.uint64(len(R))):
            for q in range(LANES):
                curvature[q] += P[c, q] * H[c, q]
        for q in range(LANES):
            step[q] = product[q] / (curvature[q] + TINY) if step[q] > 0.0 else 0.0
            e[q] -= step[q] * mean[q]
        for c in range(np.uint64(len(R))):
            for q in range(LANES):
                S[c, q] += step[q] * P[c, q]
                r = R[c, q] - step[q] * H[c, q]
                R[c, q] = r
                left[q] += r * r
                beta[q] += r * r / root[c, q]
        for k in range(np.uint64(len(D))):
            for q in range(LANES):
                ZS[k, q] += step[q] * Z[k, q]
        going = 0.0
        for q in range(LANES):
            more = left[q] > first[q]
            step[q] = step[q] if more else 0.0
            going += step[q]
            was = product[q]
            product[q] = beta[q]
            beta[q] = beta[q] / (was + TINY)
        if going == 0.0:
            return
        for c in range(np.uint64(len(R))):
            for q in range(LANES):
                P[c, q] = R[c, q] / root[c, q] + beta[q] * P[c, q]


@compiled(plain=True, lanes=True)
def predict(
    starts, indices, data, rows, T, D, F, ZS, b, balance,
    A, V, above, below, up, down, size, square, f,
):  # fmt: skip
    """Find the dual point that belongs to the end of a Newton step.

    The derivatives of the rows that are curved, as the quadratic model has them, 0 where it has the
    wrong sign; with an intercept (``balance``) those of the class that has more are made smaller.
    The sum of the rows times them is added to ``V``; ``size`` and ``square`` become the sums of
    alpha and of alpha^2 / D.
    """
    for q in range(LANES):
        above[q] = 0.0
        below[q] = 0.0
        up[q] = 0.0
        down[q] = 0.0
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            f[q] = F[i, q] + ZS[k, q] + b[q]
        for q in range(LANES):
            h = 1.0 - f[q] if T[i, q] > 0.0 else -1.0 - f[q]
            h = h if h * T[i, q] > 0.0 else 0.0
            a = D[k, q] * h
            A[k, q] = a
            plus = a if a > 0.0 else 0.0
            above[q] += plus
            below[q] += plus - a
            up[q] += plus * h
            down[q] += (plus - a) * -h
    for q in range(LANES):
        less = min(above[q], below[q])
        u = less / (above[q] + TINY) if balance else 1.0
        d = less / (below[q] + TINY) if balance else 1.0
        size[q] = u * above[q] + d * below[q]
        square[q] = u * u * up[q] + d * d * down[q]
        above[q] = u
        below[q] = d
    for k in range(np.uint64(rows.size)):
        for q in range(LANES):
            f[q] = A[k, q] * (above[q] if A[k, q] > 0.0 else below[q])
        add(indices, data, starts[k], starts[k + ONE], f, V)
