"""AsymmetricSVM: a support vector machine with its own C for either class."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from pseudolinear.learners import LabelProblem
from pseudolinear.learners._linear import LinearLearner
from pseudolinear.rivals._f_beta_rival import FBetaRival
from pseudolinear.sweep import Cutter, Rows, Trainer, make_splits, validate
from pseudolinear.thresholds import first_best

C_GRID = tuple(2.0**power for power in range(-6, 7, 2))


class AsymmetricSVM(FBetaRival):
    r"""Linear SVM whose two costs are chosen for F-beta (Musicant, Kumar, Ozgur 2003).

    It minimises

    .. math:: \tfrac12 |w|^2 + C_+ \sum_{i: y_i = 1} \mathrm{hinge}_i
              + C_- \sum_{i: y_i = 0} \mathrm{hinge}_i

    for every pair :math:`(C_+, C_-)` of a grid and keeps the pair of largest F-beta on held-out
    rows, without a threshold of its own. It equals the grid over C and the level t in which
    :math:`C_+ / C_- = (1 + \beta^2 - t) / t`.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision.
    average : {"binary", "macro"}, default="binary"
        One label, or a pair of its own for each of several labels.
    C_positive : sequence of float, default=(2**-6, 2**-4, ..., 2**6)
        Weights of the losses of positive rows.
    C_negative : sequence of float, default=(2**-6, 2**-4, ..., 2**6)
        Weights of the losses of negative rows.
    cv : int, "holdout", splitter or iterable of splits, default=3
        Rows to choose on; their predictions are pooled over the folds.
    random_state : int, RandomState instance or None, default=None
        Seed of the shuffling of the rows.

    Attributes
    ----------
    classes_ : ndarray
        The two classes; of a multilabel problem the column numbers.
    best_C_positive_, best_C_negative_ : ndarray of shape (n_labels,)
        The chosen pair of each label; of equally good ones the first.
    best_score_ : float
        F-beta of the held-out rows.
    cv_values_ : ndarray of shape (n_labels, n_positive, n_negative)
        F-beta of the held-out rows for every pair.
    coef_ : ndarray of shape (n_labels, n_features)
        Weights.
    intercept_ : ndarray of shape (n_labels,)
        Intercepts.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from pseudolinear.datasets import make_galaxy
    >>> from pseudolinear.rivals import AsymmetricSVM
    >>> X, y = make_galaxy(2000, random_state=0)
    >>> svm = AsymmetricSVM(random_state=0).fit(X, y)
    >>> bool(svm.best_C_positive_ > svm.best_C_negative_)
    True
    """

    _averages: ClassVar[tuple[str, ...]] = ("binary", "macro")

    def __init__(
        self,
        *,
        beta: float = 1.0,
        average: str = "binary",
        C_positive: Sequence[float] = C_GRID,
        C_negative: Sequence[float] = C_GRID,
        cv: Any = 3,
        random_state: Any = None,
    ) -> None:
        self.beta = beta
        self.average = average
        self.C_positive = C_positive
        self.C_negative = C_negative
        self.cv = cv
        self.random_state = random_state

    def _fit_labels(self, X: Any, codes: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        positive, negative = self._grid("C_positive"), self._grid("C_negative")
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        splits = make_splits(self.cv, X, codes, self._kind, seed)
        labels = range(codes.shape[1])
        problems = {
            (k, plus, minus): LabelProblem(k, (plus / minus, 1.0), {"C": minus})
            for k, plus, minus in product(labels, positive, negative)
        }
        trainer = Trainer(LinearLearner("hinge"), Rows(X, codes, weight))
        measure = self._goal.binary()
        cutter = Cutter(self._kind, codes, weight, measure, tune_threshold=False)
        found = validate(trainer, cutter, list(problems.values()), splits)
        values = [float(measure.value(one.curve)[0]) for one in found if one]
        self.cv_values_ = np.reshape(values, (len(labels), positive.size, negative.size))
        best = [first_best(table.ravel()) for table in self.cv_values_]
        rows, columns = np.unravel_index(best, self.cv_values_.shape[1:])
        self.best_C_positive_, self.best_C_negative_ = positive[rows], negative[columns]
        self.best_score_ = float(self.cv_values_.max(axis=(1, 2)).mean())
        keys = zip(labels, self.best_C_positive_, self.best_C_negative_, strict=True)
        self._keep(trainer.fit([problems[key] for key in keys], np.arange(X.shape[0])))

    def _grid(self, name: str) -> NDArray[np.float64]:
        grid = np.array(getattr(self, name))
        if grid.ndim != 1 or not grid.size or not (np.isfinite(grid) & (grid > 0)).all():
            raise ValueError(
                f"AsymmetricSVM: {name} must be a sequence of positive numbers, "
                f"got {getattr(self, name)!r}."
            )
        return grid

    def _keep(self, models: Sequence[Any]) -> None:
        self.coef_ = np.stack([model.coef for model in models])
        self.intercept_ = np.array([model.intercept for model in models])
        failed = sum(not model.converged for model in models)
        if failed:
            warnings.warn(
                f"{failed} of {len(models)} chosen problems stopped before their tolerance was "
                "reached; scale the features.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _decision(self, X: Any) -> NDArray[np.float64]:
        return X @ self.coef_.T + self.intercept_
