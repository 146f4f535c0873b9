"""Messages of the package in the words of the command line."""

from __future__ import annotations

import re

from pseudolinear.cli.shared._options import MEASURES

PHRASES = {  # what the package tells users of Python, and what helps in a shell
    "or see honest_score_ and honest_interval_": "or see the honest score that inspect shows",
    "cohen_kappa, or FBeta(average='micro', default_class=...)": "or cohen_kappa",
    "positive by pos_label": "positive by --positive",
    "by_group: X has no column": "--by: the model has no feature",
    "keep the model by clf.save(path)": "use predict with the model itself",
}
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
        The same; measures have the names of ``--measure``.

    Examples
    --------
    >>> from pseudolinear.cli.shared._words import in_shell_words
    >>> in_shell_words("FBeta(average='macro') is an average")
    'f1_macro is an average'
    """
    for phrase, other in PHRASES.items():
        text = text.replace(phrase, other)
    if not MADE.search(text):
        return text
    from pseudolinear.measures import get_measure

    names = {repr(get_measure(name)): name for name in MEASURES}
    return MADE.sub(lambda found: names.get(found[0], found[0]), text)
