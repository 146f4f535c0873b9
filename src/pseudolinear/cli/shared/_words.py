"""Messages of the package in the words of the command line."""

from __future__ import annotations

import re

from pseudolinear.cli.shared._options import MEASURES

PHRASES = {  # what the package tells users of Python, and what helps in a shell
    "or see honest_score_ and honest_interval_": "or see the honest score that inspect shows",
    "cohen_kappa, or FBeta(average='micro', default_class=...)": "or cohen_kappa",
    "positive by pos_label": "positive by --positive",
    "by_group: X has no column": "--by: the model has no feature",
    "by_group is for": "Thresholds per group are for",
    "as in clf.retarget('f1').by_group(...)": "by the verb retarget",
    "no difference to bound; use best_threshold": "no difference to bound",
    "keep the model by clf.save(path)": "use predict with the model itself",
    "keep it by clf.save(path)": "use predict with the model itself",
    "so say where to cut them, as in threshold=0.5": "so give them as --score, with --threshold",
    "with sample_weight or groups": "with --weight or --groups",
    "X seems to hold": "The file seems to hold",
    "drop such columns unless": "leave such columns out by --drop unless",
    "leave it out or use methods='all'": "leave it out",
    "sample_weight": "--weight",
    "label_separator": "--label-separator",
    "max_seconds": "--max-seconds",
    "a lower effort": "a lower --effort",
    "give a smaller k,": "give a smaller number,",
    "ExpectedCost: ": "Costs: ",
    "FBeta with average='binary'": "This measure",
    " (average='micro' or 'macro')": "",
}
ARGUMENTS = {  # of Python, and the options that stand for them
    "method": "--method",
    "pos_label": "--positive",
    "threshold": "--threshold",
    "estimator": "--estimator",
}
ARGUMENT = re.compile(rf"\b({'|'.join(ARGUMENTS)})='?([\w.]+)'?")  # method='exact'
BUDGETS = {"k": "--budget", "share": "--budget-share"}
BUDGET = re.compile(r"Budget\((k|share)=([\d.]+)\)")
MADE = re.compile(r"\b[A-Z]\w+\([^()]*\)")  # FBeta(average='macro')


def in_shell_words(text: str) -> str:
    """Return a message without names that mean something in Python only.

    Parameters
    ----------
    text : str
        What an error or a warning says.

    Returns
    -------
    str
        The same with options and verbs; measures have the names of ``--measure``.

    Examples
    --------
    >>> from pseudolinear.cli.shared._words import in_shell_words
    >>> in_shell_words("FBeta(average='macro') is an average")
    'f1_macro is an average'
    >>> in_shell_words("use method='delta'")
    'use --method delta'
    """
    for phrase, other in PHRASES.items():
        text = text.replace(phrase, other)
    text = ARGUMENT.sub(lambda found: f"{ARGUMENTS[found[1]]} {found[2]}", text)
    text = BUDGET.sub(lambda found: f"{BUDGETS[found[1]]} {found[2]}", text)
    if not MADE.search(text):
        return text
    from pseudolinear.measures import get_measure

    names = {repr(get_measure(name)): name for name in MEASURES}
    return MADE.sub(lambda found: names.get(found[0], found[0]), text)
