"""Output: results for people or machines on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from pseudolinear.cli.shared._words import in_shell_words

WIDEST = 10_000  # characters of a table
FOLDED = 12  # characters below which no column of text is folded


@dataclass(frozen=True)
class Output:
    """Where a verb says what it has to say.

    Parameters
    ----------
    as_json : bool
        Whether results are printed as JSON.
    quiet : bool
        Whether only results and errors are printed.
    """

    as_json: bool = False
    quiet: bool = False

    @property
    def progress(self) -> bool:
        """Whether somebody is there to see how far the work is."""
        return not self.quiet and sys.stderr.isatty()

    def say(self, line: str) -> None:
        """Tell what is going on."""
        if not self.quiet:
            click.echo(line, err=True)

    def result(self, data: Any, *shown: Callable[[], Any]) -> None:
        """Print the result: the data as JSON, or what the functions return for people."""
        if self.as_json:
            click.echo(json.dumps(_plain(data), allow_nan=False))
            return
        from rich.console import Console

        console = Console(highlight=False)
        for part in (show() for show in shown):
            if isinstance(part, str):
                click.echo(part)  # as it is, without wrapping
            else:  # rather wider than the terminal than without its last columns
                least = console.measure(part, options=console.options.update(width=WIDEST)).minimum
                console.width = max(console.width, least)
                console.print(part)

    def done(self, data: Any, line: str) -> None:
        """Say what was written: data for machines, a line for who watches."""
        if self.as_json:
            self.result(data)
        else:
            self.say(line)


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None) -> Any:
    """Return a table; columns that hold only numbers are to the right.

    Parameters
    ----------
    columns : sequence of str
        Their names.
    rows : sequence of sequence
        Cells: text, numbers, or None for an empty one.
    title : str, default=None
        Said above it.

    Returns
    -------
    rich.table.Table
        For :meth:`Output.result`.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(
        title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0)
    )
    for position, name in enumerate(columns):
        cells = [row[position] for row in rows]
        right = all(cell is None or isinstance(cell, int | float) for cell in cells)
        widest = max(map(len, [name, *map(_cell, cells)]))
        made.add_column(
            Text(name), justify="right" if right else "left", overflow="fold", no_wrap=right,
            min_width=widest if right else min(widest, FOLDED),
        )  # fmt: skip
    for row in rows:
        made.add_row(*(Text(_cell(cell)) for cell in row))
    return made


def one_line(error: BaseException) -> str:
    """Return a message without line breaks, in the words of the command line."""
    return in_shell_words(" ".join(str(error).split())) or type(error).__name__


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Show warnings that are for users as one line each, without a place in the code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        yield


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        click.echo(f"Warning: {in_shell_words(' '.join(str(message).split()))}", err=True)


def _cell(cell: Any) -> str:
    if cell is None or cell != cell:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _plain(data: Any) -> Any:
    """Return data as JSON knows it: no types of NumPy, and null for what is no number."""
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple | set | frozenset):
        return [_plain(value) for value in data]
    if hasattr(data, "tolist"):
        return _plain(data.tolist())
    if isinstance(data, float) and (data != data or data in (float("inf"), float("-inf"))):
        return None
    return data if isinstance(data, str | int | float | bool) or data is None else str(data)
