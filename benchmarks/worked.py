"""Three worked examples of numbers one can trust, on real tables: see docs/guide/trust.md.

    python -m benchmarks.worked [--only rare]

prints one JSON line per figure. `rare`: bad loans, one in twenty; the value with its interval, the
difference to logistic regression with a tuned threshold, and the value where bad loans are rarer.
`text`: short texts with several labels; micro and macro averages. `screening`: a promise of recall
before deployment, and what it costs.
"""

from __future__ import annotations

import argparse
import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.problems import DATA
from benchmarks.problems.data import read_table
from pseudolinear import MeasureClassifier, evaluate, evaluate_difference


def show(example: str, what: str, **figures: Any) -> None:
    """Print one figure."""
    rounded = {
        key: np.round(value, 3).tolist() if not isinstance(value, str) else value
        for key, value in figures.items()
    }
    print(json.dumps({"benchmark": "worked", "example": example, "what": what, **rounded}))


def rare() -> None:
    """Bad loans."""
    table = read_table("lendingclub")
    clf = MeasureClassifier(random_state=0).fit(table.X_train, table.y_train)
    found = clf.evaluate(table.X_test, table.y_test)
    show(
        "rare", "ours", value=found.value, interval=found.interval, method=found.method,
        positives=found.labels[0].positives, expected=clf.honest_score_,
        expected_interval=clf.honest_interval_,
    )  # fmt: skip
    exact = clf.evaluate(table.X_test, table.y_test, method="exact")
    show("rare", "ours, exact", value=exact.value, interval=exact.interval)
    peer = TunedThresholdClassifierCV(_logistic(), scoring="f1", random_state=0)
    peer.fit(table.X_train, table.y_train)
    other, ours = peer.predict(table.X_test), clf.predict(table.X_test)
    found = evaluate(table.y_test, other)
    show("rare", "logistic regression, tuned", value=found.value, interval=found.interval)
    found = evaluate_difference(table.y_test, other, ours)
    show("rare", "difference", value=found.value, interval=found.interval, p_value=found.p_value)
    rarer = clf.retarget(prevalence=0.02)
    show(
        "rare", "where one in fifty is bad", expected=rarer.honest_score_,
        threshold=clf.probability_threshold_, threshold_there=rarer.probability_threshold_,
    )  # fmt: skip


def _logistic() -> Any:
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    words = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, LogisticRegression(max_iter=1000))


def text(n_rows: int = 8000) -> None:
    """Short texts with emotions."""
    train, test = (
        pd.read_csv(DATA / "goemotions" / f"raw_{part}.csv.xz").fillna("")
        for part in ("train", "test")
    )
    train = train.head(n_rows)
    known = set().union(*(row.split("|") for row in train["labels"])) - {""}
    labels = [
        [[name for name in row.split("|") if name in known] for row in part["labels"]]
        for part in (train, test)
    ]
    texts = [part.drop(columns="labels").iloc[:, 0].tolist() for part in (train, test)]
    for measure in ("f1_micro", "f1_macro"):
        clf = MeasureClassifier(measure=measure, random_state=0).fit(texts[0], labels[0])
        found = clf.evaluate(texts[1], labels[1])
        exact = clf.evaluate(texts[1], labels[1], method="exact")
        show(
            "text", measure, value=found.value, interval=found.interval, exact=exact.interval,
            rows=len(texts[1]),
        )  # fmt: skip
        rarest = min(found.labels, key=lambda label: label.positives)
        show(
            "text", f"{measure}, rarest label", label=rarest.label, positives=rarest.positives,
            value=rarest.value, interval=rarest.interval,
        )  # fmt: skip


def screening() -> None:
    """Thyroid disease: nobody who is ill should be missed."""
    table = read_table("sick")
    X, X_cal, y, y_cal = train_test_split(
        table.X_train, table.y_train, test_size=0.5, stratify=table.y_train, random_state=0
    )
    clf = MeasureClassifier(random_state=0).fit(X, y)
    before = clf.evaluate(table.X_test, table.y_test).labels[0]
    show("screening", "best F1", recall=before.recall, precision=before.precision)
    promised = clf.guarantee("recall >= 0.9", X_cal, y_cal, error=0.1)
    print(promised.promise_)
    after = promised.evaluate(table.X_test, table.y_test).labels[0]
    show(
        "screening", "recall promised", recall=after.recall, interval=after.recall_interval,
        precision=after.precision, positives=after.positives,
    )  # fmt: skip


def main() -> None:
    """Work through the examples."""
    examples = {"rare": rare, "text": text, "screening": screening}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=list(examples))
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for name, run in examples.items():
        if args.only in (None, name):
            run()


if __name__ == "__main__":
    main()
