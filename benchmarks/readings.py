"""What did the literature run? Published cells against other readings of the protocol.

A line says in how many of the published cells of a learner on a data set a reading is within 1.5
points, how far off it is on average, and how many of its problems were not solved.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks.problems import DATA
from pseudolinear.experiments import PUBLISHED, published_cells
from pseudolinear.experiments._choice import choose, value_on_test
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._label_piece import problem_levels, train
from pseudolinear.experiments._learners import SVMPerfLearner
from pseudolinear.experiments._protocol import LearnerSetting
from pseudolinear.experiments._sources import load_source
from pseudolinear.learners import KernelLearner, Problem

BIAS = 100.0  # the constant feature of the literature


class Kernel:
    """RBF machine: features and intercept as they may have been."""

    def __init__(self, standardise: bool, intercept: str) -> None:
        self.scaler = StandardScaler() if standardise else FunctionTransformer()
        self.learner = KernelLearner(fit_intercept=intercept != "none", tol=1e-2)
        self.left_out = intercept == "left out"

    def fit_batch(self, X: Any, targets: Any, problems: Sequence[Problem]) -> list[Any]:
        """Fit all problems."""
        models = self.learner.fit_batch(self.scaler.fit_transform(X), targets, problems)
        return [replace(model, intercept=0.0) if self.left_out else model for model in models]

    def scores(self, models: Sequence[Any], X: Any) -> Sequence[np.ndarray]:
        """Score rows."""
        return self.learner.scores(models, self.scaler.transform(X))


class Liblinear:
    """LIBLINEAR's hinge loss, stopped where the limit of its iterations is."""

    def __init__(self, max_iter: int) -> None:
        self.max_iter = max_iter

    def fit_batch(self, X: Any, targets: Any, problems: Sequence[Problem]) -> list[Any]:
        """Fit one problem after the other."""
        models = []
        for problem in problems:
            svm = LinearSVC(
                loss="hinge",
                intercept_scaling=BIAS,
                max_iter=self.max_iter,
                random_state=0,
                **problem.params,
            ).fit(X, problem.target(targets))
            svm.converged = svm.n_iter_ < self.max_iter
            models.append(svm)
        return models

    def scores(self, models: Sequence[Any], X: Any) -> list[np.ndarray]:
        """Score rows."""
        return [model.decision_function(X) for model in models]


READINGS: dict[str, tuple[str, Any]] = {
    "RBF, no intercept": ("SVM-RBF", partial(Kernel, False, "none")),
    "RBF, intercept left out": ("SVM-RBF", partial(Kernel, False, "left out")),
    "RBF, standardised, no intercept": ("SVM-RBF", partial(Kernel, True, "none")),
    "RBF, standardised, intercept used": ("SVM-RBF", partial(Kernel, True, "used")),
    "RBF, standardised, intercept left out": ("SVM-RBF", partial(Kernel, True, "left out")),
    "SVM-perf, best point": (
        "SVMperf",
        partial(SVMPerfLearner, solution="best", intercept_scaling=BIAS),
    ),
    "SVM-perf, minimum of the last bound": (
        "SVMperf",
        partial(SVMPerfLearner, solution="last", intercept_scaling=BIAS),
    ),
    "SVM, LIBLINEAR, 1,000 iterations": ("SVM", partial(Liblinear, 1_000)),
    "SVM, LIBLINEAR, 5,000 iterations": ("SVM", partial(Liblinear, 5_000)),
    "SVM, LIBLINEAR, 50,000 iterations": ("SVM", partial(Liblinear, 50_000)),
}


def setting_of(name: str, learner: Any) -> LearnerSetting:
    """Return what is trained; LIBLINEAR takes too long for more than equal costs."""
    setting = PUBLISHED.learner(name)
    if learner.func is Liblinear:
        return replace(setting, levels=(1.0,), options=("none", "T"))
    return setting


def curves_of(data: str, split: int, label: int, setting: LearnerSetting, make: Any) -> Curves:
    """Train all problems of a label, as a piece of the protocol does."""
    rows = load_source(PUBLISHED.source(data), DATA)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        return train(make(), setting, rows, split, label)


def compare_cells(
    data: str, setting: LearnerSetting, splits: list[list[Curves]]
) -> dict[str, list[float]]:
    """Return ours and the published value of all cells."""
    found = {}
    for table in PUBLISHED.tables:
        if setting.name not in table.learners or data not in table.datasets:
            continue
        for selection in table.selections:
            rule = "F_max" if selection == "n/a" else selection
            for option in setting.options:
                ours = [
                    value_on_test(
                        labels,
                        choose(labels, problem_levels(setting), option, rule, PUBLISHED.levels),
                        table.measure,
                    )
                    for labels in splits
                ]
                published = str(PUBLISHED.source(data).published)
                cell = (table.name, published, table.measure, selection, setting.name, option)
                found[f"{table.measure} {selection} {option}"] = [
                    round(100 * float(np.mean(ours)), 1),
                    published_cells()[cell],
                ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readings", default="", help="those whose name starts so")
    parser.add_argument("--data", default="scene,yeast")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    for data in args.data.split(","):
        n_labels = load_source(PUBLISHED.source(data), DATA).Y_train.shape[1]
        for reading, (name, make) in READINGS.items():
            if not reading.startswith(args.readings):
                continue
            setting = setting_of(name, make)
            curves = Parallel(args.jobs)(
                delayed(curves_of)(data, split, label, setting, make)
                for split in range(args.splits)
                for label in range(n_labels)
            )
            splits = [curves[i : i + n_labels] for i in range(0, len(curves), n_labels)]
            cells = compare_cells(data, setting, splits)
            off = np.abs([ours - published for ours, published in cells.values()])
            figure = {
                "figure": f"reading, {data}, {reading}",
                "splits": args.splits,
                "cells": off.size,
                "within": int((off <= 1.5).sum()),
                "mean_distance": round(float(off.mean()), 2),
                "unsolved": sum(c.n_unsolved for c in curves),
                "problems": setting.n_problems * len(curves),
                "ours_published": cells,
            }
            print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
