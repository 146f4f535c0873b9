"""Rows to and predictions from a peer that runs in a process, or an environment, of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import sparse

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def pack(file: Path, X: Any, Y: np.ndarray, X_test: Any) -> None:
    """Write rows into a file."""
    arrays: dict[str, Any] = {"Y": Y}
    for name, rows in (("X", X), ("X_test", X_test)):
        if sparse.issparse(rows):
            arrays |= {f"{name}_{part}": getattr(rows, part) for part in PARTS}
        else:
            arrays[name] = rows
    np.savez(file, **arrays)


PARTS = ("data", "indices", "indptr", "shape")


def unpack(file: Path) -> tuple[Any, np.ndarray, Any]:
    """Read what :func:`pack` wrote."""
    arrays = np.load(file)

    def rows(name: str) -> Any:
        if name in arrays:
            return arrays[name]
        data, indices, indptr, shape = (arrays[f"{name}_{part}"] for part in PARTS)
        return sparse.csr_matrix((data, indices, indptr), shape=tuple(shape))

    return rows("X"), arrays["Y"], rows("X_test")


def ask(
    python: str, name: str, X: Any, Y: np.ndarray, X_test: Any, seconds: float
) -> tuple[float, np.ndarray]:
    """Let a peer fit and predict; return its processor seconds and the predictions."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npz"
        pack(file, X, Y, X_test)
        done = subprocess.run(
            [python, "-m", "benchmarks.peers", name, str(file)],
            capture_output=True, text=True, check=True, timeout=seconds,
            env=os.environ | ONE_THREAD,
        )  # fmt: skip
        return float(done.stdout.split()[-1]), np.load(file.with_suffix(".npy"))
