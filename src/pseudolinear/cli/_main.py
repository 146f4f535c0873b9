"""The command line: finds the verbs, runs the one that was asked for, and says what failed."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

import click

from pseudolinear import cli
from pseudolinear.cli.shared import (
    COMPLETION,
    InterruptedByUser,
    interruptible,
    one_line,
    plain_warnings,
)

EXPECTED = (ValueError, TypeError, ImportError, OSError, MemoryError)  # what says itself what to do
BROKEN_PIPE = 141  # as of a process that was ended by the signal


class Verbs(click.Group):
    """The modules beside this one, loaded when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs."""
        names = {module.name for module in iter_modules(cli.__path__) if not module.ispkg}
        return sorted(name[1:] for name in names - {"_main"})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a verb; None if there is no such one."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{cli.__name__}._{cmd_name}").command
        return command


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pseudolinear", message="%(prog)s %(version)s")
def verbs() -> None:
    """Train classifiers for the measure people report.

    A first model, from a table to predictions:

    \b
      pseudolinear fit train.csv --target churned --measure f1 --out churn.plm
      pseudolinear evaluate churn.plm test.csv
      pseudolinear predict churn.plm new.csv --out predictions.csv
    """  # noqa: D301


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; by default those of the process.

    Returns
    -------
    int
        0; 1 after a failure, 2 after wrong use, 130 after Ctrl-C.
    """
    if COMPLETION in os.environ:
        verbs.main(prog_name="pseudolinear", complete_var=COMPLETION)
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with plain_warnings(), interruptible():
            return _run(arguments or ["--help"])
    except click.exceptions.Exit as stop:  # after --help and --version
        return stop.exit_code
    except BrokenPipeError:  # who reads our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except InterruptedByUser as error:
        return _say(error.message, error.exit_code)
    except click.ClickException as error:
        _say(f"Error: {error.format_message()}", error.exit_code)
        context = getattr(error, "ctx", None)
        if context is not None:
            _say(f"Try '{context.command_path} --help' for help.", error.exit_code)
        return error.exit_code
    except Exception as error:
        if os.environ.get("PSEUDOLINEAR_DEBUG", "0") != "0":
            traceback.print_exc()
        if isinstance(error, EXPECTED):
            return _say(f"Error: {one_line(error)}", 1)
        name = type(error).__name__
        return _say(f"Error: {name}: {one_line(error)} (PSEUDOLINEAR_DEBUG=1 shows where)", 1)


def _run(arguments: list[str]) -> int:
    with verbs.make_context("pseudolinear", arguments) as context:
        code: int = verbs.invoke(context) or 0
        sys.stdout.flush()
        return code


def _say(line: str, code: int) -> int:
    print(line, file=sys.stderr)
    return code
