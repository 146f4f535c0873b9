"""The portfolio that suits the data; a new member is one more function here."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier

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
LARGE_C = (2.0**8, 2.0**11)  # besides, for several classes of few columns: a rare one needs them
FEW_ROWS = 100  # below, nothing but linear models generalises
FEW_COLUMNS = 100  # up to here a large C costs little time, and overfits little
LIFTED_COLUMNS = 500  # beyond, similarities of rows say little that the columns do not
MANY_ROWS = 10_000  # beyond, problems solved side by side cost what they would one by one
KERNEL_ROWS = 6000  # up to here a Gram matrix costs seconds
BOOSTING_WORK = 20_000_000  # values up to which boosting costs seconds
BOOSTING_OUTPUTS = 30  # labels up to which one model each does
FOREST_WORK = 20_000_000
MANY_FEATURES = 1000  # from here on a second linear loss is worth its time
PURE_LEAVES = 5000  # rows up to which trees are grown out


class Recipe(NamedTuple):
    """How a member is made, from which effort on, and for which data ``"auto"`` takes it."""

    make: Callable[[Shape], Member]
    effort: str
    suits: Callable[[Shape], bool]


RECIPES: dict[str, Recipe] = {}  # the cheapest first: the last ones are left out first


def recipe(
    effort: str, suits: Callable[[Shape], bool]
) -> Callable[[Callable[[Shape], Member]], Callable[[Shape], Member]]:
    """Add a member to the portfolio, known by the name of the function."""

    def add(make: Callable[[Shape], Member]) -> Callable[[Shape], Member]:
        RECIPES[make.__name__] = Recipe(make, effort, suits)
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
    shape, allowed = Shape(table, kind), EFFORTS[: EFFORTS.index(effort) + 1]
    recipes = [one for one in RECIPES.values() if one.effort in allowed]
    return [one.make(shape) for one in recipes if one.suits(shape)]


def named_member(name: str, table: Table, kind: Kind) -> Member:
    """Return a member of the portfolio by its name."""
    if name not in RECIPES:
        raise ValueError(
            f"estimator must be a classifier, a list of them, 'auto' or one of "
            f"{', '.join(RECIPES)}, got {name!r}."
        )
    return RECIPES[name].make(Shape(table, kind))


def _always(shape: Shape) -> bool:
    return True


def _by_name_only(shape: Shape) -> bool:
    return False


def _is_table(shape: Shape) -> bool:
    return shape.n_samples >= FEW_ROWS and not shape.is_text


def _can_lift(shape: Shape) -> bool:
    return _is_table(shape) and shape.n_columns <= LIFTED_COLUMNS


def _can_boost(shape: Shape) -> bool:
    small = shape.work <= BOOSTING_WORK and shape.n_outputs <= BOOSTING_OUTPUTS
    return _is_table(shape) and small


def _is_one_problem(shape: Shape) -> bool:
    return _can_boost(shape) and shape.kind.n_models == 1


def _can_grow(shape: Shape) -> bool:
    return _is_table(shape) and shape.work // shape.n_outputs <= FOREST_WORK


def _has_labels(shape: Shape) -> bool:
    return _can_grow(shape) and shape.kind.n_models > 1


def _has_few_rows(shape: Shape) -> bool:
    return FEW_ROWS <= shape.n_samples <= KERNEL_ROWS


def _has_classes(shape: Shape) -> bool:
    return not shape.kind.separable and shape.n_outputs > 2


def _is_wide(shape: Shape) -> bool:
    return shape.n_columns > MANY_FEATURES or shape.table.texts.shape[1] > 0


@recipe("fast", _always)
def linear(shape: Shape) -> Member:
    """Logistic regression, always."""
    return Member("linear", LinearLearner(), _by_large_c(shape), Grid(4), view="coded")


@recipe("balanced", _is_one_problem)
def boosting(shape: Shape) -> Member:
    """Boosted trees."""
    return _trees("boosting", _boosted(shape, 100, 0.1, 15))


@recipe("fast", _can_lift)
def lifted(shape: Shape) -> Member:
    """Logistic regression on similarities to some rows: as good as a kernel machine, and quick."""
    levels = 4 if shape.n_samples <= MANY_ROWS else 2
    return Member("lifted", LinearLearner(tol=1e-2), _by_c(), Grid(levels), view="nystroem")


@recipe("balanced", _has_labels)
def forest(shape: Shape) -> Member:
    """Extra trees, of several labels in one forest: quicker than boosting each, and as good."""
    leaf = 1 if shape.n_samples <= PURE_LEAVES else 5
    trees = ExtraTreesClassifier(100, min_samples_leaf=leaf)
    learner = JointLearner if shape.kind.n_models > 1 else EstimatorLearner
    return _trees("forest", learner(trees))


@recipe("best", _is_wide)
def svm(shape: Shape) -> Member:
    """Give a second linear loss where features are many."""
    return Member("svm", LinearLearner("squared_hinge"), _by_c(), Grid(4), view="coded")


@recipe("best", _has_classes)
def softmax(shape: Shape) -> Member:
    """Logistic regression of all classes at once, where they are several."""
    learner = LinearLearner("softmax")
    return Member("softmax", learner, _by_large_c(shape), Grid(4), view="scaled")


@recipe("best", _can_lift)
def splines(shape: Shape) -> Member:
    """Logistic regression that bends along every number."""
    return Member("splines", LinearLearner(tol=1e-2), _by_c(), Grid(4), view="splines")


@recipe("best", _by_name_only)
def steps(shape: Shape) -> Member:
    """Logistic regression that steps along every number: no better than splines."""
    return Member("steps", LinearLearner(tol=1e-2), _by_c(), Grid(4), view="steps")


@recipe("best", _can_boost)
def slow_boosting(shape: Shape) -> Member:
    """Give more and more different trees."""
    return _trees("slow_boosting", _boosted(shape, 200, 0.05, 31, columns=0.5))


@recipe("best", _has_few_rows)
def kernel(shape: Shape) -> Member:
    """Kernel machines, where rows are few."""
    settings = [{"C": C} for C in (0.5, 2.0, 8.0)]
    return Member("kernel", KernelLearner(), settings, Grid(2), view="scaled")


def _by_c(*more: float) -> list[dict[str, float]]:
    return [{"C": C} for C in (*C_VALUES, *more)]


def _by_large_c(shape: Shape) -> list[dict[str, float]]:
    few = 0 < shape.n_columns <= FEW_COLUMNS
    return _by_c(*LARGE_C) if few and _has_classes(shape) else _by_c()


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
