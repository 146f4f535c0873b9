"""Groups: how often the interval of a gap holds it, and thresholds per group against fairlearn's.

    python -m benchmarks.fairness [--only coverage] [--draws 2000] [--splits 10]

prints one JSON line per figure.

`coverage`: two to ten groups of equal size with the same recall and precision, or with different
ones, and 200 to 5,000 rows in all; how often the interval at 95 % holds the largest gap of the
population, and its mean length. `"naive"` has the intervals of pairs at 95 % each, as if the two
groups that differ most had been named before.

`fairlearn` (needs the package of that name): fairlearn's ThresholdOptimizer and ours on the same
scores and rows, for its objectives under its constraints. The value is that of all rows together,
as expected over the draws, on the rows that the thresholds were chosen on and on test rows; the
difference is ours less theirs, and the time that of choosing. Their balanced accuracy under one
constraint is a mean over groups by their size, and their constraint is met on a grid.

`bound`: F1 and gaps on other rows, with one threshold, with free thresholds per group, and with
bounds; means over random splits of the rows (half to train, a quarter to choose on, a quarter to
test), with their standard errors.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.interval_coverage import Samples
from benchmarks.problems import DATA
from benchmarks.problems.data import read_table
from pseudolinear import (
    ErrorProfile,
    FBeta,
    best_group_thresholds,
    best_threshold,
    evaluate,
    get_measure,
)
from pseudolinear.evaluation import label_intervals, ratio_of
from pseudolinear.evaluation._gap import largest_gap
from pseudolinear.evaluation._label_intervals import proportion_intervals
from pseudolinear.evaluation._proportion import Proportion
from pseudolinear.evaluation._ratio import FALL_OUT, RECALL

TABLES = {"hmda": "afam", "arrests": "colour", "nasscds": "sex", "covidtesting": "gender"}
ADULT = {"sex": (71, 73), "race": (66, 71)}  # columns of a9a
ODDS = ("recall", "false_positive_rate")
CONSTRAINTS = {
    "demographic_parity": "selection_rate",
    "true_positive_rate_parity": "recall",
    "false_positive_rate_parity": "false_positive_rate",
    "equalized_odds": ODDS,
}
OBJECTIVES = {"accuracy_score": "accuracy", "balanced_accuracy_score": "balanced_accuracy"}


def show(what: str, **figures: Any) -> None:
    """Print a figure."""
    rounded = {k: round(v, 6) if isinstance(v, float) else v for k, v in figures.items()}
    print(json.dumps({"benchmark": what, **rounded}), flush=True)


# How often intervals of gaps hold.


PREVALENCE, FALL_OUT_OF_ALL = 0.3, 0.1


def coverage(n_draws: int) -> None:
    """Draw the cells of groups of populations whose gaps are known; many samples at once."""
    for n_groups, n_rows, alike in product((2, 5, 10), (200, 1000, 5000), (True, False)):
        recalls = np.full(n_groups, 0.7) if alike else np.linspace(0.5, 0.8, n_groups)
        shares = np.stack([
            PREVALENCE * recalls,
            PREVALENCE * (1 - recalls),
            np.full(n_groups, (1 - PREVALENCE) * FALL_OUT_OF_ALL),
            np.full(n_groups, (1 - PREVALENCE) * (1 - FALL_OUT_OF_ALL)),
        ], axis=1)  # fmt: skip
        rng = np.random.default_rng(0)
        counts = rng.multinomial(n_rows, shares.ravel() / n_groups, n_draws)
        cells = counts.reshape(-1, 4).astype(float)
        for of, values, ends in QUANTITIES:
            truth = float(np.ptp(values(shares)))
            for method in ("auto", "exact", "naive"):
                pairs = n_groups * (n_groups - 1) // 2
                error = 0.05 / {"auto": pairs, "exact": n_groups, "naive": 1}[method]
                found = ends(Samples(cells, n_rows), error, method == "exact")
                gaps = [
                    largest_gap(of, range(n_groups), *both, independent=method != "exact")
                    for both in zip(
                        values(cells).reshape(-1, n_groups), found.reshape(-1, n_groups, 2),
                        strict=True,
                    )
                ]  # fmt: skip
                low, high = np.array([gap.interval for gap in gaps]).T
                held = (low <= truth + 1e-12) & (truth <= high + 1e-12)
                show("gap coverage", of=of, method=method, groups=n_groups, rows=n_rows,
                     alike=alike, coverage=float(100 * held.mean()),
                     length=float((high - low).mean()))  # fmt: skip


def rate(ratio: Any) -> tuple[Any, Any]:
    """Return the values of a rate, and its intervals."""
    share = Proportion.of(ratio, np.eye(4))
    return ratio.value, lambda units, error, exact: proportion_intervals(
        share, units, error, exact=exact
    )


QUANTITIES = [
    ("f1", ratio_of(FBeta()).value, lambda units, error, exact: label_intervals(
        FBeta(), units, error, exact=exact
    )),
    ("recall", *rate(RECALL)),
    ("false_positive_rate", *rate(FALL_OUT)),
]  # fmt: skip


# Tables with a column of groups.


class Scores(NamedTuple):
    """What is known of rows that took no part in the training."""

    y: np.ndarray
    score: np.ndarray
    groups: np.ndarray


def tables() -> Iterator[tuple[str, Any, np.ndarray, np.ndarray]]:
    """Yield name, rows, classes and groups."""
    for name, column in TABLES.items():
        table = read_table(name)
        X = pd.concat([table.X_train, table.X_test], ignore_index=True)
        y = np.concatenate([table.y_train, table.y_test])
        known = X[column].notna().to_numpy()
        yield f"{name}, {column}", X[known], y[known], X[column][known].to_numpy()
    parts = []
    for part in ("train", "test"):
        with lzma.open(DATA / "adult" / f"{part}.svm.xz") as file:
            parts.append(load_svmlight_file(file, n_features=123, zero_based=False))
    X = np.concatenate([rows.toarray() for rows, _ in parts])
    y = np.concatenate([y > 0 for _, y in parts]).astype(int)
    for column, (first, last) in ADULT.items():
        yield f"adult, {column}", X, y, X[:, first:last].argmax(axis=1)


def learner() -> Any:
    """Return a logistic regression of categories and numbers."""
    words = make_column_selector(dtype_exclude="number")
    numbers = make_column_selector(dtype_include="number")
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), words), (StandardScaler(), numbers)
    )
    return make_pipeline(columns, LogisticRegression(max_iter=1000))


def scored(X: Any, y: np.ndarray, groups: np.ndarray, seed: int) -> tuple[Scores, Scores]:
    """Train on half of the rows; return the scores of two quarters."""
    X = pd.DataFrame(X)
    X = X.fillna(X.median(numeric_only=True))
    rows = np.arange(len(y))
    train, rest = train_test_split(rows, test_size=0.5, stratify=y, random_state=seed)
    chosen_on, test = train_test_split(rest, test_size=0.5, stratify=y[rest], random_state=seed)
    model = learner().fit(X.iloc[train], y[train])
    return tuple(
        Scores(y[part], model.decision_function(X.iloc[part]), groups[part])
        for part in (chosen_on, test)
    )  # type: ignore[return-value]


# Against fairlearn.


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose rows are scores."""

    classes_ = np.array([0, 1])

    def fit(self, X: Any, y: Any) -> Given:
        """Learn nothing."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores."""
        return np.asarray(X)[:, 0]


def against_fairlearn(n_splits: int) -> None:
    """Choose thresholds on the same scores, and evaluate them on the same rows and on others."""
    for name, X, y, groups in tables():
        splits = [scored(X, y, groups, seed) for seed in range(n_splits)]
        for constraint, objective, within in product(CONSTRAINTS, OBJECTIVES, (0.0, 0.05)):
            if constraint == "equalized_odds" and within:
                continue  # theirs has no bounds there
            found = np.array([both(*parts, constraint, objective, within) for parts in splits])
            mine, other, my_test, other_test, my_gap, other_gap, fast, slow = found.T
            gain, gap = my_test - other_test, my_gap - other_gap
            show("fairlearn", table=name, constraint=constraint, objective=objective,
                 within=within, ours=mine.mean(), fairlearn=other.mean(),
                 difference=(mine - other).mean(), least=f"{(mine - other).min():.1e}",
                 test_difference=gain.mean(), test_error=gain.std(ddof=1) / n_splits**0.5,
                 test_gap=my_gap.mean(), test_gap_difference=gap.mean(),
                 test_gap_error=gap.std(ddof=1) / n_splits**0.5,
                 seconds=float(np.median(fast)), times=float(np.median(slow / fast)))  # fmt: skip


def both(
    rows: Scores, test: Scores, constraint: str, objective: str, within: float
) -> tuple[float, ...]:
    """Return values of ours and theirs, the same and gaps on test rows, and both times."""
    from fairlearn.postprocessing import ThresholdOptimizer

    measure, rate = OBJECTIVES[objective], CONSTRAINTS[constraint]
    start = time.perf_counter()
    ours = best_group_thresholds(*rows, measure, rate=rate, within=within)
    middle = time.perf_counter()
    theirs = ThresholdOptimizer(
        estimator=Given(), constraints=constraint, objective=objective, prefit=True,
        predict_method="decision_function", tol=within or None,
    ).fit(rows.score[:, None], rows.y, sensitive_features=rows.groups)  # fmt: skip
    end = time.perf_counter()
    assert max(ours.gap(one) for one in ours.rates) <= within + 1e-7
    on_rows, on_test = (
        theirs._pmf_predict(part.score[:, None], sensitive_features=part.groups)[:, 1]
        for part in (rows, test)
    )
    mine = np.zeros(len(test.y))
    for group in ours.groups:
        own = test.groups == group.group
        above = test.score[own, None] >= group.thresholds
        mine[own] = above @ group.probabilities
    return (
        ours.value, expected(on_rows, rows.y, measure),
        expected(mine, test.y, measure), expected(on_test, test.y, measure),
        expected_gap(mine, test, ours.rates), expected_gap(on_test, test, ours.rates),
        middle - start, end - middle,
    )  # fmt: skip


def expected_gap(predicted: np.ndarray, rows: Scores, rates: Sequence[str]) -> float:
    """Return the largest difference of the rates of predictions that are probabilities."""
    among = {"recall": rows.y == 1, "false_positive_rate": rows.y == 0, "selection_rate": True}
    names = np.unique(rows.groups)
    return max(
        float(np.ptp([predicted[among[rate] & (rows.groups == name)].mean() for name in names]))
        for rate in rates
    )


def expected(predicted: np.ndarray, y: np.ndarray, measure: str) -> float:
    """Return the value of predictions that are probabilities."""
    profile = ErrorProfile(((1 - predicted) * y).mean(), (predicted * (1 - y)).mean(), y.mean())
    return float(get_measure(measure).value(profile))


# What bounds do on other rows.

WAYS: dict[str, dict[str, Any]] = {
    "free": {"within": 1.0},
    "recall within 0.05": {"within": 0.05},
    "recall within 0.05, no draws": {"within": 0.05, "randomise": False},
    "recall within 0": {"within": 0.0},
    "selection rate within 0.05": {"within": 0.05, "rate": "selection_rate"},
    "odds within 0.05": {"within": 0.05, "rate": ODDS},
}


def bound(n_splits: int) -> None:
    """Choose thresholds on some rows and evaluate them on others."""
    for name, X, y, groups in tables():
        found: dict[str, list[Any]] = {}
        for seed in range(n_splits):
            chosen_on, test = scored(X, y, groups, seed)
            cut = best_threshold(chosen_on.y, chosen_on.score).threshold
            found.setdefault("one threshold", []).append(
                [*on_rows(test, test.score >= cut), best_f1(chosen_on, cut)]
            )
            for way, options in WAYS.items():
                choice = best_group_thresholds(*chosen_on, **options)
                predicted = np.zeros(len(test.y), bool)
                draws = np.random.default_rng(seed).random(len(test.y))
                for group in choice.groups:
                    own = test.groups == group.group
                    predicted[own] = test.score[own] >= group.at(draws[own])
                found.setdefault(way, []).append([*on_rows(test, predicted), choice.value])
        for way, table in found.items():
            means, errors = np.mean(table, axis=0), np.std(table, axis=0, ddof=1)
            errors /= np.sqrt(n_splits)
            names = ("f1", "recall_gap", "fall_out_gap", "selection_gap", "chosen_f1")
            show("bound", table=name, way=way, splits=n_splits,
                 **dict(zip(names, means.round(4).tolist(), strict=True)),
                 errors=errors.round(4).tolist())  # fmt: skip


def best_f1(rows: Scores, cut: float) -> float:
    """Return F1 on the rows that chose a threshold."""
    return float(get_measure("f1").score(rows.y, (rows.score >= cut).astype(int)))


def on_rows(rows: Scores, predicted: np.ndarray) -> list[float]:
    """Return F1 and the gaps of the rates on some rows."""
    found = evaluate(rows.y, predicted.astype(int), by=rows.groups)
    gaps = {gap.of: gap.value for gap in found.by.gaps}
    return [found.value, *(gaps[rate] for rate in (*ODDS, "selection_rate"))]


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("coverage", "fairlearn", "bound"))
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--splits", type=int, default=10)
    arguments = parser.parse_args()
    if arguments.only in (None, "coverage"):
        coverage(arguments.draws)
    if arguments.only in (None, "fairlearn"):
        against_fairlearn(arguments.splits)
    if arguments.only in (None, "bound"):
        bound(arguments.splits)


if __name__ == "__main__":
    main()
