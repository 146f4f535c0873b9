"""What budgets reach on test rows: labels of a row, and rows of a batch.

    python -m benchmarks.budgets [labels] [rows] [small]

prints one JSON line per figure. `labels`: macro- and micro-F1 in percent of at most k labels for
each test row, of the likeliest labels and of `Budget`, with the gap that is stated, the seconds of
the decision, and those of xCOLUMNs on the same probabilities where it is installed; a rule for
streams is learnt from the training rows, or from the test rows without their labels. `rows`: the
share of the positive test rows among the k of the largest scores. `small`: how often the ascent
reaches the best of all choices of problems so small that all can be tried.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import combinations, product
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.problems.data import read_set, read_table
from pseudolinear import Budget, ErrorProfile, MeasureClassifier, best_labels, get_measure

SETS = ("scene", "yeast", "enron", "bibtex")
TABLES = ("seismic", "yeastme2", "abalone7", "winewhite", "wilt", "jm1")
SIZES = (1, 3, 5)
SHARES = (0.02, 0.05, 0.1)


def say(**figure: Any) -> None:
    print(json.dumps(figure), flush=True)


def likeliest(p: np.ndarray, k: int) -> np.ndarray:
    chosen = np.zeros(p.shape, dtype=bool)
    np.put_along_axis(chosen, np.argsort(-p, axis=1)[:, :k], True, axis=1)
    return chosen


def percent(Y: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    return {
        average: round(100 * f1_score(Y, predicted, average=average, zero_division=0), 1)
        for average in ("macro", "micro")
    }


def timed(function: Any, *arguments: Any) -> tuple[Any, float]:
    """Return what a function gives and the shortest of three times."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        found = function(*arguments)
        seconds.append(time.perf_counter() - start)
    return found, round(min(seconds), 4)


def of_labels() -> None:
    try:
        from xcolumns.block_coordinate import predict_optimizing_macro_f1_score_using_bc as peer
    except ImportError:
        peer = None
    for name in SETS:
        X, Y, X_test, Y_test = read_set(name)
        for average in ("macro", "micro"):
            measure = f"f1_{average}"
            clf = MeasureClassifier(
                "linear", measure=measure, probabilities="calibrated", random_state=0
            ).fit(X, Y)
            p = clf.predict_proba(X_test)
            say(set=name, system=f"thresholds {average}", **percent(Y_test, clf.predict(X_test)))
            for k in SIZES:
                about = {"set": name, "k": k}
                if average == "macro":
                    say(**about, system="likeliest", **percent(Y_test, likeliest(p, k)))
                plan, seconds = timed(best_labels, p, k, measure)
                start = time.perf_counter()
                gap = plan.gap
                bound_seconds = time.perf_counter() - start
                say(
                    **about, system=f"Budget {average}", **percent(Y_test, plan.labels),
                    expected=round(100 * plan.value, 3), gap=round(100 * gap, 3),
                    seconds=seconds, bound_seconds=round(bound_seconds, 3),
                )  # fmt: skip
                for rows, seen in ((X, "training"), (X_test, "new")):  # no labels are needed
                    stream = clf.retarget(Budget(k, measure=measure, batch=False), rows)
                    found = percent(Y_test, stream.predict(X_test))
                    say(**about, system=f"Budget {average}, rule from {seen} rows", **found)
                if peer and average == "macro":
                    labels, seconds = timed(lambda p, k: peer(p, k, seed=0), p, k)
                    say(
                        **about, system="xCOLUMNs macro", **percent(Y_test, labels > 0),
                        expected=round(100 * expected(p, labels > 0), 3), seconds=seconds,
                    )  # fmt: skip


def expected(p: np.ndarray, chosen: np.ndarray) -> float:
    """Return the macro-F1 of the expected errors."""
    fn, fp = (p * ~chosen).mean(axis=0), ((1 - p) * chosen).mean(axis=0)
    return float(get_measure("f1_macro").value(ErrorProfile(fn, fp, p.mean(axis=0))))


def of_rows() -> None:
    for name in TABLES:
        table = read_table(name)
        X, y, X_test, y_test = table[1:5]
        plain = {
            "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
            "boosting": HistGradientBoostingClassifier(random_state=0),
        }
        scores = {n: c.fit(X, y).predict_proba(X_test)[:, 1] for n, c in plain.items()}
        for share in SHARES:
            k = int(share * len(y_test))
            about = {"table": name, "share": share, "k": k, "positive": int(y_test.sum())}
            for system, score in scores.items():
                hits = y_test[np.argsort(-score, kind="stable")[:k]].sum()
                say(**about, system=system, recall=round(float(hits / y_test.sum()), 3))
            clf = MeasureClassifier(measure=Budget(share=share), random_state=0).fit(X, y)
            hits = y_test[clf.predict(X_test) == 1].sum()
            say(**about, system="Budget", recall=round(float(hits / y_test.sum()), 3))


def of_small(n_problems: int = 300) -> None:
    """Try all choices of four rows and three labels."""
    rng = np.random.default_rng(0)
    for k in (1, 2):
        sets = [list(s) for size in range(k + 1) for s in combinations(range(3), size)]
        options = np.zeros((len(sets), 3), dtype=bool)
        for option, one in zip(options, sets, strict=True):
            option[one] = True
        every = options[np.array(list(product(range(len(sets)), repeat=4)))]
        reached, short, gaps = 0, 0.0, []
        for _ in range(n_problems):
            p = rng.beta(0.5, 1.0, size=(4, 3))
            tp, count = (p * every).sum(axis=1), every.sum(axis=1)
            best = (2 * tp / (count + p.sum(axis=0))).mean(axis=1).max()
            plan = best_labels(p, k, "f1_macro")
            reached += plan.value >= best - 1e-12
            short = max(short, best - plan.value)
            gaps.append(plan.ceiling - best)
        say(
            rows=4, labels=3, k=k, reached=int(reached) / n_problems, worst=round(short, 4),
            mean_bound_above_best=round(float(np.mean(gaps)), 4),
            bound_holds=bool(min(gaps) >= -1e-12),
        )  # fmt: skip


if __name__ == "__main__":
    parts = {"small": of_small, "rows": of_rows, "labels": of_labels}
    for part in sys.argv[1:] or parts:
        parts[part]()
