"""The command line: one file per verb, each a call of the public API.

A module ``_fit`` here is the verb ``fit``: ``HELP`` is its line in the list of verbs,
``add_arguments(parser)`` says what it takes, and ``run(args)`` does it. Only ``run`` imports other
rooms, so that the list of verbs is there at once.
"""

from pseudolinear.cli._main import main

__all__ = ["main"]
