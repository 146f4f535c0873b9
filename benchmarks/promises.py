"""How often promises hold, what they cost, and what the same threshold without a promise does.

    python -m benchmarks.promises [--fits 12] [--draws 16] [--only simulated]

prints one JSON line per figure. `simulated`: two normal classes in five dimensions, where recall
and precision of a linear classifier on all rows to come are known exactly. `tables`: real tables;
what is left of one after the fit is the population, rows are drawn from it with replacement, and
the truth is the value on all of it, so that it is exact too. Both: `guarantee` at error 0.1,
against the rule for the same constraint on the validation rows of the fit (`retarget`) and on the
drawn rows (`best_threshold`). A line has the percentages of draws in which the threshold breaks the
promise on the population and in which there is none; and what is paid with (precision for a recall,
recall for a precision; of F1, itself), in the mean over the draws that have a threshold, for it and
for the best threshold that keeps the promise on the population, if there is one. `starts`: for a
precision, one start of the sequence of tests against several that share the error.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from benchmarks.problems.data import read_table
from pseudolinear import (
    ErrorCurve,
    MeasureClassifier,
    PrecisionAtRecall,
    RecallAtPrecision,
    best_threshold,
)
from pseudolinear.evaluation import Aim, count_cells, find_cut, lower_bounds

ERROR = 0.1
TABLES = ("german", "hmda", "ctg3", "sick", "arrests", "jm1", "shoppers", "htru2")
NORMAL = {"0.1 positive": (0.1, 2.5), "0.3 positive": (0.3, 2.0)}  # prevalence, distance of means
MOST_FITTED = 1500
ROWS = (300, 1000)
RULES = {"recall": PrecisionAtRecall, "precision": RecallAtPrecision}
PAID = {"recall": "precision", "precision": "recall", "f1": "f1"}


_read = cache(read_table)


def values(tp: Any, fn: Any, fp: Any) -> dict[str, np.ndarray]:
    """Return recall, precision and F1."""
    flagged = np.where(tp + fp > 0, tp + fp, 1.0)
    return {"recall": tp / (tp + fn), "precision": tp / flagged, "f1": 2 * tp / (2 * tp + fn + fp)}


class Normal:
    """Two normal classes, and a classifier fitted to 600 rows."""

    def __init__(self, name: str, seed: int) -> None:
        self.p, distance = NORMAL[name]
        self.rng, self.shift = np.random.default_rng(seed), np.full(5, distance / np.sqrt(5))
        self.clf = MeasureClassifier("linear", random_state=0).fit(*self.draw(600))
        self.at = float(self.score(np.zeros((1, 5)))[0])
        weights = self.score(np.eye(5)) - self.at
        self.by, self.spread = float(weights @ self.shift), float(np.sqrt(weights @ weights))
        self.cuts = self.at + np.linspace(-4, 8, 2000) * self.spread

    def draw(self, n: int) -> tuple[Any, np.ndarray]:
        """Draw rows."""
        y = (self.rng.random(n) < self.p).astype(int)
        return self.rng.normal(size=(n, 5)) + y[:, None] * self.shift, y

    def score(self, X: Any) -> np.ndarray:
        """Return what a threshold cuts."""
        return self.clf.decision_function(X) + self.clf.threshold_

    def truth(self, thresholds: np.ndarray) -> dict[str, np.ndarray]:
        """Return the values on all rows to come."""
        tp = self.p * stats.norm.sf(thresholds, self.at + self.by, self.spread)
        fp = (1 - self.p) * stats.norm.sf(thresholds, self.at, self.spread)
        return values(tp, self.p - tp, fp)


class Rest:
    """What is left of a table after a fit."""

    def __init__(self, name: str, seed: int) -> None:
        table, self.rng = _read(name), np.random.default_rng(seed)
        X = pd.concat([table.X_train, table.X_test], ignore_index=True)
        y = np.concatenate([table.y_train, table.y_test])
        order, n = self.rng.permutation(len(y)), min(len(y) // 2, MOST_FITTED)
        fitted, rest = order[:n], order[n:]
        self.clf = MeasureClassifier("linear", random_state=0).fit(X.iloc[fitted], y[fitted])
        self.X, self.y = X.iloc[rest], y[rest]
        self.scores = self.score(self.X)
        self.cuts = np.unique(self.scores) - 1e-9

    def draw(self, n: int) -> tuple[Any, np.ndarray]:
        """Draw rows with replacement."""
        rows = self.rng.integers(0, len(self.y), n)
        return self.X.iloc[rows], self.y[rows]

    score = Normal.score

    def truth(self, thresholds: np.ndarray) -> dict[str, np.ndarray]:
        """Return the values on all rows that are left."""
        return values(*count_cells(self.y == 1, self.scores, thresholds).T[:3])


def attempts(population: Any, aim: Aim, n: int) -> Iterator[tuple[str, float | None]]:
    """Yield the threshold that each way takes on rows drawn; None if it takes none."""
    (X, y), clf = population.draw(n), population.clf
    ways = {"guarantee": lambda: clf.guarantee(aim.sentence, X, y, error=ERROR).threshold_}
    if aim.measure in RULES:
        rule = RULES[aim.measure](aim.least)
        ways |= {
            "rule, rows of the fit": lambda: clf.retarget(rule).threshold_,
            "rule, same rows": lambda: best_threshold(y, population.score(X), rule).threshold,
        }
    for way, take in ways.items():
        try:
            yield way, take()
        except ValueError:
            yield way, None


def compare(part: str, n_fits: int, n_draws: int) -> None:
    """Print how often each way breaks the promise, and what it pays."""
    make, names = {"simulated": (Normal, NORMAL), "tables": (Rest, TABLES)}[part]
    every: dict[tuple[Any, ...], list[tuple[float, ...]]] = {}
    for name in names:
        found: dict[tuple[Any, ...], list[tuple[float, ...]]] = {}
        for population in (make(name, seed) for seed in range(n_fits)):
            for key, outcome in outcomes(population, n_draws):
                found.setdefault(key, []).append(outcome)
                every.setdefault(key, []).append(outcome)
        for key, own in found.items():
            report(part, name, key, own)
    for key, own in every.items():
        report(part, "all", key, own)


def outcomes(population: Any, n_draws: int) -> Iterator[tuple[tuple[Any, ...], tuple[float, ...]]]:
    """Yield what was promised how, whether it is broken, whether there is none, paid and best."""
    expected = population.clf.honest_score_
    for sentence in ("recall >= 0.9", "precision >= 0.8", f"f1 >= {expected - 0.1:.2f}"):
        aim, along = Aim.read(sentence), population.truth(population.cuts)
        keeps, paid = along[aim.measure] >= aim.least, PAID[aim.measure]
        best = along[paid][keeps].max() if keeps.any() else np.nan
        shown = "f1 >= expected - 0.1" if aim.measure == "f1" else sentence
        for n in np.repeat(ROWS, n_draws).tolist():
            for way, threshold in attempts(population, aim, n):
                if threshold is None:
                    yield (shown, n, way), (0.0, 1.0, np.nan, best)
                    continue
                true = {k: float(v[0]) for k, v in population.truth(np.array([threshold])).items()}
                broken = true[aim.measure] < aim.least - 1e-12
                yield (shown, n, way), (broken, 0.0, true[paid], best)


def report(part: str, population: str, key: tuple[Any, ...], own: list[Any]) -> None:
    """Print shares in percent, and what is paid."""
    broken, none, paid, best = np.array(own, dtype=float).T
    figures: dict[str, Any] = dict(zip(("promise", "rows", "way"), key, strict=True))
    figures |= {"broken": round(100 * broken.mean(), 1), "none": round(100 * none.mean(), 1)}
    if (both := ~np.isnan(paid + best)).any():
        figures |= {"paid": round(paid[both].mean(), 3), "best": round(best[both].mean(), 3)}
    about = {"benchmark": "promises", "part": part, "population": population}
    print(json.dumps(about | figures), flush=True)


def starts(n_draws: int) -> None:
    """Compare where the tests of a precision start, on normal scores."""
    rng = np.random.default_rng(0)
    for p, d, n, least in ((0.1, 2, 300, 0.6), (0.3, 2, 300, 0.8), (0.05, 3, 1000, 0.8)):
        aim, recalls = Aim.read(f"precision >= {least}"), []
        for _ in range(n_draws):
            (y_fit, s_fit), (y, s) = (
                (y, rng.normal(size=len(y)) + d * y) for y in (rng.random(m) < p for m in (1500, n))
            )
            curve = ErrorCurve.from_scores(y_fit, s_fit).outline()
            cuts = [find_cut(aim, curve, y, s, ERROR).cut]
            cuts += [several_starts(aim, curve, y, s, k) for k in (3, 5)]
            at = [np.inf if cut is None else curve.thresholds[cut] for cut in cuts]
            recalls.append(stats.norm.sf(np.array(at) - d))
        for k, recall in zip((1, 3, 5), np.array(recalls).T, strict=True):
            figures = {"promise": aim.sentence, "rows": n, "starts": k}
            figures |= {
                "none": round(100 * (recall == 0).mean(), 1),
                "recall": recall.mean().round(3),
            }
            about = {"benchmark": "promises", "part": "starts", "population": f"{p:g} positive"}
            print(json.dumps(about | figures), flush=True)


def several_starts(aim: Aim, curve: ErrorCurve, y: Any, s: Any, k: int) -> int | None:
    """Go down from several cuts, each with its share of the error; return the lowest accepted."""
    cells = count_cells(y, s, curve.thresholds)
    fails = np.append(lower_bounds(aim.objective, cells, ERROR / k) < aim.least, True)
    first = np.linspace(0, len(curve) - 1, k + 2).astype(int)[1:-1]
    last = [start + int(fails[start:].argmax()) - 1 for start in first if not fails[start]]
    return max(last, default=None)


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=int, default=12)
    parser.add_argument("--draws", type=int, default=16)
    parser.add_argument("--only", choices=["starts", "simulated", "tables"])
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.only in (None, "starts"):
        starts(25 * args.draws)
    for part in ("simulated", "tables"):
        if args.only in (None, part):
            compare(part, args.fits, args.draws)


if __name__ == "__main__":
    main()
