"""What numbers say, in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile


def measure_words(name: str) -> str:
    """Write the name of a measure for people; what is not a name is left as it is.

    Examples
    --------
    >>> from pseudolinear.report import measure_words
    >>> measure_words("f0.5_macro"), measure_words("cohen_kappa"), measure_words("FBeta(beta=3)")
    ('F0.5, macro average', 'Cohen kappa', 'FBeta(beta=3)')
    >>> measure_words("ExpectedCost(fn='amount', fp=20.0)")
    'Minus the cost of a row'
    """
    if name.startswith("ExpectedCost("):  # how it was made says which costs
        return "Minus the cost of a row"
    stem, _, average = name.rpartition("_")
    if average not in ("micro", "macro", "weighted"):
        stem, average = name, ""
    words = stem.replace("_", " ")
    words = words.upper() if words == "mcc" else words[:1].upper() + words[1:]
    return f"{words}, {average} average" if average else words


def error_words(profile: ErrorProfile, *, labels: bool) -> str:
    """Say what is right and what is missed, over all labels together.

    Examples
    --------
    >>> from pseudolinear.report import error_words
    >>> error_words(ErrorProfile(0.02, 0.05, 0.1), labels=False)
    'Of 100 flagged rows, 62 are right; 20 % of the cases are missed.'
    """
    found = float((profile.prevalence - profile.fn).sum())
    flagged, positive = found + float(profile.fp.sum()), float(profile.prevalence.sum())
    if positive <= 0:
        return "None of these rows is a case, so nothing can be found or missed."
    what, cases = ("predicted labels", "labels") if labels else ("flagged rows", "cases")
    missed = f"{share(1 - found / positive)} of the {cases} are missed."
    if flagged <= 0:
        return f"Nothing is flagged, so {missed}"
    return f"Of 100 {what}, {share(found / flagged)[:-2]} are right; {missed}"


def class_words(confusion: NDArray[np.float64], names: list[str]) -> str:
    """Say how many rows get their class, and which class is missed most often."""
    sizes = confusion.sum(axis=1)
    right = np.diag(confusion).sum() / sizes.sum()
    missed = 1 - np.diag(confusion) / np.where(sizes > 0, sizes, 1)
    worst = int(np.where(sizes > 0, missed, -1).argmax())
    return (
        f"Of 100 rows, {share(right)[:-2]} get their right class; “{names[worst]}” is missed most "
        f"often, in {share(missed[worst])} of its rows."
    )


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
