"""Compiled loops of the squared hinge's Newton steps, for ``LANES`` problems side by side.

Signs and costs of the rows stand in one array: ``T = 2 cost y``; ``scale`` is C. A loop over the
lanes that does too much at once, or adds to an array of two dimensions, is not made vector code.
"""

from functools import partial

import numpy as np

from pseudolinear.loops import _compile
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._lanes import ONE, add, scores

SINGLE = np.float32(1.0)  # which keeps what it is divided by in single precision
compiled = partial(_compile.compiled, plain=True, lanes=True, error_model="numpy")


@compiled
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


@compiled
def search(
    T, F, XS, lanes, scale, free, radius2, enough, norm2, along, length, limit, t, b, loss, reach,
    room,
):  # fmt: skip
    """Move some lanes to the best length ``t`` of their step and the best intercept ``b``.

    Both together are found by Newton's method: the objective is a parabola between two bends. A
    move that makes it larger is halved.

    Parameters
    ----------
    T, F, XS : ndarray of shape (n, LANES)
        Signs and costs of the rows, their scores, and those of the step.
    lanes : ndarray of shape (LANES,)
        1 for the lanes that move.
    scale : ndarray of shape (LANES,)
        C.
    free, radius2 : float
        1 with an intercept, 0 without; largest squared norm of a row.
    enough : float
        Share of the objective that length and intercept may leave.
    norm2, along, length : ndarray of shape (LANES,)
        Squared norms of the weights, their products with the steps, squared norms of these.
    limit : int
        Largest number of evaluations.
    t, b : ndarray of shape (LANES,)
        Where to begin. Written.
    loss, reach : ndarray of shape (LANES,)
        The losses there, and the mean distances of the rows that have one. Written.
    room : ndarray of shape (12, LANES)
        Room to work in.
    """
    f, slope, tilt, bend, cross, total = room[0], room[1], room[2], room[3], room[4], room[5]
    going, best, best_t, best_b = room[6], room[7], room[8], room[9]
    move_t, move_b = room[10], room[11]
    for q in range(LANES):
        going[q], best[q] = lanes[q], np.inf
        best_t[q], best_b[q], move_t[q], move_b[q] = t[q], b[q], 0.0, 0.0
    for number in range(limit + 1):
        moments(T, F, XS, t, b, f, loss, slope, tilt, bend, cross, total)
        some = 0.0
        for q in range(LANES):
            distance = np.sqrt(2.0 * loss[q] / (total[q] + TINY))
            loss[q] *= scale[q]
            if number == limit or going[q] == 0.0:
                reach[q] = distance
                continue
            value = loss[q] + 0.5 * norm2[q] + t[q] * along[q] + 0.5 * t[q] * t[q] * length[q]
            fall = scale[q] * slope[q] + along[q] + t[q] * length[q]
            bent = scale[q] * bend[q] + length[q]
            lean, mixed = free * scale[q] * tilt[q], free * scale[q] * cross[q]
            weight = scale[q] * total[q] + TINY
            area = max(bent * weight - mixed * mixed, 1e-12 * bent * weight)
            dt = (mixed * lean - weight * fall) / (area + TINY) if length[q] > 0.0 else 0.0
            db = -free * (lean + mixed * dt) / weight
            better = value <= best[q] * (1.0 + 1e-12)
            if better:
                best[q], best_t[q], best_b[q] = value, t[q], b[q]
                near = -0.5 * (fall * dt + lean * db) <= enough * value
                if near and radius2 * lean * lean <= enough * value:
                    going[q], reach[q] = 0.0, distance
                    continue
            move_t[q] = dt if better else 0.5 * move_t[q]
            move_b[q] = db if better else 0.5 * move_b[q]
            last = number == limit - 1  # at which the best one is looked at again
            t[q] = best_t[q] + (0.0 if last else move_t[q])
            b[q] = best_b[q] + (0.0 if last else move_b[q])
            some += 1.0
        if some == 0.0:
            break


@compiled
def along_step(W, S, norm2, along, length):
    """Write squared norms of the weights, their products with the steps, squared norms of these."""
    for q in range(LANES):
        norm2[q] = 0.0
        along[q] = 0.0
        length[q] = 0.0
    for c in range(np.uint64(len(W))):
        for q in range(LANES):
            norm2[q] += W[c, q] * W[c, q]
            along[q] += S[c, q] * W[c, q]
            length[q] += S[c, q] * S[c, q]


@compiled
def go(A, S, t):
    """Add ``t S`` to ``A``."""
    for i in range(np.uint64(len(A))):
        for q in range(LANES):
            A[i, q] += t[q] * S[i, q]


@compiled
def project(indptr, indices, data, W, F):
    """Write ``X W`` into ``F``."""
    for i in range(np.uint64(len(F))):
        for q in range(LANES):
            F[i, q] = 0.0
        scores(indices, data, indptr[i], indptr[i + ONE], W, F[i])


@compiled
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


@compiled
def weigh(starts, indices, data, rows, T, scale, live, F, b, reach, D, V, total, f, g):
    """Write the curvatures of some rows into ``D``, and their sums into ``total``.

    Rows within reach count as curved; ``V`` becomes the sum of the rows times the derivatives.
    """
    for q in range(LANES):
        total[q] = 0.0
    for c in range(np.uint64(len(V))):
        for q in range(LANES):
            V[c, q] = 0.0
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
        add(indices, data, starts[k], starts[k + ONE], f, V)


@compiled
def gradient(W, live, columns, V, R, S):
    """Write minus the gradient into ``R``, and minus the live weights into ``S``; clear ``V``."""
    for c in range(np.uint64(len(W))):
        for q in range(LANES):
            S[c, q] = -live[q] * W[c, q]
    for k in range(np.uint64(columns.size)):
        c = columns[k]
        for q in range(LANES):
            R[k, q] = S[c, q] + V[k, q]
        for q in range(LANES):
            V[k, q] = 0.0


@compiled
def bend(starts, indices, data, D, U, inverse, g):
    """Write the sum of the rows times their curvatures into ``U``, and what directions have.

    That is one over the root of the features' curvatures, as in ``Diagonal``.
    """
    for c in range(np.uint64(len(U))):
        for q in range(LANES):
            U[c, q] = 0.0
            inverse[c, q] = SINGLE
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            g[q] = D[k, q]
        for j in range(starts[k], starts[k + ONE]):
            x, c = data[j], indices[j]
            z = x * x
            for q in range(LANES):
                U[c, q] += x * g[q]
                inverse[c, q] += z * g[q]
    for c in range(np.uint64(len(U))):
        for q in range(LANES):
            inverse[c, q] = SINGLE / np.sqrt(inverse[c, q])


@compiled
def put(columns, step, S):
    """Write a step in some columns into ``S``."""
    for k in range(np.uint64(columns.size)):
        for q in range(LANES):
            S[columns[k], q] = step[k, q]


@compiled
def press(starts, indices, data, D, U, weight, R, inverse, beta, P, H, mean, curvature, f, g):
    """Turn to the next direction ``P``, and write the Hessian's product with it into ``H``.

    The intercept follows at its best: minus ``mean``, the score of the rows' mean. All is done in
    one pass over features and rows.
    """
    for q in range(LANES):
        mean[q] = 0.0
        curvature[q] = 0.0
    for c in range(np.uint64(len(P))):
        for q in range(LANES):
            f[q] = R[c, q] * inverse[c, q] + beta[q] * P[c, q]
        for q in range(LANES):
            P[c, q] = f[q]
            H[c, q] = f[q]
            mean[q] += U[c, q] * f[q]
            curvature[q] += f[q] * f[q]
    for q in range(LANES):
        mean[q] *= weight[q]
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            f[q] = -mean[q]
        scores(indices, data, starts[k], starts[k + ONE], P, f)
        for q in range(LANES):
            g[q] = D[k, q] * f[q]
            curvature[q] += g[q] * f[q]
        add(indices, data, starts[k], starts[k + ONE], g, H)


@compiled
def advance(step, P, H, inverse, R, S, left, product, f):
    """Move ``S`` along ``P``, and what is left of the equation, ``R``, with it.

    ``left`` and ``product`` become its squared norms, plain and by ``inverse``.
    """
    for q in range(LANES):
        left[q] = 0.0
        product[q] = 0.0
    for c in range(np.uint64(len(R))):
        for q in range(LANES):
            S[c, q] += step[q] * P[c, q]
            f[q] = R[c, q] - step[q] * H[c, q]
        for q in range(LANES):
            R[c, q] = f[q]
            f[q] *= f[q]
            left[q] += f[q]
            product[q] += f[q] * inverse[c, q]


@compiled
def newton(
    starts, indices, data, D, U, weight, inverse, enough, share, limit, live, R, S, e, P, H, room,
):  # fmt: skip
    """Solve Newton's equation by conjugate gradients.

    Parameters
    ----------
    starts, indices, data : ndarray
        The rows that are curved, without the columns that they do not have.
    D, U : ndarray of shape (m, LANES) and (d, LANES)
        Their curvatures, and their sum with these.
    weight : ndarray of shape (LANES,)
        One over the sums of the curvatures with an intercept, 0 without.
    inverse : ndarray of shape (d, LANES)
        What directions are multiplied by.
    enough, share : ndarray of shape (LANES,), float
        Squared norm of the residual, and its share of the first, at which a problem ends.
    limit : int
        Largest number of steps.
    live : ndarray of shape (LANES,)
        0 for problems that are solved.
    R : ndarray of shape (d, LANES)
        Minus the gradient. Written.
    S, e : ndarray of shape (d, LANES) and (LANES,)
        The step, and that of the intercept. Written.
    P, H, room : ndarray of shape (d, LANES), (d, LANES) and (9, LANES)
        Room to work in.
    """
    step, beta, curvature, product, left = room[0], room[1], room[2], room[3], room[4]
    first, mean, f, g = room[5], room[6], room[7], room[8]
    for c in range(np.uint64(len(R))):
        for q in range(LANES):
            P[c, q] = 0.0
            H[c, q] = 0.0
            S[c, q] = 0.0
    for q in range(LANES):
        step[q] = 0.0
    advance(step, P, H, inverse, R, S, first, product, f)
    for q in range(LANES):
        beta[q] = 0.0
        e[q] = 0.0
        step[q] = live[q]
        first[q] = max(share * first[q], enough[q])
    for _ in range(limit):
        press(starts, indices, data, D, U, weight, R, inverse, beta, P, H, mean, curvature, f, g)
        for q in range(LANES):
            step[q] = product[q] / (curvature[q] + TINY) if step[q] > 0.0 else 0.0
            e[q] -= step[q] * mean[q]
        advance(step, P, H, inverse, R, S, left, beta, f)
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


@compiled
def predict(
    starts, indices, data, rows, T, D, F, XS, b, balance,
    A, V, above, below, up, down, size, square, f,
):  # fmt: skip
    """Find the dual point that belongs to the end of a Newton step.

    The derivatives of the rows that are curved, as the quadratic model has them, 0 where it has the
    wrong sign; with an intercept (``balance``) those of the class that has more are made smaller.
    The sum of the rows times them is added to ``V``, which is 0; ``size`` becomes the sum of alpha,
    and ``square`` that of alpha^2 / D and the squares of ``V``.
    """
    for q in range(LANES):
        above[q] = 0.0
        below[q] = 0.0
        up[q] = 0.0
        down[q] = 0.0
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            f[q] = F[i, q] + XS[i, q] + b[q]
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
    for c in range(np.uint64(len(V))):
        for q in range(LANES):
            square[q] += V[c, q] * V[c, q]
