"""BisectionClassifier: the best ratio of linear functions of the confusion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure, get_ratio
from pseudolinear.rivals._class_wrapper import ClassWrapper
from pseudolinear.rivals._linear_ratio import LinearRatio
from pseudolinear.rivals._sample import Sample, cheapest, equal_costs

MAX_LEVELS = 100


class BisectionClassifier(ClassWrapper):
    r"""Classifier that finds the largest level a ratio of linear functions can reach.

    A ratio :math:`\langle A, C\rangle / \langle B, C\rangle` of the confusion matrix reaches the
    level t exactly when the classifier of least expected cost under :math:`tB - A` does. So
    each level costs one pass over held-out probabilities, and halves the interval of
    the optimum. Unlike the sum of ratios of a macro average, this needs no random choice.

    Parameters
    ----------
    estimator : classifier, default=None
        Any classifier with `predict_proba`. None means `LogisticRegression`.
    measure : str, Measure or LinearRatio, default="f1"
        A binary measure, a micro average such as ``FBeta(average="micro", default_class=...)``,
        or any ratio by its matrices.
    errors : {"observed", "expected"}, default="observed"
        Whether errors are counted with the classes of the held-out rows, or expected under
        their probabilities. Only with expected ones each classifier is exactly the best of
        its level, and the optimum lies within the gap.
    tol : float, default=1e-6
        Length of the interval at which to stop.
    cv : int, "holdout", splitter or iterable of splits, default=3
        How rows are held out, as in :class:`MeasureClassifier`.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of every `random_state` of the estimator that is None.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    measure_ : LinearRatio
        What was maximised, with classes in the order of `classes_`.
    best_score_ : float
        Value on the held-out rows; at least that of predicting the most probable class.
    gap_ : float
        Length of the last interval.
    history_ : ndarray of shape (n_levels, 2)
        Each level that was tried, and the value that its classifier reached.
    costs_ : ndarray of shape (n_classes, n_classes)
        Costs of the best classifier: true class by predicted class.
    learner_ : Learner
        What scores rows.
    models_ : list
        The one fitted model.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    References
    ----------
    Narasimhan, Ramaswamy, Saha and Agarwal (2015), ICML.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear import FBeta
    >>> from pseudolinear.rivals import BisectionClassifier
    >>> X, y = make_classification(n_samples=500, n_classes=3, n_informative=4, random_state=0)
    >>> measure = FBeta(average="micro", default_class=0)
    >>> clf = BisectionClassifier(measure=measure, random_state=0).fit(X, y)
    >>> bool(abs(clf.score(X, y) - measure.score(y, clf.predict(X))) < 1e-9)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        measure: str | Measure | LinearRatio = "f1",
        errors: str = "observed",
        tol: float = 1e-6,
        cv: Any = 3,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.errors = errors
        self.tol = tol
        self.cv = cv
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Declare whether there can be more than two classes."""
        tags = super().__sklearn_tags__()
        if not isinstance(self.measure, LinearRatio):
            tags.classifier_tags.multi_class = (
                get_ratio(self.measure).for_classes(3).average != "binary"
            )
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not self.tol > 0:
            raise ValueError(f"BisectionClassifier: tol must be positive, got {self.tol!r}.")

    def _tune(self, sample: Sample) -> None:
        self.measure_ = ratio = self._make_ratio(sample.prevalence)
        self.costs_ = equal_costs(sample.n_classes)
        low, high = ratio.value(sample.confusion(self.costs_)), np.inf
        history: list[tuple[float, float]] = []
        while high - low > self.tol and len(history) < MAX_LEVELS:
            level = (low + high) / 2 if high < np.inf else low + 2.0 ** len(history)
            costs = ratio.costs(level)
            reached = ratio.value(sample.confusion(costs))
            history.append((level, reached))
            if reached > low:
                low, self.costs_ = reached, costs
            if reached < level:
                high = level
        self.best_score_, self.gap_ = low, float(high - low)
        self.history_ = np.array(history).reshape(-1, 2)

    def _make_ratio(self, prevalence: NDArray[np.float64]) -> LinearRatio:
        """Return the measure as matrices over the sorted classes."""
        n_classes = self.classes_.size
        if isinstance(self.measure, LinearRatio):
            if self.measure.A.shape != (n_classes, n_classes):
                raise ValueError(
                    f"The matrices of LinearRatio are of the shape {self.measure.A.shape}, "
                    f"but y has {n_classes} classes; give one row and column for each."
                )
            return self.measure
        measure = get_ratio(self.measure).for_classes(n_classes)
        if measure.decomposes:
            raise ValueError(f"{measure!r} is a sum of ratios, not one; use FrankWolfeClassifier.")
        if measure.average in ("micro", "multiclass"):
            order = measure.order_classes(self.classes_)
        elif n_classes > 2:
            raise ValueError(
                "Only binary classification is supported by a binary measure. The type of the "
                "target is multiclass; use FBeta(average='micro', default_class=...)."
            )
        else:
            positive = measure.positive_class(self.classes_)
            order = self.classes_[np.argsort(self.classes_ == positive, kind="stable")]
        # place[k] is where the k-th sorted class stands in the measure's order
        place = np.argmax(self.classes_[:, None] == order, axis=1)
        ratio = LinearRatio.from_measure(measure, prevalence[np.argsort(place)])
        grid = np.ix_(place, place)
        return LinearRatio(ratio.A[grid], ratio.B[grid])

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows by the expected costs that a class saves.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes, what the second one saves against the first; of more, minus the
            expected cost of each. The largest one is predicted.
        """
        costs = self._probabilities(self._new_rows(X)) @ self.costs_
        return costs[:, 0] - costs[:, 1] if self.classes_.size == 2 else -costs

    def _predict(self, X: Any) -> NDArray[Any]:
        return self.classes_[cheapest(self._probabilities(X), self.costs_)]

    def _value(self, confusion: NDArray[np.float64]) -> float:
        return self._make_ratio(confusion.sum(axis=1)).value(confusion)
