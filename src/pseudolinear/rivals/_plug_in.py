"""PlugInClassifier: the threshold on probabilities that a measure's value implies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV

from pseudolinear._validation import check_binary, check_weights
from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure, get_measure
from pseudolinear.rivals._label_wrapper import LabelWrapper, plain_problems
from pseudolinear.rivals._plain_learner import check_probabilities
from pseudolinear.rivals._wrapper import ERRORS, held_out_scores
from pseudolinear.thresholds import ROUNDING, Cut

CALIBRATIONS = ("sigmoid", "isotonic")


def plug_in_threshold(measure: str | Measure, prevalence: ArrayLike, value: ArrayLike) -> Any:
    r"""Give the threshold on probabilities that is optimal at a value of the measure.

    A row of probability :math:`\eta` costs :math:`\eta\, a_{fn}` when it is left out and
    :math:`(1 - \eta)\, a_{fp}` when it is predicted, so at the costs of the value :math:`v` the
    threshold is :math:`a_{fp}(v) / (a_{fn}(v) + a_{fp}(v))`. At the largest value that any
    classifier reaches, it is that of the best classifier.

    Parameters
    ----------
    measure : str or Measure
        For F-beta the threshold is :math:`v / (1 + \beta^2)`, for the Jaccard index
        :math:`v / (1 + v)`, for balanced accuracy the prevalence.
    prevalence : float or array-like of shape (n_labels,)
        Proportion of rows that carry each label.
    value : float or array-like of shape (n_labels,)
        Value of the measure; of a macro average one per label.

    Returns
    -------
    float or ndarray of shape (n_labels,)
        Rows with a larger probability are to be predicted positive.

    References
    ----------
    Koyejo, Natarajan, Ravikumar and Dhillon (2014), NIPS. Lipton, Elkan and Naryanaswamy (2014),
    ECML-PKDD.

    Examples
    --------
    >>> from pseudolinear.rivals import plug_in_threshold
    >>> plug_in_threshold("f1", 0.2, 0.6), plug_in_threshold("balanced_accuracy", 0.2, 0.6)
    (0.3, 0.2)
    """
    goal = get_measure(measure)
    costs = goal.costs(value, prevalence)
    total = costs.sum(axis=-1)
    if (costs < -ROUNDING).any() or (total <= 0).any():
        raise ValueError(
            f"{goal!r} has the costs {costs.tolist()} at the value {value!r}; a threshold needs "
            "costs that are not negative, and not both zero."
        )
    threshold = costs[..., 1] / total
    return threshold if threshold.ndim else float(threshold)


def plug_in_fixed_point(
    probabilities: ArrayLike,
    measure: str | Measure = "f1",
    *,
    y_true: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    max_iter: int = 100,
) -> Cut:
    """Find the threshold that belongs to the value it gives.

    Starting from the value of predicting everything, the rows above the threshold of the value
    are predicted, which gives the next value. This is Dinkelbach's iteration: under the
    probabilities themselves it rises to the largest possible value in a few steps, each one a
    search in the sorted probabilities.

    Parameters
    ----------
    probabilities : array-like of shape (n_samples,) or (n_samples, n_labels)
        Probability that a row carries the label.
    measure : str or Measure, default="f1"
        For several labels a micro or macro average.
    y_true : array-like of the same shape, default=None
        Labels to count the errors with. By default there are none, and errors are expected
        ones: a row of probability 0.7 is 0.7 positive.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    max_iter : int, default=100
        Largest number of steps. Only wrong probabilities can need many: with `y_true`, values
        may go round in circles, and the best one that was seen is returned.

    Returns
    -------
    Cut
        Threshold, one per label if there are several; value and error profile. Rows with a
        larger probability are predicted positive.

    Examples
    --------
    With equal probabilities the best F1 is that of predicting everything, 2P / (1 + P):

    >>> from pseudolinear.rivals import plug_in_fixed_point
    >>> cut = plug_in_fixed_point([0.25, 0.25, 0.25, 0.25])
    >>> cut.value, cut.threshold
    (0.4, 0.2)
    """
    goal = get_measure(measure)
    p = check_probabilities(probabilities)
    truth = p
    if y_true is not None:
        truth = check_binary(y_true, "y_true").astype(np.float64)
        if truth.shape != p.shape:
            raise ValueError(
                f"y_true has the shape {truth.shape} and the probabilities {p.shape}; they must "
                "be equal."
            )
    if max_iter < 1:
        raise ValueError(f"max_iter must be positive, got {max_iter}.")
    weight = check_weights(sample_weight, len(p))
    if p.ndim == 1:
        cut = _fixed_point(p[:, None], truth[:, None], weight, goal.binary(), max_iter)
        return Cut(float(cut.threshold[0]), cut.value, cut.profile)
    if goal.average != "macro":
        return _fixed_point(p, truth, weight, goal, max_iter)
    cuts = [
        _fixed_point(p[:, [k]], truth[:, [k]], weight, goal.binary(), max_iter)
        for k in range(p.shape[1])
    ]
    profile = ErrorProfile(
        *(
            np.concatenate([getattr(cut.profile, name) for cut in cuts])
            for name in ("fn", "fp", "prevalence")
        )
    )
    return Cut(np.concatenate([cut.threshold for cut in cuts]), goal.value(profile), profile)


def _fixed_point(
    p: NDArray[np.float64],
    truth: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    measure: Measure,
    max_iter: int,
) -> Cut:
    """Iterate for all labels together."""
    errors_above, prevalence = _sorted_errors(p, truth, weight)
    if not prevalence.any():
        raise ValueError("No row carries the label; no threshold can be chosen without one.")
    value = measure.value(errors_above(np.full(p.shape[1], -1.0)))
    cuts: list[Cut] = []
    while len(cuts) < max_iter:
        threshold = np.atleast_1d(plug_in_threshold(measure, prevalence, value))
        profile = errors_above(threshold)
        cuts.append(Cut(threshold, measure.value(profile), profile))
        if cuts[-1].value == value:  # predictions are finite in number, so values repeat exactly
            break
        value = cuts[-1].value
    return max(reversed(cuts), key=lambda cut: cut.value)  # of equal ones the last


def _sorted_errors(
    p: NDArray[np.float64], truth: NDArray[np.float64], weight: NDArray[np.float64] | None
) -> tuple[Callable[[NDArray[np.float64]], ErrorProfile], NDArray[np.float64]]:
    """Sort once; return the errors as a function of the thresholds, and the prevalence."""
    share = np.full(len(p), 1 / len(p)) if weight is None else weight / weight.sum()
    order = np.argsort(p, axis=0)
    ranked = np.take_along_axis(p, order, axis=0)
    positive = np.take_along_axis(share[:, None] * truth, order, axis=0)
    negative = np.take_along_axis(share[:, None] * (1 - truth), order, axis=0)
    # A row of zeros first: what lies below the lowest row.
    fn = np.pad(np.cumsum(positive, axis=0), ((1, 0), (0, 0)))
    tn = np.pad(np.cumsum(negative, axis=0), ((1, 0), (0, 0)))
    labels = np.arange(p.shape[1])

    def errors_above(thresholds: NDArray[np.float64]) -> ErrorProfile:
        cuts = [np.searchsorted(ranked[:, k], thresholds[k], side="right") for k in labels]
        return ErrorProfile(fn[cuts, labels], (tn[-1] - tn[cuts, labels]), fn[-1])

    return errors_above, fn[-1]


class PlugInClassifier(LabelWrapper):
    """Classifier that cuts probabilities where the value of the measure says.

    Probabilities of held-out rows are cut at the threshold that belongs to a value of the
    measure, which gives the next value, until both agree; see :func:`plug_in_fixed_point`. The
    threshold is then used with probabilities from all rows. It is only as good as the
    probabilities are; for the best threshold whatever they are, use
    ``MeasureClassifier(cost_sensitive=False)``.

    Parameters
    ----------
    estimator : classifier, default=None
        Any classifier with `predict_proba`, trained once per label; with a calibration any
        classifier. None stands for ``LinearLearner()``, logistic regression.
    measure : str or Measure, default="f1"
        What to maximise; for multilabel problems a micro or macro average. A binary problem
        is the case of one label, whatever the average.
    calibration : {"sigmoid", "isotonic"}, default=None
        How probabilities are corrected on rows held out within the training rows, by
        scikit-learn's `CalibratedClassifierCV`; None takes them as they are.
    errors : {"observed", "expected"}, default="observed"
        Whether errors are counted with the labels of the held-out rows, or expected under
        their probabilities.
    cv : int, "holdout", splitter or iterable of splits, default=3
        How rows are held out, as in :class:`MeasureClassifier`.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of every `random_state` of the estimator that is None.

    Attributes
    ----------
    threshold_ : float or ndarray of shape (n_labels,)
        Rows with a larger probability are predicted positive.
    best_score_ : float
        Value of the measure at the threshold on the held-out rows.
    classes_ : ndarray of shape (n_classes,)
        The classes; of a multilabel problem the column numbers.
    measure_ : Measure
        The measure in the form that was maximised.
    learner_ : Learner
        What trained the models.
    models_ : list
        The fitted models, one per label.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` has them.

    References
    ----------
    Koyejo, Natarajan, Ravikumar and Dhillon (2014), NIPS. Narasimhan, Vaish and Agarwal (2014),
    NIPS. Lipton, Elkan and Naryanaswamy (2014), ECML-PKDD.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.rivals import PlugInClassifier
    >>> X, y = make_classification(n_samples=500, weights=[0.9], random_state=0)
    >>> clf = PlugInClassifier(random_state=0).fit(X, y)
    >>> bool(abs(clf.threshold_ - clf.best_score_ / 2) < 1e-9)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        measure: str | Measure = "f1",
        calibration: str | None = None,
        errors: str = "observed",
        cv: Any = 3,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.calibration = calibration
        self.errors = errors
        self.cv = cv
        self.random_state = random_state

    @property
    def _estimator(self) -> Any:
        inner = super()._estimator
        if self.calibration is None:
            return inner
        return CalibratedClassifierCV(inner, method=self.calibration, cv=3)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PlugInClassifier:
        """Find the threshold and train.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Two classes of any type, or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, in training and in counting errors.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_choice("errors", ERRORS)
        if self.calibration is not None:
            self._check_choice("calibration", CALIBRATIONS)
        self._check_probabilistic()
        trainer, splits = self._prepare(X, y, sample_weight)
        problems = plain_problems(trainer.targets.shape[1])
        rows = np.concatenate([test for _, test in splits])
        scores = np.concatenate([held_out_scores(trainer, problems, *split) for split in splits])
        cut = plug_in_fixed_point(
            expit(scores),
            self.measure_,
            y_true=trainer.targets[rows] if self.errors == "observed" else None,
            sample_weight=None if trainer.sample_weight is None else trainer.sample_weight[rows],
        )
        self.models_ = trainer.fit(problems, np.arange(len(trainer.targets)))
        several = self._kind == "multilabel"
        self.threshold_ = cut.threshold if several else float(cut.threshold[0])
        self.best_score_ = cut.value
        return self

    def _decision(self, X: Any) -> NDArray[np.float64]:
        return expit(self._scores(X)) - self.threshold_
