"""ModelCombination: several models per label, combined for the soft F-beta."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from pseudolinear.learners import Learner, LinearLearner, as_learner, check_match
from pseudolinear.rivals._held_out import held_out_scores
from pseudolinear.rivals._label_rival import equal_cost_problems
from pseudolinear.rivals._soft_f import SoftFClassifier
from pseudolinear.rivals._soft_f_loss import SoftFLoss, SoftFProblem
from pseudolinear.rivals._soft_f_rival import SoftFRival
from pseudolinear.sweep import Rows, Trainer, make_splits
from pseudolinear.thresholds import best_thresholds


class ModelCombination(SoftFRival):
    r"""Several models per label, weighted for F-beta (Fujino, Isozaki, Suzuki 2008).

    The log-odds of label k are

    .. math:: s_k(x) = \sum_j g_j s_{jk}(x) + m_k

    where :math:`s_{jk}` are those of model j. The weights g, shared by all labels, and the
    offsets m maximise the soft F-beta of predictions for rows that the models were not trained
    on, with a Gaussian prior around the mean of the models.

    Parameters
    ----------
    estimators : list of classifiers, default=None
        The models; each is trained on one label at a time and takes `sample_weight` or
        `class_weight`. None means logistic regression and :class:`SoftFClassifier`.
    beta : float, default=1.0
        Weight of recall against precision.
    average : {"binary", "micro", "macro", "samples"}, default="binary"
        One label; the counts of all labels together; the mean over the labels; or the mean over
        the rows (instance-wise F).
    alpha : float, default=1e-3
        Weight of the prior.
    slopes : sequence of float, default=(1, 2, 4)
        As in :class:`SoftFClassifier`, and so are `tol` and `max_iter`.
    cv : int, "holdout", splitter or iterable of splits, default=3
        Rows to choose weights and offsets on, pooled over the folds.
    tol, max_iter : float and int, default=1e-5 and 1000
        When a descent ends.
    random_state : int, RandomState instance or None, default=None
        Seed of the shuffling of the rows and of the models that have none.

    Attributes
    ----------
    classes_ : ndarray
        The two classes; of a multilabel problem the column numbers.
    weights_ : ndarray of shape (n_estimators,)
        Weight of each model, times the last slope.
    offsets_ : ndarray of shape (n_labels,)
        Offset of each label, times the last slope.
    soft_f_ : float
        Soft F-beta of the held-out predictions.
    n_iter_ : int
        Number of iterations, of all starts together.
    learners_ : list of Learner
        What trained the models.
    models_ : list of list
        The fitted models of each learner, one per label.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from pseudolinear.rivals import ModelCombination
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(200, random_state=0)
    >>> clf = ModelCombination(average="micro", random_state=0).fit(X, Y)
    >>> clf.weights_.shape, clf.offsets_.shape
    ((2,), (5,))
    """

    def __init__(
        self,
        estimators: Sequence[Any] | None = None,
        *,
        beta: float = 1.0,
        average: str = "binary",
        alpha: float = 1e-3,
        slopes: Sequence[float] = (1.0, 2.0, 4.0),
        cv: Any = 3,
        tol: float = 1e-5,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.beta = beta
        self.average = average
        self.alpha = alpha
        self.slopes = slopes
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _fit_labels(self, X: Any, codes: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        problems = equal_cost_problems(codes.shape[1])
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        splits = make_splits(self.cv, X, codes, self._kind, seed)
        self.learners_ = self._make_learners(seed, weight is not None)
        rows = Rows(X, codes, weight)
        trainers = [Trainer(learner, rows) for learner in self.learners_]
        logits = np.stack([held_out_scores(trainer, problems, splits) for trainer in trainers])
        held = np.concatenate([test for _, test in splits])
        self._combine(logits, codes[held], rows.weight(held))
        self.models_ = [trainer.fit(problems, np.arange(len(rows))) for trainer in trainers]

    def _make_learners(self, seed: int, weighted: bool) -> list[Learner]:
        estimators = self.estimators
        if estimators is None:
            estimators = [LinearLearner(), SoftFClassifier(beta=self.beta)]
        if not len(estimators):
            raise ValueError("ModelCombination: estimators is empty; give at least one, or None.")
        learners = [as_learner(estimator) for estimator in estimators]
        for learner in learners:
            check_match(learner, classes=False, weighted=weighted)
        return [learner.seeded(seed) for learner in learners]

    def _combine(
        self, logits: NDArray[np.float64], Y: NDArray[Any], weight: NDArray[np.float64] | None
    ) -> None:
        """Choose weights and offsets for the log-odds of each model."""
        n_models, _, n_labels = logits.shape
        loss = SoftFLoss(Y, self.beta, self.average, weight)
        design = combined_scores(logits)
        mean = np.full(n_models, 1.0 / n_models)
        centre = np.concatenate([mean, np.zeros(n_labels)])
        precision = np.repeat([self.alpha, self.alpha / n_labels], [n_models, n_labels])
        starts = []
        for weights in (mean, *np.eye(n_models)):
            scores = np.tensordot(weights, logits, axes=1)
            cut = best_thresholds(Y, scores, self._goal, weight)
            starts.append(np.concatenate([weights, -cut.threshold]))
        problem = SoftFProblem(loss, design, precision, centre)
        descent = problem.descend(starts, self.slopes, self.tol, self.max_iter)
        theta = self.slopes[-1] * descent.theta
        self.weights_, self.offsets_ = theta[:n_models], theta[n_models:]
        self.soft_f_ = 1.0 - loss(design.matvec(theta).reshape(Y.shape))[0]
        self.n_iter_ = descent.n_iter
        if not descent.converged:
            warnings.warn(
                f"The weights stopped at max_iter={self.max_iter}; raise max_iter.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _decision(self, X: Any) -> NDArray[np.float64]:
        pairs = zip(self.learners_, self.models_, strict=True)
        logits = [np.stack(learner.scores(models, X), axis=1) for learner, models in pairs]
        return np.tensordot(self.weights_, np.stack(logits), axes=1) + self.offsets_


def combined_scores(logits: NDArray[np.float64]) -> LinearOperator:
    """Return the linear map from the weights of models and the offsets of labels to scores.

    Parameters
    ----------
    logits : ndarray of shape (n_models, n_samples, n_labels)
        What is combined.
    """
    n_models, n_samples, n_labels = logits.shape

    def scores(theta: NDArray[np.float64]) -> NDArray[np.float64]:
        theta = theta.ravel()
        return (np.tensordot(theta[:n_models], logits, axes=1) + theta[n_models:]).ravel()

    def adjoint(gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = gradient.reshape(n_samples, n_labels)
        return np.concatenate([np.tensordot(logits, columns, axes=2), columns.sum(axis=0)])

    shape = (n_samples * n_labels, n_models + n_labels)
    return LinearOperator(shape, matvec=scores, rmatvec=adjoint, dtype=np.float64)
