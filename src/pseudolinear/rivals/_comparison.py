"""compare: ours and the rivals on the same splits of the user's own data."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.multioutput import MultiOutputClassifier
from sklearn.utils import _safe_indexing, check_random_state
from tqdm import tqdm

from pseudolinear._classifier import MeasureClassifier
from pseudolinear._validation import narrow_indices
from pseudolinear.kinds._targets import Targets
from pseudolinear.learners import LinearLearner
from pseudolinear.measures import FBeta, Measure, get_measure
from pseudolinear.rivals import (
    AsymmetricSVM,
    BisectionClassifier,
    CostPathSVC,
    FrankWolfeClassifier,
    GFMClassifier,
    ModelCombination,
    OnlineFClassifier,
    PlugInClassifier,
    SoftFClassifier,
    SVMPerf,
    ThresholdStrategy,
)
from pseudolinear.sweep import make_splits

PATH_ROWS = 2000  # the path of the kernel SVM takes minutes beyond


class Task(NamedTuple):
    """What the methods are compared on.

    Attributes
    ----------
    measure : Measure
        What is reported.
    kind : {"binary", "multilabel", "multiclass"}
        The kind of problem.
    n_samples : int
        Number of rows.
    seed : int
        Given to methods that draw at random.
    """

    measure: Measure
    kind: str
    n_samples: int
    seed: int

    @property
    def beta(self) -> float | None:
        """The beta of an F-measure without a default class; None for other measures."""
        plain = isinstance(self.measure, FBeta) and self.measure.default_class is None
        return self.measure.beta if plain else None  # type: ignore[attr-defined]

    @property
    def by_label(self) -> bool:
        """Whether labels can be trained one by one."""
        return self.kind == "binary" or (
            self.kind == "multilabel" and self.measure.average == "macro"
        )


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
    y : array-like of shape (n_samples,) or (n_samples, n_labels)
        Classes, or the 0/1 matrix of a multilabel problem.
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
    goal = get_measure(measure)
    y = y.toarray() if sparse.issparse(y) else np.asarray(y)
    targets = Targets.from_y(y, goal)
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    X = narrow_indices(X.tocsr() if sparse.issparse(X) else X)
    splits = make_splits(cv, X, targets, seed)
    task = Task(goal, targets.kind, len(y), seed)
    made = {name: METHODS[name](task) for name in _chosen(methods)}
    if methods != "all" and (refused := [n for n, estimator in made.items() if estimator is None]):
        raise ValueError(
            f"The method {refused[0]!r} is not for {goal!r} on a {task.kind} problem of "
            f"{task.n_samples} rows; leave it out or say methods='all'."
        )
    runs = [(name, estimator) for name, estimator in made.items() if estimator is not None]
    rows = [
        _run(name, estimator, X, y, goal, splits)
        for name, estimator in tqdm(runs, disable=not verbose, desc="compare", unit="method")
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
    name: str, estimator: Any, X: Any, y: Any, measure: Measure, splits: Sequence[Any]
) -> dict[str, Any]:
    values, seconds, solves, note = [], [], None, ""
    for train, test in splits:
        fitted = clone(estimator)
        start = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted.fit(_safe_indexing(X, train), y[train])
        except ValueError as error:  # one method that fails must not take the others with it
            note = str(error).splitlines()[0]
            break
        seconds.append(time.perf_counter() - start)
        values.append(measure.score(y[test], fitted.predict(_safe_indexing(X, test))))
        solves = _solves(fitted, y)
    return {
        "method": name,
        "value": float(np.mean(values)) if values and not note else np.nan,
        "spread": float(np.std(values)) if values and not note else np.nan,
        "seconds": float(np.mean(seconds)) if seconds else np.nan,
        "solves": solves,
        "note": note,
    }


def _solves(fitted: Any, y: Any) -> int | None:
    """Return how many problems a fit of ours has trained: candidates on folds, and the chosen."""
    if not hasattr(fitted, "sweep_"):
        return None
    n_labels = y.shape[1] if y.ndim == 2 else 1
    first = fitted.sweep_.by_group[0][-1]
    return len(fitted.sweep_) * max(len(first.fold_curves), 1) + n_labels


def _plain(task: Task, *, tune_threshold: bool) -> Any:
    return MeasureClassifier(
        LinearLearner(),
        measure=task.measure,
        cost_sensitive=False,
        tune_threshold=tune_threshold,
        random_state=task.seed,
    )


def _strategy(strategy: str) -> Callable[[Task], Any]:
    def make(task: Task) -> Any:
        if task.kind != "multilabel" or (strategy == "micro" and task.measure.average != "micro"):
            return None
        return ThresholdStrategy(strategy=strategy, measure=task.measure, random_state=task.seed)

    return make


def _per_label(task: Task, estimator: Any) -> Any:
    return estimator if task.kind == "binary" else MultiOutputClassifier(estimator)


def _svm_perf(task: Task) -> Any:
    if task.beta is None or not task.by_label:
        return None
    return _per_label(task, SVMPerf(task.beta))


def _soft(kind: Any) -> Callable[[Task], Any]:
    def make(task: Task) -> Any:
        if task.beta is None or task.kind == "multiclass":
            return None
        return kind(beta=task.beta, average=task.measure.average, random_state=task.seed)

    return make


def _asymmetric(task: Task) -> Any:
    if task.beta is None or not task.by_label:
        return None
    average = task.measure.average
    return AsymmetricSVM(beta=task.beta, average=average, random_state=task.seed)


def _plug_in(task: Task) -> Any:
    if task.kind == "multiclass":
        return None
    return PlugInClassifier(measure=task.measure, random_state=task.seed)


def _cost_path(task: Task) -> Any:
    if not task.by_label or task.n_samples > PATH_ROWS:
        return None
    return _per_label(task, CostPathSVC(task.measure.binary(), random_state=task.seed))


def _gfm(task: Task) -> Any:
    if task.beta is None or task.kind != "multilabel":
        return None
    return GFMClassifier(parameters="independent", beta=task.beta, random_state=task.seed)


def _frank_wolfe(task: Task) -> Any:
    if task.kind != "multiclass" or task.measure.average != "macro":
        return None
    return FrankWolfeClassifier(measure=task.measure, random_state=task.seed)


def _bisection(task: Task) -> Any:
    default_class = getattr(task.measure, "default_class", None)
    if task.kind != "binary" and default_class is None:
        return None
    return BisectionClassifier(measure=task.measure, random_state=task.seed)


def _online(task: Task) -> Any:
    if task.beta is None or task.kind != "binary":
        return None
    return OnlineFClassifier(beta=task.beta, random_state=task.seed)


METHODS: dict[str, Callable[[Task], Any]] = {
    "default": lambda task: MeasureClassifier(measure=task.measure, random_state=task.seed),
    "auto": lambda task: MeasureClassifier("auto", measure=task.measure, random_state=task.seed),
    "plain": lambda task: _plain(task, tune_threshold=False),
    "threshold": lambda task: _plain(task, tune_threshold=True),
    "plug_in": _plug_in,
    "scut": _strategy("scut"),
    "scutfbr": _strategy("scutfbr"),
    "rcut": _strategy("rcut"),
    "pcut": _strategy("pcut"),
    "micro": _strategy("micro"),
    "svm_perf": _svm_perf,
    "soft_f": _soft(SoftFClassifier),
    "model_combination": _soft(ModelCombination),
    "asymmetric_svm": _asymmetric,
    "cost_path": _cost_path,
    "gfm": _gfm,
    "frank_wolfe": _frank_wolfe,
    "bisection": _bisection,
    "online": _online,
}
"""What :func:`compare` can fit: a function per method that makes it for a task, or None."""
