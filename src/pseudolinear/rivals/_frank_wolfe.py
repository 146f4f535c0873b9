"""FrankWolfeClassifier: a random choice among classifiers for measures that are not linear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from pseudolinear.measures import Measure, get_ratio
from pseudolinear.rivals._class_wrapper import ClassWrapper
from pseudolinear.rivals._confusion import ConfusionMeasure
from pseudolinear.rivals._macro_average import MacroAverage
from pseudolinear.rivals._mixture import Mixture, ascend
from pseudolinear.rivals._recall_means import GMean, HMean, QMean
from pseudolinear.rivals._sample import Sample, equal_costs

MEANS: dict[str, Any] = {"g_mean": GMean(), "h_mean": HMean(), "q_mean": QMean()}


class FrankWolfeClassifier(ClassWrapper):
    r"""Random choice among classifiers that maximises a function of the confusion matrix.

    For a concave function, such as the geometric mean of the recalls, the best confusion matrix
    need not be that of one classifier, but it is a mean of a few. Each step of the
    Frank-Wolfe method adds the classifier that is best for the gradient, which predicts the class
    of least expected cost under held-out probabilities. A macro average is not concave: steps
    are the same and rise too, to a local optimum, of which the best of several starts is kept.

    Parameters
    ----------
    estimator : classifier, default=None
        Any classifier with `predict_proba`. None means `LogisticRegression`.
    measure : str, Measure or confusion measure, default="g_mean"
        ``"g_mean"``, ``"h_mean"`` or ``"q_mean"`` of the recalls, the macro average of a measure
        such as ``"f1_macro"``, or any object with `value`, `gradient` and `concave` as
        :class:`GMean` has.
    errors : {"observed", "expected"}, default="observed"
        Whether errors are counted with the classes of the held-out rows, or expected under
        their probabilities. Only with expected ones the classifier of each step is exactly
        the best, and the gap of a concave measure bounds what is missing.
    n_starts : int, default=5
        Number of starts, for measures that are not concave.
    max_iter : int, default=100
        Largest number of steps from a start.
    tol : float, default=1e-6
        Duality gap at which to stop.
    cv : int, "holdout", splitter or iterable of splits, default=3
        How rows are held out, as in :class:`MeasureClassifier`.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds, the starts and every `random_state` of the estimator that is None.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    measure_ : confusion measure
        What was maximised.
    best_score_ : float
        Value of the random choice on the held-out rows; at least that of predicting the
        most probable class.
    gap_ : float
        Duality gap at the end; with observed errors it can be negative, where the gradient
        promises nothing more.
    history_ : ndarray of shape (`n_iter_`, 2)
        Value and duality gap before each step, and at the end.
    n_iter_ : int
        Number of gradients that were followed or found to be flat.
    costs_ : ndarray of shape (n_components, n_classes, n_classes)
        Cost matrix of each classifier: true class by predicted class.
    weights_ : ndarray of shape (n_components,)
        How often each one is chosen.
    confusion_ : ndarray of shape (n_classes, n_classes)
        Expected confusion matrix on the held-out rows, as proportions.
    learner_ : Learner
        What scores rows.
    models_ : list
        The one fitted model.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Notes
    -----
    `predict_proba` is how often the random choice gives each class, and `predict` the most
    frequent one, so that equal rows have equal predictions. The value that was maximised
    belongs to the random choice itself, which `sample` makes.

    References
    ----------
    Narasimhan, Ramaswamy, Saha and Agarwal (2015), ICML.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.metrics import recall_score
    >>> from pseudolinear.rivals import FrankWolfeClassifier
    >>> X, y = make_classification(n_samples=500, weights=[0.9], random_state=0)
    >>> clf = FrankWolfeClassifier(measure="g_mean", random_state=0).fit(X, y)
    >>> plain = recall_score(y, LogisticRegression().fit(X, y).predict(X), average=None)
    >>> bool(np.sqrt(plain.prod()) < clf.score(X, y))
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        measure: str | Measure | ConfusionMeasure = "g_mean",
        errors: str = "observed",
        n_starts: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        cv: Any = 3,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.errors = errors
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._make_measure()

    def _tune(self, sample: Sample) -> None:
        measure = self._make_measure()
        ascents = [
            ascend(sample, measure, start, self.max_iter, self.tol)
            for start in self._starts(sample, measure.concave)
        ]
        best = max(ascents, key=lambda ascent: ascent.history[-1, 0])
        mixture, plain = best.mixture, Mixture.of(sample, equal_costs(sample.n_classes)[None])
        if measure.value(plain.confusion) > best.history[-1, 0]:
            mixture = plain
        self.measure_ = measure
        self.best_score_ = float(measure.value(mixture.confusion))
        self.gap_, self.history_ = float(best.history[-1, 1]), best.history
        self.n_iter_ = len(best.history)
        self.costs_, self.weights_ = mixture.costs, mixture.weights
        self.confusion_ = mixture.confusion

    def _make_measure(self) -> ConfusionMeasure:
        if isinstance(self.measure, str) and self.measure in MEANS:
            return MEANS[self.measure]
        if not isinstance(self.measure, str | Measure):
            return self.measure
        measure = get_ratio(self.measure)
        if not measure.decomposes:
            raise ValueError(
                f"{measure!r} is a ratio of two linear functions; use BisectionClassifier, or a "
                f"macro average or one of {', '.join(MEANS)} here."
            )
        return MacroAverage(measure)

    def _starts(self, sample: Sample, concave: bool) -> Iterator[Mixture]:
        """Yield where to start: from all classes alike, where no recall is zero, and elsewhere."""
        n_classes = sample.n_classes
        always = np.ones((n_classes, n_classes, n_classes))  # classifier k always predicts k
        always[np.arange(n_classes), :, np.arange(n_classes)] = 0.0
        yield Mixture.of(sample, always)
        if concave:
            return
        equal = equal_costs(n_classes)
        random = check_random_state(self.random_state)
        factors = np.exp(random.normal(size=(max(self.n_starts - 2, 0), n_classes, 1)))
        for costs in [equal, *(factors * equal)][: self.n_starts - 1]:
            yield Mixture.of(sample, costs[None])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return how often the random choice gives each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Frequencies, not the probabilities of the classes.
        """
        return self._frequencies(self._new_rows(X))

    def sample(self, X: Any, random_state: Any = None) -> NDArray[Any]:
        """Make the random choice: one classifier for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows, as in `predict`.
        random_state : int, RandomState instance or None, default=None
            Seed of the choice.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predictions.
        """
        steps = np.cumsum(self.predict_proba(X), axis=1)
        drawn = check_random_state(random_state).uniform(size=(len(steps), 1)) * steps[:, -1:]
        return self.classes_[(steps <= drawn).sum(axis=1)]

    def _frequencies(self, X: Any) -> NDArray[np.float64]:
        mixture = Mixture(self.costs_, self.weights_, self.confusion_)
        return mixture.frequencies(self._probabilities(X))

    def _predict(self, X: Any) -> NDArray[Any]:
        return self.classes_[self._frequencies(X).argmax(axis=1)]

    def _value(self, confusion: NDArray[np.float64]) -> float:
        return float(self.measure_.value(confusion))
