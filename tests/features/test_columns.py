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


def strings(block):
    """Rows of a block as they were read."""
    return block.encode(lambda rows: rows)


def test_both_libraries_are_read_alike():
    """Into the same table."""
    frames = TABLE, pl.from_pandas(TABLE)
    one, other = (describe(frame).read(frame) for frame in frames)
    assert_allclose(one.numbers, other.numbers)
    assert (strings(one.categories) == strings(other.categories)).all()
    assert (one.texts.strings == other.texts.strings).all()


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


class TestDates:
    """What is read as a date later is a date, or a text that can be read in one way only."""

    DAYS = pd.Series(pd.date_range("2020-01-01", periods=len(TABLE)))
    FRAME = TABLE[["tiny"]].assign(when=DAYS)

    @staticmethod
    def read(fitted, rows):
        return describe(fitted).read(rows).numbers

    @pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
    @pytest.mark.parametrize(
        "value", ["13.01.2020", "02.01.2020", "01/02/2020", "yesterday", "today", "2020-02-31", 5]
    )
    def test_what_could_be_another_day_is_refused(self, library, value):
        """Texts of a form that the fit has not shown, and numbers."""
        clf = MeasureClassifier("linear", random_state=0).fit(library(self.FRAME), Y)
        with pytest.raises(ValueError, match=r"Column 'when' held dates in fit, but now has") as e:
            clf.predict(library(self.FRAME.assign(when=value)))
        assert str(e.value).endswith("give dates, or texts such as '2021-01-31'.")

    @pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
    @pytest.mark.parametrize(
        "form", [None, "%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y", "%Y-%d-%m", "%Y-%m-%dT%H:%M:%S"]
    )
    def test_texts_are_read_in_the_form_of_the_fit(self, library, form):
        """Or as ISO 8601 says, the same day in either; one at a time as well."""
        days = self.DAYS if form is None else self.DAYS.dt.strftime(form)
        fitted = library(self.FRAME.assign(when=days))
        expected = self.read(self.FRAME, self.FRAME)
        iso = "%Y-%m-%d" if form != "%Y-%d-%m" else form
        for there in {form or "%Y-%m-%d", iso, iso + "T%H:%M:%SZ"} - {"%Y-%d-%mT%H:%M:%SZ"}:
            rows = library(self.FRAME.assign(when=self.DAYS.dt.strftime(there)))
            assert_allclose(self.read(fitted, rows), expected)
            assert_allclose(self.read(fitted, rows[1:2]), expected[1:2])

    def test_a_form_of_the_fit_that_iso_would_read_otherwise_is_the_only_one(self):
        """Day and month are not guessed by which of them can be a month."""
        fitted = self.FRAME.assign(when=self.DAYS.dt.strftime("%Y-%d-%m"))
        with pytest.raises(ValueError, match="'2020-01-13'; give dates, or texts such as '2021-31"):
            self.read(fitted, self.FRAME.assign(when="2020-01-13"))

    @pytest.mark.parametrize("gap", [None, np.nan, pd.NaT, pd.NA, ""], ids=repr)
    @pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
    def test_gaps_are_gaps(self, library, gap):
        """Alone, and among texts."""
        numbers = self.read(library(self.FRAME), library(self.FRAME.assign(when=gap)))
        assert np.isnan(numbers[:, 1:]).all()
        some = pd.Series(["2020-01-02", gap] * 120, dtype="string")
        numbers = self.read(library(self.FRAME), library(self.FRAME.assign(when=some)))
        assert_allclose(np.isnan(numbers[:, 1:]).any(axis=1), [False, True] * 120)

    @pytest.mark.parametrize("zone", [None, "UTC", "Europe/Paris"])
    @pytest.mark.parametrize("hours", [1, 24])
    def test_whatever_holds_the_dates_they_are_the_same(self, zone, hours):
        """Frames of both libraries, arrays of objects, and dates of Python."""
        days = pd.date_range("2020-01-01", periods=len(TABLE), freq=f"{hours}h", tz=zone)
        frame = TABLE[["tiny"]].assign(when=days)
        frame.loc[3, "when"] = pd.NaT
        objects = frame.assign(when=frame["when"].astype(object))
        holders = [frame, objects, pl.from_pandas(frame), frame.to_numpy()]
        expected = self.read(frame, frame)
        for fitted in holders:
            assert roles(fitted)[1] == "Dates"
            for rows in holders:
                assert_allclose(self.read(fitted, rows), expected)

    def test_a_classifier_predicts_rows_of_another_library(self):
        """From pandas to polars and NumPy, and back."""
        frames = self.FRAME, pl.from_pandas(self.FRAME)
        for fitted in frames:
            clf = MeasureClassifier("linear", random_state=0).fit(fitted, Y)
            expected = clf.decision_function(fitted)
            for rows in frames:
                assert_allclose(clf.decision_function(rows), expected)
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            assert_allclose(clf.decision_function(self.FRAME.to_numpy()), expected)
