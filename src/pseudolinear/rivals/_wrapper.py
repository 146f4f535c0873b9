"""What the rivals share that train a classifier as it is and decide anew what its scores mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import assert_all_finite, check_consistent_length, check_random_state, get_tags
from sklearn.utils.validation import validate_data

from pseudolinear._validation import check_weights, narrow_indices
from pseudolinear.kinds._targets import Targets
from pseudolinear.learners._base import Problem
from pseudolinear.learners._linear import LinearLearner
from pseudolinear.rivals._plain_learner import PlainLearner
from pseudolinear.sweep import make_splits
from pseudolinear.sweep._training import Split, Trainer

ERRORS = ("observed", "expected")  # how errors are counted on held-out rows


class WrapperClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Base of the classifiers that wrap another one.

    Children have the parameters `estimator`, `cv` and `random_state`.
    """

    estimator: Any
    cv: Any
    random_state: Any

    @property
    def _estimator(self) -> Any:
        """What is trained."""
        return LinearLearner() if self.estimator is None else self.estimator

    def __sklearn_tags__(self) -> Any:
        """Take the rows that the wrapped classifier takes."""
        tags = super().__sklearn_tags__()
        inner = get_tags(self._estimator).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        tags = get_tags(self._estimator).input_tags
        if isinstance(self._estimator, Pipeline):  # its first step knows what it takes
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if tags.sparse else False,
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
        )
        return narrow_indices(X)

    def _check_input(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[Any], NDArray[np.float64] | None]:
        """Return rows, target and weights as arrays."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X = self._check_rows(X, reset=True)
        y = y.toarray() if sparse.issparse(y) else np.asarray(y)
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        check_consistent_length(X, y)
        return X, y, check_weights(sample_weight, len(y))

    def _make_trainer(
        self, X: Any, targets: Targets, weight: NDArray[np.float64] | None, *, native: bool
    ) -> tuple[Trainer, list[Split]]:
        """Return what trains, and the splits; `native` lets built-in learners solve batches."""
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        estimator = self._estimator
        if not (native and hasattr(estimator, "fit_batch")):
            estimator = PlainLearner(estimator, seed)
        splits = make_splits(self.cv, X, targets, seed)
        return Trainer(estimator, X, targets.codes, weight), splits

    def _check_probabilistic(self) -> None:
        if not hasattr(self._estimator, "predict_proba"):
            raise TypeError(
                f"{type(self._estimator).__name__} gives no probabilities; use a classifier with "
                "predict_proba, or wrap it in CalibratedClassifierCV."
            )

    def _check_choice(self, name: str, allowed: Sequence[str]) -> None:
        if getattr(self, name) not in allowed:
            raise ValueError(
                f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}."
            )


def held_out_scores(
    trainer: Trainer, problems: Sequence[Problem], train: NDArray[np.intp], test: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Score some rows by models of other rows.

    Returns
    -------
    ndarray of shape (n_test, n_problems) or (n_test, n_problems, n_classes)
        One column per problem.
    """
    models = trainer.fit(problems, train)
    return np.stack(trainer.learner.scores(models, trainer.rows(test, train)), axis=1)
