"""Verb: a command with what every command has."""

from __future__ import annotations

import os
from typing import Any

import click

from pseudolinear.cli.shared._output import Output

COMPLETION = "_PSEUDOLINEAR_COMPLETE"  # set by a shell that asks what fits


class Verb(click.Command):
    """A command with ``--json``, ``--quiet`` and a hidden ``--debug``.

    Its function gets an :class:`Output` as its first argument.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [
            click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
            click.Option(
                ["--quiet", "-q"],
                is_flag=True,
                help="Print the result and errors only.",
            ),
            click.Option(["--debug"], is_flag=True, hidden=True),
        ]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the function of the verb."""
        options = dict(ctx.params)
        output = Output(options.pop("as_json"), options.pop("quiet"))
        if options.pop("debug"):
            os.environ["PSEUDOLINEAR_DEBUG"] = "1"
        assert self.callback is not None
        return ctx.invoke(self.callback, output, **options)
