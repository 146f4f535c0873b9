"""Views: what each learner gets of a table."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from features.tables import make_table
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from pseudolinear import MeasureClassifier
from pseudolinear.blocks import Blocks, as_plain
from pseudolinear.features import Features, FoldFeatures, View, _numbers, describe


def view(X, name, new=None):
    schema = describe(X)
    features = Features(schema).fit(schema.read(X), [name])
    return features.encode(X if new is None else new)(name)


def test_numbers_get_one_scale():
    """Whatever the scale was; two values become 0 and 1, and one value nothing at all."""
    rng = np.random.RandomState(0)
    X = np.column_stack([1e-9 * rng.randn(50), 1e9 * rng.randn(50), rng.choice([3, 7], 50)])
    found = view(np.column_stack([X, np.full(50, 4.0)]), "numbers")
    assert_allclose(found[:, :2].mean(axis=0), 0.0, atol=1e-9)
    assert_allclose(found[:, :2].std(axis=0), 1.0)
    assert_array_equal(found[:, 2], X[:, 2] == 7)
    assert not found[:, 3].any()


def test_gaps_become_medians_with_a_column_that_says_so():
    """Gaps that are new later become medians, too."""
    X = np.array([[1.0, 5.0], [2.0, np.nan], [4.0, 7.0], [9.0, 9.0]])
    found = view(X, "numbers")
    assert_array_equal(found[:, 2], [0, 1, 0, 0])
    filled = view(X, "numbers", np.array([[3.0, 7.0], [np.nan, np.nan]]))
    assert_allclose(filled[0, :2], filled[1, :2])


def test_sparse_rows_keep_their_zeros():
    """Columns are divided by their largest value where it exceeds 1, and nothing is densified."""
    X = sparse.random(60, 30, 0.1, "csr", random_state=0)
    X.data[: len(X.data) // 2] *= -1000.0
    found = view(X, "scaled")
    assert sparse.issparse(found)
    assert_array_equal(found.toarray() != 0, X.toarray() != 0)
    largest = np.maximum(np.abs(X).max(axis=0).toarray().ravel(), 1.0)
    assert_allclose(found.toarray(), X.toarray() / largest)


def test_rare_and_unknown_categories_are_one():
    """A missing value is a category of its own."""
    values = ["a"] * 20 + ["b"] * 20 + [None] * 10 + ["rare", "rarer"]
    X = pd.DataFrame({"c": values})
    new = pd.DataFrame({"c": ["a", "b", None, "rare", "unknown"]})
    found = view(X, "indicators", new).toarray()
    assert_array_equal(found.sum(axis=1), 1)
    assert_array_equal(found[3], found[4])
    assert len(np.unique(found, axis=0)) == 4


def test_columns_of_many_categories_stay_narrow():
    """Most of a thousand categories are joined."""
    X = pd.DataFrame({"c": pd.Categorical([f"c{i % 1000}" for i in range(6000)])})
    assert view(X, "indicators").shape[1] <= 60
    codes = view(X, "trees")
    assert codes.shape[1] == 1
    assert len(np.unique(codes)) <= 254


def test_trees_get_gaps_and_codes():
    """NaN stays NaN, and an unknown category is one."""
    X = pd.DataFrame({"n": [1.0, np.nan, 3.0, 4.0] * 3, "c": ["a", "b", None, "a"] * 3})
    found = view(X, "trees", pd.DataFrame({"n": [np.nan, 2.0], "c": ["b", "new"]}))
    assert_array_equal(np.isnan(found), [[True, False], [False, True]])


@pytest.mark.parametrize("name", sorted(View.known))
@pytest.mark.parametrize("kind", ["table", "constant", "empty strings", "sparse"])
def test_every_view_is_finite_and_has_the_same_columns_later(name, kind):
    """Also where a column says nothing; only trees get NaN."""
    if kind == "table":
        pytest.importorskip("skrub")
    table, _ = make_table(120)
    X = {
        "table": table,
        "constant": pd.DataFrame({"a": np.ones(60), "b": ["x"] * 60, "c": np.nan}),
        "empty strings": pd.DataFrame({"a": np.arange(60.0), "b": [""] * 60}),
        "sparse": sparse.random(60, 8, 0.3, "csr", random_state=0),
    }[kind]
    if kind == "sparse" and name in ("splines", "indicators", "words"):
        pytest.skip("No learner is given this view of a matrix.")
    if kind in ("constant", "empty strings") and name == "words":
        pytest.skip("There is no text.")
    made, new = view(X, name), view(X, name, X[:7])
    assert new.shape == (7, made.shape[1])
    made = as_plain(made)
    values = made.data if sparse.issparse(made) else made
    assert name == "trees" or np.isfinite(values).all()


class Keeper(ClassifierMixin, BaseEstimator):
    """Keeps what it is trained on."""

    seen = None

    def fit(self, X, y, sample_weight=None):
        """Keep the rows."""
        type(self).seen = X
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        """Score nothing."""
        return np.zeros(X.shape[0])

    def predict(self, X):
        """Predict the first class."""
        return np.full(X.shape[0], self.classes_[0])


class Tolerant(Keeper):
    """Says that it takes missing values."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def test_a_classifier_gets_the_view_that_it_can_take():
    """Numbers as they are; of a table everything scaled, or with gaps and codes if it may."""
    table, y = make_table(120)
    numbers = table[["tiny", "huge"]]
    MeasureClassifier(Keeper()).fit(numbers, y)
    assert_array_equal(Keeper.seen, numbers)
    pytest.importorskip("skrub")
    MeasureClassifier(Keeper()).fit(table, y)
    scaled = Keeper.seen.toarray() if sparse.issparse(Keeper.seen) else Keeper.seen
    assert np.isfinite(scaled).all()
    assert np.abs(scaled).max() < 100
    MeasureClassifier(Tolerant()).fit(table[["huge", "gaps", "colour"]], y)
    assert_array_equal(Tolerant.seen[:, 0], table["huge"])
    assert_array_equal(Tolerant.seen[:, 1], table["gaps"])
    assert set(np.unique(Tolerant.seen[:, 2])) >= {0.0, 1.0, 2.0}


def test_boosting_of_scikit_learn_gets_categories_and_gaps():
    """A frame of numbers and categorical columns goes to it as it is."""
    rng = np.random.RandomState(0)
    kind = rng.choice(["a", "b", "c", "d"], 400)
    number = np.where(rng.rand(400) < 0.3, np.nan, rng.randn(400))
    y = (np.isin(kind, ["b", "d"]) & ~np.isnan(number)).astype(int)  # no order of codes tells it
    X = pd.DataFrame({"kind": pd.Categorical(kind), "number": number})
    learner = HistGradientBoostingClassifier(
        max_iter=20, max_leaf_nodes=3, categorical_features="from_dtype"
    )
    clf = MeasureClassifier(learner, cost_sensitive=False, random_state=0).fit(X, y)
    assert clf.best_score_ > 0.99


def test_texts_that_are_all_alike_are_no_reason_to_warn():
    """No topic varies there; SVD divides by that."""
    frame = pd.DataFrame({"text": [f"word{i} and another one" for i in range(300)]})
    schema = describe(frame)
    topics = Features(schema).fit(schema.read(frame), ["topics"]).encode(frame)("topics")
    assert np.isfinite(topics).all()


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_medians_and_scales_are_those_of_scikit_learn(kind, monkeypatch):
    """Column by column and part by part they need no copies of all rows, and are the same."""
    monkeypatch.setattr(_numbers, "PART", 100)
    rng = np.random.RandomState(0)
    X = (100 * rng.randn(301, 5) + 7).astype(kind)
    if kind != np.int64:
        X[rng.rand(301, 5) < [0.0, 0.1, 0.5, 1.0, 0.0]] = np.nan
    imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    filled = imputer.fit_transform(X)
    found = view(X, "numbers")
    assert found.dtype == filled.dtype
    assert_array_equal(_numbers.median_imputer(X).transform(X), filled)
    assert_allclose(found[:, :5], StandardScaler().fit_transform(filled[:, :5]), atol=1e-5)
    assert_array_equal(found[:, 5:7], filled[:, 5:7])  # gaps; a column of them alone says nothing


def test_scales_of_weighted_rows_are_those_of_scikit_learn(monkeypatch):
    """Also where the rows that count are far from the medians of all."""
    monkeypatch.setattr(_numbers, "PART", 100)
    rng = np.random.RandomState(0)
    X = rng.randn(301, 3)
    X[:20] += 1e8
    weight = np.where(np.arange(301) < 20, 1.0, 1e-12)
    found = Features(describe(X)).fit(describe(X).read(X), ["numbers"], weight).views["numbers"]
    peer = StandardScaler().fit(X, sample_weight=weight)
    assert_allclose(found.scaler.mean_, peer.mean_)
    assert_allclose(found.scaler.scale_, peer.scale_, rtol=1e-6)


def test_views_of_folds_do_not_keep_the_rows_they_are_made_of():
    """What is kept of a fold is what its learner gets, not a further copy of the rows."""
    X = np.random.RandomState(0).randn(20_000, 20)
    rows = np.arange(20_000)
    folds = FoldFeatures(describe(X), X)
    tracemalloc.start()
    made = [folds.view("scaled", part, rows) for part in (rows[:9000], rows[9000:])]
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(len(part) for part in made) == len(X)
    assert kept < 1.5 * X.nbytes


def test_codes_are_the_scaled_columns():
    """The view for linear models has the same columns as the one for all others, in their order."""
    pytest.importorskip("skrub")
    table, _ = make_table(120)
    coded, scaled = view(table, "coded"), view(table, "scaled")
    assert isinstance(coded, Blocks)
    assert_array_equal(as_plain(coded).toarray(), scaled.toarray())


@pytest.mark.parametrize("params", [{}, {"loss": ["hinge"]}, {"loss": ["squared_hinge"]}])
def test_linear_models_of_codes_are_those_of_columns(params):
    """A linear model of a table with categories does what one of the expanded columns does."""
    rng = np.random.RandomState(0)
    X = pd.DataFrame({"a": rng.randn(300), "b": rng.choice([*"xyzuvw"], 300)})
    y = (X.a + X.b.isin(["x", "z"]) + rng.randn(300) > 1).astype(int)
    grid = {"C": [1.0], **params}
    clf = MeasureClassifier("linear", param_grid=grid, random_state=0).fit(X, y)
    encoded = clf.decision_.features.encode(X)
    (model,) = clf.decision_.models
    scores = encoded("coded").toarray() @ model.coef + model.intercept
    assert_allclose(clf.decision_function(X), scores - clf.threshold_, atol=1e-9)


def test_steps_are_between_values():
    """A number of three values has two steps, of two values or one none; weights move quantiles."""
    X = np.column_stack([np.arange(300) % 3, np.arange(300) % 2, np.ones(300)]).astype(float)
    made = view(X, "steps").blocks[1]
    assert made.shape == (300, 2)
    assert_array_equal(made.toarray(), X[:, [0]] > [0.5, 1.5])
    numbers, schema = np.arange(100.0)[:, None], describe(X)
    weight = np.where(np.arange(100) < 50, 1e-3, 1.0)
    features = Features(schema).fit(schema.read(numbers), ["steps"], weight)
    scaled = features.encode(numbers)("numbers")
    assert (features.views["steps"].thresholds[0] > scaled[48]).all()


def test_entries_of_sparse_rows_that_stand_twice_count_as_their_sum():
    """As scikit-learn's scaler counts them."""
    twice = sparse.csr_array(([1.0, 4.0, -1.0, 3.0], [0, 0, 1, 1], [0, 2, 4]), shape=(2, 2))
    expected = MaxAbsScaler().fit_transform(twice).toarray()
    assert_array_equal(view(twice, "numbers").toarray(), expected)
    assert twice.nnz == 4  # what is given stays as it is


def test_sparse_rows_on_their_own_scale_are_not_copied():
    rows = sparse.csr_array([[0.0, 1.0], [-0.5, 0.0]])
    assert np.shares_memory(view(rows, "numbers").data, rows.data)
