"""Rows that a model is judged on."""

from __future__ import annotations

import warnings
from typing import Any

import click

from pseudolinear.cli.shared._columns import (
    LabelledRows,
    Roles,
    check_column,
    group_column,
    holds_lists,
    read_target,
    weight_column,
)
from pseudolinear.cli.shared._models import features_of, string_columns, target_of


def rows_to_judge(
    classifier: Any,
    file: str,
    file_format: str | None,
    *,
    target: str | None = None,
    label_separator: str | None = None,
    text: str | None = None,
    weight: str | None = None,
    groups: str | None = None,
    by: str | None = None,
) -> LabelledRows:
    """Read labelled rows as a model wants them; it knows its target, unless another is named.

    Parameters
    ----------
    classifier : MeasureClassifier
        Fitted.
    file, file_format : str
        What is read.
    target, label_separator, text, weight, groups : str, default=None
        Columns, as for `fit`.
    by : str, default=None
        Column that tells groups apart.

    Returns
    -------
    LabelledRows
        For `evaluate` and `report`.
    """
    from pseudolinear.datasets import read_parts

    n_features = getattr(classifier, "n_features_in_", None)
    (rows,) = read_parts(
        file, file_format, n_rows=None, strings=string_columns(classifier), n_features=n_features
    )
    X = features_of(classifier, rows, text)
    if not hasattr(rows, "columns"):
        if by is not None:
            raise click.UsageError("An svmlight file has no names of columns; leave --by out.")
        return LabelledRows(X, rows.y)
    names = list(rows.columns)
    for option, name in (("--weight", weight), ("--groups", groups), ("--by", by)):
        if name is not None:
            check_column(name, names, option)
    separator = label_separator or getattr(classifier, "label_separator_", None)
    roles = _target(classifier, target, names, separator)
    several = classifier.decision_.kind.name == "multilabel"
    if several and roles.target and not separator and not holds_lists(rows[roles.target]):
        raise click.UsageError(
            f"The model predicts several labels, and {roles.target!r} holds no lists of them; say "
            "what is between them by --label-separator, such as ';'."
        )
    y = read_target(rows, roles)
    if not several:
        _check_classes(y, classifier.classes_.tolist())
    return LabelledRows(
        X,
        y,
        weight_column(rows, weight),
        group_column(rows, groups),
        None if by is None else rows[by],
    )


def _check_classes(y: Any, known: list[Any]) -> None:
    """Refuse classes of which the model knows none: a value of 0 would say nothing about it."""
    found = y.unique().tolist()
    if unknown := [one for one in found if one not in known]:
        text = (
            f"The target {y.name!r} holds {_some(unknown)}, which the model does not know; its "
            f"classes are {_some(known)}"
        )
        if len(unknown) == len(found):
            raise ValueError(f"{text}.")
        warnings.warn(f"{text}; rows of other classes are never right.", stacklevel=2)


def _some(classes: list[Any]) -> str:
    return ", ".join(map(repr, classes[:5])) + (" and others" if len(classes) > 5 else "")


def _target(classifier: Any, given: str | None, names: list[str], separator: str | None) -> Roles:
    target = given or target_of(classifier)
    if target is not None:
        check_column(target, names, "--target")
        return Roles(target, label_separator=separator)
    labels = tuple(str(name) for name in classifier.classes_)
    if classifier.decision_.kind.name != "multilabel" or not set(labels) & set(names):
        raise click.UsageError("The model does not know the name of its target; give --target.")
    for label in labels:
        check_column(label, names, "--labels")
    return Roles(labels=labels)
