"""Columns: what a column of a table holds, and how it is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from numbers import Number
from typing import Any, ClassVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from pseudolinear._groups import is_missing
from pseudolinear.features._dates import is_date, is_dated, read_dates, zone_of
from pseudolinear.features._extras import import_skrub

FEW_VALUES = 100  # distinct strings up to which they are categories, others are text,
REPEATS = 2  # if each occurs so often on average


class Column(ABC):
    """A column with its role; a new role is one more child with `of` and `read`.

    Attributes
    ----------
    name : object
        Its name, for messages.
    """

    block: ClassVar[str]
    roles: ClassVar[list[type[Column]]] = []
    name: Any

    @property
    def width(self) -> int:
        """Number of columns of the block that it is read into."""
        return 1

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Add the role; the first one that takes a column has it."""
        super().__init_subclass__(**kwargs)
        cls.roles.append(cls)

    @classmethod
    @abstractmethod
    def of(cls, name: Any, values: Any) -> Column | None:
        """Return the column where it has this role."""

    @abstractmethod
    def read(self, values: Any) -> Any:
        """Return the values as what the block is made of."""


def make_column(name: Any, values: Any) -> Column:
    """Find out what a column holds."""
    for role in Column.roles:
        column = role.of(name, values)
        if column is not None:
            return column
    raise TypeError(f"Column {name!r} has a type that cannot be used; leave it out.")


@dataclass(frozen=True, eq=False)
class Numbers(Column):
    """Numbers, booleans or durations."""

    block: ClassVar[str] = "numbers"
    name: Any

    @classmethod
    def of(cls, name: Any, values: Any) -> Column | None:
        """Take numeric types, and objects that are all numbers or missing."""
        if isinstance(values, nw.Series):
            if values.dtype.is_numeric() or values.dtype in (nw.Boolean, nw.Duration):
                return cls(name)
            if values.dtype.is_temporal():
                return None
            if values.dtype not in (nw.Object, nw.Unknown):
                return cls(name) if values.null_count() == len(values) else None
        return cls(name) if all(isinstance(v, Number) for v in _present(values)) else None

    def read(self, values: Any) -> NDArray[np.float64]:
        """Return floats, NaN where a value is missing."""
        try:
            if isinstance(values, nw.Series) and values.dtype not in (nw.Object, nw.Unknown):
                if values.dtype == nw.Duration:
                    values = values.dt.total_microseconds()
                numbers = values.cast(nw.Float64).to_numpy()
            else:
                numbers = np.array([np.nan if is_missing(v) else float(v) for v in values])
        except (TypeError, ValueError, nw.exceptions.NarwhalsError) as error:
            raise ValueError(
                f"Column {self.name!r} held numbers in fit, but now has other values: {error}"
            ) from error
        if np.isinf(numbers).any():
            raise ValueError(f"Column {self.name!r} contains infinity; give finite numbers.")
        return numbers[:, None]


@dataclass(frozen=True, eq=False)
class Dates(Column):
    """Dates or times, as the numbers that skrub makes of them."""

    block: ClassVar[str] = "numbers"
    name: Any
    encoder: Any

    @property
    def width(self) -> int:
        """Number of parts of a date that differ."""
        return len(self.encoder[1].all_outputs_)

    @classmethod
    def of(cls, name: Any, values: Any) -> Column | None:
        """Take date types, objects that are all dates, and strings that are, of one form."""
        typed = isinstance(values, nw.Series) and values.dtype not in (nw.Object, nw.Unknown)
        if is_dated(values) or (not typed and all(map(is_date, _present(values)))):
            skrub = import_skrub(f"Column {name!r} holds dates")
            dates = read_dates(name, values).dt.tz_convert(zone_of(values))
        elif typed and values.dtype == nw.String and values.n_unique() > FEW_VALUES:
            skrub = import_skrub()
            if skrub is None:
                return None
            dates = import_module("pandas").Series(values.to_list(), dtype=object)
        else:
            return None
        encoder = skrub.ToDatetime(), skrub.DatetimeEncoder(add_weekday=True)
        try:
            encoder[1].fit_transform(encoder[0].fit_transform(dates.rename(str(name))))
        except skrub.core.RejectColumn:
            return None  # strings that are no dates
        return cls(name, encoder)

    def read(self, values: Any) -> NDArray[np.float64]:
        """Return year, month, day, hour, weekday and seconds, as far as they differ."""
        form, encoder = self.encoder
        dates = read_dates(self.name, values, form.format_).dt.tz_convert(form.output_time_zone_)
        return np.asarray(encoder.transform(dates.rename(str(self.name))), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Categories(Column):
    """Strings that repeat."""

    block: ClassVar[str] = "categories"
    name: Any

    @classmethod
    def of(cls, name: Any, values: Any) -> Column | None:
        """Take categorical types, and strings or mixed values of few kinds."""
        categorical = isinstance(values, nw.Series) and values.dtype in (nw.Categorical, nw.Enum)
        n_distinct = len(set(_strings(name, values)))
        few = n_distinct <= FEW_VALUES and REPEATS * n_distinct <= max(len(values), 4)
        return cls(name) if categorical or few else None

    def read(self, values: Any) -> list[str | None]:
        """Return strings, None where one is missing."""
        return _strings(self.name, values)


@dataclass(frozen=True, eq=False)
class Texts(Column):
    """Strings that hardly repeat: text, names, codes."""

    block: ClassVar[str] = "texts"
    name: Any

    @classmethod
    def of(cls, name: Any, values: Any) -> Column | None:
        """Take everything that is left."""
        return cls(name)

    def read(self, values: Any) -> NDArray[np.object_]:
        """Return strings, empty where one is missing."""
        return np.array([v or "" for v in _strings(self.name, values)], dtype=object)[:, None]


def _present(values: Any) -> Iterator[Any]:
    return (v for v in values if not is_missing(v))


def _strings(name: Any, values: Any) -> list[str | None]:
    listed = values.to_list() if isinstance(values, nw.Series) else values
    return [value if type(value) is str else _string(name, value) for value in listed]


def _string(name: Any, value: Any) -> str | None:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        # of arrays, scikit-learn's checks ask for a sentence with this word
        each = "value" if isinstance(name, str) else "argument"
        raise TypeError(
            f"Column {name!r} holds a {type(value).__name__}; every {each} must be a string, "
            "a date, a boolean or a number."
        )
    return None if is_missing(value) else str(value)
