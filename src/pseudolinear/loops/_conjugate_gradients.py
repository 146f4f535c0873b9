"""Newton's equation of a single problem with sparse rows, by conjugate gradients."""

import numpy as np

from pseudolinear.loops import _compile
from pseudolinear.loops._constants import TINY

Array = np.ndarray
compiled = _compile.compiled(error_model="numpy", fastmath={"contract", "reassoc", "nsz"})


@compiled
def newton_equation(
    indptr: Array,
    indices: Array,
    data: Array,
    curvature: Array,
    total: float,
    inverse: Array,
    r: Array,
    target: float,
    steps: int,
    u: Array,
) -> None:
    """Solve ``(I + X' (diag(c) - c c' / total) X) u = r`` for the rows of a CSR matrix.

    From u = 0, preconditioned by the diagonal ``inverse``, until ``|r|^2 <= target``; r receives
    what is left. Without an intercept ``total`` is infinite.
    """
    n, d = len(indptr) - 1, len(r)
    p, q, z = np.empty(d), np.empty(d), np.empty(n)
    rz, rr = 0.0, 0.0
    for k in range(d):
        p[k] = inverse[k] * r[k]
        rz += r[k] * p[k]
        rr += r[k] * r[k]
    for _step in range(steps):
        if rr <= target:
            return
        mean = 0.0
        for i in range(n):
            s = 0.0
            for m in range(indptr[i], indptr[i + 1]):
                s += data[m] * p[indices[m]]
            z[i] = s
            mean += curvature[i] * s
        mean /= total
        for k in range(d):
            q[k] = p[k]
        for i in range(n):
            s = curvature[i] * (z[i] - mean)
            for m in range(indptr[i], indptr[i + 1]):
                q[indices[m]] += s * data[m]
        pq = 0.0
        for k in range(d):
            pq += p[k] * q[k]
        a = rz / max(pq, TINY)
        new, rr = 0.0, 0.0
        for k in range(d):
            u[k] += a * p[k]
            r[k] -= a * q[k]
            new += inverse[k] * r[k] * r[k]
            rr += r[k] * r[k]
        ratio = new / max(rz, TINY)
        for k in range(d):
            p[k] = inverse[k] * r[k] + ratio * p[k]
        rz = new
