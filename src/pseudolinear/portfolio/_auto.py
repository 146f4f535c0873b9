"""The portfolio that suits the shape of the data; a new member is one more function here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from pseudolinear.kinds import Kind
from pseudolinear.learners import (
    EstimatorLearner,
    JointLearner,
    KernelLearner,
    Learner,
    LinearLearner,
    scale_of,
)
from pseudolinear.portfolio._member import Member
from pseudolinear.search import Grid

C_VALUES = (2.0**-4, 2.0**-1, 2.0**2, 2.0**5)  # four do as well as thirteen: docs/selection.md
KERNEL_ROWS = 6000  # up to here a Gram matrix and a second forest cost seconds
FOREST_FEATURES = 2000  # beyond, a forest costs minutes
BOOSTING_SIZE = 2000  # labels times features up to which one model per label costs seconds
MANY_FEATURES = 1000  # from here on a second linear loss is worth its time
PURE_LEAVES = 5000  # rows up to which trees are grown out


@dataclass(frozen=True, eq=False)
class Shape:
    """What decides which members take part.

    Attributes
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The rows.
    kind : Kind
        The kind of problem.
    n_labels : int
        Number of labels, or of classes.
    """

    X: Any
    kind: Kind
    n_labels: int

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.X.shape[1]


Recipe = Callable[[Shape], Member | None]
RECIPES: list[Recipe] = []  # the cheapest first: under a time budget the last ones are left out


def recipe(make: Recipe) -> Recipe:
    """Add a member to the portfolio."""
    RECIPES.append(make)
    return make


def auto_members(X: Any, kind: Kind) -> list[Member]:
    """Choose the learners that suit the shape of the data, the cheapest first.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The rows.
    kind : Kind
        The kind of problem.

    Returns
    -------
    list of Member
        Linear models always, and the others where rows, features and labels are few enough.
    """
    shape = Shape(X, kind, kind.n_outputs)
    return [member for make in RECIPES if (member := make(shape)) is not None]


@recipe
def linear(shape: Shape) -> Member | None:
    """Logistic regression, always."""
    return Member("linear", LinearLearner(), _by_c(), Grid(4))


@recipe
def svm(shape: Shape) -> Member | None:
    """Give a second linear loss where features are many."""
    if shape.n_features <= MANY_FEATURES:
        return None
    return Member("svm", LinearLearner("squared_hinge"), _by_c(), Grid(4))


@recipe
def kernel(shape: Shape) -> Member | None:
    """Kernel machines of two widths, where rows are few."""
    if shape.n_samples > KERNEL_ROWS:
        return None
    scale = scale_of(shape.X)
    settings = [{"C": C, "gamma": g * scale} for g in (1.0, 3.0) for C in (1.0, 4.0)]
    return Member("kernel", KernelLearner(), settings, Grid(2))


@recipe
def forest(shape: Shape) -> Member | None:
    """Extra trees, all labels in one forest, unless features are many."""
    if shape.n_features > FOREST_FEATURES:
        return None
    leaf = 1 if shape.n_samples <= PURE_LEAVES else 5
    return _trees("forest", _forest(shape, ExtraTreesClassifier(200, min_samples_leaf=leaf)))


@recipe
def wide_forest(shape: Shape) -> Member | None:
    """Give a second forest, which looks at more features per split, where rows are few."""
    if shape.n_features > FOREST_FEATURES or shape.n_samples > KERNEL_ROWS:
        return None
    per_split = max(1, min(3 * shape.n_features // 10, 100))
    trees = ExtraTreesClassifier(200, min_samples_leaf=2, max_features=per_split)
    return _trees("wide forest", _forest(shape, trees))


@recipe
def boosting(shape: Shape) -> Member | None:
    """Boosting, one model per label, where labels times features are few."""
    if shape.n_labels * shape.n_features > BOOSTING_SIZE:
        return None
    model = HistGradientBoostingClassifier(max_leaf_nodes=15)
    return _trees("boosting", EstimatorLearner(_dense_first(shape.X, model)))


def _by_c() -> list[dict[str, float]]:
    return [{"C": C} for C in C_VALUES]


def _trees(name: str, learner: Learner) -> Member:
    """Trees gain nothing by costs: they are trained once, and cut."""
    return Member(name, learner, [{}], Grid(), cost_sensitive=False)


def _forest(shape: Shape, estimator: Any) -> Learner:
    learner = JointLearner if shape.kind.n_models > 1 else EstimatorLearner
    return learner(_dense_first(shape.X, estimator))


def _dense_first(X: Any, estimator: Any) -> Any:
    """Put a step before trees that makes sparse rows dense: they refuse them or get slow."""
    if not sparse.issparse(X):
        return estimator
    return make_pipeline(FunctionTransformer(_to_dense, accept_sparse=True), estimator)


def _to_dense(X: Any) -> NDArray[np.float64]:
    return X.toarray()
