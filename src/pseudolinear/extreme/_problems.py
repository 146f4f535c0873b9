"""Problems of a block of labels: trained and scored side by side, fold by fold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.learners.losses import get_loss
from pseudolinear.loops._products import csr_times

MAX_ITER = 1000
NEGATIVES = 10_000  # rows without any of the labels of a batch that stand for all such rows
WIDTH = 64  # labels of a batch, as many as the solver has lanes,
FEWEST = 8  # but fewer where each has several problems
SIDE_BY_SIDE = 256  # problems of a batch
Numbers = NDArray[np.intp]


class Problems(NamedTuple):
    """What is trained: one entry per problem.

    Attributes
    ----------
    labels : ndarray of int
        Column of the labels.
    ratio : ndarray
        Cost of a false negative relative to that of a false positive.
    C : ndarray
        Weight of the losses against the regularisation.
    """

    labels: NDArray[np.intp]
    ratio: NDArray[np.float64]
    C: NDArray[np.float64]

    def part(self, at: Any) -> Problems:
        """Return some of them."""
        return Problems(self.labels[at], self.ratio[at], self.C[at])


class Fold(NamedTuple):
    """A split with its rows in the view that is trained on."""

    X_train: Any
    X_test: Any
    train: Numbers
    test: Numbers


class Solved(NamedTuple):
    """Problems that were solved together.

    Attributes
    ----------
    at : slice
        Which of the problems these are.
    columns : ndarray of int or None
        Features that they have weights of; None: all.
    coef : ndarray of shape (n_problems, n_columns)
        Weights.
    intercept : ndarray of shape (n_problems,)
        Intercepts.
    """

    at: slice
    columns: NDArray[np.intp] | None
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows: shape (n_samples, n_problems)."""
        if not sparse.issparse(X):
            return np.asarray(X @ self.coef.T + self.intercept)
        X = X if self.columns is None else X[:, self.columns]
        out = np.empty((X.shape[0], len(self.coef)))
        csr_times(X.indptr, X.indices, X.data, np.ascontiguousarray(self.coef.T), out)
        return out + self.intercept


def solve(
    problems: Problems, X: Any, Y: Any, weight: NDArray[np.float64] | None, tol: float
) -> Iterator[Solved]:
    """Train problems on some rows, those of a few dozen labels side by side.

    They are trained on all rows that carry one of these labels and on a sample of the others, which
    weighs as much as they all, with the features that the former have: measured, neither costs
    anything (docs/guide/many_labels.md).

    Parameters
    ----------
    problems : Problems
        What is trained, the problems of a label next to each other, labels by frequency.
    X : ndarray or csr_matrix of shape (n_samples, n_features)
        The rows.
    Y : csc_matrix of shape (n_samples, n_labels)
        0/1; only the columns of the problems are made dense.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    tol : float
        Relative duality gap.

    Yields
    ------
    Solved
        Problems that were solved together, in order.
    """
    if weight is not None and not weight.all():
        some = np.flatnonzero(weight)
        X, Y, weight = X[some], Y[some], weight[some]
    each = int(np.sum(problems.labels == problems.labels[0]))
    size = each * min(max(SIDE_BY_SIDE // each, FEWEST), WIDTH)
    for start in range(0, len(problems.C), size):
        at = slice(start, start + size)
        own = problems.part(at)
        labels, column = np.unique(own.labels, return_inverse=True)
        truth = Y[:, labels]
        rows, weights = draw_rows(truth, weight, seed=int(labels[0]))
        truth, X_own, columns = truth[rows], X[rows], None
        if sparse.issparse(X):
            columns = np.unique(X_own[np.flatnonzero(truth.getnnz(axis=1))].indices)
            columns = columns if len(columns) else np.arange(1)
            X_own = X_own[:, columns]
        fit = get_loss("logistic").solve(
            X_own,
            truth.toarray(),
            column.ravel(),
            own.ratio,
            np.ones(len(column)),
            own.C,
            sample_weight=weights,
            intercept_scaling=np.inf,
            tol=tol,
            max_iter=MAX_ITER,
        )
        yield Solved(at, columns, fit.coef, fit.intercept)


def draw_rows(
    truth: Any, weight: NDArray[np.float64] | None, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
    """Take all rows that carry some of the labels, and a sample of the others.

    Parameters
    ----------
    truth : csc_matrix of shape (n_samples, n_labels)
        0/1.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    seed : int
        Of the sample.

    Returns
    -------
    rows : ndarray of int
        Sorted row numbers.
    weight : ndarray or None
        Their weights: those of the sample multiplied, so that it counts as all that it stands for.

    Examples
    --------
    >>> from pseudolinear.extreme._problems import draw_rows
    >>> truth = sparse.csc_matrix(np.eye(30_000, 2, dtype=np.int8))
    >>> rows, weight = draw_rows(truth, None, seed=0)
    >>> len(rows), round(weight.sum())
    (10002, 30000)
    """
    n_samples = truth.shape[0]
    carries = np.zeros(n_samples, dtype=bool)
    carries[truth.indices] = True
    others = np.flatnonzero(~carries)
    if len(others) <= NEGATIVES:
        return np.arange(n_samples), weight
    drawn = np.random.RandomState(seed).choice(others, NEGATIVES, replace=False)
    factor = np.ones(n_samples)
    factor[drawn] = len(others) / NEGATIVES
    rows = np.sort(np.concatenate([np.flatnonzero(carries), drawn]))
    return rows, (factor if weight is None else factor * weight)[rows]


def validate(
    problems: Problems,
    folds: list[Fold],
    Y: Any,
    weight: NDArray[np.float64] | None,
    tol: float,
) -> LabelCurves:
    """Train problems on every fold and cut the scores of all held-out rows together.

    Returns
    -------
    LabelCurves
        One curve per problem.
    """
    rows = np.concatenate([fold.test for fold in folds])
    scores, end = np.empty((len(problems.C), len(rows))), 0
    for fold in folds:
        own = None if weight is None else weight[fold.train]
        start, end = end, end + len(fold.test)
        for part in solve(problems, fold.X_train, Y[fold.train], own, tol):
            scores[part.at, start:end] = part.scores(fold.X_test).T
    truth = Y[:, problems.labels][rows].tocsc()
    return LabelCurves.of_scores(scores, truth, None if weight is None else weight[rows])


def train(
    problems: Problems, X: Any, Y: Any, weight: NDArray[np.float64] | None, tol: float
) -> list[Solved]:
    """Train problems on all rows."""
    return list(solve(problems, X, Y, weight, tol))
