"""The learners of the experiments, each as the literature ran it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.preprocessing import StandardScaler

from pseudolinear.experiments._protocol import LearnerSetting
from pseudolinear.learners import Abilities, KernelLearner, Learner, LinearLearner, Problem


def make_learner(setting: LearnerSetting) -> Learner:
    """Return what a setting trains."""
    kinds: dict[str, Any] = {
        "linear": LinearLearner,
        "kernel": StandardisedKernel,
        "svm_perf": SVMPerfLearner,
    }
    learner: Learner = kinds[setting.learner](**setting.params)
    return learner


class StandardisedKernel(KernelLearner):
    """Kernel machine on standardised features whose intercept is trained and then left out.

    The literature has "no bias term", but LIBSVM, which it ran, always trains one. The published
    cells are those of standardised features and scores without that intercept, and of nothing
    else that was tried: docs/reproduction. Its `gamma`, which has to be a number, and its other
    parameters are those of :class:`KernelLearner`.
    """

    _scaler: StandardScaler

    def __sklearn_tags__(self) -> Any:
        """Say that features that are shifted are not sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags

    def _solve(self, X: Any, batch: Any) -> Sequence[Any]:
        # Where nothing can be learnt the intercept alone is the answer.
        learner, scaler = clone(self), StandardScaler().fit(X)
        learner._scaler = scaler  # models keep the rows that they rest on, which would scale others
        models = super(StandardisedKernel, learner)._solve(scaler.transform(X), batch)
        return [replace(m, intercept=0.0) if m.dual_coef.any() else m for m in models]

    def _gram(self, X: Any, rows: Any) -> NDArray[np.float64]:
        # The same object twice are training rows, scaled: distances of 0 are then exact.
        return super()._gram(X if X is rows else self._scaler.transform(X), rows)


class SVMPerfLearner(Learner, BaseEstimator):
    """SVMPerf as a learner. It takes no costs.

    Parameters
    ----------
    solution : {"best", "last"}, default="best"
        See :class:`SVMPerf`.
    intercept_scaling : float, default=1.0
        See :class:`SVMPerf`.
    """

    def __init__(self, solution: str = "best", intercept_scaling: float = 1.0) -> None:
        self.solution = solution
        self.intercept_scaling = intercept_scaling

    @property
    def abilities(self) -> Abilities:
        """Say that it takes rows and labels, and nothing else."""
        return Abilities(costs=False, classes=False, weights=False, sparse=True, gaps=True)

    def parameters(self) -> list[str]:
        """Name the hyper-parameter that is tried."""
        return ["C"]

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> list[SVMPerfModel]:
        """Fit one problem after the other."""
        return [self._fit(X, problem.target(targets), problem.params["C"]) for problem in problems]

    def scores(self, models: Sequence[SVMPerfModel], X: Any) -> list[NDArray[np.float64]]:
        """Score the same rows with several models."""
        return [model.scores(X) for model in models]

    def _fit(self, X: Any, y: NDArray[np.intp], C: float) -> SVMPerfModel:
        from pseudolinear.rivals._svm_perf import SVMPerf

        if len(np.unique(y)) < 2:  # nothing can be learnt without the label
            return SVMPerfModel(None)
        # The original programme, whose C the literature states, counts the loss in percent.
        svm = SVMPerf(C=100 * C / len(y), **self.get_params())
        return SVMPerfModel(svm.fit(X, y))


@dataclass(frozen=True)
class SVMPerfModel:
    """A fitted SVMPerf, or None, which predicts nothing."""

    svm: Any

    @property
    def optimality(self) -> float:
        """Relative duality gap that was reached."""
        return 0.0 if self.svm is None else float(self.svm.gap_)

    @property
    def converged(self) -> bool:
        """Whether the gap is within the tolerance."""
        return self.svm is None or bool(self.svm.gap_ <= self.svm.tol)

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows."""
        return np.full(X.shape[0], -1.0) if self.svm is None else self.svm.decision_function(X)
