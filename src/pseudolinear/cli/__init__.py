"""The command line: one file per verb, each a call of the public API.

A module ``_fit`` here is the verb ``fit``, and its ``command`` is a :class:`Verb`. Other rooms are
imported when it runs, so that the list of verbs is there at once. ``shared`` is what verbs share.
"""

from pseudolinear.cli._main import main

__all__ = ["main"]
