"""The learners of the experiments, each as the literature ran it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from pseudolinear.experiments._protocol import LearnerSetting
from pseudolinear.learners import KernelLearner, LinearLearner
from pseudolinear.learners._base import Problem
from pseudolinear.learners._kernel import KernelModel


def make_learner(setting: LearnerSetting) -> Any:
    """Return what a setting trains."""
    kinds = {"linear": LinearLearner, "kernel": StandardisedKernel, "svm_perf": SVMPerfLearner}
    return kinds[setting.learner](**setting.params)


class StandardisedKernel:
    """Kernel machine on standardised features whose intercept is trained and then left out.

    The literature has "no bias term", but LIBSVM, which it ran, always trains one. The published
    cells are those of standardised features and scores without that intercept, and of nothing
    else that was tried: docs/reproduction.
    """

    def __init__(self, **params: Any) -> None:
        self.learner, self.scaler = KernelLearner(**params), StandardScaler()

    def fit_batch(
        self, X: NDArray[np.float64], targets: NDArray[Any], problems: Sequence[Problem]
    ) -> list[KernelModel]:
        """Fit all problems on the same rows."""
        models = self.learner.fit_batch(self.scaler.fit_transform(X), targets, problems)
        # Where nothing can be learnt the intercept alone is the answer.
        return [replace(m, intercept=0.0) if m.dual_coef.any() else m for m in models]

    def scores(
        self, models: Sequence[KernelModel], X: NDArray[np.float64]
    ) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models."""
        return self.learner.scores(models, self.scaler.transform(X))


class SVMPerfLearner:
    """SVMPerf as a learner. It takes no costs."""

    def __init__(self, **params: Any) -> None:
        self.params = params

    def fit_batch(
        self, X: Any, targets: NDArray[Any], problems: Sequence[Problem]
    ) -> list[SVMPerfModel]:
        """Fit one problem after the other."""
        return [self._fit(X, problem.target(targets), problem.params["C"]) for problem in problems]

    def scores(self, models: Sequence[SVMPerfModel], X: Any) -> list[NDArray[np.float64]]:
        """Score the same rows with several models."""
        return [model.scores(X) for model in models]

    def _fit(self, X: Any, y: NDArray[np.intp], C: float) -> SVMPerfModel:
        from pseudolinear.rivals._svm_perf import SVMPerf

        if len(np.unique(y)) < 2:  # nothing can be learnt without the label
            return SVMPerfModel(None, converged=True)
        # The original programme, whose C the literature states, counts the loss in percent.
        svm = SVMPerf(C=100 * C / len(y), **self.params).fit(X, y)
        return SVMPerfModel(svm, converged=bool(svm.gap_ <= svm.tol))


@dataclass(frozen=True)
class SVMPerfModel:
    """A fitted SVMPerf, or None, which predicts nothing."""

    svm: Any
    converged: bool

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows."""
        return np.full(X.shape[0], -1.0) if self.svm is None else self.svm.decision_function(X)
