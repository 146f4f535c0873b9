"""A compiled loop of small systems, one beside the other."""

import numpy as np

from pseudolinear.loops._smooth import compiled

Array = np.ndarray


@compiled
def solve_packed(H: Array, S: Array) -> None:
    """Solve ``A s = g`` for all lanes, A positive definite, by Cholesky's factors.

    ``H`` holds the lower triangles of all A row by row and, as one row more, g: of that the factor
    is what remains for ``S``. Diagonals of the factors are kept as their reciprocals.
    """
    d, p = S.shape
    start = 0
    for j in range(d + 1):
        other = 0
        for k in range(j + 1 if j < d else d):  # ``min`` would be compiled first
            h, diagonal = H[start + k], H[other + k]
            for i in range(k):
                one, two = H[start + i], H[other + i]
                for q in range(p):
                    h[q] -= one[q] * two[q]
            for q in range(p):
                h[q] = h[q] * diagonal[q] if k < j else 1.0 / np.sqrt(h[q])
            other += k + 1
        start += j + 1
    last = start - d - 1
    start = last
    for j in range(d - 1, -1, -1):
        start -= j + 1
        s, h, diagonal = S[j], H[last + j], H[start + j]
        for q in range(p):
            s[q] = h[q] * diagonal[q]
        for k in range(j):
            one, two = H[start + k], H[last + k]
            for q in range(p):
                two[q] -= one[q] * s[q]
