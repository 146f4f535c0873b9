"""Columns: what a column holds is found out once, and read the same way later."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest
from features.tables import make_table
from numpy.testing import assert_allclose

from pseudolinear import MeasureClassifier
from pseudolinear.features import describe

pytest.importorskip("skrub")
pl = pytest.importorskip("polars")
TABLE, Y = make_table()
ROLES = {
    "tiny": "Numbers",
    "huge": "Numbers",
    "whole": "Numbers",
    "flag": "Numbers",
    "colour": "Categories",
    "grade": "Categories",
    "user": "Texts",
    "day": "Dates",
    "lasted": "Numbers",
    "gaps": "Numbers",
    "note": "Texts",
}


def roles(X):
    return [type(column).__name__ for column in describe(X).columns]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_roles_follow_from_types_and_values(library):
    """In either library."""
    assert roles(library(TABLE)) == list(ROLES.values())


def test_both_libraries_are_read_alike():
    """Into the same table."""
    frames = TABLE, pl.from_pandas(TABLE)
    one, other = (describe(frame).read(frame) for frame in frames)
    assert_allclose(one.numbers, other.numbers)
    assert (one.categories == other.categories).all()
    assert (one.texts == other.texts).all()


def days(n):
    return [datetime.date(2020, 1, 1) + datetime.timedelta(days=i) for i in range(n)]


@pytest.mark.parametrize(
    ("values", "role"),
    [
        ([1, None, 3.5] * 80, "Numbers"),
        ([True, None, False] * 80, "Numbers"),
        ([decimal.Decimal(i) / 7 for i in range(240)], "Numbers"),
        (pd.array([1, None, 3] * 80, dtype="Int64"), "Numbers"),
        (pd.array([True, None, False] * 80, dtype="boolean"), "Numbers"),
        (pd.arrays.SparseArray(np.eye(1, 240)[0]), "Numbers"),
        (pd.to_timedelta(range(240), unit="s"), "Numbers"),
        ([None] * 240, "Numbers"),
        (pd.array(["a", None, "b"] * 80, dtype="string"), "Categories"),
        (["a", 1, None] * 80, "Categories"),
        ([""] * 240, "Categories"),
        (days(240), "Dates"),
        ([day.isoformat() for day in days(240)], "Dates"),
        ([pd.NaT] * 240, "Dates"),
        ([f"code {i}" for i in range(240)], "Texts"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value[0]),
)
def test_columns_of_any_type_can_be_used(values, role):
    """Each gets a role, and a classifier is trained on it beside another column."""
    table = TABLE[["tiny", "grade"]].assign(extra=values)
    assert roles(table)[2] == role
    clf = MeasureClassifier("linear", random_state=0).fit(table, Y)
    assert clf.predict(table).shape == Y.shape
    assert clf.predict(table.assign(extra=None)).shape == Y.shape  # all gone


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
@pytest.mark.parametrize("value", [[1, 2], {"a": 1}], ids=["lists", "dicts"])
def test_columns_of_collections_are_refused(library, value):
    """One sentence names the column."""
    table = library(TABLE[["tiny"]].assign(extra=[value] * len(TABLE)))
    with pytest.raises(TypeError, match=r"Column 'extra' holds a \w+; every value must be"):
        MeasureClassifier("linear").fit(table, Y)


def test_infinity_is_refused():
    """In fit and in predict, by the name of the column."""
    bad = TABLE.assign(huge=np.inf)
    clf = MeasureClassifier("linear", random_state=0).fit(TABLE, Y)
    for use in (lambda: MeasureClassifier("linear").fit(bad, Y), lambda: clf.predict(bad)):
        with pytest.raises(ValueError, match="Column 'huge' contains infinity; give finite"):
            use()


def test_a_column_of_numbers_stays_one():
    """What is no number later is said."""
    clf = MeasureClassifier("linear", random_state=0).fit(TABLE, Y)
    with pytest.raises(ValueError, match="Column 'huge' held numbers in fit, but now has other"):
        clf.predict(TABLE.assign(huge="many"))
