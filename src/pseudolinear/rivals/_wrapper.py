"""Wrapper: what the rivals share that train a classifier and decide anew what its scores mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import validate_data

from pseudolinear.kinds import Kind
from pseudolinear.learners import Learner, LinearLearner
from pseudolinear.rivals._plain_learner import PlainLearner
from pseudolinear.rivals._rival import Rival
from pseudolinear.sweep import Rows, Split, Trainer, make_splits

ERRORS = ("observed", "expected")  # how errors are counted on held-out rows


class Wrapper(MetaEstimatorMixin, Rival):
    """Base of the classifiers that wrap another one.

    Children have the parameters `estimator` and `random_state`, and `cv` if they hold out rows.
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

    @property
    def _row_options(self) -> dict[str, Any]:
        tags = get_tags(self._estimator).input_tags
        return {
            "accept_sparse": "csr" if tags.sparse else False,
            "ensure_all_finite": "allow-nan" if tags.allow_nan else True,
        }

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        if isinstance(self._estimator, Pipeline):  # its first step knows what it takes
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        return super()._check_rows(X, reset=reset)

    def _make_trainer(
        self,
        X: Any,
        kind: Kind,
        codes: NDArray[Any],
        weight: NDArray[np.float64] | None,
        *,
        native: bool,
    ) -> tuple[Trainer, list[Split]]:
        """Return what trains, and the splits; `native` lets built-in learners solve batches."""
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        learner = self._estimator
        if not (native and isinstance(learner, Learner)):
            learner = PlainLearner(learner, seed)
        splits = make_splits(self.cv, X, codes, kind, seed)
        return Trainer(learner, Rows(X, codes, weight)), splits

    def _check_probabilistic(self) -> None:
        if not hasattr(self._estimator, "predict_proba"):
            raise TypeError(
                f"{type(self._estimator).__name__} gives no probabilities, as it has no "
                "predict_proba; use a classifier that has, or scikit-learn's "
                "CalibratedClassifierCV around it."
            )
