"""What the built-in learners share: batches of problems, and the scikit-learn face."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._brief import brief_repr
from pseudolinear._problem import ClassesProblem, Problem
from pseudolinear._validation import (
    check_magnitudes,
    check_sparse,
    check_training_weights,
    narrow_indices,
)
from pseudolinear.blocks import Blocks, Codes
from pseudolinear.learners._batch import Batch
from pseudolinear.learners._learner import Abilities, Learner

LARGEST_C = 1e15  # beyond, rounding loses the penalty beside the losses
ONLY_C = frozenset({"C"})
SOLUTION_NUMBERS = 1 << 25  # all solutions of a batch together: 256 MB


@dataclass(frozen=True, eq=False)
class ClassModel:
    """A multiclass problem as one model per class."""

    models: Sequence[Any]

    __repr__ = brief_repr

    @property
    def coef(self) -> NDArray[np.float64]:
        """Weights of linear models, one column per class."""
        return np.stack([model.coef for model in self.models], axis=1)

    @property
    def intercept(self) -> NDArray[np.float64]:
        """Intercepts, one per class."""
        return np.array([model.intercept for model in self.models])

    @property
    def optimality(self) -> float:
        """The worst one of the classes."""
        return max(model.optimality for model in self.models)

    @property
    def converged(self) -> bool:
        """Whether all classes reached the tolerance."""
        return all(model.converged for model in self.models)


class NativeLearner(Learner, ClassifierMixin, BaseEstimator):
    """Base of the learners that solve a whole batch of problems at once.

    As a learner it fits batches of problems; as a scikit-learn classifier it trains with equal
    costs, of several classes each against the rest unless it takes them together. Children have the
    parameters `C` and `tol`.
    """

    C: float
    tol: float
    _starts: Mapping[str, Any] = MappingProxyType({})  # models to start from, by their problems

    @abstractmethod
    def _solve(self, X: Any, batch: Batch) -> Sequence[Any]:
        """Solve a batch with this learner's other parameters; return one model per problem."""

    @abstractmethod
    def _score(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models of binary problems."""

    @property
    def _takes_class_costs(self) -> bool:
        """Whether `_solve` takes problems of different class costs at once."""
        return False

    @property
    def abilities(self) -> Abilities:
        """Say that whole batches are solved, each problem with its gap."""
        tags = get_tags(self).input_tags
        return Abilities(
            batches=True,
            sparse=tags.sparse,
            pairwise=tags.pairwise,
            probabilities=hasattr(self, "predict_proba"),
            gaps=True,
            threads=True,
        )

    def parameters(self) -> list[str]:
        """Name the parameters of the learner."""
        return sorted(self.get_params())

    def scores(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; see :class:`Scorer`."""
        if not isinstance(models[0], ClassModel):
            return self._score(models, X)
        scores = self._score([of_class for model in models for of_class in model.models], X)
        ends = np.cumsum([len(model.models) for model in models])
        parts = zip(models, ends, strict=True)
        return [np.stack(scores[end - len(model.models) : end], axis=1) for model, end in parts]

    def __sklearn_tags__(self) -> Any:
        """Say that sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def _rows(self) -> dict[str, Any]:
        """What rows are checked for and converted to."""
        sparse = "csr" if get_tags(self).input_tags.sparse else False
        return {"accept_sparse": sparse, "dtype": self._precisions, "order": "C"}

    @property
    def _precisions(self) -> list[Any]:
        """Types of rows that are taken as they are; all others are made the first of them."""
        return [np.float64]

    def batch_size(self, X: Any) -> int:
        """Take enough problems to fill the batches of a solver, but few enough for the memory."""
        return max(256, min(1024, SOLUTION_NUMBERS // max(X.shape)))

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[Any]:
        """Fit all problems on the same rows; see :class:`Learner`."""
        if not isinstance(X, Blocks | Codes):  # which a view has made
            X = narrow_indices(check_array(X, **self._rows))
        models: list[Any] = [None] * len(problems)
        for learner, numbers in self._by_parameters(problems):
            own = [problems[i] for i in numbers]
            fit = learner._fit_classes if _of_classes(own[0]) else learner._fit_labels
            for i, model in zip(numbers, fit(X, targets, own, sample_weight), strict=True):
                models[i] = model
        return models

    def _by_parameters(self, problems: Sequence[Problem]) -> Iterator[tuple[Self, list[int]]]:
        """Group the problems that differ in nothing but label, costs and C."""
        groups: dict[tuple[Any, ...], tuple[Self, list[int]]] = {}
        shared: dict[tuple[int, Any], list[int]] = {}  # by mappings that problems share, or 0
        of_classes = {kind: issubclass(kind, ClassesProblem) for kind in set(map(type, problems))}
        for i, problem in enumerate(problems):
            label = of_classes[type(problem)] and problem.label
            same = 0 if problem.params.keys() <= ONLY_C else id(problem.params), label
            if same not in shared:
                params = {name: value for name, value in problem.params.items() if name != "C"}
                key = repr(sorted(params.items())), label
                if key not in groups:
                    groups[key] = (self._with(params) if params else self, [])
                shared[same] = groups[key][1]
            shared[same].append(i)
        yield from groups.values()

    def _with(self, params: Mapping[str, Any]) -> Self:
        other = clone(self).set_params(**params)
        other._starts = self._starts
        return other

    def _fit_labels(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None,
    ) -> Sequence[Any]:
        """Fit problems of labels, all in one batch."""
        fn, fp = np.array([problem.costs for problem in problems]).T
        labels = np.array([problem.label for problem in problems])
        Y, C = targets.astype(np.int8), self._c_values(problems)
        start = self._start(problems, X.shape[1])
        return self._models(X, Batch(Y, labels, fn, fp, C, sample_weight, start=start))

    def _fit_classes(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None,
    ) -> Sequence[ClassModel]:
        """Fit a model for each class, every row with the cost of its own class.

        All classes of all problems are one batch: each against the rest, unless the learner takes
        those of a problem together.
        """
        codes = problems[0].target(targets)
        costs = np.array([problem.class_costs for problem in problems])
        n_problems, n_classes = costs.shape
        classes, one = np.arange(n_classes), np.ones(costs.size)
        Y = (codes[:, None] == classes).astype(np.int8)
        labels, C = np.tile(classes, n_problems), self._c_values(problems).repeat(n_classes)
        each = costs.repeat(n_classes, axis=0)
        start = self._start(problems, X.shape[1])
        models = self._models(X, Batch(Y, labels, one, one, C, sample_weight, codes, each, start))
        return [ClassModel(models[i : i + n_classes]) for i in range(0, len(models), n_classes)]

    def _c_values(self, problems: Sequence[Problem]) -> NDArray[np.float64]:
        return np.array([problem.params.get("C", self.C) for problem in problems], dtype=np.float64)

    def _start(
        self, problems: Sequence[Problem], n_features: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return the weights and intercepts to start from, if there are some for all problems."""
        if not self._starts:
            return None
        known = [self._starts.get(problem_name(problem)) for problem in problems]
        models = [one for model in known for one in getattr(model, "models", [model])]
        if any(model is None or len(model.coef) != n_features for model in models):
            return None
        coef, intercept = zip(*((model.coef, model.intercept) for model in models), strict=True)
        return np.stack(coef), np.array(intercept)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit with equal costs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        self
            The fitted classifier.
        """
        X, y = validate_data(self, check_sparse(X), y, **self._rows)
        check_classification_targets(y)
        weight = check_training_weights(sample_weight, len(y))
        classes, codes = np.unique(y, return_inverse=True)
        if len(np.unique(codes if weight is None else codes[weight > 0])) < 2:
            raise ValueError(
                f"y has only one class, {classes.tolist()[0]!r}; {type(self).__name__} needs at "
                "least two."
            )
        positive = classes[1:] if len(classes) == 2 else classes
        Y, one = (y[:, None] == positive).astype(np.int8), np.ones(len(positive))
        several = (codes, np.ones((len(positive), len(positive)))) if len(positive) > 1 else ()
        batch = Batch(Y, np.arange(len(positive)), one, one, one * self.C, weight, *several)
        models = self._models(narrow_indices(X), batch)
        self.classes_ = classes
        self.optimality_ = np.array([model.optimality for model in models])
        self._keep(models)
        if not all(model.converged for model in models):
            warnings.warn(
                f"{sum(not m.converged for m in models)} of {len(models)} problems stopped before "
                f"tol={self.tol:g} was reached (worst relative gap {self.optimality_.max():.1e}); "
                "scale the features or raise max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _keep(self, models: Sequence[Any]) -> None:
        """Store the models of `fit`."""
        self.models_ = models
        self.intercept_ = np.array([model.intercept for model in models])
        self.n_iter_ = np.array([model.n_iter for model in models])

    def _models(self, X: Any, batch: Batch) -> Sequence[Any]:
        """Check a batch and solve it."""
        outside = batch.C[~((batch.C > 0) & (batch.C <= LARGEST_C))]
        if outside.size:
            raise ValueError(
                f"{type(self).__name__}: C must be positive and at most {LARGEST_C:g}, beyond "
                f"which rounding loses the penalty, got {outside[0]:g}."
            )
        if not isinstance(X, Blocks | Codes):
            self._check_rows(X, batch)
        if self._takes_class_costs:
            return self._solve(X, batch)
        models: list[Any] = [None] * len(batch.C)
        for numbers, part in batch.by_class_costs():
            for i, model in zip(numbers, self._solve(X, part), strict=True):
                models[i] = model
        return models

    def _check_rows(self, X: Any, batch: Batch) -> None:
        """Refuse numbers that a batch cannot be solved with."""
        check_magnitudes(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            One column per class unless there are two.
        """
        check_is_fitted(self)
        X = validate_data(self, check_sparse(X), reset=False, **self._rows)
        scores = self.scores(self.models_, X)
        return scores[0] if len(self.classes_) == 2 else np.stack(scores, axis=1)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predictions.
        """
        decision = self.decision_function(X)
        if decision.ndim == 1:
            return self.classes_[(decision > 0).astype(np.intp)]
        return self.classes_[decision.argmax(axis=1)]


def problem_name(problem: Problem) -> str:
    """Return what tells a problem from others."""
    return repr((problem.label, problem.costs, sorted(problem.params.items())))


def _of_classes(problem: Problem) -> bool:
    return isinstance(problem, ClassesProblem)
