"""PlugInClassifier: probabilities cut where the value of the measure implies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV

from pseudolinear.measures import Measure
from pseudolinear.rivals._held_out import held_out_scores
from pseudolinear.rivals._label_rival import equal_cost_problems
from pseudolinear.rivals._label_wrapper import LabelWrapper
from pseudolinear.rivals._plug_in_threshold import plug_in_fixed_point
from pseudolinear.rivals._wrapper import ERRORS
from pseudolinear.sweep import Split, Trainer

CALIBRATIONS = ("sigmoid", "isotonic")


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
        classifier. None means ``LinearLearner()``, logistic regression.
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
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_choice("errors", ERRORS)
        if self.calibration is not None:
            self._check_choice("calibration", CALIBRATIONS)
        self._check_probabilistic()

    def _tune(self, trainer: Trainer, splits: list[Split]) -> None:
        problems = equal_cost_problems(trainer.rows.codes.shape[1])
        rows = np.concatenate([test for _, test in splits])
        cut = plug_in_fixed_point(
            expit(held_out_scores(trainer, problems, splits)),
            self.measure_,
            y_true=trainer.rows.codes[rows] if self.errors == "observed" else None,
            sample_weight=None
            if trainer.rows.sample_weight is None
            else trainer.rows.sample_weight[rows],
        )
        self.threshold_ = self._per_label(cut.threshold)
        self.best_score_ = cut.value

    def _decision(self, X: Any) -> NDArray[np.float64]:
        return expit(self._scores(X)) - self.threshold_
