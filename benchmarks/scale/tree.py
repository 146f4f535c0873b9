"""A tree of labels beside one model per label, and beside LibMultiLabel's tree.

Every system has a process of its own and prints JSON lines: CPU seconds of fit, peak memory beyond
the start, macro- and micro-F1 on test rows, milliseconds of prediction per row, and, of our tree,
the share of rows whose five likeliest labels are certified. What the tree is by default was chosen
with the seed 0, so figures are for another one.

    python -m benchmarks.scale.tree --rows 30000 --labels 5000 --peers /path/to/peers/bin/python
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

SYSTEMS = ("tree", "linear", "libmultilabel")
TEST_ROWS = 4000


def f1_values(truth, predicted):
    """Return micro-F1, and macro-F1 over all labels (absent ones count 0) and over present ones.

    Present is what has a row in either matrix, which depends on the system.
    """
    truth, predicted = sparse.csc_matrix(truth, dtype=float), sparse.csc_matrix(predicted > 0)
    hits = np.asarray(truth.multiply(predicted).sum(axis=0)).ravel()
    total = np.asarray(truth.sum(axis=0) + predicted.sum(axis=0)).ravel()
    values = 2 * hits / np.maximum(total, 1.0)
    figures = values.mean(), values[total > 0].mean(), 2 * hits.sum() / total.sum()
    names = ("macro_f1", "macro_f1_present", "micro_f1")
    return {name: round(float(value), 4) for name, value in zip(names, figures, strict=True)}


def seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def say(system, **figures):
    print(json.dumps({"system": system, **figures}), flush=True)


def read(folder):
    names = ("X", "Y", "X_test", "Y_test")
    return [sparse.csr_matrix(sparse.load_npz(Path(folder) / f"{name}.npz")) for name in names]


def ours(estimator, folder):
    from pseudolinear import MeasureClassifier

    warnings.simplefilter("ignore")
    X, Y, X_test, Y_test = read(folder)
    clf = MeasureClassifier(estimator, measure="f1_macro", random_state=0)
    start, before = seconds(), peak()
    clf.fit(X, Y)
    cost = {"cpu_s": round(seconds() - start, 1), "peak_mb": round(peak() - before)}
    clf.predict(X_test[:10])
    start = seconds()
    predicted = clf.predict(X_test)
    each = round(1e3 * (seconds() - start) / X_test.shape[0], 3)
    say(estimator, **cost, ms_per_row=each, **f1_values(Y_test, predicted))
    micro = clf.retarget("f1_micro").predict(X_test)
    say(f"{estimator}, thresholds for micro-F1", **f1_values(Y_test, micro))
    if estimator == "tree":
        compare_cuts(clf, X_test, Y, Y_test)


def compare_cuts(clf, X_test, Y, Y_test):
    """Say what the same tree gives without thresholds, and what wider beams certify."""
    from pseudolinear.extreme import best_listed_labels, listed_probabilities

    model, scaled = clf.decision_.models[0], clf.decision_._rows(X_test)
    found = model.shortlist(scaled)
    half = found.scores.copy()
    half.data = (half.data >= np.log(0.5)).astype(float)
    say("tree, threshold 0.5", **f1_values(Y_test, half))
    k = round(Y.nnz / Y.shape[0])
    say(f"tree, {k} likeliest labels", **f1_values(Y_test, found.top(k).astype(bool)))
    listed = listed_probabilities(clf.decision_, X_test)
    for measure in ("f1_macro", "f1_micro"):
        chosen = best_listed_labels(listed, k, measure)
        say(f"tree, at most {k} labels for {measure}", **f1_values(Y_test, chosen))
    size = {"nodes": model.tree.n_nodes, "weights": model.weights.nnz}
    for beam in (10, 30, 100):
        start = time.process_time()
        certified = float(model.shortlist(scaled, beam=beam).certified(5).mean())
        each = round(1e3 * (time.process_time() - start) / X_test.shape[0], 3)
        figures = {"ms_per_row": each, "certified_top_5": round(certified, 3), **size}
        say(f"tree, beam of {beam}", **figures)


def libmultilabel(folder):
    import libmultilabel.linear as peer

    X, Y, X_test, Y_test = read(folder)
    start, before = seconds(), peak()
    with contextlib.redirect_stdout(sys.stderr):
        model = peer.train_tree(Y, X, "-m 1", verbose=False)
    cost = {"cpu_s": round(seconds() - start, 1), "peak_mb": round(peak() - before)}
    start = seconds()
    blocks = [peer.predict_values(model, X_test[i : i + 500]) for i in range(0, TEST_ROWS, 500)]
    scores = np.vstack(blocks)
    each = round(1e3 * (seconds() - start) / X_test.shape[0], 3)
    figures = f1_values(Y_test, sparse.csr_matrix(scores >= 0.5))
    say("libmultilabel tree, threshold 0.5", **cost, ms_per_row=each, **figures)
    k = round(Y.nnz / Y.shape[0])
    cut = np.partition(scores, -k, axis=1)[:, -k]
    likely = sparse.csr_matrix((scores >= cut[:, None]) & (scores > 0))
    say(f"libmultilabel tree, {k} likeliest labels", **f1_values(Y_test, likely))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=30_000)
    parser.add_argument("--labels", type=int, default=5_000)
    parser.add_argument("--features", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--peers", help="python of an environment with libmultilabel")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.folder:
        run = libmultilabel if args.systems == "libmultilabel" else None
        return run(args.folder) if run else ours(args.systems, args.folder)
    from benchmarks.problems.zipf import make_zipf

    rows = make_zipf(args.rows + TEST_ROWS, args.labels, args.features, random_state=args.seed)
    with tempfile.TemporaryDirectory() as folder:
        for name, matrix in zip("XY", rows, strict=True):
            sparse.save_npz(Path(folder) / f"{name}.npz", matrix[: args.rows])
            sparse.save_npz(Path(folder) / f"{name}_test.npz", matrix[args.rows :])
        for system in args.systems.split(","):
            python = args.peers if system == "libmultilabel" else sys.executable
            if python is None:
                say(system, failed="give --peers")
                continue
            command = [
                python,
                "-m",
                "benchmarks.scale.tree",
                "--systems",
                system,
                "--folder",
                folder,
            ]
            if code := subprocess.run(command, check=False).returncode:
                say(system, failed=f"exit code {code}")
    return None


if __name__ == "__main__":
    main()
