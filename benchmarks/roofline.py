"""How close the main loops come to the machine: bytes a second beside those of a copy.

Prints one JSON line per loop: the bytes that it has to read and write, per second, beside a plain
copy of an array that no cache holds, on the same machine and in turns; and of products the
operations a second beside those of a large product by BLAS. A loop is bound by whichever share is
larger.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from pseudolinear.errors import fold_curves
from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers._design import aligned, make_design

REPEATS = 7
ROWS, FEATURES, LANES = 200_000, 50, 24
COPIED = np.zeros(1 << 25)  # 256 MB
SQUARE = np.ones((1024, 1024))


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def loops() -> dict[str, tuple[Callable[[], Any], int, int]]:
    """Return what is timed: the work, the bytes that it moves, and its multiplications."""
    rng, found = np.random.default_rng(0), {}
    dense = rng.normal(size=(ROWS, FEATURES))
    words = sparse.random_array((20_000, 20_000), density=0.003, rng=rng, format="csr")
    for name, X in {
        "dense rows": dense,
        "dense rows, float32": dense.astype(np.float32),
        "sparse rows": words,
    }.items():
        design, _ = make_design(X)
        n, d = design.shape
        dtype = np.float32 if name.endswith("float32") else np.float64
        W, V = aligned((d, LANES)), aligned((n, LANES), dtype)
        W[:], V[:] = rng.normal(size=W.shape), rng.normal(size=V.shape)
        sparse_rows = sparse.issparse(X)
        entries = X.nnz if sparse_rows else X.size
        held = X.data.nbytes + X.indices.nbytes if sparse_rows else X.nbytes
        # an entry of a sparse row reads a row of the other matrix, or adds to one
        moved = held + V.nbytes + (entries * LANES * 8 if sparse_rows else W.nbytes)
        found[f"product, {name}"] = (
            lambda design=design, W=W, V=V: design.times(W, V), moved, entries * LANES
        )  # fmt: skip
        found[f"transposed product, {name}"] = (
            lambda design=design, W=W, V=V: design.transpose_times(V, W), moved, entries * LANES
        )  # fmt: skip
    V, S, R, Vnew = (aligned((ROWS, LANES)) for _ in range(4))
    for A in (V, S, R, Vnew):
        A[:] = rng.normal(size=A.shape)
    one, pos = np.ones(LANES), (rng.random((ROWS, LANES)) < 0.2).astype(np.int8)
    rows = np.ones(ROWS), np.zeros(ROWS, np.intp)
    for loss in ("logistic", "squared_hinge"):
        evaluate = get_loss(loss).evaluate
        args = V, S, one, one, pos, one, one, *rows, np.ones((1, LANES)), Vnew, R
        found[f"loss, {loss}"] = (
            lambda evaluate=evaluate, args=args: evaluate(*args, np.empty((4, LANES))),
            4 * V.nbytes + pos.nbytes, 0,
        )  # fmt: skip
    scores, truth = rng.normal(size=(16, 30_000)), rng.random((1, 30_000)) < 0.1
    owner, sizes = np.zeros(16, np.intp), [10_000] * 3
    found["curves of three folds and all rows"] = (
        lambda: fold_curves(scores.copy(), truth, owner, sizes), 4 * scores.nbytes, 0,
    )  # fmt: skip
    return found


def main() -> None:
    into = np.empty_like(COPIED)
    for name, (work, moved, operations) in loops().items():
        work()  # compiles
        spent: list[tuple[float, float, float]] = []
        for _ in range(REPEATS):
            copy, product = lambda: np.copyto(into, COPIED), lambda: SQUARE @ SQUARE
            spent.append((seconds(work), seconds(copy), seconds(product)))
        own, copied, multiplied = (statistics.median(times) for times in zip(*spent, strict=True))
        rate, copy_rate = moved / own / 1e9, 2 * COPIED.nbytes / copied / 1e9
        figure = {"figure": f"roofline, {name}", "megabytes": round(moved / 1e6, 1)}
        figure |= {"gb_per_s": round(rate, 2), "copy_gb_per_s": round(copy_rate, 2)}
        figure["share"] = round(rate / copy_rate, 2)
        if operations:
            of_blas = operations / own / (1024**3 / multiplied)
            figure |= {"gflops": round(2 * operations / own / 1e9, 1)}
            figure["share_of_blas"] = round(of_blas, 2)
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
