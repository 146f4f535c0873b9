"""How far best_score_ and honest_score_ are from the value on rows that took no part in the fit.

    python -m benchmarks.honest [--kind binary] [--estimator auto] [--splits official]

prints one JSON line per data set of the data folder (those that `more.json` there names): both
values and the value on the test rows, in percent, as means over the seeds. Then one line with the
mean bias of either over the data sets and its standard error, and one each for simulations of
1,000 rows, whose test rows are 100,000. With `--splits random` every seed draws a quarter of all
rows for the test, since the official test rows alone are a large part of the error.
"""

from __future__ import annotations

import argparse
import json
import lzma
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MultiLabelBinarizer

from benchmarks.problems import DATA
from pseudolinear import MeasureClassifier

MOST_ROWS = 40_000
SIMULATIONS = {"signal": 0.35, "noise": 0.0}  # standard deviation of the true weights


def read(about: dict[str, Any], part: str) -> tuple[Any, np.ndarray]:
    """Return the rows of a part of a data set, and their classes or 0/1 labels."""
    multilabel = about["kind"] == "multilabel"
    with lzma.open(DATA / about["name"] / f"{part}.svm.xz") as file:
        X, y = load_svmlight_file(
            file, n_features=about["n_features"], multilabel=multilabel, zero_based=False
        )
    if multilabel:
        y = MultiLabelBinarizer(classes=range(about["n_labels"])).fit_transform(y)
    return X, y


def splits(about: dict[str, Any], how: str, n: int) -> Iterator[tuple[Any, ...]]:
    """Yield training rows, test rows and both targets for every seed."""
    (X, y), (X_test, y_test) = read(about, "train"), read(about, "test")
    every, target = sparse.vstack([X, X_test]).tocsr(), np.concatenate([y, y_test])
    if 2 * every.nnz > np.prod(every.shape):
        every = every.toarray()
    for seed in range(n):
        if how == "official":
            yield every[: len(y)], every[len(y) :], y, y_test
        else:
            stratify = target if target.ndim == 1 else None
            yield train_test_split(
                every, target, test_size=0.25, random_state=seed, stratify=stratify
            )


def simulated(spread: float, n: int) -> Iterator[tuple[Any, ...]]:
    """Yield draws of a logistic model with about a tenth of positive rows."""
    for seed in range(n):
        rng = np.random.RandomState(seed)
        weights = rng.normal(scale=spread, size=20)
        X = rng.normal(size=(101_000, 20))
        y = rng.uniform(size=len(X)) < 1 / (1 + np.exp(2.2 - X @ weights))
        yield X[:1000], X[1000:], y[:1000], y[1000:]


def measured(draws: Iterator[tuple[Any, ...]], measure: str, estimator: str) -> np.ndarray:
    """Return best, honest and test value of a fit for every draw, in percent."""
    values = []
    for seed, (X, X_test, y, y_test) in enumerate(draws):
        clf = MeasureClassifier(estimator, measure=measure, random_state=seed).fit(X, y)
        values.append([clf.best_score_, clf.honest_score_, clf.score(X_test, y_test)])
    return 100 * np.array(values)


def report(values: np.ndarray, **about: Any) -> None:
    """Print the mean bias of both values with its standard error."""
    bias = values[:, :2] - values[:, 2:]
    error = bias.std(axis=0, ddof=1) / np.sqrt(len(bias))
    line = {"benchmark": "honest", **about, "n": len(values)}
    for name, mean, e in zip(("best", "honest"), bias.mean(axis=0), error, strict=True):
        line |= {f"{name}_bias": round(mean, 2), f"{name}_standard_error": round(e, 2)}
    print(json.dumps(line), flush=True)


def main() -> None:
    """Measure all data sets of a kind, then the simulations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", default="binary")
    parser.add_argument("--estimator", default="auto")
    parser.add_argument("--measure", default="f1")
    parser.add_argument("--splits", choices=["official", "random"], default="official")
    parser.add_argument("--data", default=None, help="names, separated by commas")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--draws", type=int, default=60, help="of each simulation")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    means = []
    for about in json.loads((DATA / "more.json").read_text()):
        wanted = args.data is None or about["name"] in args.data.split(",")
        if about["kind"] != args.kind or about["n_train"] > MOST_ROWS or not wanted:
            continue
        draws = splits(about, args.splits, args.seeds)
        values = measured(draws, args.measure, args.estimator).mean(axis=0)
        means.append(values)
        line = dict(zip(("best", "honest", "test"), values.round(2).tolist(), strict=True))
        head = {"benchmark": "honest", "data": about["name"], "rows": about["n_train"]}
        print(json.dumps(head | line), flush=True)
    report(np.array(means), data=args.kind, measure=args.measure, splits=args.splits)
    if args.kind == "binary":
        for name, spread in SIMULATIONS.items():
            values = measured(simulated(spread, args.draws), "f1", args.estimator)
            report(values, simulation=name)


if __name__ == "__main__":
    main()
