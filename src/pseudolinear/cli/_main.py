"""The command line: finds the verbs, and runs the one that was asked for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from pseudolinear import cli


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; by default those of the process.

    Returns
    -------
    int
        0, or 1 after an error.
    """
    args = _parser().parse_args(argv)
    try:
        args.run(args)
    except (ValueError, TypeError, ImportError, OSError) as error:
        print(f"pseudolinear {args.verb}: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pseudolinear", description="Train classifiers for the measure people report."
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="verb")
    for name, module in _verbs().items():
        verb = verbs.add_parser(name, help=module.HELP)
        module.add_arguments(verb)
        verb.set_defaults(run=module.run)
    return parser


def _verbs() -> dict[str, ModuleType]:
    names = {module.name for module in iter_modules(cli.__path__)} - {"_main"}
    return {name[1:]: import_module(f"{cli.__name__}.{name}") for name in sorted(names)}
