"""Which of two classes is meant, as the file writes it."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear._digits import in_percent
from pseudolinear.cli.shared._output import Output

NEARLY_EQUAL = 0.45  # share of the rarer class from which it says nothing about what is meant
SYMMETRIC = ("accuracy", "balanced_accuracy", "cohen_kappa", "mcc", "g_mean")


def find_positive(y: Any, given: str | None, measure: str | None, output: Output) -> Any:
    """Return the positive class, or None where the classes or the measure need none.

    Parameters
    ----------
    y : object
        What is predicted.
    given : str or None
        What the user said.
    measure : str or None
        What is maximised; None for scores, which are of one class whatever the measure.
    output : Output
        Told of a choice that the user did not make.

    Returns
    -------
    object
        A value of `y`.
    """
    from pseudolinear.labels import read_labels

    return choose_positive(*_shares(read_labels(y)[0]), given, measure, output)


def choose_positive(
    classes: list[Any], shares: Any, given: str | None, measure: str | None, output: Output
) -> Any:
    """Return the positive one of sorted classes of which the shares are known: see above."""
    if given is not None:
        return _as_written(given, classes)
    if len(classes) != 2 or (measure is not None and needs_no_positive(measure)):
        return None
    if set(classes) in ({0, 1}, {-1, 1}):  # 1 is positive, as everywhere
        return None
    rarer = int(shares[1] < shares[0])
    names = " and ".join(
        f"{c!r} ({in_percent(s, 0)})" for c, s in zip(classes, shares, strict=True)
    )
    if shares[rarer] >= NEARLY_EQUAL:
        raise click.UsageError(
            f"The classes {names} are nearly as frequent; name the positive one by --positive."
        )
    output.say(f"Of the classes {names}, the rarer is the positive one; --positive names another.")
    return classes[rarer]


def needs_no_positive(measure: str) -> bool:
    """Return whether a measure is an average, or treats both classes alike."""
    return measure.endswith(("_macro", "_micro", "_weighted", *SYMMETRIC))


def _shares(y: Any) -> tuple[list[Any], Any]:
    """Return the classes and how frequent they are; of several labels none."""
    import numpy as np

    if y.ndim != 1:
        return [], None
    try:
        classes, counts = np.unique(y, return_counts=True)
    except TypeError:  # classes without a common order, which fit refuses
        return [], None
    return classes.tolist(), counts / counts.sum()


def _freely(one: Any) -> Any:
    """Return a class without regard to how it is written."""
    text = str(one).casefold()
    try:
        return float(text)
    except ValueError:
        return text


def _as_written(given: str, classes: list[Any]) -> Any:
    for write in (str, _freely):  # true is True and 1 is 1.0, unless a class is written so
        for one in classes:
            if write(one) == write(given):
                return one
    some = ", ".join(map(str, classes[:8])) or "labels, not classes"
    raise click.BadParameter(f"{given!r} is no class; there are {some}.", param_hint="--positive")
