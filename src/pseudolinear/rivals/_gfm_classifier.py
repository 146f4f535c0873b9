"""GFMClassifier: label sets of the largest expected instance-wise F."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d, gen_batches
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from pseudolinear._validation import check_binary, check_weights
from pseudolinear.rivals._expected_f import check_settings
from pseudolinear.rivals._gfm import gfm
from pseudolinear.rivals._label_sizes import Chain, Independent, LabelSizes, Multinomial
from pseudolinear.rivals._plain_learner import check_takes_weights, fit_plain
from pseudolinear.rivals._rival import Rival
from pseudolinear.rivals._wrapper import Wrapper

PARAMETERS = ("multinomial", "chain", "independent")
CHUNK_NUMBERS = 1 << 22  # of one array while predicting: 32 MB


class GFMClassifier(Wrapper):
    r"""Multilabel classifier for the instance-wise F-beta.

    It estimates :math:`P(y_i = 1, |y| = s \mid x)` and :math:`P(y = 0 \mid x)` and predicts for
    each row the set of labels with the largest expected F; see :func:`gfm`. A binary problem
    is the case of one label, where the more probable class is best.

    Parameters
    ----------
    estimator : classifier, default=None
        Gives the probabilities; has `predict_proba`. None means scikit-learn's
        ``LogisticRegression(max_iter=1000)``.
    parameters : {"multinomial", "chain", "independent"}, default="multinomial"
        How the probabilities of labels and sizes are estimated. ``"multinomial"`` trains for each
        label i one model whose classes are 0 (the label is absent) and the sizes s, and a model
        of having no label (Dembczynski, Jachnik, Kotlowski, Waegeman and Hüllermeier 2013).
        ``"chain"`` trains each label on the features and the labels before it, and draws label
        sets from this chain. ``"independent"`` trains each label on its own and takes labels as
        independent given the features.
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    n_samples : int, default=100
        How many label sets are drawn for each row from a chain.
    zero_division : float, default=1.0
        F of an empty prediction for a row without labels, from 0 to 1.
    n_jobs : int, default=None
        Number of models that are trained in parallel (joblib).
    random_state : int, RandomState instance or None, default=None
        Seed of the draws and of every `random_state` of the estimator that is None.

    Attributes
    ----------
    classes_ : ndarray
        The two classes of a binary problem; otherwise the column numbers.
    models_ : list
        The fitted models, one per label; the multinomial ones are followed by that of no label.
    sizes_ : ndarray of int
        Numbers of labels that a row can have, but for 0; the multinomial models know those that
        occurred in training.
    draws_ : ndarray of shape (n_samples, n_labels)
        The random numbers that decide the draws of a chain. They are the same for all rows, so
        that a prediction does not depend on the rows around it.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from pseudolinear.rivals import GFMClassifier
    >>> X, Y = make_multilabel_classification(n_samples=300, random_state=0)
    >>> clf = GFMClassifier().fit(X[:200], Y[:200])
    >>> round(clf.score(X[200:], Y[200:]), 2)
    0.71
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        parameters: str = "multinomial",
        beta: float = 1.0,
        n_samples: int = 100,
        zero_division: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.parameters = parameters
        self.beta = beta
        self.n_samples = n_samples
        self.zero_division = zero_division
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _estimator(self) -> Any:
        return LogisticRegression(max_iter=1000) if self.estimator is None else self.estimator

    def __sklearn_tags__(self) -> Any:
        """Declare which kinds of target there can be."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        return tags

    def _check_parameters(self) -> None:
        self._check_choice("parameters", PARAMETERS)
        if not self.n_samples >= 1:
            raise ValueError(
                f"GFMClassifier: n_samples must be at least 1, got {self.n_samples!r}."
            )
        check_settings(self.beta, self.zero_division)
        self._check_probabilistic()

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        # Rows are cut and extended here, so a pipeline is given checked arrays too.
        return Rival._check_rows(self, X, reset=reset)

    def _fit(self, X: Any, y: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        if weight is not None:
            check_takes_weights(self._estimator)
            X, y, weight = X[weight > 0], y[weight > 0], weight[weight > 0]
        Y = self._read_labels(y)
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(np.iinfo(np.int32).max))
        self.draws_ = rng.random_sample((self.n_samples, Y.shape[1]))
        self.sizes_ = np.arange(1, Y.shape[1] + 1)
        if self.parameters == "multinomial":
            self.sizes_ = np.setdiff1d(Y.sum(axis=1), [0])
        self.models_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_model)(self._estimator, rows, target, weight, seed)
            for rows, target in self._label_sizes.problems(X, Y)
        )

    def _read_labels(self, y: NDArray[Any]) -> NDArray[np.intp]:
        """Return y as a 0/1 matrix and keep its classes."""
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        check_classification_targets(y)
        self._multilabel = kind == "multilabel-indicator"
        if self._multilabel:
            self.classes_ = np.arange(y.shape[1])
            return y.astype(np.intp)
        if kind != "binary":
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}; "
                "GFMClassifier is for 0/1 matrices of labels, and for two classes."
            )
        y = column_or_1d(y, warn=True)
        self.classes_ = np.unique(y)
        if self.classes_.size < 2:
            raise ValueError(
                f"y has only one class, {self.classes_.tolist()[0]!r}; GFMClassifier needs two."
            )
        return (y == self.classes_[1]).astype(np.intp)[:, None]

    @property
    def _label_sizes(self) -> LabelSizes:
        """How the parameters of :func:`gfm` are estimated."""
        if self.parameters == "multinomial":
            return Multinomial(self.sizes_)
        return Chain(self.draws_) if self.parameters == "chain" else Independent()

    def _estimate(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self._label_sizes.estimate(self.models_, X)

    def _predict(self, X: Any) -> NDArray[Any]:
        """Predict the label sets of largest expected F, some rows at a time."""
        options: dict[str, Any] = {"sizes": self.sizes_, "zero_division": self.zero_division}
        chunks = [
            gfm(*self._estimate(X[rows]), self.beta, **options)[0]
            for rows in gen_batches(X.shape[0], self._chunk_size(X))
        ]
        predictions = np.concatenate(chunks)
        return predictions if self._multilabel else self.classes_[predictions[:, 0]]

    def _chunk_size(self, X: Any) -> int:
        n_samples, n_labels = self.draws_.shape
        numbers = n_labels**2
        if self.parameters == "chain":
            features = X.nnz // X.shape[0] if sparse.issparse(X) else X.shape[1]
            numbers = max(numbers, n_samples * (features + n_labels))
        return max(1, CHUNK_NUMBERS // numbers)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the mean over rows of the F-beta of their labels; all arguments as in `fit`.

        It is scikit-learn's ``fbeta_score(..., average="samples")``.
        """
        predicted = self.predict(X)
        if self._multilabel:
            true, predicted = check_binary(y, "y"), predicted == 1
        else:
            true, predicted = (np.reshape(a, (-1, 1)) == self.classes_[1] for a in (y, predicted))
        check_consistent_length(true, predicted)
        hits, beta2 = (true & predicted).sum(axis=1), self.beta**2
        total = beta2 * true.sum(axis=1) + predicted.sum(axis=1)
        f = np.full(len(total), float(self.zero_division))
        np.divide((1.0 + beta2) * hits, total, out=f, where=total > 0)
        return float(np.average(f, weights=check_weights(sample_weight, len(f))))


def _fit_model(
    estimator: Any,
    X: Any,
    target: NDArray[np.intp],
    sample_weight: NDArray[np.float64] | None,
    seed: int,
) -> Any:
    """Fit one model; where all rows agree, a constant one."""
    if np.unique(target).size == 1:
        return DummyClassifier().fit(X, target)
    return fit_plain(estimator, X, target, sample_weight, seed)
