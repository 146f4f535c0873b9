"""METHODS: what compare() can fit, each made for a task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sklearn.multioutput import MultiOutputClassifier

from pseudolinear._classifier import MeasureClassifier
from pseudolinear.learners import LinearLearner
from pseudolinear.measures import FBeta, Measure
from pseudolinear.rivals._asymmetric_svm import AsymmetricSVM
from pseudolinear.rivals._bisection import BisectionClassifier
from pseudolinear.rivals._cost_path_svc import CostPathSVC
from pseudolinear.rivals._frank_wolfe import FrankWolfeClassifier
from pseudolinear.rivals._gfm_classifier import GFMClassifier
from pseudolinear.rivals._model_combination import ModelCombination
from pseudolinear.rivals._online_f import OnlineFClassifier
from pseudolinear.rivals._plug_in import PlugInClassifier
from pseudolinear.rivals._soft_f import SoftFClassifier
from pseudolinear.rivals._svm_perf import SVMPerf
from pseudolinear.rivals._threshold_strategy import ThresholdStrategy

C_VALUES = (2.0**-4, 2.0**-1, 2.0**2, 2.0**5)
PATH_ROWS = 2000  # the path of the kernel SVM takes minutes beyond


class Task(NamedTuple):
    """What a method of :data:`METHODS` is made for.

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

    Examples
    --------
    A method is a function from a task to an estimator, or None where it does not apply:

    >>> from pseudolinear import METHODS, FBeta
    >>> from pseudolinear.rivals import Task
    >>> task = Task(FBeta(beta=2.0), "binary", n_samples=300, seed=0)
    >>> METHODS["svm_perf"](task)
    SVMPerf(beta=2.0)
    >>> print(METHODS["gfm"](task))  # it is for several labels
    None
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


def _linear(task: Task) -> Any:
    grid = {"C": C_VALUES}
    return MeasureClassifier(
        LinearLearner(), measure=task.measure, param_grid=grid, random_state=task.seed
    )


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
    if task.kind != "binary" and not task.measure.has_default_class:
        return None
    return BisectionClassifier(measure=task.measure, random_state=task.seed)


def _online(task: Task) -> Any:
    if task.beta is None or task.kind != "binary":
        return None
    return OnlineFClassifier(beta=task.beta, random_state=task.seed)


METHODS: dict[str, Callable[[Task], Any]] = {
    "default": lambda task: MeasureClassifier(measure=task.measure, random_state=task.seed),
    "linear": _linear,
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
