"""SVMPerf: a support vector machine whose loss is the measure of the whole sample."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._validation import narrow_indices
from pseudolinear.kinds._targets import Targets
from pseudolinear.measures import FBeta
from pseudolinear.rivals._simplex_qp import solve_simplex_qp

LOSSES = ("f", "error")
SOLUTIONS = ("best", "last")
PATIENCE = 10  # rounds without weight after which a cut is dropped
NO_WEIGHT = 1e-5
BOUND_SHARE = 0.01  # of the tolerance: how near to its minimum the bound is solved
LINE_STEPS = 30  # points tried on one line; six are usual
LINE_SHARE = 0.02  # of the gap: how near to its minimum a line is searched


class Errors(NamedTuple):
    """A set of errors, as one cut of the objective.

    Attributes
    ----------
    signs : ndarray of shape (n_samples,)
        The class, -1 or 1, of each row that is wrong, and 0 for the others.
    loss : float
        What the errors cost: a number of rows.
    """

    signs: NDArray[np.float64]
    loss: float


def worst_table(
    positives: NDArray[np.float64], negatives: NDArray[np.float64], beta: float = 1.0
) -> tuple[int, int]:
    r"""Find the contingency table that violates its margin most, in O(n log n).

    With p positives and n rows it maximises, over the number a of true and b of false positives,

    .. math:: n (1 - F_\beta(a, b)) - \sum_{i > a} s^+_i + \sum_{i \le b} s^-_i

    For each a this is concave in b, so the best b is found by bisection.

    Parameters
    ----------
    positives, negatives : ndarray
        Scores of either class in descending order.
    beta : float, default=1.0
        Weight of recall against precision.

    Returns
    -------
    a, b : int
        True and false positives.

    Examples
    --------
    >>> worst_table(np.array([2.0, -1.0]), np.array([0.5, -2.0]))
    (0, 1)
    """
    p, n = positives.size, positives.size + negatives.size
    a = np.arange(p + 1)
    gain, base = n * (1 + beta**2) * a, beta**2 * p + a
    low, high = np.zeros_like(a), np.full_like(a, negatives.size)
    while (low < high).any():
        middle = (low + high) // 2
        score = negatives[np.minimum(middle, negatives.size - 1)]
        rises = gain / ((base + middle) * (base + middle + 1)) + score > 0
        low, high = np.where(rises & (low < high), middle + 1, low), np.where(rises, high, middle)
    missed = np.append(np.cumsum(positives[::-1])[::-1], 0.0)
    taken = np.append(0.0, np.cumsum(negatives))
    best = int(np.argmax(taken[low] - missed - gain / (base + low)))
    return best, int(low[best])


def worst_errors_of_f(
    signs: NDArray[np.float64], scores: NDArray[np.float64], beta: float
) -> Errors:
    """Return the errors that violate the margin of the F-measure most."""
    positive, negative = np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)
    positive = positive[np.argsort(-scores[positive], kind="stable")]
    negative = negative[np.argsort(-scores[negative], kind="stable")]
    a, b = worst_table(scores[positive], scores[negative], beta)
    wrong = np.zeros_like(signs)
    wrong[positive[a:]], wrong[negative[:b]] = 1.0, -1.0
    f = (1 + beta**2) * a / (beta**2 * positive.size + a + b)
    return Errors(wrong, signs.size * (1 - f))


def worst_errors_of_count(signs: NDArray[np.float64], scores: NDArray[np.float64]) -> Errors:
    """Return the errors that violate the margin of the error count most: the hinge loss."""
    wrong = np.where(signs * scores < 1, signs, 0.0)
    return Errors(wrong, float(np.abs(wrong).sum()))


class SVMPerf(ClassifierMixin, BaseEstimator):
    r"""Linear support vector machine with the F-measure of the whole sample as its loss.

    It minimises

    .. math:: \tfrac12 |w|^2 + C \max_{E} \Big( \Delta(E) - \sum_{i \in E} y_i w x_i \Big)

    over all sets E of errors, with the loss :math:`\Delta(E) = n (1 - F_\beta(E))`. With the
    number of errors as the loss it is the support vector machine with the hinge loss. The original
    programme divides the loss by n and multiplies it by 100: its C is this C times n / 100.

    The objective is bounded from below by cuts, each of them one set of errors. Each round
    minimises the bound, searches the line from the best point so far to that minimum, and adds
    the cuts on either side of the minimum of the line.

    On rare labels that are hard to tell, no weights may be better than none at all: the objective
    at its minimum is that of w = 0. All rows then score 0, and are predicted positive, which has
    the larger F of the two constant answers. The minimum of the last bound, which the original
    programme returns, is not far from there, but still ranks the rows.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    loss : {"f", "error"}, default="f"
        One minus F-beta, times the number of rows; or the number of errors.
    C : float, default=1.0
        Weight of the loss against the regularisation.
    tol : float, default=1e-2
        Relative duality gap at which the problem is solved.
    max_iter : int, default=1000
        Largest number of rounds.
    intercept_scaling : float, default=1.0
        The intercept is the weight of a constant feature of this value, regularised like the
        others; 0 leaves it out. The literature takes 100.
    solution : {"best", "last"}, default="best"
        The best point of all, or the minimum of the last bound, as the original programme returns
        it.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second one is the positive one.
    coef_ : ndarray of shape (1, n_features)
        Weights.
    intercept_ : ndarray of shape (1,)
        Intercept.
    objective_ : float
        The least objective that was reached.
    gap_ : float
        Its distance from the lower bound, relative to the objective.
    n_iter_ : int
        Number of rounds.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` has them.

    References
    ----------
    Joachims 2005, A support vector method for multivariate performance measures, ICML.
    Franc and Sonnenburg 2009, Optimized cutting plane algorithm for large-scale risk
    minimization, JMLR 10.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import f1_score
    >>> from pseudolinear.rivals import SVMPerf
    >>> X, y = make_classification(500, weights=[0.8], flip_y=0.3, random_state=0)
    >>> svm, plain = SVMPerf().fit(X, y), SVMPerf(loss="error").fit(X, y)
    >>> f1_score(y, svm.predict(X)) > f1_score(y, plain.predict(X)) + 0.02
    True
    """

    def __init__(
        self,
        beta: float = 1.0,
        *,
        loss: str = "f",
        C: float = 1.0,
        tol: float = 1e-2,
        max_iter: int = 1000,
        intercept_scaling: float = 1.0,
        solution: str = "best",
    ) -> None:
        self.beta = beta
        self.loss = loss
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.intercept_scaling = intercept_scaling
        self.solution = solution

    def __sklearn_tags__(self) -> Any:
        """Say that sparse rows are welcome, and more than two classes are not."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Two classes.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        targets = Targets.from_y(y, FBeta(self.beta))
        signs = np.where(targets.codes[:, 0], 1.0, -1.0)
        if self.loss == "f":
            beta = float(self.beta)
            descent = _Descent(self, X, lambda scores: worst_errors_of_f(signs, scores, beta))
        else:
            descent = _Descent(self, X, lambda scores: worst_errors_of_count(signs, scores))
        descent.run(self.tol, int(self.max_iter))
        self.n_iter_ = descent.n_iter
        self.classes_ = targets.classes
        w = descent.w if self.solution == "best" else descent.end
        self.coef_ = w[None, :-1]
        self.intercept_ = self.intercept_scaling * w[-1:]
        self.objective_, self.gap_ = descent.objective, descent.gap
        if self.gap_ > self.tol:
            warnings.warn(
                f"SVMPerf stopped at max_iter={self.max_iter} with the objective "
                f"{self.objective_:.6g} and the lower bound {descent.bound:.6g} (relative gap "
                f"{self.gap_:.1e}, tol={self.tol:g}; w = 0 gives {descent.start:.6g}); scale the "
                "features, lower C or raise max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _check_parameters(self) -> None:
        for name, known in (("loss", LOSSES), ("solution", SOLUTIONS)):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"SVMPerf: {name} must be one of {', '.join(known)}, "
                    f"got {getattr(self, name)!r}."
                )
        for name in ("C", "tol", "max_iter"):
            if not 0 < getattr(self, name) < np.inf:
                raise ValueError(f"SVMPerf: {name} must be positive, got {getattr(self, name)!r}.")
        if not 0 <= self.intercept_scaling < np.inf:
            raise ValueError(
                "SVMPerf: intercept_scaling must not be negative, got "
                f"{self.intercept_scaling!r}; 0 leaves the intercept out."
            )

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Not negative for the second class.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predictions.
        """
        positive = self.decision_function(X) >= 0
        return self.classes_[positive.astype(np.intp)]


class _Descent:
    """The best point so far, and the bound from below.

    Attributes
    ----------
    w : ndarray of shape (n_features + 1,)
        The best point so far; the last weight is that of the constant feature.
    end : ndarray of shape (n_features + 1,)
        The minimum of the bound.
    objective, start, bound : float
        The objective there, at the origin, and its lower bound.
    n_iter : int
        Number of rounds.
    """

    def __init__(self, svm: SVMPerf, X: Any, worst: Callable[[NDArray], Errors]) -> None:
        self.X, self.worst = narrow_indices(X), worst
        self.C, self.scaling = float(svm.C), float(svm.intercept_scaling)
        self.cuts = _Cuts(X.shape[1] + 1, self.C, X.shape[0])
        self.w, self.scores = np.zeros(X.shape[1] + 1), np.zeros(X.shape[0])
        self.end = self.w
        self.errors = worst(self.scores)
        self.objective = self.start = self.C * self.errors.loss
        self.bound, self.n_iter = 0.0, 0

    @property
    def gap(self) -> float:
        """Distance of the objective from its bound, relative to the objective."""
        return float((self.objective - self.bound) / self.objective)

    def run(self, tol: float, max_iter: int) -> None:
        """Add cuts until the gap is closed."""
        new = [self.errors]
        while self.gap > tol and self.n_iter < max_iter:
            self.n_iter += 1
            for errors in new:
                slope = np.append(errors.signs @ self.X, self.scaling * errors.signs.sum())
                self.cuts.add(slope, errors.loss)
            self.end, bound = self.cuts.minimise(BOUND_SHARE * tol)
            self.bound = max(self.bound, bound)
            if self.gap > tol:
                new = self._search_line()

    def _search_line(self) -> list[Errors]:
        """Move to the minimum of the line to `end`; return the cuts on either side of it.

        On the line each set of errors gives a parabola, all of the same curvature. Of the one that
        still falls and the one that rises the larger is a lower bound; its minimum is tried next.
        """
        end = self.end
        dw, ds = end - self.w, self.X @ end[:-1] + self.scaling * end[-1] - self.scores
        square, slope, constant = float(dw @ dw), self.w @ dw, self.w @ self.w / 2

        def tangent(errors: Errors) -> NDArray[np.float64]:
            fall = errors.signs @ np.column_stack([self.scores, ds])
            return np.array([constant + self.C * (errors.loss - fall[0]), slope - self.C * fall[1]])

        at, errors, goal = 1.0, self.errors, LINE_SHARE * (self.objective - self.bound)
        left, right = (0.0, tangent(errors), errors), None
        best = (self.objective, 0.0, errors)
        for _ in range(LINE_STEPS):
            errors = self.worst(self.scores + at * ds)
            line = tangent(errors)
            value = line[0] + at * line[1] + at**2 * square / 2
            best = min(best, (value, at, errors), key=lambda point: point[0])
            if line[1] + at * square < 0:
                left = (at, line, errors)
            else:
                right = (at, line, errors)
            if right is None:
                at *= 2.0
                continue
            at = _lowest(left[1], right[1], square, left[0], right[0])
            low = max(left[1] @ (1.0, at), right[1] @ (1.0, at)) + at**2 * square / 2
            if best[0] - low <= goal:
                break
        self.objective, step, self.errors = float(best[0]), *best[1:]
        self.w, self.scores = self.w + step * dw, self.scores + step * ds
        return [left[2]] if right is None else [left[2], right[2]]


def _lowest(
    left: NDArray[np.float64], right: NDArray[np.float64], square: float, low: float, high: float
) -> float:
    """Minimise the larger of two lines plus a parabola between `low` and `high`."""
    steeper = right[1] - left[1]
    crossing = (left[0] - right[0]) / steeper if steeper > 0 else (low + high) / 2
    # The minimum of either parabola, unless the other one is above it there.
    at = min(max(crossing, -right[1] / square), -left[1] / square)
    return float(min(max(at, low), high))


class _Cuts:
    """The cuts that are kept, with the products of their slopes."""

    def __init__(self, n_weights: int, C: float, n_samples: int) -> None:
        self.C, self.n_samples = C, n_samples
        self.slopes = np.zeros((1, n_weights))  # no errors at all: the loss is never negative
        self.losses, self.idle, self.gram = np.zeros(1), np.zeros(1), np.zeros((1, 1))

    def add(self, slope: NDArray[np.float64], loss: float) -> None:
        """Add the cut ``loss - slope @ w``."""
        products = self.slopes @ slope
        self.gram = np.block(
            [[self.gram, products[:, None]], [products[None], np.array([[slope @ slope]])]]
        )
        self.slopes = np.vstack([self.slopes, slope])
        self.losses, self.idle = np.append(self.losses, loss), np.append(self.idle, 0)

    def minimise(self, tol: float) -> tuple[NDArray[np.float64], float]:
        """Return the minimum of the bound, and a value that the objective cannot fall below.

        Any weights of the cuts give such a value (weak duality), however they were found.
        """
        scale = self.C / self.n_samples
        weights = solve_simplex_qp(scale * self.gram, self.losses / self.n_samples, tol)
        w = self.C * (weights @ self.slopes)
        bound = self.C * (weights @ self.losses) - w @ w / 2
        self.idle = np.where(weights > NO_WEIGHT, 0, self.idle + 1)
        keep = self.idle < PATIENCE
        self.slopes, self.losses, self.idle = self.slopes[keep], self.losses[keep], self.idle[keep]
        self.gram = self.gram[np.ix_(keep, keep)]
        return w, float(bound)
