"""BoostingLearner: boosted trees of LightGBM, all labels and costs on one binned table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import parent_process
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, clone

from pseudolinear._problem import ClassesProblem, Problem
from pseudolinear.learners._learner import Abilities, Learner
from pseudolinear.learners._scoring import CERTAIN

PARAMETERS = re.compile(r"^parameters:.*^end of parameters\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, eq=False)
class BoostedModel:
    """Boosted trees of one problem.

    Attributes
    ----------
    booster : lightgbm.Booster or None
        The trees; None where the training rows are of one class.
    present : ndarray
        The classes of the training rows.
    n_classes : int
        Number of columns of the scores; 1 for a label.
    """

    booster: Any
    present: NDArray[np.intp]
    n_classes: int
    optimality: float = np.nan
    converged: bool = True

    def __getstate__(self) -> dict[str, Any]:
        """Keep the trees as LightGBM's text, without how they were trained."""
        if self.booster is None:
            return self.__dict__
        text = self.booster.model_to_string(num_iteration=-1)
        return self.__dict__ | {"booster": PARAMETERS.sub("", text)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Let LightGBM read the text."""
        booster = state["booster"]
        if booster is not None:
            booster = import_lightgbm().Booster(model_str=booster)
        self.__dict__.update(state, booster=booster)

    @property
    def importances(self) -> NDArray[np.float64]:
        """What splits of each column have gained."""
        if self.booster is None:
            raise AttributeError("There are no trees, since all training rows are of one class.")
        return self.booster.feature_importance("gain")

    def scores(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log-odds, or log-probabilities of the classes."""
        if self.n_classes == 1:
            if self.booster is None:
                return np.full(len(X), CERTAIN if self.present[0] else -CERTAIN)
            return np.asarray(self._raw(X))
        scores = np.full((len(X), self.n_classes), -CERTAIN)
        if self.booster is None:
            scores[:, self.present] = 0.0
            return scores
        raw = self._raw(X).reshape(len(X), -1)
        if len(self.present) == 2:
            raw = np.hstack([-raw / 2, raw / 2])
        scores[:, self.present] = np.maximum(log_softmax(raw, axis=1), -CERTAIN)
        return scores

    def _raw(self, X: NDArray[np.float64]) -> Any:
        # Threads of OpenMP wait for ever in a process that was forked after others had run.
        n_threads = 0 if parent_process() is None else 1
        return self.booster.predict(X, raw_score=True, num_threads=n_threads)


class BoostingLearner(Learner, BaseEstimator):
    """Gradient boosting by LightGBM, trained with costs; needs the package `lightgbm`.

    The values of the columns are sorted into bins once for all labels and costs of a batch.
    Missing values and codes of categories are split as what they are.

    Parameters
    ----------
    n_trees : int, default=100
        Number of trees.
    learning_rate : float, default=0.1
        How much of each tree counts.
    leaves : int, default=15
        Leaves of a tree.
    columns : float, default=1.0
        Share of the columns that each tree sees, drawn at random.
    rows : float, default=1.0
        Share of the rows that each tree sees, drawn at random.
    bins : int, default=63
        Most bins of a column; more cost time and gain nothing on small tables.
    categorical : sequence of int, default=()
        Columns that hold codes of categories.
    random_state : int, default=None
        Seed of what is drawn.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from pseudolinear.learners import BoostingLearner
    >>> X, y = make_moons(400, noise=0.2, random_state=0)
    >>> MeasureClassifier(BoostingLearner(50), random_state=0).fit(X, y).best_score_ > 0.9
    True
    """

    def __init__(
        self,
        n_trees: int = 100,
        learning_rate: float = 0.1,
        leaves: int = 15,
        columns: float = 1.0,
        rows: float = 1.0,
        bins: int = 63,
        categorical: Sequence[int] = (),
        random_state: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.learning_rate = learning_rate
        self.leaves = leaves
        self.columns = columns
        self.rows = rows
        self.bins = bins
        self.categorical = categorical
        self.random_state = random_state

    @property
    def abilities(self) -> Abilities:
        """Say that missing values are welcome."""
        return Abilities(missing=True, probabilities=True, threads=True)

    def parameters(self) -> list[str]:
        """Name the parameters."""
        return sorted(self.get_params())

    def seeded(self, seed: int) -> Self:
        """Return the same learner with a seed, unless it has one."""
        if self.random_state is not None:
            return self
        return clone(self).set_params(random_state=seed)

    def batch_size(self, X: Any) -> int:
        """Take few problems at once, so that several processes share them."""
        return 4

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[BoostedModel]:
        """Fit all problems on the same rows; see :class:`Learner`."""
        lightgbm = import_lightgbm()
        categorical = list(self.categorical)
        options = {"max_bin": self.bins, "num_threads": 1, "verbose": -1}
        data = lightgbm.Dataset(
            X, categorical_feature=categorical, free_raw_data=False, params=options
        )
        return [self._fit(lightgbm, data, targets, p, sample_weight) for p in problems]

    def scores(self, models: Sequence[BoostedModel], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; see :class:`Scorer`."""
        return [model.scores(X) for model in models]

    def _fit(
        self,
        lightgbm: Any,
        data: Any,
        targets: NDArray[Any],
        problem: Problem,
        sample_weight: NDArray[np.float64] | None,
    ) -> BoostedModel:
        y, costs = problem.target(targets), problem.class_costs
        n_classes = len(costs) if isinstance(problem, ClassesProblem) else 1
        weight = None if (costs == costs[0]).all() else costs[y]
        if sample_weight is not None:
            weight = sample_weight if weight is None else weight * sample_weight
        present, codes = np.unique(y, return_inverse=True)
        if weight is not None:
            present = np.unique(y[weight > 0])
            codes = np.searchsorted(present, y).clip(max=len(present) - 1)
        if len(present) < 2:  # a fold without the label: no rule can be learnt from it
            return BoostedModel(None, present, n_classes)
        data.set_label(codes)
        data.set_weight(weight)
        learner = clone(self).set_params(**problem.params)
        booster = lightgbm.train(learner.options(len(present)), data, learner.n_trees)
        return BoostedModel(booster, present, n_classes)

    def options(self, n_classes: int) -> dict[str, Any]:
        """Return LightGBM's names of the parameters."""
        task: dict[str, Any] = {"objective": "binary"}
        if n_classes > 2:
            task = {"objective": "multiclass", "num_class": n_classes}
        return {
            **task,
            "learning_rate": self.learning_rate,
            "num_leaves": self.leaves,
            "feature_fraction": self.columns,
            "bagging_fraction": self.rows,
            "bagging_freq": int(self.rows < 1.0),
            "max_bin": self.bins,
            "seed": 0 if self.random_state is None else self.random_state % (1 << 30),
            "deterministic": True,
            "num_threads": 1,  # processes share the problems, so the result is always the same
            "verbose": -1,
        }


def import_lightgbm() -> Any:
    """Return the package, or say how to get it."""
    try:
        return import_module("lightgbm")
    except ImportError:
        raise ImportError(
            "BoostingLearner needs LightGBM: install it by pip install 'pseudolinear[tables]', or "
            "use scikit-learn's HistGradientBoostingClassifier."
        ) from None
