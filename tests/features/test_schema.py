"""Schemas: rows of any origin are read, and others that look different are refused."""

import numpy as np
import pandas as pd
import pytest
from features.tables import make_table
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from pseudolinear import ExpectedCost, Grid, MeasureClassifier

pytest.importorskip("skrub")
pl = pytest.importorskip("polars")
TABLE, Y = make_table()
TEXTS = TABLE["note"].fillna("").tolist()


@pytest.fixture(scope="module")
def fitted():
    return MeasureClassifier("linear", random_state=0).fit(TABLE, Y)


@pytest.mark.parametrize(
    "estimator",
    [
        "linear",
        LogisticRegression(max_iter=1000),
        pytest.param("auto", marks=pytest.mark.slow),
        pytest.param("boosting", marks=pytest.mark.slow),
        pytest.param(
            HistGradientBoostingClassifier(max_iter=10, min_samples_leaf=5), marks=pytest.mark.slow
        ),
    ],
    ids=lambda e: e if isinstance(e, str) else type(e).__name__,
)
def test_a_table_of_everything_is_learnt_from(estimator):
    """By every learner, whatever it takes itself; pandas and polars predict the same."""
    table = TABLE.drop(columns=["note", "user"]) if estimator == "boosting" else TABLE
    clf = MeasureClassifier(estimator, search=Grid(2), random_state=0).fit(table, Y)
    guess = 2 * Y.mean() / (1 + Y.mean())  # F1 of predicting everything
    assert clf.best_score_ > guess + 0.05
    frame = pl.from_pandas(table)
    other = MeasureClassifier(estimator, search=Grid(2), random_state=0).fit(frame, Y)
    assert_array_equal(other.predict(frame), clf.predict(table))
    assert clf.feature_names_in_.tolist() == list(table.columns)


def test_text_is_what_tells_the_classes_apart(fitted):
    """One word of nine says it."""
    table, y = make_table(seed=1)
    present = table["note"].notna().to_numpy()
    assert fitted.score(table[present], y[present]) > 0.95


def test_what_is_new_at_prediction_is_no_error(fitted):
    """Unknown categories, and values that are missing where none were."""
    new = TABLE.assign(colour="mauve", user="nobody", note=None, flag=None, day=pd.NaT)
    new.loc[::2, "tiny"] = np.nan
    assert set(fitted.predict(new)) <= {0, 1}
    assert np.isfinite(fitted.decision_function(new)).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[t.columns[::-1]], "Feature names must be in the same order"),
        (lambda t: t.drop(columns="huge"), "yet now missing:\n- huge"),
        (lambda t: t.assign(more=1), "unseen at fit time:\n- more"),
        (lambda t: t[:0], "X has 0 rows"),
    ],
    ids=["reordered", "missing", "extra", "empty"],
)
@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_other_columns_are_refused_in_the_words_of_scikit_learn(fitted, library, change, message):
    """Columns are told by their names."""
    with pytest.raises(ValueError, match=message):
        fitted.predict(library(change(TABLE)))


def test_a_table_without_columns_or_rows_is_refused():
    """In fit."""
    with pytest.raises(ValueError, match="0 feature"):
        MeasureClassifier().fit(TABLE[[]], Y)
    with pytest.raises(ValueError, match="X has 0 rows"):
        MeasureClassifier().fit(TABLE[:0], Y[:0])


def test_arrow_tables_are_frames():
    """In fit, predict, evaluate and costs by row; brackets of theirs are for columns only."""
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pandas(TABLE, preserve_index=False)
    clf = MeasureClassifier("linear", random_state=0)
    scores = clf.fit(TABLE, Y).decision_function(TABLE)
    assert_array_equal(clf.decision_function(table), scores)
    assert_array_equal(clf.fit(table, Y).decision_function(table), scores)
    assert clf.feature_names_in_.tolist() == TABLE.columns.tolist()
    with pytest.warns(UserWarning, match="These rows are those of fit"):
        clf.evaluate(table, Y)
    table = table.append_column("price", pa.array(np.arange(1.0, 1 + len(Y))))
    costs = clone(clf).set_params(measure=ExpectedCost(fn="price", fp=1)).fit(table, Y)
    assert costs.score(table, Y) == costs.score(table.to_pandas(), Y)


@pytest.mark.parametrize(
    "make",
    [list, np.array, lambda t: np.array(t, dtype=object), pd.Series, pl.Series],
    ids=["list", "array", "objects", "pandas", "polars"],
)
def test_strings_are_texts(make):
    """One text per row, in whatever holds them."""
    clf = MeasureClassifier("linear", random_state=0).fit(make(TEXTS), Y)
    assert clf.predict(["all is fine now", "it is broken again", ""]).tolist()[:2] == [0, 1]
    assert not hasattr(clf, "n_features_in_")


def test_texts_may_be_missing():
    """As empty ones."""
    clf = MeasureClassifier("linear", random_state=0)
    with_gaps = clf.fit(TABLE["note"].tolist(), Y).decision_function(TEXTS)
    assert_array_equal(with_gaps, clf.fit(TEXTS, Y).decision_function(TEXTS))
    assert_array_equal(clf.predict([None]), clf.predict([""]))


def test_texts_and_tables_are_not_mixed_up(fitted):
    """A single string is no list of texts, and a classifier can be fitted again on other rows."""
    clf = MeasureClassifier("linear", random_state=0).fit(TABLE, Y).fit(TEXTS, Y)
    assert clf.predict(["broken"]).tolist() == [1]
    for wrong in ("broken", np.zeros((3, 2)), [1.0, 2.0]):
        with pytest.raises(ValueError, match="fitted on texts; give a list of strings"):
            clf.predict(wrong)


def test_texts_without_a_word_that_repeats():
    """And without any at all."""
    for texts in ([""] * 40, [f"w{i}" for i in range(40)], ["..."] * 40):
        clf = MeasureClassifier("linear", random_state=0).fit(texts, [0, 1] * 20)
        assert set(clf.predict([*texts, "new"])) <= {0, 1}


def test_an_array_of_objects_is_a_table_without_names():
    """A list of rows as well."""
    table = TABLE[["tiny", "colour", "flag", "gaps"]]
    array = table.to_numpy(dtype=object)
    named = MeasureClassifier("linear", random_state=0).fit(table, Y)
    clf = MeasureClassifier("linear", random_state=0).fit(array, Y)
    assert_array_equal(clf.predict(array), named.predict(table))
    listed = MeasureClassifier("linear", random_state=0).fit(array.tolist(), Y)
    assert_array_equal(listed.predict(array.tolist()), named.predict(table))
    assert clf.n_features_in_ == 4


@pytest.mark.parametrize("estimator", ["auto", "linear"])
@pytest.mark.parametrize("value", [1.0, "a", "", None, np.nan, pd.NaT], ids=repr)
def test_a_column_that_says_nothing_gives_one_prediction(estimator, value):
    """Alone, it leaves nothing but to predict one class for all."""
    table = pd.DataFrame({"only": [value] * len(Y)})
    clf = MeasureClassifier(estimator, effort="fast", random_state=0).fit(table, Y)
    assert len(np.unique(clf.predict(table))) == 1
