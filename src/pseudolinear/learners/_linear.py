"""LinearLearner: linear models with costs, hundreds at once."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.utils.metaestimators import available_if

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem
from pseudolinear._validation import LARGEST, check_magnitudes
from pseudolinear.learners._batch import Batch
from pseudolinear.learners._native import NativeLearner, problem_name
from pseudolinear.learners.losses import Loss, get_loss
from pseudolinear.learners.solvers import times
from pseudolinear.loops._constants import TINY

FINER = 0.1  # tolerance of what starts from a solution, in that of what starts from nothing


@dataclass(frozen=True, eq=False)
class LinearModel:
    """A fitted linear problem.

    Attributes
    ----------
    coef : ndarray of shape (n_features,)
        Weights.
    intercept : float
        Intercept.
    optimality : float
        Relative duality gap that was reached.
    n_iter : int
        Number of iterations.
    converged : bool
        Whether the gap is within the tolerance.
    """

    coef: NDArray[np.float64]
    intercept: float
    optimality: float
    n_iter: int
    converged: bool

    __repr__ = brief_repr


def _has_probabilities(learner: LinearLearner) -> bool:
    return learner.loss in Loss.known and get_loss(learner.loss).scores_are_log_odds


class LinearLearner(NativeLearner):
    r"""Linear classifier trained with costs, many problems side by side.

    For each problem it minimises

    .. math:: \tfrac12 |w|^2 + C \sum_i c_i \, \mathrm{loss}(y_i (w x_i + b))

    where :math:`c_i` is the cost of an error on row i, to a relative duality gap of `tol`.

    Parameters
    ----------
    loss : {"logistic", "squared_hinge", "hinge", "softmax"}, default="logistic"
        ``log(1 + exp(-m))``, ``max(0, 1 - m)**2`` or ``max(0, 1 - m)`` of the margin m: several
        classes are told each from the rest. ``"softmax"`` tells all of them apart at once, by
        ``log(sum_k exp(z_k)) - z_y`` of their scores z, where y is the class of the row
        (multinomial logistic regression); of two classes, and of labels, it is ``"logistic"``.
    C : float, default=1.0
        Weight of the losses against the regularisation.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    intercept_scaling : float, default=None
        None leaves the intercept free of regularisation. A number regularises it as the
        weight of a constant feature of that value, as the literature does with 100.
    tol : float, default=1e-3
        Relative duality gap at which a problem is solved.
    max_iter : int, default=5000
        Largest number of iterations per problem; few need more than ten.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    n_iter_ : ndarray of shape (1,) or (n_classes,)
        Number of iterations.
    optimality_ : ndarray of shape (1,) or (n_classes,)
        Relative duality gaps that were reached.
    models_ : list
        The fitted problems.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(random_state=0)
    >>> LinearLearner("hinge", C=0.1).fit(X, y).score(X, y)
    0.92

    All classes at once, in place of each against the rest:

    >>> X, y = make_classification(n_classes=3, n_informative=4, random_state=0)
    >>> clf = LinearLearner("softmax").fit(X, y)
    >>> clf.coef_.shape, clf.score(X, y)
    ((3, 20), 0.83)
    """

    def __init__(
        self,
        loss: str = "logistic",
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        intercept_scaling: float | None = None,
        tol: float = 1e-3,
        max_iter: int = 5000,
    ) -> None:
        self.loss = loss
        self.C = C
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.max_iter = max_iter

    @property
    def _takes_class_costs(self) -> bool:
        return get_loss(self.loss).takes_class_costs

    @property
    def _precisions(self) -> list[Any]:
        return [np.float64, np.float32] if get_loss(self.loss).takes_single else [np.float64]

    def _check_rows(self, X: Any, batch: Batch) -> None:
        """Refuse numbers beside which rounding loses the penalty."""
        C = float(batch.C.max())
        if batch.sample_weight is not None:
            C *= float(batch.sample_weight.max())
        largest = min(LARGEST, float(np.sqrt(get_loss(self.loss).largest / max(C, TINY))))
        check_magnitudes(
            X,
            largest,
            f"with C={C:g} the loss {self.loss!r} cannot be minimised for numbers beyond "
            f"{largest:.0e}. Scale the features, as estimator='linear' does, or take a smaller C",
        )

    def _solve(self, X: Any, batch: Batch) -> Sequence[LinearModel]:
        scaling: float | None = None
        if self.fit_intercept:
            scaling = np.inf if self.intercept_scaling is None else float(self.intercept_scaling)
        class_costs: dict[str, Any] = {}
        if self._takes_class_costs:
            class_costs = {"classes": batch.classes, "class_costs": batch.class_costs}
        loss = get_loss(self.loss)
        start = {"start": batch.start} if loss.takes_start and batch.start is not None else {}
        fit = loss.solve(
            X,
            batch.Y,
            batch.labels,
            batch.cost_fn,
            batch.cost_fp,
            batch.C,
            sample_weight=batch.sample_weight,
            intercept_scaling=scaling,
            tol=self.tol,
            max_iter=self.max_iter,
            **class_costs,
            **start,
        )
        weights, *numbers = fit
        numbers = [np.asarray(part).tolist() for part in numbers]
        return [
            LinearModel(w, b, gap, n, gap <= self.tol)
            for w, b, gap, n in zip(weights, *numbers, strict=True)
        ]

    def started(self, problems: Sequence[Problem], models: Sequence[Any]) -> Self:
        """Return the same learner with solutions to start from; those of a hinge are not used.

        Its tolerance is finer: within it a solution still shows where it has started, and so what
        other rows have taught.
        """
        other = copy(self).set_params(tol=FINER * self.tol)
        pairs = zip(problems, models, strict=True)
        other._starts = {problem_name(problem): model for problem, model in pairs}
        return other

    def _score(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models, in one product of double precision."""
        weights = np.array([model.coef for model in models]).T
        scores = times(X, weights)
        scores += np.array([model.intercept for model in models])
        return list(np.ascontiguousarray(scores.T))

    def _keep(self, models: Sequence[LinearModel]) -> None:
        super()._keep(models)
        self.coef_ = np.stack([model.coef for model in models])

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the probability of each class; for the losses logistic and softmax only.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Of more than two classes, the scores of all made to sum to one.
        """
        decision = self.decision_function(X)
        if decision.ndim == 1:
            return expit(np.stack([-decision, decision], axis=1))
        return softmax(decision, axis=1)
