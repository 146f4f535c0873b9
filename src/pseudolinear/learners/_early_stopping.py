"""EarlyStoppingLearner: boosters that stop when rows of their own get no better."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from pseudolinear._validation import take_rows
from pseudolinear.learners._estimator import EstimatorLearner
from pseudolinear.learners._wrapped import last_step, resamples


class EarlyStoppingLearner(EstimatorLearner):
    """Train a booster that stops early on rows that are set aside from its training rows.

    LightGBM, XGBoost and CatBoost stop when the loss on an `eval_set` rises. It is drawn here, in
    every fold and for the final model, from the rows that are trained on: the validation rows
    choose costs and threshold, and a booster that stopped where they like it best would look better
    on them than on others. The costs weigh the rows that are set aside as well.

    scikit-learn's own boosters and networks set rows aside themselves (`early_stopping=True`) and
    need no help.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Its `fit`, or that of its last step, takes `eval_set`; when to stop is a parameter of its
        own, such as ``LGBMClassifier(early_stopping_round=20)`` or
        ``XGBClassifier(early_stopping_rounds=20)``.
    random_state : int, default=None
        Seed of the draw, and given to every `random_state` of the estimator that is None.
    share : float, default=0.15
        Share of the rows of each class that is set aside; at least one row stays.

    Examples
    --------
    A classifier that only counts the rows it would stop on, of 600:

    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from pseudolinear.learners import EarlyStoppingLearner
    >>> class Booster(LogisticRegression):
    ...     def fit(self, X, y, sample_weight=None, eval_set=None, eval_sample_weight=None):
    ...         self.n_aside_ = len(eval_set[0][1])
    ...         return super().fit(X, y, sample_weight)
    >>> X, y = make_classification(600, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier(EarlyStoppingLearner(Booster()), random_state=0).fit(X, y)
    >>> clf.models_[0].estimator.n_aside_
    91
    """

    def __init__(
        self, estimator: Any, random_state: int | None = None, share: float = 0.15
    ) -> None:
        super().__init__(estimator, random_state)
        self.share = share

    def _train(
        self,
        estimator: Any,
        X: Any,
        y: NDArray[np.intp],
        weight: NDArray[np.float64] | None,
        metadata: Mapping[str, Any] | None,
    ) -> None:
        self._check(estimator, metadata)
        kept, aside = self._split(y)
        X, X_aside = take_rows(X, kept), take_rows(X, aside)
        if isinstance(estimator, Pipeline) and len(estimator) > 1:
            before = estimator[:-1]
            X, X_aside = before.fit_transform(X, y[kept]), before.transform(X_aside)
            estimator.steps = [*before.steps, estimator.steps[-1]]
        _, last = last_step(estimator)
        weigh = {} if weight is None else {"sample_weight": weight[kept]}
        weight = None if weight is None else weight[aside]
        last.fit(X, y[kept], **weigh, **evaluation(last, X_aside, y[aside], weight))

    def _check(self, estimator: Any, metadata: Mapping[str, Any] | None) -> None:
        if metadata:
            raise TypeError(
                f"EarlyStoppingLearner gives {type(estimator).__name__} rows, costs and rows to "
                f"stop on, but no other metadata, such as {', '.join(metadata)}; let it request "
                "nothing."
            )
        if resamples(estimator):
            raise TypeError(
                "EarlyStoppingLearner cannot resample rows; leave the sampler out of the pipeline, "
                "since the costs weigh the classes."
            )

    def _split(self, y: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Share the rows of every class; scikit-learn's splitters refuse a class of one row."""
        if not 0 < self.share < 1:
            raise ValueError(f"share must be between 0 and 1, got {self.share!r}.")
        order = np.random.default_rng(self.random_state).permutation(len(y))
        is_aside = np.zeros(len(y), dtype=bool)
        for number in range(y.max() + 1):
            rows = order[y[order] == number]
            is_aside[rows[: min(ceil(self.share * len(rows)), len(rows) - 1)]] = True
        return np.flatnonzero(~is_aside), np.flatnonzero(is_aside)


def evaluation(
    classifier: Any, X: Any, y: NDArray[np.intp], weight: NDArray[np.float64] | None
) -> dict[str, Any]:
    """Return how the fit of a booster is given weighted rows to stop on.

    Parameters
    ----------
    classifier : classifier
        LightGBM's, XGBoost's, CatBoost's, or another one whose fit takes `eval_set`.
    X : array-like of shape (n_samples, n_features)
        The rows.
    y : ndarray of shape (n_samples,)
        Classes, from 0 on.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.

    Returns
    -------
    dict
        Parameters of fit.
    """
    weights = None if weight is None else [weight]
    if has_fit_parameter(classifier, "eval_X"):  # LightGBM from 4.7 on
        return {"eval_X": (X,), "eval_y": (y,), "eval_sample_weight": weights}
    if has_fit_parameter(classifier, "eval_sample_weight"):  # LightGBM
        return {"eval_set": [(X, y)], "eval_sample_weight": weights}
    if has_fit_parameter(classifier, "sample_weight_eval_set"):  # XGBoost, which prints every round
        return {"eval_set": [(X, y)], "sample_weight_eval_set": weights, "verbose": False}
    if type(classifier).__module__.startswith("catboost"):
        categories = classifier.get_params().get("cat_features")
        pool = import_module("catboost").Pool
        return {"eval_set": pool(X, y, weight=weight, cat_features=categories)}
    raise TypeError(
        f"The fit of {type(classifier).__name__} takes no weighted eval_set; give it without "
        "EarlyStoppingLearner, with early stopping of its own where it has one."
    )
