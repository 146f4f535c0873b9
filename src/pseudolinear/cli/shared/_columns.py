"""Columns: which ones of a file are features, labels, weights and groups."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import click


@dataclass(frozen=True)
class Roles:
    """Which columns are what; features are those that have no role.

    Attributes
    ----------
    target : str or None
        The classes, or labels in one column.
    labels : tuple of str
        Labels in columns of 0 and 1.
    label_separator : str or None
        What separates the labels of the target.
    text : str or None
        The only feature.
    weight, groups : str or None
        Weights of rows, and what rows belong to.
    drop : tuple of str
        Left out.
    """

    target: str | None = None
    labels: tuple[str, ...] = ()
    label_separator: str | None = None
    text: str | None = None
    weight: str | None = None
    groups: str | None = None
    drop: tuple[str, ...] = ()

    @property
    def strings(self) -> tuple[str, ...]:
        """Columns that are strings even where they look like numbers: labels in one column."""
        return (self.target,) if self.target and self.label_separator else ()

    def check(self, columns: Sequence[str]) -> None:
        """Refuse columns that are not there."""
        if self.label_separator == "":
            raise click.BadParameter("It must not be empty.", param_hint="--label-separator")
        for field in fields(self):
            given = getattr(self, field.name)
            if field.name != "label_separator" and given:
                for name in (given,) if isinstance(given, str) else given:
                    check_column(name, columns, f"--{field.name}")
        if self.target and self.labels:
            raise click.UsageError("Give one of --target and --labels, not both.")
        if not self.target and not self.labels:
            raise click.UsageError(
                "Say what to predict: --target for one column, or --labels for several of 0 and 1."
            )


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Rows to learn or to be judged from, as :meth:`MeasureClassifier.fit` takes them."""

    X: Any
    y: Any
    weight: Any = None
    groups: Any = None
    by: Any = None


def labelled_rows(rows: Any, roles: Roles) -> LabelledRows:
    """Take features, labels, weights and groups from what a file holds.

    Parameters
    ----------
    rows : pandas.DataFrame or SparseRows
        What was read.
    roles : Roles
        Which columns are what.

    Returns
    -------
    LabelledRows
        Checked as far as `fit` does not.
    """
    if not hasattr(rows, "columns"):
        refuse_roles(roles)
        return LabelledRows(rows.X, rows.y)
    roles.check(list(rows.columns))
    if roles.target and not roles.label_separator and not holds_lists(rows[roles.target]):
        warn_of_separator([rows[roles.target]])
    return LabelledRows(
        _features(rows, roles), read_target(rows, roles), weight_column(rows, roles.weight),
        group_column(rows, roles.groups),
    )  # fmt: skip


def refuse_roles(roles: Roles) -> None:
    """Refuse columns by name where a file has none."""
    for field in fields(roles):
        if getattr(roles, field.name):
            option = field.name.replace("_", "-")
            raise click.UsageError(
                f"An svmlight file has its labels in front and no names; leave --{option} out."
            )


def check_column(name: str, columns: Sequence[str], option: str) -> None:
    """Refuse a column that is not there, with the names that are near."""
    if name in columns:
        return
    names = [str(column) for column in columns]
    same = [column for column in names if column.lower() == name.lower()]
    close = same or difflib.get_close_matches(name, names, n=3)
    some = f"{', '.join(map(repr, names[:8]))}{' and others' if len(names) > 8 else ''}"
    advice = f"did you mean {' or '.join(map(repr, close))}?" if close else f"it has {some}."
    if any(map(_is_number, names)):
        advice += " The first line of a file must name its columns."
    raise click.BadParameter(f"The file has no column {name!r}; {advice}", param_hint=option)


def _is_number(name: str) -> bool:
    try:
        return bool(float(name) or True)
    except ValueError:
        return False


def read_target(frame: Any, roles: Roles) -> Any:
    """Return y: a frame of labels, a column of collections of labels, or a column of classes."""
    if roles.labels:
        return frame[list(roles.labels)]
    from pseudolinear.labels import split_labels

    column = frame[roles.target]
    if roles.label_separator:
        if (
            not holds_lists(column)
            and not column.astype(str).str.contains(roles.label_separator, regex=False).any()
        ):
            warnings.warn(
                f"No row of {roles.target!r} holds the separator {roles.label_separator!r}, so "
                "that each has one label at most; is it the right one?",
                stacklevel=2,
            )
        separator = roles.label_separator
        return column.map(lambda cell: split_labels(cell, separator)).astype(object)
    refuse_gaps(str(roles.target), int(column.isna().sum()), len(column))
    return column


def holds_lists(column: Any) -> bool:
    """Return whether a column holds several labels in a cell, as JSON lines and Parquet may."""
    from pseudolinear.labels import is_list

    return bool(column.map(is_list).any())


def warn_of_separator(columns: Sequence[Any]) -> None:
    """Say that classes look like several labels in one cell."""
    from pandas import concat

    from pseudolinear.labels import suspect_separator

    names = [str(column.name) for column in columns]
    classes = concat(columns).unique().tolist()
    if separator := suspect_separator(classes):
        joined = next(name for name in classes if isinstance(name, str) and separator in name)
        warnings.warn(
            f"{joined!r} in {names[0]!r} counts as one class; if it is several labels, give "
            f"--label-separator {separator!r}.",
            stacklevel=2,
        )


def refuse_gaps(target: str, n_missing: int, n_rows: int) -> None:
    """Refuse a target that some rows do not have."""
    if n_missing:
        raise ValueError(
            f"The target {target!r} is missing in {n_missing} of {n_rows} rows; leave such rows "
            "out of the file."
        )


def _features(frame: Any, roles: Roles) -> Any:
    if roles.text:
        return text_column(frame, roles.text)
    others = {roles.target, *roles.labels, roles.weight, roles.groups, *roles.drop}
    names = [name for name in frame.columns if name not in others]
    if not names:
        raise click.UsageError("No column is left to learn from; drop fewer.")
    for name in names:  # mostly the numbers of the rows, which would give the order away
        if str(name).startswith("Unnamed: "):
            raise click.UsageError(
                f"A column has no name; name it, or leave it out by --drop {name!r}."
            )
    return frame[names]


def text_column(frame: Any, name: str) -> Any:
    """Return a column of texts."""
    column = frame[name]
    if column.dtype.kind in "iufb":
        raise click.BadParameter(
            f"The column {name!r} holds numbers, no text.", param_hint="--text"
        )
    return column


def group_column(frame: Any, name: str | None) -> Any:
    """Return what rows belong to; None where that is not said."""
    if name is None:
        return None
    if n_missing := int(frame[name].isna().sum()):
        raise ValueError(
            f"The groups in {name!r} are missing in {n_missing} of {len(frame)} rows; say what "
            "these rows belong to, or leave them out of the file."
        )
    return frame[name].to_numpy()


def weight_column(frame: Any, name: str | None) -> Any:
    """Return weights of rows; None where they have none."""
    if name is None:
        return None
    if frame[name].dtype.kind not in "iufb":
        raise ValueError(f"The weights in {name!r} are not all numbers; correct or drop them.")
    return frame[name].to_numpy(dtype=float)
