"""compare: ours and the rivals on the same splits of the user's own data."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_random_state

from pseudolinear._problem import Problem
from pseudolinear._progress import track
from pseudolinear._validation import narrow_indices, take_rows
from pseudolinear.kinds import measure_for, name_positive, read_target
from pseudolinear.labels import read_labels
from pseudolinear.measures import Measure, get_ratio
from pseudolinear.portfolio import BlendProblem
from pseudolinear.rivals._methods import METHODS, Task
from pseudolinear.sweep import Split, make_splits


def compare(
    X: Any,
    y: Any,
    measure: str | Measure = "f1",
    *,
    methods: str | Sequence[str] = "all",
    cv: Any = 3,
    random_state: Any = None,
    verbose: bool = False,
) -> list[dict[str, Any]]:
    """Fit ours and the applicable rivals under the same splits.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows.
    y : array-like, sparse matrix, data frame or list of collections
        Classes, or the labels of a multilabel problem in any form that
        :meth:`MeasureClassifier.fit` takes.
    measure : str or Measure, default="f1"
        What is reported, and aimed at where a method can.
    methods : "all" or sequence of str, default="all"
        Names of :data:`METHODS`; ``"all"`` leaves out what does not apply.
    cv : int, splitter or iterable of splits, default=3
        The rows that are held out take no part in any choice of a method.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the methods.
    verbose : bool, default=False
        Whether to show a progress bar.

    Returns
    -------
    list of dict
        One per method, the best first, with the keys method, value (mean over the held-out
        folds), spread (standard deviation), seconds (mean of a fit), solves (problems that a fit
        trains, None where that means nothing) and note (why there is no value).

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(300, weights=[0.9], random_state=0)
    >>> rows = compare(X, y, methods=["default", "plain"], random_state=0)
    >>> sorted(row["method"] for row in rows)
    ['default', 'plain']
    """
    y, _ = read_labels(y)
    goal = measure_for(get_ratio(measure), y)
    kind, codes = read_target(y, name_positive(goal, y))
    if kind.name == "binary":  # every method gets 0 and 1, so that all mean the same class
        y, goal = codes[:, 0].astype(np.intp), replace(goal, pos_label=None)
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    X = narrow_indices(X.tocsr() if sparse.issparse(X) else X)
    splits = make_splits(cv, X, codes, kind, seed)
    task = Task(goal, kind.name, len(y), seed)
    made = {name: METHODS[name](task) for name in _chosen(methods)}
    if methods != "all" and (refused := [n for n, estimator in made.items() if estimator is None]):
        raise ValueError(
            f"The method {refused[0]!r} is not for {goal!r} on a {task.kind} problem of "
            f"{task.n_samples} rows; leave it out or use methods='all'."
        )
    runs = [(name, estimator) for name, estimator in made.items() if estimator is not None]
    rows = [
        _run(name, estimator, X, y, goal, splits)
        for name, estimator in track(runs, "compare", shown=verbose)
    ]
    return sorted(rows, key=lambda row: -np.nan_to_num(row["value"], nan=-np.inf))


def _chosen(methods: str | Sequence[str]) -> list[str]:
    if isinstance(methods, str):
        if methods == "all":
            return list(METHODS)
        methods = [methods]
    for name in methods:
        if name not in METHODS:
            raise ValueError(f"Unknown method {name!r}; known are {', '.join(METHODS)}.")
    return list(methods)


def _run(
    name: str, estimator: Any, X: Any, y: Any, measure: Measure, splits: Sequence[Split]
) -> dict[str, Any]:
    values, seconds, solves, note = [], [], None, ""
    try:
        for train, test in splits:
            fitted = clone(estimator)
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted.fit(take_rows(X, train), y[train])
            seconds.append(time.perf_counter() - start)
            values.append(measure.score(y[test], fitted.predict(take_rows(X, test))))
            solves = _solves(fitted)
    except (TypeError, ValueError) as error:  # a method that fails must not stop the others
        values, note = [], (str(error) or type(error).__name__).splitlines()[0]
    return {
        "method": name,
        "value": float(np.mean(values)) if values else np.nan,
        "spread": float(np.std(values)) if values else np.nan,
        "seconds": float(np.mean(seconds)) if seconds else np.nan,
        "solves": solves,
        "note": note,
    }


def _solves(fitted: Any) -> int | None:
    """Return how many problems a fit of ours has trained, on the folds and on all rows."""
    if not hasattr(fitted, "sweep_"):
        return None
    # Levels of equal costs share a problem, and so do members and the blends that they are part of.
    folds = {
        (member, problem.label, problem.costs, repr(problem.params)): len(candidate.fold_curves)
        for own in fitted.sweep_.by_goal
        for candidate in own
        for member, problem in _trained(candidate.problem)
    }
    models = [model for model in fitted.models_ if model is not None]
    return sum(folds.values()) + sum(len(getattr(model, "models", (model,))) for model in models)


def _trained(problem: Problem) -> list[tuple[int, Problem]]:
    """Return what is trained for a problem, and by which member of a portfolio."""
    if isinstance(problem, BlendProblem):
        return [(share.member, share.problem) for share in problem.shares]
    return [(0, problem)]
