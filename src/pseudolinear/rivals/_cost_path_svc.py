"""CostPathSVC: a kernel support vector machine, chosen for a measure along a path of costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state, column_or_1d

from pseudolinear.kinds import read_target
from pseudolinear.learners._kernel import KERNELS, KernelLearner, scale_of
from pseudolinear.measures import Measure, get_ratio
from pseudolinear.rivals._cost_path import svm_cost_path
from pseudolinear.rivals._rival import Rival
from pseudolinear.sweep import Split, make_splits
from pseudolinear.thresholds import best_threshold, first_best


class CostPathSVC(Rival):
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
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
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
        """Declare that there are two classes, and square matrices for a precomputed kernel."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

    @property
    def _row_options(self) -> dict[str, Any]:
        accept_sparse = False if self.kernel == "precomputed" else "csr"
        return {**super()._row_options, "accept_sparse": accept_sparse}

    def _check_parameters(self) -> None:
        self._check_choice("kernel", KERNELS)

    def _fit(self, X: Any, y: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        measure = get_ratio(self.measure)
        self._kind, codes = read_target(column_or_1d(y, warn=True), measure, weight)
        gamma = scale_of(X, weight) if self.gamma == "scale" else self.gamma
        self._kernel, self._rows = KernelLearner(kernel=self.kernel, gamma=gamma), X
        K, positive = self._kernel._gram(X, X), codes[:, 0].astype(bool)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        splits = make_splits(self.cv, X, codes, self._kind, seed)
        weight = np.ones(len(y)) if weight is None else weight
        self._choose(K, positive, weight, splits, measure)
        final = svm_cost_path(K, positive, self.costs_, self.costs_, weight)
        self.classes_ = self._kind.classes
        self.dual_coef_ = final.alphas[-1:] * np.where(positive, 1.0, -1.0)
        self.intercept_ = final.intercepts[-1:]

    def _choose(
        self,
        K: NDArray[np.float64],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64],
        splits: Sequence[Split],
        measure: Measure,
    ) -> None:
        """Follow the path on each split, and choose costs and a threshold on the held-out rows."""
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

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows as in `predict`, relative to the threshold: positive for the second class."""
        rows = self._new_rows(X)
        return self._kind.decision_function(self._margins(rows))

    def _margins(self, X: Any) -> NDArray[np.float64]:
        scores = self._kernel._gram(X, self._rows) @ self.dual_coef_[0] + self.intercept_[0]
        return (scores - self.threshold_)[:, None]

    def _predict(self, X: Any) -> NDArray[Any]:
        return self._kind.predict(self._margins(X))
