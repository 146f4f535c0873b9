"""What people mean by names that are not known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

OTHER_NAMES = {  # how other libraries and articles call them
    "matthews": "mcc",
    "matthews_corrcoef": "mcc",
    "phi": "mcc",
    "gmean": "g_mean",
    "geometric_mean": "g_mean",
    "kappa": "cohen_kappa",
    "dice": "f1",
    "f_measure": "f1",
    "iou": "jaccard",
}
NOT_OF_DECISIONS = "auc|auroc|average_precision|log_loss|brier|top_k|ndcg"
ADVICE = {
    "fbeta": "say which beta, as in 'f2' or 'f0.5'.",
    "f_beta": "say which beta, as in 'f2' or 'f0.5'.",
    "precision": "alone it is largest for a trivial answer; use RecallAtPrecision(0.9) or 'f0.5'.",
    "recall": "alone it is largest for a trivial answer; use PrecisionAtRecall(0.9) or 'f2'.",
}
AVERAGES = ("micro", "macro", "weighted", "samples", "binary")


def suggestion(name: str, known: Sequence[str], averaged: Sequence[str]) -> str:
    """Say in half a sentence what to use in place of an unknown name.

    Parameters
    ----------
    name : str
        What was given.
    known, averaged : sequence of str
        Names without and with an average.

    Returns
    -------
    str
        Ends with a full stop or a question mark.

    Examples
    --------
    >>> from pseudolinear.measures._suggestions import suggestion
    >>> suggestion("macro-F1", ["f1"], ["f1_macro"])
    "did you mean 'f1_macro'?"
    """
    words = [word for word in re.split(r"[_\W]+", name.lower()) if word not in ("", "score")]
    stem = "_".join(word for word in words if word not in AVERAGES)
    if re.search(NOT_OF_DECISIONS, stem):
        return (
            "it judges rankings or probabilities, not decisions, so no threshold changes it; use a "
            "measure of decisions such as 'f1' or 'mcc'."
        )
    if "samples" in words:
        return (
            "it is not a pseudo-linear measure of the error profile; use a _micro or _macro "
            "average, or pseudolinear.rivals.GFMClassifier."
        )
    if stem in ADVICE:
        return ADVICE[stem]
    names, meant = [*known, *averaged], OTHER_NAMES.get(stem, stem)
    wanted = sorted([*meant.split("_"), *(word for word in words if word in AVERAGES)])
    same = [one for one in names if sorted(one.split("_")) == wanted]  # as in "macro_f1"
    close = same or [one for one in names if one == meant]  # as in "mcc_macro"
    close = close or difflib.get_close_matches("_".join(words), names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}."
