"""The portfolio that suits the data; a new member is one more function here."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)

from pseudolinear.features import Table
from pseudolinear.kinds import Kind
from pseudolinear.learners import (
    BoostingLearner,
    EstimatorLearner,
    JointLearner,
    KernelLearner,
    Learner,
    LinearLearner,
)
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._shape import Shape
from pseudolinear.search import Grid

EFFORTS = ("fast", "balanced", "best")
C_VALUES = (2.0**-4, 2.0**-1, 2.0**2, 2.0**5)  # four do as well as thirteen: docs/selection.md
FEW_ROWS = 100  # below, nothing but linear models generalises
LIFTED_COLUMNS = 500  # beyond, similarities of rows say little that the columns do not
KERNEL_ROWS = 6000  # up to here a Gram matrix costs seconds
BOOSTING_WORK = 20_000_000  # values up to which boosting costs seconds
BOOSTING_OUTPUTS = 30  # labels up to which one model each does
FOREST_WORK = 20_000_000
MANY_FEATURES = 1000  # from here on a second linear loss is worth its time
PURE_LEAVES = 5000  # rows up to which trees are grown out

Recipe = Callable[[Shape], Member | None]
RECIPES: dict[str, tuple[str, Recipe]] = {}  # the cheapest first: the last are left out first


def recipe(effort: str) -> Callable[[Recipe], Recipe]:
    """Add a member to the portfolio from an effort on."""

    def add(make: Recipe) -> Recipe:
        RECIPES[make.__name__] = (effort, make)
        return make

    return add


def auto_members(table: Table, kind: Kind, effort: str) -> list[Member]:
    """Choose the learners that suit the data, the cheapest first.

    Parameters
    ----------
    table : Table
        The rows.
    kind : Kind
        The kind of problem.
    effort : {"fast", "balanced", "best"}
        How much is tried.

    Returns
    -------
    list of Member
        Linear models always, and the others where rows, columns and labels are few enough.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort must be one of {', '.join(EFFORTS)}, got {effort!r}.")
    shape, allowed = Shape(table, kind), EFFORTS[: EFFORTS.index(effort) + 1]
    made = [make(shape) for least, make in RECIPES.values() if least in allowed]
    return [member for member in made if member is not None]


def named_member(name: str, table: Table, kind: Kind) -> Member:
    """Return a member of the portfolio by its name, or say why it does not suit the data."""
    if name not in RECIPES:
        raise ValueError(
            f"estimator must be a classifier, a list of them, 'auto' or one of "
            f"{', '.join(RECIPES)}, got {name!r}."
        )
    member = RECIPES[name][1](Shape(table, kind))
    if member is None:
        raise ValueError(f"estimator={name!r} does not suit rows of this shape; use 'auto'.")
    return member


@recipe("fast")
def linear(shape: Shape) -> Member | None:
    """Logistic regression, always."""
    return Member("linear", LinearLearner(), _by_c(), Grid(4), view="scaled")


@recipe("fast")
def lifted(shape: Shape) -> Member | None:
    """Logistic regression on similarities to some rows: as good as a kernel machine, and quick."""
    if not _is_table(shape) or shape.n_columns > LIFTED_COLUMNS:
        return None
    return Member("lifted", LinearLearner(tol=1e-2), _by_c(), Grid(4), view="nystroem")


@recipe("balanced")
def boosting(shape: Shape) -> Member | None:
    """Boosted trees, one model per label."""
    if not _can_boost(shape):
        return None
    return _trees("boosting", _boosted(shape, 100, 0.1, 15))


@recipe("best")
def svm(shape: Shape) -> Member | None:
    """Give a second linear loss where features are many."""
    if shape.n_columns <= MANY_FEATURES and not shape.table.texts.shape[1]:
        return None
    return Member("svm", LinearLearner("squared_hinge"), _by_c(), Grid(4), view="scaled")


@recipe("best")
def splines(shape: Shape) -> Member | None:
    """Logistic regression that bends along every number."""
    if not _is_table(shape) or shape.n_columns > LIFTED_COLUMNS:
        return None
    return Member("splines", LinearLearner(), _by_c(), Grid(4), view="splines")


@recipe("best")
def slow_boosting(shape: Shape) -> Member | None:
    """Give more and more different trees."""
    if not _can_boost(shape):
        return None
    return _trees("slow_boosting", _boosted(shape, 300, 0.03, 31, columns=0.5))


@recipe("best")
def kernel(shape: Shape) -> Member | None:
    """Kernel machines, where rows are few."""
    if shape.n_samples > KERNEL_ROWS or shape.n_samples < FEW_ROWS:
        return None
    settings = [{"C": C} for C in (0.5, 2.0, 8.0)]
    return Member("kernel", KernelLearner(), settings, Grid(2), view="scaled")


@recipe("best")
def forest(shape: Shape) -> Member | None:
    """Extra trees, all labels in one forest."""
    if not _can_grow(shape):
        return None
    leaf = 1 if shape.n_samples <= PURE_LEAVES else 5
    return _trees("forest", _forest(shape, ExtraTreesClassifier(200, min_samples_leaf=leaf)))


@recipe("best")
def wide_forest(shape: Shape) -> Member | None:
    """Give a second forest, which looks at more features per split."""
    if not _can_grow(shape) or shape.n_samples > KERNEL_ROWS:
        return None
    per_split = max(1, min(3 * shape.n_columns // 10, 100))
    trees = RandomForestClassifier(200, min_samples_leaf=2, max_features=per_split)
    return _trees("wide_forest", _forest(shape, trees))


def _by_c() -> list[dict[str, float]]:
    return [{"C": C} for C in C_VALUES]


def _is_table(shape: Shape) -> bool:
    return shape.n_samples >= FEW_ROWS and not shape.is_text


def _can_boost(shape: Shape) -> bool:
    small = shape.work <= BOOSTING_WORK and shape.n_outputs <= BOOSTING_OUTPUTS
    return _is_table(shape) and small


def _can_grow(shape: Shape) -> bool:
    return _is_table(shape) and shape.work // shape.n_outputs <= FOREST_WORK


def _trees(name: str, learner: Learner) -> Member:
    """Trees gain nothing by costs: they are trained once, and cut."""
    return Member(name, learner, [{}], Grid(4), cost_sensitive=False, view="trees")


def _boosted(shape: Shape, n_trees: int, rate: float, leaves: int, columns: float = 1.0) -> Learner:
    """Take LightGBM where it is installed: a third of the time on small tables, as good."""
    if find_spec("lightgbm") is not None:
        return BoostingLearner(n_trees, rate, leaves, columns, categorical=shape.categorical)
    model = HistGradientBoostingClassifier(
        max_iter=n_trees,
        learning_rate=rate,
        max_leaf_nodes=leaves,
        max_features=columns,
        categorical_features=shape.categorical or None,
        early_stopping=False,
    )
    return EstimatorLearner(model)


def _forest(shape: Shape, estimator: Any) -> Learner:
    learner = JointLearner if shape.kind.n_models > 1 else EstimatorLearner
    return learner(estimator)
