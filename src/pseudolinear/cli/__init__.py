"""The command line: one file per verb, each a call of the public API."""

from pseudolinear.cli._main import main

__all__ = ["main"]
