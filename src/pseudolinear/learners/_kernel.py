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
from pseudolinear.learners.solvers import CachedGram, solve_kernel
from pseudolinear.learners.solvers._gram import BLOCK

SCORED_KERNELS = 1 << 25  # that are held at a time when rows are scored: 256 MB
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
    Gram matrix is computed once for all labels, costs and C if it fits into `cache_size`. If not,
    its rows are computed when they are needed and kept in single precision while there is room;
    the gap of every problem is then that of kernels computed anew in double precision.

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
    cache_size : float, default=1000.0
        Memory for kernels of training rows, in megabytes: 11,000 rows fit into 1,000 as a whole.

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
        cache_size: float = 1000.0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size

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
        if not self.cache_size > 0:
            raise ValueError(f"KernelLearner: cache_size must be positive, got {self.cache_size}.")
        learner, X = self, canonical(X)
        if self.gamma == "scale":
            learner = clone(self).set_params(gamma=scale_of(X, batch.sample_weight))
        fit = solve_kernel(
            learner._training_gram(X),
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

    def _training_gram(self, X: Any) -> NDArray[np.float64] | CachedGram:
        """Return the Gram matrix, or what computes its rows where memory does not hold it."""
        n = X.shape[0]
        if self.kernel == "precomputed" or 8e-6 * n**2 <= self.cache_size:
            return self._gram(X, X)
        parts = [X[start : start + BLOCK] for start in range(0, n, BLOCK)]
        diagonal = np.concatenate([self._kernels(part, part).diagonal() for part in parts])
        return CachedGram(lambda rows: self._kernels(X[rows], X), diagonal, self.cache_size)

    def _gram(self, X: Any, rows: Any) -> NDArray[np.float64]:
        """Return the kernel of X with the training rows."""
        if self.kernel == "precomputed":
            return np.ascontiguousarray(X)
        return self._kernels(canonical(X), rows)

    def _kernels(self, X: Any, rows: Any) -> NDArray[np.float64]:
        """Return the kernels of two sets of rows that are ready for it."""
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
            step = max(1, SCORED_KERNELS // max(len(coef), 1))
            parts = (X[start : start + step] for start in range(0, X.shape[0], step))
            block = np.concatenate([first.learner._similarities(x, first) @ coef for x in parts])
            for i, column in zip(numbers, block.T, strict=True):
                scores[i] = column + models[i].intercept
        return scores

    def _keep(self, models: Sequence[KernelModel]) -> None:
        super()._keep(models)
        self.support_ = models[0].support
        self.dual_coef_ = np.stack([model.dual_coef for model in models])


def scale_of(X: Any, sample_weight: NDArray[np.float64] | None = None) -> float:
    """Return ``1 / (n_features * variance)`` over all entries, rows by their weight.

    Where there is no variance, or next to none, so that it is infinite, it is 1.
    """
    X, weight = canonical(X), np.ones(X.shape[0]) if sample_weight is None else sample_weight
    squares = X.multiply(X) if sparse.issparse(X) else X**2
    total = weight.sum() * X.shape[1]
    variance = (weight @ squares).sum() / total - ((weight @ X).sum() / total) ** 2
    return float(1.0 / (X.shape[1] * variance)) if variance > np.finfo(np.float64).tiny else 1.0


def canonical(X: Any) -> Any:
    """Return sparse rows without duplicate entries, whose squares would not be those of sums."""
    if sparse.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
