"""Largest memory of `pseudolinear predict` on CSV files of growing size.

    python -m benchmarks.predict_memory [--rows 30000 300000 1800000]

prints one JSON line per file: its megabytes, the peak of the process in megabytes and its processor
seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from pseudolinear import MeasureClassifier

COLUMNS = 30
PART = 30_000  # rows that are written at once


def write(path: Path, n_rows: int) -> None:
    rng = np.random.default_rng(0)
    names = [f"x{i}" for i in range(COLUMNS)]
    for start in range(0, n_rows, PART):
        rows = pd.DataFrame(rng.normal(size=(min(PART, n_rows - start), COLUMNS)), columns=names)
        rows.to_csv(path, index=False, mode="a", header=start == 0)


def predict(model: Path, file: Path) -> tuple[float, float]:
    command = [sys.executable, "-m", "pseudolinear", "predict", str(model), str(file)]
    process = subprocess.Popen([*command, "--out", str(file) + ".out.csv", "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError("predict failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[30_000, 300_000, 1_800_000])
    sizes = parser.parse_args().rows
    with TemporaryDirectory() as folder:
        train, model = Path(folder, "train.csv"), Path(folder, "model.plm")
        write(train, 2000)
        X = pd.read_csv(train)
        MeasureClassifier("linear", random_state=0).fit(X, X["x0"] > 1).save(model)
        for n_rows in sizes:
            file = Path(folder, f"{n_rows}.csv")
            write(file, n_rows)
            peak, seconds = predict(model, file)
            figures = {"file_mb": round(file.stat().st_size / 1e6), "peak_mb": round(peak)}
            about = {"benchmark": "predict_memory", "rows": n_rows} | figures
            print(json.dumps(about | {"cpu_seconds": round(seconds, 1)}), flush=True)
            file.unlink()


if __name__ == "__main__":
    main()
