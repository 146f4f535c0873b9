"""Multilabel prediction of the largest expected instance-wise F, for any dependence of labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.utils import (
    assert_all_finite,
    check_consistent_length,
    check_random_state,
    column_or_1d,
    gen_batches,
    get_tags,
)
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from pseudolinear._validation import check_binary, check_weights, narrow_indices
from pseudolinear.learners._estimator import last_step, set_seed
from pseudolinear.rivals._expected_f import check_probabilities, check_settings

PARAMETERS = ("multinomial", "chain", "independent")
CHUNK_NUMBERS = 1 << 22  # of one array while predicting: 32 MB


def gfm(
    P: ArrayLike,
    p0: ArrayLike,
    beta: float = 1.0,
    *,
    sizes: ArrayLike | None = None,
    zero_division: float = 1.0,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    r"""Find the label sets of largest expected F-beta, one per instance.

    Whatever the dependence between the m labels of an instance, the expected F of a set h of
    k labels depends on their joint distribution only through m^2 + 1 numbers:

    .. math:: E F_\beta(y, h) = \sum_{i \in h} \sum_s P(y_i = 1, |y| = s)
              \frac{1 + \beta^2}{\beta^2 s + k}

    so the best set of k labels takes the k largest inner sums, and the best k is found by
    trying all (Dembczynski, Waegeman, Cheng and Hüllermeier 2011).

    Parameters
    ----------
    P : array-like of shape (n_samples, n_labels, n_sizes)
        Probability that an instance carries the label i and has as many labels as the size s.
    p0 : array-like of shape (n_samples,)
        Probability that an instance has no label.
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    sizes : array-like of shape (n_sizes,), default=None
        Numbers of labels that the last axis of `P` stands for; by default 1, ..., n_labels.
    zero_division : float, default=1.0
        F of an empty set where there is no label, from 0 to 1.

    Returns
    -------
    predictions : ndarray of shape (n_samples, n_labels)
        0 or 1; of equally good sets a smallest one.
    values : ndarray of shape (n_samples,)
        Expected F of the predictions.

    Examples
    --------
    One of three labels for certain, or all three:

    >>> from pseudolinear.rivals import gfm
    >>> P = [[[0.6, 0, 0.4], [0, 0, 0.4], [0, 0, 0.4]]]
    >>> gfm(P, [0.0])
    (array([[1, 0, 0]]), array([0.8]))
    >>> gfm(P, [0.0], beta=2)
    (array([[1, 1, 1]]), array([0.8286]))
    """
    P, p0 = check_probabilities(P, "P"), check_probabilities(p0, "p0")
    beta2 = check_settings(beta, zero_division)
    if P.ndim != 3 or p0.shape != P.shape[:1]:
        raise ValueError(
            f"P has the shape {P.shape} and p0 {p0.shape}; they must be "
            "(n_samples, n_labels, n_sizes) and (n_samples,)."
        )
    k = np.arange(1, P.shape[1] + 1)
    s = k if sizes is None else np.asarray(sizes)
    if s.shape != P.shape[2:] or (s < 1).any():
        raise ValueError(
            f"The last axis of P has the length {P.shape[2]}, which stands for the sizes "
            f"{s.tolist()}; give one size for each, from 1 on."
        )
    gain = P @ ((1.0 + beta2) / (beta2 * s[:, None] + k))  # of each label in a set of k
    ranked = np.cumsum(-np.sort(-gain, axis=1), axis=1)
    values = np.column_stack([zero_division * p0, np.diagonal(ranked, axis1=1, axis2=2)])
    n_positive, rows = values.argmax(axis=1), np.arange(len(P))
    order = np.argsort(-gain[rows, :, n_positive - 1], axis=1, kind="stable")
    predictions = np.zeros(P.shape[:2], dtype=np.intp)
    np.put_along_axis(predictions, order, (k <= n_positive[:, None]).astype(np.intp), axis=1)
    return predictions, values[rows, n_positive]


class GFMClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""Multilabel classifier for the instance-wise F-beta.

    It estimates :math:`P(y_i = 1, |y| = s \mid x)` and :math:`P(y = 0 \mid x)` and predicts for
    each row the set of labels with the largest expected F; see :func:`gfm`. A binary problem
    is the case of one label, where the more probable class is best.

    Parameters
    ----------
    estimator : classifier, default=None
        Gives the probabilities; has `predict_proba`. None stands for scikit-learn's
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
    feature_names_in_ : ndarray of shape (n_features_in_,)
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
        """Say what kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        inner = get_tags(self._estimator).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the models of the probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples, n_labels) or (n_samples,)
            The 0/1 matrix of the labels, or two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row; rows of weight 0 are left out.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_choices(sample_weight is not None)
        X = self._check_rows(X, reset=True)
        if y is None:
            raise ValueError("GFMClassifier requires y to be passed, but the target y is None.")
        y = y.toarray() if sparse.issparse(y) else np.asarray(y)
        check_consistent_length(X, y)
        weight = check_weights(sample_weight, len(y))
        if weight is not None:
            X, y, weight = X[weight > 0], y[weight > 0], weight[weight > 0]
        Y = self._read_labels(y)
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(np.iinfo(np.int32).max))
        self.draws_ = rng.random_sample((self.n_samples, Y.shape[1]))
        self.sizes_ = np.arange(1, Y.shape[1] + 1)
        if self.parameters == "multinomial":
            self.sizes_ = np.setdiff1d(Y.sum(axis=1), [0])
        self.models_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit)(self._estimator, rows, target, weight, seed)
            for rows, target in self._problems(X, Y)
        )
        return self

    def _check_choices(self, weighted: bool) -> None:
        if self.parameters not in PARAMETERS:
            raise ValueError(
                f"parameters must be one of {', '.join(PARAMETERS)}, got {self.parameters!r}."
            )
        if not self.n_samples >= 1:
            raise ValueError(f"n_samples must be at least 1, got {self.n_samples!r}.")
        check_settings(self.beta, self.zero_division)
        name, (_, last) = type(self._estimator).__name__, last_step(self._estimator)
        if not hasattr(self._estimator, "predict_proba"):
            raise TypeError(
                f"{name} has no predict_proba; use a classifier that gives probabilities, or "
                "scikit-learn's CalibratedClassifierCV around it."
            )
        if weighted and not has_fit_parameter(last, "sample_weight"):
            raise TypeError(
                f"{name} takes no sample_weight; leave the weights out or use another classifier."
            )

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        tags = get_tags(self._estimator).input_tags
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if tags.sparse else False,
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
        )
        return narrow_indices(X)

    def _read_labels(self, y: NDArray[Any]) -> NDArray[np.intp]:
        """Return y as a 0/1 matrix and keep its classes."""
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
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

    def _problems(self, X: Any, Y: NDArray[np.intp]) -> Iterator[tuple[Any, NDArray[np.intp]]]:
        """Yield the rows and targets of the models."""
        sizes = Y.sum(axis=1)
        for i, label in enumerate(Y.T):
            if self.parameters == "multinomial":
                yield X, label * sizes
            elif self.parameters == "chain":
                yield _append(X, Y[:, :i]), label
            else:
                yield X, label
        if self.parameters == "multinomial":
            yield X, (sizes == 0).astype(np.intp)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the label sets of largest expected F.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_labels) or (n_samples,)
            0 or 1, or classes.
        """
        check_is_fitted(self)
        X = self._check_rows(X, reset=False)
        chunks = [
            gfm(
                *self._estimate(X[rows]),
                self.beta,
                sizes=self.sizes_,
                zero_division=self.zero_division,
            )[0]
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

    def _estimate(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Estimate the parameters of :func:`gfm`."""
        if self.parameters == "multinomial":
            return self._estimate_multinomial(X)
        if self.parameters == "chain":
            return self._estimate_chain(X)
        return self._estimate_independent(X)

    def _estimate_multinomial(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        *labels, empty = self.models_
        codes = np.concatenate([[0], self.sizes_])
        P = [_class_probabilities(model, X, codes)[:, 1:] for model in labels]
        return np.stack(P, axis=1), _class_probabilities(empty, X, np.arange(2))[:, 1]

    def _estimate_independent(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        p = np.stack([_class_probabilities(m, X, np.arange(2))[:, 1] for m in self.models_], axis=1)
        return p[:, :, None] * leave_one_out(p), np.prod(1.0 - p, axis=1)

    def _estimate_chain(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw label sets from the chain and count labels and sizes.

        Draws of one row that agree so far share a node of its tree of labels, and with it the
        probability of the next label.
        """
        (n_draws, n_labels), n = self.draws_.shape, X.shape[0]
        row, before = np.arange(n), np.empty((n, 0), dtype=np.intp)  # of each node
        node = np.repeat(row, n_draws)  # of each draw
        for model, draws in zip(self.models_, self.draws_.T, strict=True):
            p = _class_probabilities(model, _append(X[row], before), np.arange(2))[:, 1]
            drawn = np.tile(draws, n) < p[node]
            children, node = np.unique(2 * node + drawn, return_inverse=True)
            parent, label = np.divmod(children, 2)
            row, before = row[parent], np.column_stack([before[parent], label])
        size, times = before.sum(axis=1), np.bincount(node)
        P = np.zeros((n, n_labels, n_labels))
        where = row[:, None], np.arange(n_labels), size[:, None] - 1  # size 0 adds nothing
        np.add.at(P, where, times[:, None] * before)
        empty = np.bincount(row, times * (size == 0), minlength=n)
        return P / n_draws, empty / n_draws

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the mean over rows of the F-beta of their labels.

        It is scikit-learn's ``fbeta_score(..., average="samples")``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples, n_labels) or (n_samples,)
            True labels or classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        float
            Mean instance-wise F.
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


def leave_one_out(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the distribution of the number of positives among all labels but one.

    The distribution over all labels is divided by the factor of each label, from the end where
    the errors of the recursion do not grow: O(m^2) numbers and steps per row.

    Parameters
    ----------
    p : ndarray of shape (n_samples, n_labels)
        Probabilities of independent labels.

    Returns
    -------
    ndarray of shape (n_samples, n_labels, n_labels)
        Probability that 0, 1, ..., n_labels - 1 of the other labels are positive.
    """
    n, m = p.shape
    total = np.zeros((n, m + 1))
    total[:, 0] = 1.0
    for column in p.T[:, :, None]:
        total[:, 1:] = (1.0 - column) * total[:, 1:] + column * total[:, :-1]
        total[:, :1] *= 1.0 - column
    # Of a label with p > 1/2 negatives are counted instead.
    flip = p > 0.5
    minor = np.minimum(p, 1.0 - p)
    others, last = np.empty((n, m, m)), np.zeros_like(p)
    for s in range(m):
        here = np.where(flip, total[:, [m - s]], total[:, [s]])
        last = others[:, :, s] = (here - minor * last) / (1.0 - minor)
    others[flip] = others[flip, ::-1]
    return np.clip(others, 0.0, 1.0)


def _fit(
    estimator: Any,
    X: Any,
    target: NDArray[np.intp],
    sample_weight: NDArray[np.float64] | None,
    seed: int,
) -> Any:
    """Fit one model; where all rows agree, one that knows nothing else."""
    if np.unique(target).size == 1:
        return DummyClassifier().fit(X, target)
    model = clone(estimator)
    set_seed(model, seed)
    if sample_weight is None:
        return model.fit(X, target)
    return model.fit(X, target, **{f"{last_step(model)[0]}sample_weight": sample_weight})


def _append(X: Any, labels: NDArray[np.intp]) -> Any:
    """Add labels to the features."""
    if sparse.issparse(X):
        return narrow_indices(sparse.hstack([X, labels], format="csr"))
    return np.hstack([X, labels])


def _class_probabilities(model: Any, X: Any, codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Give the probability of each code, 0 for those that the model has not seen."""
    p = np.zeros((X.shape[0], codes.size))
    p[:, np.searchsorted(codes, model.classes_)] = model.predict_proba(X)
    return p
