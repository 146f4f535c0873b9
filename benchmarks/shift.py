"""What a threshold loses where positives are rarer than in training, and what adapting gives back.

    python -m benchmarks.shift [--estimator auto] [--draws 4]

fits half of the rows of each table (at most 6,000) and draws test rows from the other half (at most
1,000) so that the odds of the positive class are a quarter to four times those of training. It
prints one JSON line for each of these shifts: the mean F1 in percent over the tables of the
classifier as it is, adapted by the likelihood (EM) and by the confusion (BBSE), retargeted to the
true prevalence, and with the best threshold for the labels of the test rows; the gain by EM with
its standard error over tables; and of both estimates of the prevalence the mean absolute error in
percent and the coverage of 95 % intervals. Then one line for each way to change the rows
themselves, with the share of draws that were warned of. `--tables wilt sick` takes
other tables. `--intervals 60` simulates as many fits instead, with 40 % of positives, and prints
how often `honest_interval_` holds the F1 of other populations, and its mean length.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, logit
from sklearn.model_selection import train_test_split

from benchmarks.problems.data import read_table
from pseudolinear import ErrorProfile, FBeta, MeasureClassifier, best_threshold

TABLES = [
    "german", "ctg3", "hmda", "abalone7", "winewhite", "pageblocks",
    "satimage", "arrests", "optdigits8", "musk2", "jm1", "shoppers",
    "lendingclub", "htru2", "nafld", "nasscds",
]  # fmt: skip
ODDS = (0.25, 0.5, 1.0, 2.0, 4.0)
MOST_TRAINED, MOST_DRAWN = 6000, 1000


class Fit(NamedTuple):
    """A fitted classifier, and rows that it has not seen."""

    classifier: MeasureClassifier
    X: pd.DataFrame
    y: np.ndarray

    def draws(self, odds: float, n_draws: int) -> Iterator[tuple[float, np.ndarray]]:
        """Yield a prevalence, and rows of a population that has it."""
        rng = np.random.default_rng(0)
        positive, negative = np.flatnonzero(self.y), np.flatnonzero(self.y == 0)
        p = float(expit(logit(self.y.mean()) + np.log(odds)))
        n = min(MOST_DRAWN, int(len(positive) / p), int(len(negative) / (1 - p)))
        for _ in range(n_draws):
            k = min(rng.binomial(n, p), len(positive))
            other = rng.choice(negative, min(n - k, len(negative)), replace=False)
            yield p, np.concatenate([rng.choice(positive, k, replace=False), other])


def fitted(name: str, estimator: str) -> Fit:
    table = read_table(name)
    X = pd.concat([table.X_train, table.X_test], ignore_index=True)
    y = np.concatenate([table.y_train, table.y_test])
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
    classifier = MeasureClassifier(estimator, random_state=0)
    return Fit(classifier.fit(X[:MOST_TRAINED], y[:MOST_TRAINED]), X_test, y_test)


def measured(fit: Fit, odds: float, n_draws: int) -> dict[str, float]:
    """Return the mean values over draws of a table."""
    clf, found = fit.classifier, []
    for p, rows in fit.draws(odds, n_draws):
        X, y = fit.X.iloc[rows], fit.y[rows]
        adapted = clf.adapt(X)
        (told,) = adapted.adaptation_.labels
        half = 0.5 / len(rows)
        by_confusion = clf.retarget(prevalence=float(np.clip(told.by_confusion, half, 1 - half)))
        best = best_threshold(y, clf.decision_function(X), "f1").value
        found.append(
            {
                "as it is": clf.score(X, y),
                "EM": adapted.score(X, y),
                "BBSE": by_confusion.score(X, y),
                "true prevalence": clf.retarget(prevalence=p).score(X, y),
                "best threshold": best,
                "EM error": abs(told.prevalence - p),
                "BBSE error": abs(told.by_confusion - p),
                "EM coverage": told.interval[0] <= p <= told.interval[1],
                "BBSE coverage": told.confusion_interval[0] <= p <= told.confusion_interval[1],
                "warned": told.suspicious,
            }
        )
    return pd.DataFrame(found).mean().to_dict()


def noisy(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Add noise of half the standard deviation to every number."""
    numbers = X.select_dtypes("number").columns
    noise = rng.normal(scale=0.5, size=(len(X), len(numbers)))
    return X.assign(**(X[numbers] + noise * X[numbers].std().to_numpy()))


def scaled(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Measure every number in another unit."""
    numbers = X.select_dtypes("number").columns
    return X.assign(**{name: 1.5 * X[name] for name in numbers})


def shuffled(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Shuffle half of the columns, each on its own."""
    chosen = rng.choice(X.columns, max(1, X.shape[1] // 2), replace=False)
    return X.assign(**{name: rng.permutation(X[name].to_numpy()) for name in chosen})


def warned(
    fits: list[Fit], change: Callable[[pd.DataFrame, np.random.Generator], Any], n_draws: int
) -> float:
    """Return the share of draws with changed rows that are warned of."""
    rng = np.random.default_rng(0)
    return 100 * float(
        np.mean(
            [
                fit.classifier.adapt(change(fit.X.iloc[rows], rng)).adaptation_.suspicious != ()
                for fit in fits
                for odds in ODDS
                for _, rows in fit.draws(odds, n_draws)
            ]
        )
    )


def print_intervals(n_fits: int, populations: tuple[float, ...] = (0.03, 0.1, 0.7)) -> None:
    """Print how often the interval of a retargeted classifier holds the value on 60,000 rows."""
    found: dict[float, list[tuple[bool, float]]] = {p: [] for p in populations}
    for seed in range(n_fits):
        rng = np.random.default_rng(seed)
        away = rng.normal(scale=0.5, size=10)
        y = (rng.random(61_000) < 0.4).astype(int)
        X = rng.normal(size=(len(y), 10)) + np.outer(y, away)
        clf = MeasureClassifier("linear", random_state=seed).fit(X[:1000], y[:1000])
        for p in populations:
            there = clf.retarget(prevalence=p)
            profile = ErrorProfile.from_labels(y[1000:], there.predict(X[1000:])).at_prevalence(p)
            low, high = there.honest_interval_
            found[p].append((low <= FBeta().value(profile) <= high, high - low))
    for p, pairs in found.items():
        coverage, length = np.mean(pairs, axis=0)
        line = {"prevalence": p, "coverage": round(100 * coverage, 1), "length": round(length, 3)}
        print(json.dumps(line), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--estimator", default="auto")
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--tables", nargs="+", default=TABLES)
    parser.add_argument("--intervals", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.intervals:
        print_intervals(options.intervals)
        return
    fits = [fitted(name, options.estimator) for name in options.tables]
    every = []
    for odds in ODDS:
        table = 100 * pd.DataFrame([measured(fit, odds, options.draws) for fit in fits])
        every.append(table)
        print(json.dumps({"estimator": options.estimator, "odds": odds} | means(table)), flush=True)
    together = sum(every) / len(every)
    print(json.dumps({"estimator": options.estimator, "odds": "all"} | means(together)), flush=True)
    for change in (noisy, scaled, shuffled):
        share = round(warned(fits, change, 1), 1)
        what = {"estimator": options.estimator, "change": change.__name__, "warned": share}
        print(json.dumps(what), flush=True)


def means(table: pd.DataFrame) -> dict[str, float]:
    """Return means over tables, and the gain of EM over the classifier as it is."""
    gain = table["EM"] - table["as it is"]
    error = float(gain.std() / np.sqrt(len(gain)))
    found = table.mean().to_dict() | {"gain": float(gain.mean()), "gain error": error}
    return {name: round(value, 2) for name, value in found.items()}


if __name__ == "__main__":
    main()
