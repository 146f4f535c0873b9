"""Compiled loops of Newton's equation, solved with the factor of an earlier one."""

import numpy as np

from pseudolinear.loops._compile import ANY_ORDER, compiled


@compiled(fastmath=ANY_ORDER)
def substitute(R, z):
    """Replace ``z`` by the solution of ``R' R x = z``, for an upper triangle ``R``."""
    for i in range(z.size):
        row, later = R[i, i + 1 :], z[i + 1 :]
        t = z[i] / R[i, i]
        z[i] = t
        for j in range(later.size):
            later[j] -= t * row[j]
    for i in range(z.size - 1, -1, -1):
        row, later = R[i, i + 1 :], z[i + 1 :]
        s = 0.0
        for j in range(later.size):
            s += row[j] * later[j]
        z[i] = (z[i] - s) / R[i, i]


@compiled(fastmath=ANY_ORDER)
def curve(indptr, indices, data, rows, weights, d, q):
    """Add ``sum weight (x d) x`` over the rows to ``q``."""
    for k in range(rows.size):
        start, end = indptr[rows[k]], indptr[rows[k] + 1]
        s = 0.0
        for j in range(start, end):
            s += data[j] * d[indices[j]]
        s *= weights[k]
        for j in range(start, end):
            q[indices[j]] += s * data[j]


@compiled
def conjugate(indptr, indices, data, rows, weights, penalty, R, g, enough, limit):
    """Solve ``(penalty + sum weight x x') z = -g`` by conjugate gradients.

    Parameters
    ----------
    indptr, indices, data : ndarray
        X as a CSR matrix.
    rows, weights : ndarray of shape (m,)
        The rows with curvature, and how much.
    penalty, g : ndarray of shape (d,)
        Curvature of the penalty, and the gradient.
    R : ndarray of shape (d, d)
        Factor of a similar matrix ``R' R`` (upper triangle).
    enough, limit : float, int
        Share of the residual, in the norm of that matrix's inverse, at which to stop, and the
        largest number of steps.

    Returns
    -------
    z, share : ndarray of shape (d,), float
        The solution and the share of the residual that was left before the last step.
    """
    z, d, r = np.zeros(g.size), np.zeros(g.size), -g
    first = before = product = 1.0
    for step in range(limit):
        s = r.copy()
        substitute(R, s)
        product = r @ s
        if step == 0:
            first = before = product
        if product <= enough**2 * first:
            break
        d = s + (product / before if step > 0 else 0.0) * d
        before = product
        q = penalty * d
        curve(indptr, indices, data, rows, weights, d, q)
        t = product / (d @ q)
        z += t * d
        r -= t * q
    return z, np.sqrt(product / first) if first > 0.0 else 0.0
