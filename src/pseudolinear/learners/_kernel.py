"""KernelLearner: support vector machines that share one Gram matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import pairwise_kernels

from pseudolinear._brief import brief_repr
from pseudolinear.learners._batch import Batch
from pseudolinear.learners._native import NativeLearner
from pseudolinear.learners.solvers import solve_kernel

KERNELS = ("rbf", "poly", "linear", "precomputed")


@dataclass(frozen=True, eq=False)
class KernelModel:
    """A fitted kernel problem.

    Attributes
    ----------
    learner : KernelLearner
        The learner with its kernel.
    support : ndarray of shape (n_support,)
        Numbers of the training rows that any model of the batch rests on, shared by them.
    rows : array or sparse matrix of shape (n_support, n_features), or None
        These rows; None of a precomputed kernel, which needs their numbers only.
    dual_coef : ndarray of shape (n_support,)
        Signed dual variables; all others are 0.
    intercept : float
        Intercept.
    optimality : float
        Relative duality gap that was reached.
    n_iter : int
        Number of iterations.
    converged : bool
        Whether the gap is within the tolerance.
    """

    learner: KernelLearner
    support: NDArray[np.intp]
    rows: Any
    dual_coef: NDArray[np.float64]
    intercept: float
    optimality: float
    n_iter: int
    converged: bool

    __repr__ = brief_repr


class KernelLearner(NativeLearner):
    r"""Kernel support vector machine trained with costs, many problems on one Gram matrix.

    For each problem it minimises

    .. math:: \tfrac12 |w|^2 + C \sum_i c_i \max(0, 1 - y_i (\langle w, \phi(x_i) \rangle + b))

    where :math:`c_i` is the cost of an error on row i, to a relative duality gap of `tol`. The
    Gram matrix is computed once for all labels, costs and C, so the rows must be few enough for
    one (20,000 rows are 3.2 GB).

    A model keeps the training rows with dual variables other than 0, its support vectors; of
    several labels or classes, those of any of them. They are few where classes are well apart, and
    nearly all rows where they overlap much: do not publish such a model if the rows are secret.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the losses against the regularisation.
    kernel : {"rbf", "poly", "linear", "precomputed"}, default="rbf"
        The kernel; a precomputed one takes Gram matrices in place of rows.
    gamma : float or "scale", default="scale"
        Factor of the RBF and polynomial kernels; ``"scale"`` is
        ``1 / (n_features * X.var())``, rows by their weight.
    degree : int, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=0.0
        Constant of the polynomial kernel.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    tol : float, default=1e-3
        Relative duality gap at which a problem is solved.
    max_iter : int, default=1000
        Largest number of Newton steps per problem.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Numbers of the training rows that are kept.
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        Signed dual variables of these rows.
    classes_, intercept_, n_iter_, optimality_, models_, n_features_in_, feature_names_in_
        As in :class:`LinearLearner`.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> KernelLearner(gamma=1.0).fit(X, y).score(X, y)
    1.0
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-3,
        max_iter: int = 1000,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def __sklearn_tags__(self) -> Any:
        """Say that a precomputed kernel takes square matrices."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

    def _solve(self, X: Any, batch: Batch) -> Sequence[KernelModel]:
        if self.kernel not in KERNELS:
            raise ValueError(
                f"KernelLearner: kernel must be one of {', '.join(KERNELS)}, got {self.kernel!r}."
            )
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"KernelLearner: a precomputed Gram matrix must be square, got {X.shape}; it "
                "holds the kernels of all training rows with each other."
            )
        learner = self
        if self.gamma == "scale":
            learner = clone(self).set_params(gamma=scale_of(X, batch.sample_weight))
        fit = solve_kernel(
            learner._gram(X, X),
            *batch[:6],
            fit_intercept=self.fit_intercept,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        support = np.flatnonzero(fit.dual_coef.any(axis=0))
        rows = None if self.kernel == "precomputed" else X[support]
        return [
            KernelModel(
                learner, support, rows, a[support], float(b), float(gap), int(n),
                bool(gap <= self.tol),
            )
            for a, b, gap, n in zip(*fit, strict=True)
        ]  # fmt: skip

    def _gram(self, X: Any, rows: Any) -> NDArray[np.float64]:
        """Return the kernel of X with the training rows."""
        if self.kernel == "precomputed":
            return np.ascontiguousarray(X)
        params: dict[str, Any] = {}
        if self.kernel in ("rbf", "poly"):
            params["gamma"] = self.gamma
        if self.kernel == "poly":
            params |= {"degree": self.degree, "coef0": self.coef0}
        return np.ascontiguousarray(pairwise_kernels(X, rows, metric=self.kernel, **params))

    def _similarities(self, X: Any, model: KernelModel) -> NDArray[np.float64]:
        """Return the kernel of X with the support vectors, of which there may be none."""
        if not len(model.support):
            return np.empty((X.shape[0], 0))
        if self.kernel == "precomputed":
            return X[:, model.support]
        return self._gram(X, model.rows)

    def _score(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models, one Gram matrix for those that share it."""
        scores: list[Any] = [None] * len(models)
        shared: dict[tuple[int, int], list[int]] = {}
        for i, model in enumerate(models):
            shared.setdefault((id(model.learner), id(model.support)), []).append(i)
        for numbers in shared.values():
            first = models[numbers[0]]
            coef = np.stack([models[i].dual_coef for i in numbers], axis=1)
            block = first.learner._similarities(X, first) @ coef
            for i, column in zip(numbers, block.T, strict=True):
                scores[i] = column + models[i].intercept
        return scores

    def _keep(self, models: Sequence[KernelModel]) -> None:
        super()._keep(models)
        self.support_ = models[0].support
        self.dual_coef_ = np.stack([model.dual_coef for model in models])


def scale_of(X: Any, sample_weight: NDArray[np.float64] | None = None) -> float:
    """Return ``1 / (n_features * variance)`` over all entries, rows by their weight."""
    weight = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    squares = X.multiply(X) if sparse.issparse(X) else X**2
    total = weight.sum() * X.shape[1]
    variance = (weight @ squares).sum() / total - ((weight @ X).sum() / total) ** 2
    return float(1.0 / (X.shape[1] * variance)) if variance > 0 else 1.0
