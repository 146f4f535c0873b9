"""SVMPerf: a support vector machine whose loss is the measure of the whole sample."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._validation import check_magnitudes, check_sparse
from pseudolinear.kinds import read_target
from pseudolinear.measures import FBeta
from pseudolinear.rivals._cutting_planes import CuttingPlanes
from pseudolinear.rivals._worst_errors import worst_errors_of_count, worst_errors_of_f

LOSSES = ("f", "error")
SOLUTIONS = ("best", "last")


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

    On rare labels that are hard to predict, the minimum of the objective may be at w = 0. All rows
    then score 0, and are predicted positive, which has the larger F of the two constant
    predictions. The minimum of the last bound, which the original programme returns, is not far
    from there, but still ranks the rows.

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
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
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
        """Declare that rows may be sparse, and that there are two classes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Train on rows of two classes, which have no weights.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Two classes, the larger one positive.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_parameters()
        X, y = validate_data(self, check_sparse(X), y, accept_sparse="csr", dtype=np.float64)
        check_magnitudes(X)
        kind, codes = read_target(y, FBeta(self.beta))
        signs = np.where(codes[:, 0], 1.0, -1.0)
        worst = partial(worst_errors_of_count, signs)
        if self.loss == "f":
            worst = partial(worst_errors_of_f, signs, beta=float(self.beta))
        descent = CuttingPlanes(X, worst, float(self.C), float(self.intercept_scaling))
        descent.run(self.tol, int(self.max_iter))
        self.n_iter_ = descent.n_iter
        self.classes_ = kind.classes
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
        """Score rows as in `fit`: not negative for the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the classes of rows as in `fit`."""
        positive = self.decision_function(X) >= 0
        return self.classes_[positive.astype(np.intp)]
