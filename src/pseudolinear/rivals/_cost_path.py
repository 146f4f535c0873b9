"""CostPathSVC: all support vector machines between two pairs of costs, exactly."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._validation import check_binary, check_weights
from pseudolinear.kinds._targets import Targets
from pseudolinear.learners._kernel import KERNELS, KernelLearner, scale_of
from pseudolinear.measures import Measure, get_measure
from pseudolinear.sweep import make_splits
from pseudolinear.thresholds import best_threshold, first_best

EVENTS_PER_ROW = 100  # a path with more events than this is given up; one to five are usual
SVC_STEPS = 100_000
ROUNDING = 1e-12  # of sums over all rows; also a ridge, so that equal rows have one solution
VIOLATION = 1e-5  # of the conditions of optimality that is worth a warning
ZERO, MARGIN, BOUND = -1, 0, 1  # where a dual variable is: at 0, between, at its cost


@dataclass(frozen=True, eq=False)
class CostPath:
    """Support vector machines along a line of costs; linear between the breakpoints.

    Attributes
    ----------
    start, stop : tuple of float
        Costs of a positive and of a negative row at tau = 0 and tau = 1.
    taus : ndarray of shape (n_breakpoints,)
        Positions of the breakpoints, ascending from 0 to 1. Two are equal where the intercept
        jumps, because no row is on the margin.
    alphas : ndarray of shape (n_breakpoints, n_samples)
        Dual variables there.
    intercepts : ndarray of shape (n_breakpoints,)
        Intercepts there.
    violation : float
        Largest violation of the conditions of optimality at a breakpoint, in units of the margin.
    """

    start: tuple[float, float]
    stop: tuple[float, float]
    taus: NDArray[np.float64]
    alphas: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    violation: float

    def costs(self, tau: float) -> tuple[float, float]:
        """Return the costs of a positive and of a negative row."""
        pos, neg = ((1 - tau) * a + tau * b for a, b in zip(self.start, self.stop, strict=True))
        return pos, neg

    def at(self, tau: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the solution anywhere on the path.

        Parameters
        ----------
        tau : float or array-like of shape (n,)
            Positions in [0, 1].

        Returns
        -------
        alpha : ndarray of shape (n_samples,) or (n, n_samples)
            Dual variables.
        intercept : ndarray of shape () or (n,)
            Intercepts.
        """
        tau = np.asarray(tau, dtype=np.float64)
        if not ((tau >= 0) & (tau <= 1)).all():
            raise ValueError(f"tau must be in [0, 1], got {tau[~((tau >= 0) & (tau <= 1))][0]:g}.")
        after = np.searchsorted(self.taus, tau, side="right").clip(1, len(self.taus) - 1)
        before = after - 1
        length = self.taus[after] - self.taus[before]
        share = np.where(length > 0, tau - self.taus[before], 1.0) / np.where(length > 0, length, 1)
        intercept = (1 - share) * self.intercepts[before] + share * self.intercepts[after]
        share = share[..., None]
        return (1 - share) * self.alphas[before] + share * self.alphas[after], intercept

    def scores(self, K: NDArray[np.float64], y: ArrayLike, tau: ArrayLike) -> NDArray[np.float64]:
        """Score rows with the solutions at some positions.

        Parameters
        ----------
        K : ndarray of shape (n_rows, n_samples)
            Kernels of the rows with the training rows.
        y : array-like of shape (n_samples,)
            Classes of the training rows, 0 and 1, or booleans.
        tau : float or array-like of shape (n,)
            Positions in [0, 1].

        Returns
        -------
        ndarray of shape (n_rows,) or (n, n_rows)
            Scores.
        """
        alpha, intercept = self.at(tau)
        signs = np.where(check_binary(y, "y"), 1.0, -1.0)
        return (alpha * signs) @ K.T + intercept[..., None]


def svm_cost_path(
    K: ArrayLike,
    y: ArrayLike,
    start: tuple[float, float],
    stop: tuple[float, float],
    sample_weight: ArrayLike | None = None,
) -> CostPath:
    r"""Follow the kernel support vector machine from one pair of costs to another.

    With the costs :math:`c_i(\tau)` of the rows moving along a line, the solution of

    .. math:: \min_{w, b} \tfrac12 |w|^2
              + \sum_i c_i(\tau) \max(0, 1 - y_i (\langle w, \phi(x_i) \rangle + b))

    is piecewise linear in :math:`\tau`. Each piece solves the equations of the rows on the
    margin, and ends where a row reaches or leaves the margin. With rows of one class only, the
    solution is the constant 1 or -1.

    Parameters
    ----------
    K : array-like of shape (n_samples, n_samples)
        Gram matrix, positive semidefinite.
    y : array-like of shape (n_samples,)
        0 and 1, or booleans.
    start, stop : tuple of float
        Costs of a positive and of a negative row at either end; C times the cost of an error.
    sample_weight : array-like of shape (n_samples,), default=None
        Factor of the cost of each row.

    Returns
    -------
    CostPath
        The solutions.

    References
    ----------
    Bach, Heckerman and Horvitz 2006, Considering cost asymmetry in learning classifiers, JMLR 7.

    Examples
    --------
    >>> from pseudolinear.rivals import svm_cost_path
    >>> X = np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
    >>> path = svm_cost_path(X @ X.T, [0, 0, 1, 0, 1], (1.0, 1.0), (4.0, 1.0))
    >>> alpha, intercept = path.at(0.5)
    >>> path.costs(0.5), alpha.round(3)
    ((2.5, 1.0), array([0.5, 1. , 2.5, 1. , 0. ]))
    """
    K, positive = np.asarray(K, dtype=np.float64), check_binary(y, "y")
    if positive.ndim != 1 or K.shape != (positive.size, positive.size):
        raise ValueError(
            f"K has the shape {K.shape} and y {positive.shape}; K must be the square Gram matrix "
            "of the rows of y."
        )
    for name, pair in (("start", start), ("stop", stop)):
        if len(pair) != 2 or not all(0 < cost < np.inf for cost in pair):
            raise ValueError(f"{name} must be two positive costs, got {pair!r}.")
    weight = check_weights(sample_weight, positive.size)
    rows = np.flatnonzero(np.ones(positive.size) if weight is None else weight)
    signs = np.where(positive[rows], 1.0, -1.0)
    gram = K[np.ix_(rows, rows)]
    # The intercept takes up what all rows share, so a centred matrix, of less rounding, will do.
    means = gram.mean(axis=0)
    centred = gram - means - means[:, None] + means.mean()
    size = max(centred.diagonal().max(), 1e-3 * gram.diagonal().max()) or 1.0
    scale = 1.0 if weight is None else weight[rows]
    first, last = (scale * np.where(signs > 0, *pair) for pair in (start, stop))
    if np.ptp(signs) == 0:
        pieces = [_Breakpoint(tau, np.zeros(len(rows)), signs[0], 0.0) for tau in (0.0, 1.0)]
    else:
        follower = _Follower.from_svc(centred, size, signs, first)
        pieces = follower.follow(first, last - first, np.zeros_like(signs))
    alphas = np.zeros((len(pieces), positive.size))
    alphas[:, rows] = [piece.alpha for piece in pieces]
    intercepts = np.array([piece.intercept for piece in pieces])
    violation = max(piece.violation for piece in pieces)
    if violation > VIOLATION:
        warnings.warn(
            f"The cost path violates its conditions of optimality by {violation:.1e} of the "
            "margin; the Gram matrix may not be positive semidefinite.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return CostPath(
        start,
        stop,
        np.array([piece.tau for piece in pieces]),
        alphas,
        intercepts - alphas[:, rows] @ (signs * means),
        violation,
    )


class CostPathSVC(ClassifierMixin, BaseEstimator):
    """Kernel support vector machine, chosen for a measure among all costs between two pairs.

    The path of solutions from `start` to `stop` is followed exactly on the training rows of each
    split. At every breakpoint the scores of the held-out rows, pooled over the splits, are cut
    at the best threshold; the best costs are trained once more on all rows.

    Parameters
    ----------
    measure : str or Measure, default="f1"
        What to maximise; see :func:`get_measure` for the names.
    start, stop : tuple of float, default=(1.0, 1.0) and (19.0, 1.0)
        Costs of a positive and of a negative row at the ends of the path: C times the cost of an
        error. The literature's range for F1 is from equal costs to 19 to 1.
    kernel : {"rbf", "poly", "linear", "precomputed"}, default="rbf"
        The kernel; a precomputed one takes Gram matrices in place of rows.
    gamma : float or "scale", default="scale"
        Factor of the RBF and polynomial kernels; ``"scale"`` is
        ``1 / (n_features * X.var())``, rows by their weight.
    cv : int, "holdout", splitter or iterable of splits, default=3
        How rows are held out: a number of shuffled folds, one random third of the rows, or
        anything that scikit-learn takes.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes.
    costs_ : tuple of float
        Chosen costs of a positive and of a negative row.
    threshold_ : float
        Chosen threshold of the score.
    best_score_ : float
        Value of the measure on the held-out rows.
    taus_, values_ : ndarray of shape (n_breakpoints,)
        Position of every breakpoint of the splits, from `start` at 0 to `stop` at 1, and the
        value of the measure there.
    dual_coef_ : ndarray of shape (1, n_samples)
        Signed dual variables of the training rows.
    intercept_ : ndarray of shape (1,)
        Intercept, before the threshold.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.rivals import CostPathSVC
    >>> X, y = make_classification(n_samples=200, weights=[0.9], random_state=0)
    >>> clf = CostPathSVC(random_state=0).fit(X, y)
    >>> 1.0 <= clf.costs_[0] <= 19.0, bool(clf.best_score_ == clf.values_.max())
    (True, True)
    """

    def __init__(
        self,
        measure: str | Measure = "f1",
        *,
        start: tuple[float, float] = (1.0, 1.0),
        stop: tuple[float, float] = (19.0, 1.0),
        kernel: str = "rbf",
        gamma: float | str = "scale",
        cv: Any = 3,
        random_state: Any = None,
    ) -> None:
        self.measure = measure
        self.start = start
        self.stop = stop
        self.kernel = kernel
        self.gamma = gamma
        self.cv = cv
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Say that two classes are the limit, and a precomputed kernel takes square matrices."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Follow the path on each split, choose a point of it, and train there.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, in training and validation.

        Returns
        -------
        self
            The fitted classifier.
        """
        if self.kernel not in KERNELS:
            raise ValueError(
                f"CostPathSVC: kernel must be one of {', '.join(KERNELS)}, got {self.kernel!r}."
            )
        X, y = validate_data(self, X, y, accept_sparse=self._sparse, dtype=np.float64)
        weight = check_weights(sample_weight, X.shape[0])
        measure = get_measure(self.measure)
        targets = Targets.from_y(y, measure, weight)
        gamma = scale_of(X, weight) if self.gamma == "scale" else self.gamma
        self._kernel, self._rows = KernelLearner(kernel=self.kernel, gamma=gamma), X
        K, positive = self._kernel._gram(X, X), targets.codes[:, 0].astype(bool)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        splits = make_splits(self.cv, X, targets, seed)
        weight = np.ones(len(y)) if weight is None else weight
        paths = [
            svm_cost_path(K[np.ix_(a, a)], positive[a], self.start, self.stop, weight[a])
            for a, _ in splits
        ]
        self.taus_ = np.unique(np.concatenate([path.taus for path in paths]))
        held = np.concatenate([test for _, test in splits])
        scores = np.hstack(
            [
                path.scores(K[np.ix_(test, train)], positive[train], self.taus_)
                for path, (train, test) in zip(paths, splits, strict=True)
            ]
        )
        cuts = [best_threshold(positive[held], row, measure, weight[held]) for row in scores]
        self.values_ = np.array([cut.value for cut in cuts])
        best = first_best(self.values_)
        self.best_score_, self.threshold_ = cuts[best].value, cuts[best].threshold
        self.costs_ = paths[0].costs(float(self.taus_[best]))
        final = svm_cost_path(K, positive, self.costs_, self.costs_, weight)
        # The score of the larger class, whichever of the two is the positive one.
        self._sign = 1.0 if targets.order[1] == targets.classes[1] else -1.0
        self.classes_ = targets.classes
        self.dual_coef_ = final.alphas[-1:] * np.where(positive, 1.0, -1.0)
        self.intercept_ = final.intercepts[-1:]
        return self

    @property
    def _sparse(self) -> Any:
        return False if self.kernel == "precomputed" else "csr"

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the second class.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse=self._sparse, dtype=np.float64)
        scores = self._kernel._gram(X, self._rows) @ self.dual_coef_[0] + self.intercept_[0]
        return self._sign * (scores - self.threshold_)

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
        decision = self.decision_function(X)
        return self.classes_[(decision > 0).astype(np.intp)]


class _Breakpoint(NamedTuple):
    tau: float
    alpha: NDArray[np.float64]
    intercept: float
    violation: float


class _Follower:
    """A solution of the dual, which is moved along lines of costs and of margins.

    `size` bounds the Gram matrix, for what counts as rounding. The slope
    ``Q @ alpha + signs * intercept - margins`` is zero for rows on the margin, at
    least zero for rows with alpha = 0, and at most zero for rows with alpha at its cost.
    """

    def __init__(
        self,
        gram: NDArray[np.float64],
        size: float,
        signs: NDArray[np.float64],
        alpha: NDArray[np.float64],
        intercept: float,
        where: NDArray[np.int8],
    ) -> None:
        self.Q, self.size, self.signs = signs[:, None] * gram * signs, size, signs
        self.Q.flat[:: len(signs) + 1] += ROUNDING * size
        self.alpha, self.intercept, self.where = alpha, intercept, where
        self.margins = np.ones_like(signs)

    @classmethod
    def from_svc(
        cls,
        gram: NDArray[np.float64],
        size: float,
        signs: NDArray[np.float64],
        cost: NDArray[np.float64],
    ) -> Self:
        """Start from scikit-learn's solution.

        Near enough or not, that is the exact solution for other margins than one; following these
        back to one makes it exact.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            svc = SVC(kernel="precomputed", max_iter=SVC_STEPS)
            svc.fit(gram, signs, sample_weight=cost)
        alpha = np.zeros_like(signs)
        alpha[svc.support_] = np.abs(svc.dual_coef_[0])
        near = 1e-9 * cost
        where = np.where(alpha <= near, ZERO, np.where(alpha >= cost - near, BOUND, MARGIN))
        alpha = np.where(where == ZERO, 0.0, np.where(where == BOUND, cost, alpha))
        self = cls(gram, size, signs, alpha, float(svc.intercept_[0]), where.astype(np.int8))
        slope = self.slope()
        wrong = np.where(where * slope > 0, slope, 0.0)
        wrong = np.where(where == MARGIN, slope, wrong)
        self.margins = 1.0 + wrong
        self.follow(cost, np.zeros_like(cost), -wrong)
        return self

    def slope(self) -> NDArray[np.float64]:
        return self.Q @ self.alpha + self.signs * self.intercept - self.margins

    def follow(
        self,
        cost: NDArray[np.float64],
        dcost: NDArray[np.float64],
        dmargins: NDArray[np.float64],
    ) -> list[_Breakpoint]:
        """Move the costs and margins along their line; return the breakpoints, ends included."""
        tau, first = 0.0, cost
        excess = float(self.signs @ self.alpha)  # rounding, made up for on the way
        path = [self._breakpoint(tau)]
        for _ in range(EVENTS_PER_ROW * len(cost)):
            if not (self.where == MARGIN).any():
                self._jump(dcost, excess)
                path.append(self._breakpoint(tau))
            dalpha, dintercept = self._direction(dcost, dmargins, excess)
            step, row, to = self._next_event(cost, dcost, dalpha, dintercept, dmargins)
            step = min(step, 1.0 - tau)
            tau += step
            ended = tau >= 1.0
            cost = first + tau * dcost
            self.alpha = self.alpha + step * dalpha
            self.intercept += step * dintercept
            self.margins = self.margins + step * dmargins
            if not ended:
                self.where[row] = to
            self.alpha = np.where(self.where == BOUND, cost, self.alpha)
            self.alpha[self.where == ZERO] = 0.0
            if step > 0:
                path.append(self._breakpoint(tau))
            if ended:
                return path
        raise ValueError(
            f"The cost path has more than {EVENTS_PER_ROW} events per row and was given up at "
            f"tau = {tau:g}; the Gram matrix may not be positive semidefinite."
        )

    def _breakpoint(self, tau: float) -> _Breakpoint:
        slope = self.slope()
        violation = np.where(self.where == MARGIN, np.abs(slope), self.where * slope).max()
        return _Breakpoint(tau, self.alpha, self.intercept, max(float(violation), 0.0))

    def _jump(self, dcost: NDArray[np.float64], excess: float) -> None:
        """Without rows on the margin, move the intercept until one gets there.

        Which way is decided by the balance of the two classes, which only that row can restore.
        """
        pull = self.signs @ np.where(self.where == BOUND, dcost, 0.0) + excess
        distance = -self.signs * self.slope()
        up = self.where * self.signs > 0
        if pull > 0 or (pull == 0 and up.any()):
            row = np.flatnonzero(up)[np.argmin(distance[up])]
        else:
            row = np.flatnonzero(~up)[np.argmax(distance[~up])]
        self.intercept += distance[row]
        self.where[row] = MARGIN

    def _direction(
        self, dcost: NDArray[np.float64], dmargins: NDArray[np.float64], excess: float
    ) -> tuple[NDArray[np.float64], float]:
        """Solve for the rates that keep the rows of the margin there, and the classes balanced."""
        margin = np.flatnonzero(self.where == MARGIN)
        dalpha = np.where(self.where == BOUND, dcost, 0.0)
        signs, m = self.signs[margin], margin.size
        system = np.zeros((m + 1, m + 1))
        system[:m, :m] = self.Q[np.ix_(margin, margin)]
        system[:m, m] = system[m, :m] = signs
        right = np.append(dmargins[margin] - self.Q[margin] @ dalpha, -excess - self.signs @ dalpha)
        rates = np.linalg.solve(system, right)
        dalpha[margin] = rates[:m]
        return dalpha, float(rates[m])

    def _next_event(
        self,
        cost: NDArray[np.float64],
        dcost: NDArray[np.float64],
        dalpha: NDArray[np.float64],
        dintercept: float,
        dmargins: NDArray[np.float64],
    ) -> tuple[float, int, int]:
        """Return how far the direction holds, and which row goes where then.

        Of rows at one point the first is taken, Murty's rule against going in circles.
        """
        margin = self.where == MARGIN
        rate = self.Q @ dalpha + self.signs * dintercept - dmargins
        # A smaller rate is rounding, and does no harm however long it is left alone.
        small = ROUNDING * np.abs(dalpha).sum()
        to_zero = _steps(self.alpha, dalpha, margin, small)
        to_bound = _steps(cost - self.alpha, dcost - dalpha, margin, small)
        small *= self.size
        to_margin = _steps(-self.where * self.slope(), -self.where * rate, ~margin, small)
        steps = np.minimum(np.minimum(to_zero, to_bound), to_margin)
        row = int(np.argmax(steps <= steps.min() + 1e-14))
        if not margin[row]:
            return float(steps[row]), row, MARGIN
        return float(steps[row]), row, ZERO if to_zero[row] <= to_bound[row] else BOUND


def _steps(
    distance: NDArray[np.float64],
    rate: NDArray[np.float64],
    rows: NDArray[np.bool_],
    small: float,
) -> NDArray[np.float64]:
    """Return after which step each distance has shrunk to zero; infinite where it never does."""
    shrinks = rows & (rate < -small)
    return np.where(shrinks, np.maximum(distance, 0.0) / np.where(shrinks, -rate, 1.0), np.inf)
