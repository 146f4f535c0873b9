"""Prevalence: how a population in which labels are rarer or more common is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from numbers import Real
from typing import Any

import numpy as np

from pseudolinear.kinds._kind import Kind


def check_label_shift(kind: Kind) -> None:
    """Refuse several classes, of which the prevalence of one does not tell the errors of all."""
    if not kind.separable:
        raise ValueError(
            f"A {kind.name} problem cannot be moved to another prevalence, since the false "
            "positives of a class come from rows of several others, whose shares all change; fit "
            "again with a sample_weight that gives the classes the shares of the population."
        )


def read_prevalence(kind: Kind, given: Any, movable: Collection[int]) -> dict[int, float]:
    """Read the prevalence of the labels in a population.

    Parameters
    ----------
    kind : Kind
        Of labels.
    given : float, array-like of shape (n_labels,) or mapping
        Of all labels that can be moved, of each (NaN: as it is), or of some by name.
    movable : collection of int
        The labels that have a model, and both values among the validation rows.

    Returns
    -------
    dict
        By number of the label, for those that are told.
    """
    check_label_shift(kind)
    names = kind.label_names.tolist()
    found = _by_label(given, names, movable)
    for label, value in found.items():
        _check(names[label], value)
        if label not in movable:
            raise ValueError(
                f"Label {names[label]!r} cannot be moved to another prevalence, since it has the "
                "same value in all rows that were seen; leave it out, or give it NaN."
            )
    return {label: float(value) for label, value in found.items()}


def _by_label(given: Any, names: list[Any], movable: Collection[int]) -> dict[int, Any]:
    if isinstance(given, Mapping):
        if unknown := [name for name in given if name not in names]:
            known = "the labels are in classes_" if len(names) > 1 else f"that is {names[0]!r}"
            raise ValueError(
                f"prevalence names {unknown[0]!r}, but must be of what is predicted: {known}."
            )
        return {names.index(name): value for name, value in given.items()}
    if np.ndim(given) == 0:
        return dict.fromkeys(movable, given)
    if np.shape(given) != (len(names),):
        raise ValueError(
            f"prevalence has the shape {np.shape(given)}; give one number, one for each of the "
            f"{len(names)} labels, or a dict by label."
        )
    every = dict(enumerate(np.asarray(given).tolist()))
    return {label: value for label, value in every.items() if value == value}


def _check(name: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"The prevalence of {name!r} must be a number, got {value!r}.")
    if not 0.0 < float(value) < 1.0:
        raise ValueError(
            f"The prevalence of {name!r} must lie between 0 and 1, got {value!r}; give the "
            "proportion of positive rows."
        )
