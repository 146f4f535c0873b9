"""What numbers say, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import get_measure, short_name


def measure_words(name: str) -> str:
    """Write the name of a measure for people; what is not a name is left as it is.

    Examples
    --------
    >>> from pseudolinear.report import measure_words
    >>> measure_words("f0.5_macro"), measure_words("cohen_kappa"), measure_words("FBeta(beta=3)")
    ('F0.5, macro average', "Cohen's kappa", 'FBeta(beta=3)')
    >>> measure_words("mean cost (negative)")
    'Mean cost (negative)'
    """
    stem, _, average = name.rpartition("_")
    if average not in ("micro", "macro", "weighted"):
        stem, average = name, ""
    try:
        words = short_name(get_measure(stem))
    except ValueError:  # words already, or a rate that is not trained for
        words = stem.replace("_", " ")
    words = words[:1].upper() + words[1:]
    return f"{words}, {average} average" if average else words


def member_words(names: Sequence[str]) -> list[str]:
    """Drop the numbers of members whose names are told apart without them.

    Examples
    --------
    >>> from pseudolinear.report._words import member_words
    >>> member_words(["LinearLearner-0", "LogisticRegression-1", "LogisticRegression-2", "trees"])
    ['LinearLearner', 'LogisticRegression-1', 'LogisticRegression-2', 'trees']
    """
    stems = [re.sub(r"-\d+$", "", name) for name in names]
    counts = Counter(stems)
    return [stem if counts[stem] == 1 else name for stem, name in zip(stems, names, strict=True)]


def error_words(profile: ErrorProfile, *, labels: bool, total: float | None = None) -> str:
    """Say what is right and what is missed, over all labels together.

    Parameters
    ----------
    profile : ErrorProfile
        The errors, as proportions.
    labels : bool
        Whether it is labels that are predicted, in place of rows that are flagged.
    total : float, default=None
        Number of rows; None where they have weights, so that shares alone make sense.

    Returns
    -------
    str
        A sentence.

    Examples
    --------
    >>> from pseudolinear.report import error_words
    >>> error_words(ErrorProfile(0.02, 0.05, 0.1), labels=False, total=100)
    'Of 13 flagged rows, 8 are right (62 %); of 10 cases, 2 are missed (20 %).'
    >>> error_words(ErrorProfile(0.02, 0.05, 0.1), labels=False)
    'By weight, 62 % of the flagged rows are right, and 20 % of the cases are missed.'
    """
    found = float((profile.prevalence - profile.fn).sum())
    flagged, positive = found + float(profile.fp.sum()), float(profile.prevalence.sum())
    if positive <= 0:
        return "None of these rows is a case, so nothing can be found or missed."
    what, case = ("predicted label", "label") if labels else ("flagged row", "case")
    right, missed = share(found / flagged) if flagged > 0 else "", share(1 - found / positive)
    if flagged <= 0:
        return f"Nothing is flagged, so {missed} of the {case}s are missed."
    if total is None:
        return (
            f"By weight, {right} of the {what}s are right, and {missed} of the {case}s are missed."
        )
    hits, calls, cases = (round(part * total) for part in (found, flagged, positive))
    return (
        f"Of {_count(calls, what)}, {_are(hits)} right ({right}); "
        f"of {_count(cases, case)}, {_are(cases - hits)} missed ({missed})."
    )


def class_words(confusion: NDArray[np.float64], names: list[str], *, counted: bool) -> str:
    """Say how many rows get their class, and which class is missed most often.

    Where rows have weights, and so are not `counted`, it says shares alone.

    Examples
    --------
    >>> from pseudolinear.report._words import class_words
    >>> class_words(np.array([[3.0, 1.0], [0.0, 4.0]]), ["ham", "spam"], counted=True)
    'Of 8 rows, 7 get their right class (88 %); “ham” is missed most often, in 25 % of its rows.'
    """
    sizes, right = confusion.sum(axis=1), float(np.diag(confusion).sum())
    missed = 1 - np.diag(confusion) / np.where(sizes > 0, sizes, 1)
    worst = int(np.where(sizes > 0, missed, -1).argmax())
    total, rate = float(sizes.sum()), share(right / sizes.sum())
    if counted:
        verb = "gets its" if round(right) == 1 else "get their"
        first = f"Of {_count(round(total), 'row')}, {round(right):,} {verb} right class ({rate})"
    else:
        first = f"By weight, {rate} of the rows get their right class"
    return f"{first}; “{names[worst]}” is missed most often, in {share(missed[worst])} of its rows."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _are(number: int) -> str:
    return f"{number:,} {'is' if number == 1 else 'are'}"


def share(value: float) -> str:
    """Write a share as a percentage; what is nearly none or nearly all is not rounded to that.

    Examples
    --------
    >>> from pseudolinear.report import share
    >>> share(0.213), share(0.9996), share(1.0)
    ('21 %', '99.9 %', '100 %')
    """
    rounded = round(100 * value)
    if 0 < value < 1 and rounded in (0, 100):
        return f"{min(max(100 * value, 0.1), 99.9):.1f} %"
    return f"{rounded} %"
