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
from pseudolinear.evaluation import Influences
from pseudolinear.features import without_mask
from pseudolinear.kinds import measure_for, name_positive, read_target
from pseudolinear.labels import read_labels
from pseudolinear.measures import Measure, get_ratio, has_row_costs, short_name
from pseudolinear.portfolio import BlendProblem
from pseudolinear.rivals._comparison import Comparison
from pseudolinear.rivals._methods import METHODS, Task
from pseudolinear.sweep import Split, make_splits

ERROR = 0.05  # how often methods that are as good as the best one are told from it


def compare(
    X: Any,
    y: Any,
    measure: str | Measure = "f1",
    *,
    methods: str | Sequence[str] = "all",
    cv: Any = 3,
    random_state: Any = None,
    verbose: bool = False,
) -> Comparison:
    """Fit ours and the applicable rivals under the same splits.

    The values of two methods differ by chance, so each method is compared with the best one row by
    row: what is within chance is said to be level with it.

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
    Comparison
        A list of one dict per method, the best first, which prints as a table. The keys are
        method, value (mean over the held-out folds), spread (standard deviation), below (by how
        much the value is below the best one), low and high (the 95 % interval of that, paired over
        the held-out rows), p_value, level (whether the method may be as good as the best one: 0 is
        in its interval, and its p-value above 0.05), seconds (mean of a fit), solves (problems that
        a fit trains, None where that means nothing) and note (why there is no value). Intervals and
        p-values are Bonferroni's, for all comparisons with the best one together, and for the
        classifiers that were fitted here: other training rows would move them as well.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(300, weights=[0.9], random_state=0)
    >>> found = compare(X, y, methods=["default", "plain"], random_state=0)
    >>> [(row["method"], row["level"]) for row in found]  # 300 rows do not tell them apart
    [('default', True), ('plain', True)]
    """
    if has_row_costs(get_ratio(measure)):
        raise ValueError(
            f"compare needs costs that are the same for all rows, got {measure!r}, which no rival "
            "can aim at; give numbers, as in ExpectedCost(fn=5, fp=1)."
        )
    y, _ = read_labels(y)
    goal = measure_for(get_ratio(measure), y)
    kind, codes = read_target(y, name_positive(goal, y))
    if kind.name == "binary":  # every method gets 0 and 1, so that all mean the same class
        y, goal = codes[:, 0].astype(np.intp), replace(goal, pos_label=None)
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    X = narrow_indices(X.tocsr() if sparse.issparse(X) else without_mask(X))
    splits = make_splits(cv, X, codes, kind, seed)
    task = Task(goal, kind.name, len(y), seed)
    made = {name: METHODS[name](task) for name in _chosen(methods)}
    if methods != "all" and (refused := [n for n, estimator in made.items() if estimator is None]):
        raise ValueError(
            f"The method {refused[0]!r} is not for {goal!r} on a {task.kind} problem of "
            f"{task.n_samples} rows; leave it out or use methods='all'."
        )
    runs = [(name, estimator) for name, estimator in made.items() if estimator is not None]
    found = [
        _run(name, estimator, X, y, goal, splits)
        for name, estimator in track(runs, "compare", shown=verbose)
    ]
    found.sort(key=lambda one: -np.nan_to_num(one[0]["value"], nan=-np.inf))
    ties = _ties([influences for _, influences in found])
    rows = (row | tie for (row, _), tie in zip(found, ties, strict=True))
    return Comparison(rows, short_name(measure))


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
) -> tuple[dict[str, Any], Influences | None]:
    """Fit a method on every split; return its row, and what each held-out row adds to its value."""
    values, parts, seconds, solves, note = [], [], [], None, ""
    try:
        for train, test in splits:
            fitted = clone(estimator)
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted.fit(take_rows(X, train), y[train])
            seconds.append(time.perf_counter() - start)
            predicted = fitted.predict(take_rows(X, test))
            values.append(measure.score(y[test], predicted))
            parts.append(Influences.of(measure, measure.outcomes(y[test], predicted)))
            solves = _solves(fitted)
    except (TypeError, ValueError) as error:  # a method that fails must not stop the others
        values, note = [], (str(error) or type(error).__name__).splitlines()[0]
    row = {
        "method": name,
        "value": float(np.mean(values)) if values else np.nan,
        "spread": float(np.std(values)) if values else np.nan,
        "seconds": float(np.mean(seconds)) if seconds else np.nan,
        "solves": solves,
        "note": note,
    }
    tests = [test for _, test in splits]
    return row, Influences.mean(parts, tests, len(y)) if values else None


def _ties(found: Sequence[Influences | None]) -> list[dict[str, Any]]:
    """Compare every method with the first, which is the best; None has failed.

    All comparisons together err as often as one should (Bonferroni), p-values and intervals alike,
    so that a method is level with the best one where 0 is in its interval.
    """
    best, n_others = found[0], max(sum(own is not None for own in found[1:]), 1)
    ties = []
    for own in found:
        if own is None or best is None:
            (low, high), p_value, below = (np.nan, np.nan), np.nan, np.nan
        else:
            (low, high), p_value = own.compare(best, confidence=1 - ERROR / n_others)
            p_value, below = min(n_others * p_value, 1.0), best.value - own.value
        level = p_value > ERROR
        ties.append({"below": below, "low": low, "high": high, "p_value": p_value, "level": level})
    return ties


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
