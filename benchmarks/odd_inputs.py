"""Odd inputs: what ours and scikit-learn's own estimators do with them; see docs/reliability.md.

    python -m benchmarks.odd_inputs [--only weights] [--limit 60]

prints one JSON line per input and model: whether there was an answer, an error or a crash, F1 on
the rows of the fit beside that of predicting every row positive, processor time, and what was
said. Models run in processes of their own, so that one that crashes or hangs ends alone.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

from pseudolinear import KernelLearner, LinearLearner, MeasureClassifier

ROUTED = "TunedThresholdClassifierCV"  # takes weights only by metadata routing
MODELS: dict[str, Callable[[], Any]] = {
    "default": lambda: MeasureClassifier(random_state=0),
    "linear": lambda: MeasureClassifier("linear", random_state=0),
    "LinearLearner": lambda: MeasureClassifier(LinearLearner(), random_state=0),
    "hinge": lambda: MeasureClassifier(LinearLearner("hinge"), random_state=0),
    "KernelLearner": lambda: MeasureClassifier(KernelLearner(), random_state=0),
    "LogisticRegression": lambda: LogisticRegression(),
    ROUTED: lambda: TunedThresholdClassifierCV(
        LogisticRegression().set_fit_request(sample_weight=True),
        scoring=make_scorer(f1_score).set_score_request(sample_weight=True),
        random_state=0,
    ),
}
PEERS = ("LogisticRegression", ROUTED)
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 6))
y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1.2).astype(int)


def _column(factor: float) -> Any:
    return X * np.where(np.arange(6) == 2, factor, 1.0)


def _outside() -> Any:
    rows = sparse.csr_matrix(X)
    rows.indices = np.where(np.arange(rows.nnz) == 3, 10**6, rows.indices)
    return rows


def _twice() -> Any:
    rows = sparse.csr_matrix(X)
    halves = (np.repeat(rows.data / 2, 2), np.repeat(rows.indices, 2), 2 * rows.indptr)
    return sparse.csr_matrix(halves, shape=X.shape)


def _few(n_positive: int) -> Any:
    return (np.arange(300) < n_positive).astype(int)


INPUTS: dict[str, tuple[Any, Any, Any]] = {  # rows, classes, weights
    "plain": (X, y, None),
    "features: one of 1e12": (_column(1e12), y, None),
    "features: one of 1e50": (_column(1e50), y, None),
    "features: one of 1e150": (_column(1e150), y, None),
    "features: one of 1e300": (_column(1e300), y, None),
    "features: all of 1e-310": (X * 1e-310, y, None),
    "features: all 0": (np.zeros_like(X), y, None),
    "features: all 1": (np.ones_like(X), y, None),
    "features: two of one name": (pd.DataFrame(X, columns=list("abcdea")), y, None),
    "weights: span 1e12": (X, y, 10.0 ** rng.uniform(-6, 6, 300)),
    "weights: span 1e24": (X, y, 10.0 ** rng.uniform(-12, 12, 300)),
    "weights: all 1e20": (X, y, np.full(300, 1e20)),
    "weights: all 1e-300": (X, y, np.full(300, 1e-300)),
    "sparse: index outside": (_outside(), y, None),
    "sparse: entries given twice": (_twice(), y, None),
    "classes: one positive row": (X, _few(1), None),
    "classes: two positive rows": (X, _few(2), None),
    "classes: numbers and texts": (X, np.where(y, "yes", y.astype(object)), None),
    "classes: None among them": (X, np.where(y, 1, None), None),
    "labels: 2 among 0 and 1": (
        X,
        np.stack([y, 2 * y, y], axis=1) + np.eye(300, 3, dtype=int),
        None,
    ),
}


def fit(model: str, rows: Any, classes: Any, weight: Any) -> Any:
    """Return a fitted model."""
    with config_context(enable_metadata_routing=model == ROUTED):
        given = {} if weight is None else {"sample_weight": weight}
        return MODELS[model]().fit(rows, classes, **given)


def attempt(model: str, case: str) -> dict[str, Any]:
    """Fit and score one model; return what happened."""
    rows, classes, weight = INPUTS[case]
    found: dict[str, Any] = {}
    began = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            predicted = fit(model, rows, classes, weight).predict(rows)
            found["outcome"] = "answer"
            options = {"sample_weight": weight, "zero_division": 0.0}
            found["f1"] = round(float(f1_score(classes, predicted, **options)), 3)
            constant = f1_score(classes, np.ones_like(predicted), **options)
            found["constant"] = round(float(constant), 3)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1].filename
            checks = ("sklearn/",) if model in PEERS else ("pseudolinear/", "sklearn/utils/")
            checked = any(place in last for place in checks)
            sentence = checked and isinstance(error, ValueError | TypeError)
            found = {"outcome": "sentence" if sentence else "error from the depths"}
            found["said"] = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    found["warnings"] = len(caught)
    found["seconds"] = round(time.process_time() - began, 2)
    return found


def work(model: str, cases: list[str], pipe: Any) -> None:
    """Try some inputs one after the other, once all is compiled; send what happened."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit(model, X, y, np.arange(1.0, 301.0)).predict(X)
        fit(model, X, y, None).predict(X)
        if any("sparse" in case for case in cases):
            fit(model, sparse.csr_matrix(X), y, None).predict(X)
    pipe.send(None)
    for case in cases:
        pipe.send(attempt(model, case))


def run(model: str, cases: list[str], limit: float) -> Iterator[dict[str, Any]]:
    """Try inputs in a process of their own; where one crashes or hangs, others get another."""
    context = multiprocessing.get_context("spawn")
    while cases:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(model, cases, sender))
        process.start()
        sender.close()
        receiver.recv()  # compiled
        while cases:
            try:
                done = receiver.poll(limit)
                found = receiver.recv() if done else {"outcome": f"none in {limit:g} s"}
            except EOFError:
                process.join()
                done, found = False, {"outcome": f"crash ({process.exitcode})"}
            yield {"figure": f"odd inputs, {cases[0]}, {model}", **found}
            cases = cases[1:]
            if not done:
                break
        process.kill()
        process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="inputs whose name holds this")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of a fit")
    options = parser.parse_args()
    cases = [case for case in INPUTS if options.only in case]
    for model in MODELS:
        for found in run(model, cases, options.limit):
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
