"""Compiled loops of the squared hinge's dual, for ``LANES`` problems side by side.

The variables B are signed: B = y alpha, with alpha >= 0, so that ``W = sum_i B_i x_i``. Signs and
costs of the rows stand in one array: ``T = y / (2 cost)``. In the dual

    sum_i |B_i| - |W|^2 / 2 - soft sum_i |T_i| B_i^2 / 2

``soft`` is 1 / C, and a free intercept is the multiplier of ``sum_i B_i = 0``.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._lanes import ONE, add, scores

NEWTON_STEPS = 30  # a line with bends is at its zero after a few
BALANCED = 1e-10  # share of all variables by which those of two classes may differ


@compiled(plain=True, lanes=True)
def climb(indptr, indices, data, norm2, rows, T, soft, rho, live, B, W, b, f, total):
    """Maximise the dual along the variables of ``rows``, one after the other.

    ``rho`` is the weight of the penalty of their sum, ``total``, after which the multiplier ``b``
    moves at the end; ``live`` is 0 for the problems that are solved.
    """
    for k in range(rows.size):
        i = rows[k]
        start, end = indptr[i], indptr[i + ONE]
        for q in range(LANES):
            f[q] = b[q]
        scores(indices, data, start, end, W, f)
        moved = 0.0
        for q in range(LANES):
            t = T[i, q]
            y = 1.0 if t > 0.0 else -1.0
            s = soft[q] * t * y
            new = B[i, q] + live[q] * (y - f[q] - s * B[i, q]) / (norm2[i] + rho + s)
            new = new if new * y > 0.0 else 0.0
            f[q] = new - B[i, q]
            B[i, q] = new
            moved += abs(f[q])
        if moved > 0.0:
            for q in range(LANES):
                b[q] += rho * f[q]
                total[q] += f[q]
            add(indices, data, start, end, f, W)
    for q in range(LANES):
        b[q] += live[q] * rho * total[q]


@compiled(plain=True, lanes=True)
def inspect(indptr, indices, data, T, soft, live, distance, B, W, b, F, active, sums, f):
    """Sum what the duality gap needs and find the rows that may still move; ``F`` becomes X W.

    ``sums`` becomes, of the positive and then of the negative rows, sums of |B|, ``B F`` and
    ``soft |T| B^2``. Returns the number of rows, listed in ``active``, whose variable is not 0 or
    whose margin is below 1 + ``distance``, in a live problem.
    """
    n_active = 0
    sums[:] = 0.0
    for i in range(np.uint64(len(B))):
        for q in range(LANES):
            f[q] = 0.0
        scores(indices, data, indptr[i], indptr[i + ONE], W, f)
        moving = 0.0
        for q in range(LANES):
            F[i, q] = f[q]
            t, a = T[i, q], B[i, q]
            up = 1.0 if t > 0.0 else 0.0
            y = 2.0 * up - 1.0
            product, square = a * f[q], soft[q] * t * y * a * a
            sums[0, q] += up * a
            sums[1, q] += up * product
            sums[2, q] += up * square
            sums[3, q] -= (1.0 - up) * a
            sums[4, q] += (1.0 - up) * product
            sums[5, q] += (1.0 - up) * square
            room = 1.0 + distance - y * (f[q] + b[q])
            room = room if room > 0.0 else 0.0
            moving += live[q] * (room + abs(a))
        if moving > 0.0:
            active[n_active] = i
            n_active += 1
    return n_active


@compiled(plain=True, lanes=True)
def settle(T, soft, free, enough, F, b, loss, slope, bend):
    """Move the intercepts to their optima for the scores F, and sum the losses there.

    The loss is a parabola between two bends, so that Newton's method ends at its minimum: it stops
    where a step would gain less than half the share ``enough`` of the loss. 0 for ``free`` keeps
    the intercepts where they are.
    """
    for number in range(NEWTON_STEPS):
        for q in range(LANES):
            loss[q] = 0.0
            slope[q] = 0.0
            bend[q] = 0.0
        for i in range(np.uint64(len(F))):
            for q in range(LANES):
                y = 1.0 if T[i, q] > 0.0 else -1.0
                gap = 1.0 - y * (F[i, q] + b[q])
                weight = 1.0 / (soft[q] * T[i, q] * y)
                weight = weight if gap > 0.0 else 0.0
                loss[q] += 0.5 * weight * gap * gap
                slope[q] -= weight * gap * y
                bend[q] += weight
        far = 0.0
        for q in range(LANES):
            step = slope[q] / (bend[q] + TINY)
            move = number < NEWTON_STEPS - 1 and free * slope[q] * step > enough * loss[q]
            b[q] -= step if move else 0.0
            far += 1.0 if move else 0.0
        if far == 0.0:
            break


@compiled(plain=True, lanes=True)
def slopes(indptr, indices, data, norm2, rows, T, soft, live, B, W, b, G, S, inverse, f):
    """Write derivatives, softness and inverse curvatures of the variables of some rows.

    Inverse curvatures are 0 for variables that are 0, or of a problem that is solved.
    """
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            f[q] = b[q]
        scores(indices, data, indptr[i], indptr[i + ONE], W, f)
        for q in range(LANES):
            t, a = T[i, q], B[i, q]
            y = 1.0 if t > 0.0 else -1.0
            s = soft[q] * t * y
            G[k, q] = y - f[q] - s * a
            S[k, q] = s
            inverse[k, q] = (live[q] if a != 0.0 else 0.0) / (norm2[i] + s)


@compiled(plain=True, lanes=True)
def press(indptr, indices, data, rows, S, P, W, H, curvature, f):
    """Write the Hessian's product with ``P``, whose rows add up to ``W``, into ``H``."""
    for q in range(LANES):
        curvature[q] = 0.0
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            f[q] = S[k, q] * P[k, q]
        scores(indices, data, indptr[i], indptr[i + ONE], W, f)
        for q in range(LANES):
            H[k, q] = f[q]
            curvature[q] += f[q] * P[k, q]


@compiled(plain=True, lanes=True)
def advance(inverse, weight, step, P, H, D, G, shift, product):
    """Move ``D`` along ``P``, and centre the derivatives ``G`` that are left.

    They are centred by the inverse curvatures, whose sums are ``weight`` (0 without an intercept):
    the direction that they give then adds up to nothing. ``shift`` is what they were centred by.
    """
    for q in range(LANES):
        shift[q] = 0.0
        product[q] = 0.0
    for k in range(np.uint64(len(P))):
        for q in range(LANES):
            D[k, q] += step[q] * P[k, q]
            G[k, q] -= step[q] * H[k, q]
            shift[q] += G[k, q] * inverse[k, q]
    for q in range(LANES):
        shift[q] = shift[q] / weight[q] if weight[q] > 0.0 else 0.0
    for k in range(np.uint64(len(P))):
        for q in range(LANES):
            G[k, q] -= shift[q]
            product[q] += G[k, q] * G[k, q] * inverse[k, q]


@compiled(plain=True, lanes=True)
def turn(indptr, indices, data, rows, inverse, beta, G, P, W, f):
    """Write the next direction, ``inverse G + beta P``, into ``P``, its sum of rows into ``W``."""
    for c in range(np.uint64(len(W))):
        for q in range(LANES):
            W[c, q] *= beta[q]
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            f[q] = inverse[k, q] * G[k, q]
            P[k, q] = f[q] + beta[q] * P[k, q]
        add(indices, data, indptr[i], indptr[i + ONE], f, W)


@compiled(plain=True, lanes=True)
def maximise(
    indptr, indices, data, rows, inverse, S, weight, share, limit, G, P, W, H, D, shift, room
):
    """Maximise the dual over the free variables by conjugate gradients that know no bounds.

    Directions add up to nothing, so the sum of the variables stays what the first step, ``P`` as
    it comes, has made of it. A problem ends when a step gains little beside what was gained (the
    rule of Nash and Sofer).

    Parameters
    ----------
    indptr, indices, data : ndarray
        The rows of X.
    rows : ndarray of shape (m,)
        The rows whose variable is free in some lane.
    inverse, S : ndarray of shape (m, LANES)
        Of `slopes`.
    weight : ndarray of shape (LANES,)
        Sums of ``inverse``, or 0 without an intercept.
    share : float
        A step that gains less than this share of the mean gain is the last.
    limit : int
        Largest number of steps.
    G : ndarray of shape (m, LANES)
        Derivatives. Written.
    P, W : ndarray of shape (m, LANES) and (d, LANES)
        The first step and the sum of its rows. Written.
    H, D : ndarray of shape (m, LANES)
        Room, and the steps' sum, 0 at first.
    shift : ndarray of shape (LANES,)
        What the intercepts move by. Written.
    room : ndarray of shape (7, LANES)
        Room to work in.

    Returns
    -------
    int
        Number of steps.
    """
    step, beta, curvature, product, centre, gained, f = (
        room[0],
        room[1],
        room[2],
        room[3],
        room[4],
        room[5],
        room[6],
    )
    for q in range(LANES):
        step[q] = 1.0
        beta[q] = 0.0
        gained[q] = 0.0
    press(indptr, indices, data, rows, S, P, W, H, curvature, f)
    advance(inverse, weight, step, P, H, D, G, centre, product)
    for q in range(LANES):
        shift[q] = centre[q]
    for number in range(1, limit + 1):
        turn(indptr, indices, data, rows, inverse, beta, G, P, W, f)
        press(indptr, indices, data, rows, S, P, W, H, curvature, f)
        going = 0.0
        for q in range(LANES):
            long = step[q] > 0.0 and curvature[q] > 0.0
            step[q] = product[q] / (curvature[q] + TINY) if long else 0.0
            gain = step[q] * product[q]
            gained[q] += gain
            beta[q] = 1.0 / (product[q] + TINY)
            more = number * gain > share * gained[q]
            going += 1.0 if more else 0.0
            curvature[q] = 1.0 if more else 0.0
        advance(inverse, weight, step, P, H, D, G, centre, product)
        for q in range(LANES):
            shift[q] += centre[q]
            beta[q] *= product[q]
            step[q] *= curvature[q]
        if going == 0.0:
            return number
    return limit


@compiled(plain=True, lanes=True)
def clip(rows, T, inverse, free, B, D, shift, total, size, bend):
    """Clip the variables that would change their sign, and let them add up to nothing.

    ``D`` becomes the change of the variables: to ``B + D - nu inverse``, or 0 where that has the
    wrong sign, with nu such that they add up to nothing. nu, the zero of a falling line with bends,
    is added to ``shift``; 0 for ``free`` leaves it at 0.
    """
    for k in range(np.uint64(rows.size)):
        for q in range(LANES):
            D[k, q] += B[rows[k], q]
    for number in range(NEWTON_STEPS):
        for q in range(LANES):
            total[q] = 0.0
            size[q] = 0.0
            bend[q] = 0.0
        for k in range(np.uint64(rows.size)):
            for q in range(LANES):
                y = 1.0 if T[rows[k], q] > 0.0 else -1.0
                inside = D[k, q] * y > 0.0
                total[q] += D[k, q] if inside else 0.0
                size[q] += D[k, q] * y if inside else 0.0
                bend[q] += inverse[k, q] if inside else 0.0
        far = 0.0
        for q in range(LANES):
            move = free > 0.0 and abs(total[q]) > BALANCED * size[q] and bend[q] > 0.0
            total[q] = total[q] / bend[q] if move else 0.0
            shift[q] += total[q]
            far += 1.0 if move else 0.0
        if far == 0.0 or number == NEWTON_STEPS - 1:
            break
        for k in range(np.uint64(rows.size)):
            for q in range(LANES):
                D[k, q] -= total[q] * inverse[k, q]
    for k in range(np.uint64(rows.size)):
        for q in range(LANES):
            y = 1.0 if T[rows[k], q] > 0.0 else -1.0
            new = D[k, q] if D[k, q] * y > 0.0 else 0.0
            D[k, q] = new - B[rows[k], q]
