"""Candidates: trained problems with everything that a threshold can make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve

SHOWN = 4  # costs that are written out; a multiclass problem has one per class


@dataclass(frozen=True, eq=False)
class Candidate:
    """A trained problem with everything that a threshold can make of it.

    Attributes
    ----------
    problem : Problem
        What was trained: label, costs and hyper-parameters.
    level : float
        Level whose costs it was trained for.
    curve : ErrorCurve
        Errors on all validation rows together, along the thresholds worth choosing.
    fold_curves : sequence of ErrorCurve
        The same for the validation rows of each fold.
    optimality : float
        The worst optimality that the learner states over the folds; NaN if it states none.
    converged : bool
        Whether the learner reached its tolerance on every fold.
    scores : ndarray or None
        Scores of all validation rows, fold after fold, where they are kept to be combined.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(300, weights=[0.8], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> candidate = clf.sweep_.choices[0].candidates[0]
    >>> candidate.label, candidate.converged
    (0, True)
    """

    problem: Problem
    level: float
    curve: ErrorCurve
    fold_curves: Sequence[ErrorCurve]
    optimality: float
    converged: bool
    scores: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        costs = ", ".join(f"{cost:.4g}" for cost in self.costs[:SHOWN])
        more = ", ..." if len(self.costs) > SHOWN else ""
        return (
            f"<Candidate: label {self.label}, level {self.level:.4g}, costs ({costs}{more}), "
            f"{len(self.curve)} cuts>"
        )

    def at_prevalence(self, prevalence: float) -> Candidate:
        """Return it with the errors in a population in which its label has another prevalence.

        A fold whose rows are all alike stays as it is, since nothing can be said of it.
        """
        both = [0.0 < curve.prevalence[0] < 1.0 for curve in self.fold_curves]
        folds = zip(self.fold_curves, both, strict=True)
        return replace(
            self,
            curve=self.curve.at_prevalence(prevalence),
            fold_curves=tuple(c.at_prevalence(prevalence) if some else c for c, some in folds),
        )

    @property
    def label(self) -> int:
        """Column of the targets that it is for."""
        return self.problem.label

    @property
    def costs(self) -> tuple[float, ...]:
        """Costs that the learner was given."""
        return self.problem.costs

    @property
    def params(self) -> Mapping[str, Any]:
        """Hyper-parameters of the learner."""
        return self.problem.params

    @property
    def setting(self) -> tuple[Any, ...]:
        """What it may share with candidates of other labels: cost ratio and hyper-parameters."""
        share = round(self.costs[0] / sum(self.costs), 9)
        return share, *sorted((name, repr(value)) for name, value in self.params.items())
