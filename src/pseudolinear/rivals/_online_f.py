"""OnlineFClassifier: the threshold for F-beta, learnt row by row."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import SGDClassifier
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear.measures import FBeta


class OnlineFClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""Online classifier for F-beta (Busa-Fekete, Szorenyi, Dembczynski, Hullermeier 2015).

    Every row is predicted before it is learnt from. With :math:`a` the true positives so far
    and :math:`b` the predicted positives plus :math:`\beta^2` times the positives so far, the
    F-beta so far is :math:`(1 + \beta^2) a / b`. A row is predicted positive where its
    probability is at least :math:`a / b`, since the best threshold is
    :math:`F^* / (1 + \beta^2)`. Besides the model, only the two counters are kept.

    Parameters
    ----------
    estimator : classifier, default=None
        Has `partial_fit` and `predict_proba`; None means ``SGDClassifier("log_loss")``.
    beta : float, default=1.0
        Weight of recall against precision.
    block_size : int, default=32
        Number of rows that the model predicts, and then learns from, at once; the threshold
        moves with every row. The first block is predicted without a model and stays in the
        counters, so it should be a small part of the rows.
    random_state : int, RandomState instance or None, default=None
        Seed of the default estimator.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second one is positive.
    threshold_ : float
        Threshold of the probability, a / b.
    online_f_ : float
        F-beta of the predictions made so far.
    counters_ : tuple of float
        The counters a and b.
    class_count_ : ndarray of shape (2,)
        Number of rows of each class so far.
    estimator_ : classifier
        The model.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from pseudolinear.rivals import OnlineFClassifier
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, weights=[0.9], random_state=0)
    >>> clf = OnlineFClassifier(random_state=0)
    >>> for start in range(0, 2000, 500):
    ...     rows = slice(start, start + 500)
    ...     clf = clf.partial_fit(X[rows], y[rows], classes=[0, 1])
    >>> bool(clf.threshold_ == clf.online_f_ / 2)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        beta: float = 1.0,
        block_size: int = 32,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.beta = beta
        self.block_size = block_size
        self.random_state = random_state

    @property
    def _estimator(self) -> Any:
        if self.estimator is None:
            return SGDClassifier(loss="log_loss", random_state=self.random_state)
        return self.estimator

    def __sklearn_tags__(self) -> Any:
        """Declare which kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = get_tags(self._estimator).input_tags.sparse
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Start anew and learn from the rows, as `partial_fit` does, in their order and once."""
        X, y = validate_data(self, X, y, accept_sparse="csr")
        check_classification_targets(y)
        self._begin(y)
        return self._learn(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from more rows, in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like of shape (2,), default=None
            Both classes; needed on the first call unless both occur in `y`.

        Returns
        -------
        self
            The classifier.
        """
        first = not hasattr(self, "estimator_")
        X, y = validate_data(self, X, y, accept_sparse="csr", reset=first)
        check_classification_targets(y)
        if first:
            self._begin(y if classes is None else classes)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(
                f"classes is {np.unique(classes).tolist()}, but was {self.classes_.tolist()} on "
                "the first call; leave it out or give the same."
            )
        return self._learn(X, y)

    def _begin(self, classes: Any) -> None:
        FBeta(self.beta)  # refuses a beta that is not positive
        if not (isinstance(self.block_size, int | np.integer) and self.block_size >= 1):
            raise ValueError(
                f"OnlineFClassifier: block_size must be a whole number from 1, "
                f"got {self.block_size!r}."
            )
        for method in ("partial_fit", "predict_proba"):
            if not hasattr(self._estimator, method):
                raise TypeError(
                    f"{type(self._estimator).__name__} has no {method}; use an estimator that "
                    "learns online and gives probabilities, such as SGDClassifier('log_loss')."
                )
        classes = np.unique(classes)
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass; "
                "use one OnlineFClassifier per class."
            )
        if len(classes) < 2:
            raise ValueError(
                f"There is only one class, {classes.tolist()[0]!r}; OnlineFClassifier needs two, "
                "so give both as classes to partial_fit."
            )
        self.classes_ = classes
        self.estimator_ = clone(self._estimator)
        self.counters_ = (0.0, 0.0)
        self.class_count_ = np.zeros(2, dtype=np.intp)

    def _learn(self, X: Any, y: NDArray[Any]) -> Self:
        if not np.isin(y, self.classes_).all():
            raise ValueError(
                f"y holds {np.setdiff1d(y, self.classes_).tolist()[0]!r}, which is none of the "
                f"classes {self.classes_.tolist()}."
            )
        for start in range(0, len(y), self.block_size):
            rows = slice(start, start + self.block_size)
            positive = y[rows] == self.classes_[1]
            # Before it has seen both classes, its probability is taken as one half.
            informed = self.class_count_.all()
            proba = self._probabilities(X[rows]) if informed else np.full(positive.size, 0.5)
            self._count(proba, positive)
            self.estimator_.partial_fit(X[rows], y[rows], classes=self.classes_)
            self.class_count_ += np.bincount(positive, minlength=2)
        a, b = self.counters_
        self.threshold_ = a / b if b else 0.0
        self.online_f_ = (1.0 + self.beta**2) * self.threshold_
        return self

    def _count(self, proba: NDArray[np.float64], positive: NDArray[np.bool_]) -> None:
        """Predict rows one after the other, and count."""
        a, b = self.counters_
        for p, y in zip(proba.tolist(), positive.tolist(), strict=True):
            predicted = p * b >= a
            a += y and predicted
            b += self.beta**2 * y + predicted
        self.counters_ = (a, b)

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        proba = self.estimator_.predict_proba(X)[:, 1]
        if not ((proba >= 0) & (proba <= 1)).all():
            raise ValueError(
                f"{type(self.estimator_).__name__} gives probabilities outside [0, 1]; use an "
                "estimator whose predict_proba stays within."
            )
        return proba

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows: the probability minus the threshold, from 0 predicted positive."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr")
        return self._probabilities(X) - self.threshold_

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the classes of rows with the present model and threshold."""
        positive = self.decision_function(X) >= 0
        return self.classes_[positive.astype(np.intp)]
