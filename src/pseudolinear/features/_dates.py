"""Dates as later rows have them: read in one way only, or refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from importlib import import_module
from itertools import chain
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from pseudolinear._groups import is_missing

ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)? ?(Z|[+-]\d\d:?\d\d)?)?")
DAY_BEFORE_MONTH = re.compile(r"%Y\W*%d")  # looks like ISO 8601, and is another day
DTYPE = "datetime64[us, UTC]"
GAPS = ("", "nan", "nat")  # texts that pandas takes for a gap


def is_dated(values: Any) -> bool:
    """Tell a column of a date type."""
    return isinstance(values, nw.Series) and values.dtype in (nw.Datetime, nw.Date)


def is_date(value: Any) -> bool:
    """Tell a date, or a date and time, of Python, NumPy or pandas."""
    return isinstance(value, date | np.datetime64)


def zone_of(values: Any) -> Any:
    """Return the time zone of dates, which may be None: that of the column, or of the first."""
    if is_dated(values):
        return getattr(values.dtype, "time_zone", None)
    zones = (getattr(value, "tzinfo", None) for value in values if not is_missing(value))
    return next((zone for zone in zones if zone is not None), None)


def read_dates(name: Any, values: Any, form: str | None = None) -> Any:
    """Return dates as a column of pandas, in UTC.

    Parameters
    ----------
    name : object
        The column, for messages.
    values : series or array
        Dates; texts of the form, or as in ISO 8601; gaps. Without a time zone they are in UTC.
    form : str, default=None
        How dates were written in fit, if they were texts.

    Returns
    -------
    pandas.Series
        With gaps where there were some.

    Examples
    --------
    >>> from pseudolinear.features._dates import read_dates
    >>> read_dates("day", ["31.01.2020", "2020-02-01", None], "%d.%m.%Y").dt.day.tolist()
    [31.0, 1.0, nan]
    """
    pandas = import_module("pandas")
    if is_dated(values):
        return pandas.to_datetime(pandas.Series(_in_utc(values)), utc=True).astype(DTYPE)
    given = pandas.Series([None if is_missing(value) else value for value in values], dtype=object)
    written = np.array([isinstance(value, str) for value in given], dtype=bool)
    numbers, texts = pandas.factorize(given[written])  # each text is read once
    read = _read_texts(texts, form)
    wrong = (text for text in texts[read.isna()] if text.strip().lower() not in GAPS)
    others = (value for value in given[~written] if value is not None and not is_date(value))
    for value in chain(wrong, others):
        example = pandas.Timestamp(2021, 1, 31).strftime(form or "%Y-%m-%d")
        raise ValueError(
            f"Column {name!r} held dates in fit, but now has {_shown(value)}; give dates, or texts "
            f"such as {example!r}."
        )
    try:
        dates = pandas.to_datetime(given.mask(written, None), utc=True).astype(DTYPE)
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"Column {name!r} holds a date that is too far away; leave such dates empty."
        ) from error
    dates[written] = read.array[numbers]
    return dates


def _in_utc(values: Any) -> Any:
    """Return a column of a date type as dates of NumPy."""
    if values.dtype == nw.Date:
        values = values.cast(nw.Datetime)
    elif values.dtype.time_zone is not None:
        values = values.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return values.to_numpy()


def _read_texts(texts: Any, form: str | None) -> Any:
    """Return the date of each text, read without a look at the others; a gap if it cannot be."""
    pandas = import_module("pandas")

    def read(some: Any, how: str) -> Any:
        texts = pandas.Series(some, dtype=object)
        return pandas.to_datetime(texts, format=how, errors="coerce", utc=True).astype(DTYPE)

    dates = read([None] * len(texts), "ISO8601")
    if form is not None:  # without a digit it is "today" or "now", which pandas takes anywhere
        dates = read([text if any(map(str.isdigit, text)) else None for text in texts], form)
    if form is None or not DAY_BEFORE_MONTH.match(form):
        iso = [text if ISO.fullmatch(text) else None for text in texts]
        dates = dates.fillna(read(iso, "ISO8601"))
    return dates


def _shown(value: Any) -> str:
    """Return a value in a message, collections by their type only."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return f"a {type(value).__name__}"
    return repr(value)
