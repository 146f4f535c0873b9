"""Thresholds and evaluation of scores that come in batches or lie in files.

    python -m benchmarks.scale.score_files [--rows 1000000 10000000] [--file-rows 10000000]

prints one JSON line per figure, each from a process of its own: processor seconds without those of
making the rows, passes, and peak memory beyond what the process had after a first small run. The
peer is `best_threshold` on all rows at once, where they fit; slopes are of the logarithms.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

BATCH = 2**18
PARTS = 16
IN_MEMORY = 10_000_000  # most rows of the peer
KINDS = ("continuous", "rounded", "sorted")


def rows(n_rows: int, kind: str, start: int = 0):
    """Yield batches: 5 % positives, probabilities, in four digits, or sorted."""
    for first in range(start, start + n_rows, BATCH):
        rng = np.random.default_rng(first)
        size = min(BATCH, start + n_rows - first)
        y = rng.random(size) < 0.05
        score = 1 / (1 + np.exp(3 - 2 * (rng.normal(size=size) + 1.5 * y)))
        if kind == "sorted":  # every batch has a range of scores of its own
            score = (first + score * size) / (start + n_rows)
        yield y, np.round(score, 4) if kind == "rounded" else score


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def streamed(n_rows: int, kind: str) -> dict[str, float]:
    from pseudolinear import streamed_threshold

    streamed_threshold(lambda: rows(5000, kind), most_distinct=64)  # compiles
    before, began = peak_mb(), cpu()
    found = streamed_threshold(lambda: rows(n_rows, kind))
    used, began = cpu() - began, cpu()
    for _ in rows(n_rows, kind):
        pass
    used -= found.passes * (cpu() - began)
    value, threshold = found.cut.value, found.cut.threshold
    return {"passes": found.passes, "value": value, "threshold": threshold, "before": before} | {
        "cpu_seconds": used, "ns_per_row": used / n_rows * 1e9
    }  # fmt: skip


def in_memory(n_rows: int, kind: str) -> dict[str, float]:
    from pseudolinear import best_threshold

    best_threshold([0, 1, 1], [1.0, 2.0, 3.0])
    before = peak_mb()
    y, score = map(np.concatenate, zip(*rows(n_rows, kind), strict=True))
    began = cpu()
    found = best_threshold(y, score)
    used = cpu() - began
    return {"value": found.value, "threshold": found.threshold, "before": before} | {
        "cpu_seconds": used, "ns_per_row": used / n_rows * 1e9
    }  # fmt: skip


def evaluated(n_rows: int, kind: str) -> dict[str, float]:
    from pseudolinear import evaluate_batches

    evaluate_batches(lambda: rows(5000, kind), threshold=0.5)
    before, began = peak_mb(), cpu()
    found = evaluate_batches(lambda: rows(n_rows, kind), threshold=0.5)
    used, began = cpu() - began, cpu()
    for _ in rows(n_rows, kind):
        pass
    used -= cpu() - began
    return {"passes": 1, "value": found.value, "before": before} | {
        "cpu_seconds": used, "ns_per_row": used / n_rows * 1e9
    }  # fmt: skip


TASKS = {"streamed": streamed, "in memory": in_memory, "evaluated": evaluated}


def alone(task: str, n_rows: int, kind: str) -> dict[str, float]:
    """Run a task in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.scale.score_files",
        "--task",
        task,
        "--rows",
        str(n_rows),
        "--kind",
        kind,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def tell(**figure: object) -> None:
    rounded = {k: round(v, 6) if isinstance(v, float) else v for k, v in figure.items()}
    print(json.dumps({"benchmark": "score_files"} | rounded), flush=True)


def write_parts(folder: Path, n_rows: int) -> float:
    import pandas as pd

    size = n_rows // PARTS
    for part in range(PARTS):
        y, score = map(np.concatenate, zip(*rows(size, "continuous", part * size), strict=True))
        frame = pd.DataFrame({"id": np.arange(size), "y": y.astype(np.int8), "score": score})
        frame.to_parquet(folder / f"part-{part:05}.parquet", index=False)
    return sum(file.stat().st_size for file in folder.iterdir()) / 1e6


def verb(name: str, folder: Path, *options: str) -> tuple[dict[str, object], float, float]:
    command = [sys.executable, "-m", "pseudolinear", name, str(folder), "--target", "y"]
    command += ["--score", "score", *options, "--json", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{name} failed")
    return json.loads(out), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def verbs(sizes: list[int]) -> None:
    """Measure the verbs on parts in Parquet, beside a run on few rows."""
    for n_rows in sizes:
        with TemporaryDirectory() as name:
            folder = Path(name)
            megabytes = write_parts(folder, n_rows)
            for task, options in (("threshold", []), ("evaluate", ["--threshold", "0.5"])):
                began = time.perf_counter()
                found, used, peak = verb(task, folder, *options)
                tell(
                    task=f"verb {task}", rows=n_rows, parts=PARTS, file_mb=megabytes,
                    passes=found.get("passes", 1), cpu_seconds=used,
                    seconds=time.perf_counter() - began, peak_mb=peak,
                )  # fmt: skip


def slope(sizes: list[int], seconds: list[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7, 10**8])
    parser.add_argument("--file-rows", type=int, nargs="*", default=[160_000, 10**7])
    parser.add_argument("--task", choices=TASKS)
    parser.add_argument("--kind", choices=KINDS)
    options = parser.parse_args()
    if options.task:
        figure = TASKS[options.task](options.rows[0], options.kind)
        figure["peak_mb_beyond_start"] = peak_mb() - figure.pop("before")
        print(json.dumps(figure))
        return
    for kind in KINDS:
        used = {"streamed": [], "evaluated": []}
        for n_rows in options.rows:
            for task in ("streamed", "evaluated") if kind == "continuous" else ("streamed",):
                figure = alone(task, n_rows, kind)
                used[task].append(figure["cpu_seconds"])
                tell(task=task, kind=kind, rows=n_rows, **figure)
            if n_rows <= IN_MEMORY:
                tell(task="in memory", kind=kind, rows=n_rows, **alone("in memory", n_rows, kind))
        for task, seconds in used.items():
            if len(seconds) > 1:
                tell(task=task, kind=kind, slope=slope(options.rows, seconds))
    verbs(options.file_rows)


if __name__ == "__main__":
    main()
