"""F1 and processor time on binary tables: ours, tuned thresholds around other learners, AutoML.

    python -m benchmarks.tables [--systems default,hist_boosting,...] [--seeds 3] [--data a,b]

prints one JSON line per table, system and seed: F1 in percent on the official test rows, which take
no part in any choice, and processor seconds of the fit. The systems take turns on every table.
AutoGluon and FLAML need an environment of their own: run the script there with their names (it
imports nothing of ours for them). `--summary FILE ...` reads such lines and prints the means, ranks
and paired differences to the default.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline

from benchmarks.problems.data import Table, names, read_table

SECONDS = 120.0  # that AutoML gets
Predict = Callable[[Any], Any]
SYSTEMS: dict[str, Callable[[Table, int], Predict]] = {}


def system(fit: Callable[[Table, int], Predict]) -> Callable[[Table, int], Predict]:
    SYSTEMS[fit.__name__] = fit
    return fit


def _ours(table: Table, **params: Any) -> Predict:
    from pseudolinear import MeasureClassifier

    return MeasureClassifier(**params).fit(table.X_train, table.y_train).predict


@system
def default(table: Table, seed: int) -> Predict:
    return _ours(table, random_state=seed)


@system
def fast(table: Table, seed: int) -> Predict:
    return _ours(table, random_state=seed, effort="fast")


@system
def best(table: Table, seed: int) -> Predict:
    return _ours(table, random_state=seed, effort="best")


@system
def linear(table: Table, seed: int) -> Predict:
    return _ours(table, random_state=seed, estimator="linear")


def _tuned(table: Table, classifier: Any, seed: int, *, dense: bool = True) -> Predict:
    """Put before a classifier what a strong user would, and tune its threshold."""
    from skrub import tabular_pipeline

    if table.text:
        words = TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2))
        topics = [TruncatedSVD(100, random_state=seed)] if dense else []
        pipeline = make_pipeline(words, *topics, classifier)
    else:
        pipeline = tabular_pipeline(classifier)
    tuned = TunedThresholdClassifierCV(clone(pipeline), scoring="f1", random_state=seed)
    return tuned.fit(table.X_train, table.y_train).predict


@system
def hist_boosting(table: Table, seed: int) -> Predict:
    return _tuned(table, HistGradientBoostingClassifier(random_state=seed), seed)


@system
def lightgbm(table: Table, seed: int) -> Predict:
    from lightgbm import LGBMClassifier

    return _tuned(table, LGBMClassifier(n_jobs=1, verbose=-1, random_state=seed), seed)


@system
def extra_trees(table: Table, seed: int) -> Predict:
    return _tuned(table, ExtraTreesClassifier(random_state=seed), seed)


@system
def logistic(table: Table, seed: int) -> Predict:
    return _tuned(table, LogisticRegression(max_iter=2000), seed, dense=False)


def _autogluon(table: Table, presets: str) -> Predict:
    import pandas as pd
    from autogluon.tabular import TabularPredictor

    def frame(X: Any) -> Any:
        return X.to_frame("text") if table.text else X

    train = pd.concat([frame(table.X_train), pd.Series(table.y_train, name="target")], axis=1)
    predictor = TabularPredictor(
        "target", eval_metric="f1", path=tempfile.mkdtemp(), verbosity=0
    ).fit(train, presets=presets, time_limit=SECONDS, num_cpus=2, dynamic_stacking=False)
    return lambda X: predictor.predict(frame(X)).to_numpy()


@system
def autogluon_medium(table: Table, seed: int) -> Predict:
    return _autogluon(table, "medium_quality")


@system
def autogluon_best(table: Table, seed: int) -> Predict:
    return _autogluon(table, "best_quality")


@system
def flaml(table: Table, seed: int) -> Predict:
    from flaml import AutoML

    automl = AutoML()
    automl.fit(
        table.X_train, table.y_train, task="classification", metric="f1", time_budget=SECONDS,
        seed=seed, n_jobs=2, verbose=0, estimator_list=["lgbm", "xgboost", "extra_tree", "rf"],
    )  # fmt: skip
    return automl.predict


def _seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def measure(table: Table, name: str, seed: int) -> dict[str, Any]:
    start, wall = _seconds(), time.monotonic()
    predict = SYSTEMS[name](table, seed)
    cpu, wall = _seconds() - start, time.monotonic() - wall
    start = _seconds()
    value = 100 * f1_score(table.y_test, np.asarray(predict(table.X_test)))
    return {
        "benchmark": "tables", "data": table.name, "system": name, "seed": seed,
        "f1": round(float(value), 2), "cpu_seconds": round(cpu, 3),
        "wall_seconds": round(wall, 3), "predict_cpu_seconds": round(_seconds() - start, 3),
    }  # fmt: skip


def summarise(lines: list[dict[str, Any]], against: str) -> list[dict[str, Any]]:
    """Return mean F1, mean rank, wins, time, and the paired difference to one system."""
    value: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    cpu: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        value[line["system"]][line["data"]].append(line["f1"])
        cpu[line["system"]][line["data"]].append(line["cpu_seconds"])
    tables = sorted(set.intersection(*(set(by) for by in value.values())))
    means = {s: np.array([np.mean(by[t]) for t in tables]) for s, by in value.items()}
    best = np.max([m for m in means.values()], axis=0)
    rows = []
    for s, mean in means.items():
        rank = 1 + np.mean([np.sum(np.array([m[i] for m in means.values()]) > mean[i])
                            for i in range(len(tables))])  # fmt: skip
        gap = mean - means[against]
        rows.append(
            {
                "summary": "tables", "system": s, "tables": len(tables),
                "f1": round(float(mean.mean()), 2), "rank": round(float(rank), 2),
                "best_on": int(np.sum(mean >= best)),
                "cpu_seconds": round(float(sum(np.median(cpu[s][t]) for t in tables)), 1),
                f"minus_{against}": round(float(gap.mean()), 2),
                "standard_error": round(float(gap.std(ddof=1) / np.sqrt(len(gap))), 2),
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: -row["f1"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", default="default,hist_boosting,lightgbm,extra_trees,logistic")
    parser.add_argument("--data", default=None)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--summary", nargs="*", type=Path)
    parser.add_argument("--against", default="default")
    options = parser.parse_args()
    if options.summary:
        lines = [json.loads(line) for path in options.summary for line in path.open()]
        for row in summarise(lines, options.against):
            print(json.dumps(row))
        return
    warnings.simplefilter("ignore")
    systems = options.systems.split(",")
    for number, name in enumerate(options.data.split(",") if options.data else names("binary")):
        table = read_table(name)
        if not number:
            for one in systems:
                SYSTEMS[one](table, 0)  # compiled before the clock starts
        for seed in range(options.seeds):
            for one in systems:
                print(json.dumps(measure(table, one, seed)), flush=True)


if __name__ == "__main__":
    main()
