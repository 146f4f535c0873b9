"""Progress: how much is done, and the time left, on the error stream."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self, TypeVar

Item = TypeVar("Item")


class Progress:
    """A bar in a terminal or notebook; elsewhere a line for every tenth, so that logs stay short.

    Parameters
    ----------
    title : str
        What goes on.
    total : float or None, default=1.0
        How much there is to do; None where nobody knows.
    done : float, default=0.0
        How much of it was done before.
    size : bool, default=False
        Whether these are bytes.
    shown : bool, default=True
        Whether anything is shown.

    Examples
    --------
    >>> with Progress("sorting", 2.0, shown=False) as progress:
    ...     progress.update(1.0, "letters")
    """

    def __init__(
        self,
        title: str,
        total: float | None = 1.0,
        *,
        done: float = 0.0,
        size: bool = False,
        shown: bool = True,
    ) -> None:
        self.title, self.total, self.done, self.size = title, total, done, size
        self._shown = shown
        self._bar: Any = None
        self._began, self._first = time.monotonic(), done

    def __enter__(self) -> Self:
        """Show that it begins."""
        if self._shown:
            from rich.console import Console  # loads what those who see nothing do not need

            console = Console(stderr=True)
            if console.is_terminal or console.is_jupyter:
                self._bar = _bar(console, size=self.size)
                self._bar.start()
                self._bar.add_task(self.title, total=self.total, completed=self.done, text="")
        return self

    def __exit__(self, *reason: object) -> None:
        """Leave the bar as it is."""
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: float, text: str = "") -> None:
        """Say how much is done by now, and what is next.

        Parameters
        ----------
        done : float
            All that is done.
        text : str, default=""
            What is done now.
        """
        before, self.done = self.done, done
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, text=text)
        elif self._shown and self.total and _tenths(done, self.total) > _tenths(before, self.total):
            print(self._line(self.total, text), file=sys.stderr, flush=True)

    def _line(self, total: float, text: str) -> str:
        seconds = time.monotonic() - self._began
        left = seconds * (total - self.done) / max(self.done - self._first, 1e-12)
        what = f"{self.title}: {text}" if text else self.title
        return f"{what}, {100 * self.done / total:.0f} %, {seconds:.0f} s, left {left:.0f} s"


def track(items: Sequence[Item], title: str, *, shown: bool = True) -> Iterator[Item]:
    """Go through items and show how many are done.

    Parameters
    ----------
    items : sequence
        What is gone through.
    title : str
        What goes on.
    shown : bool, default=True
        Whether anything is shown.

    Yields
    ------
    object
        The items.

    Examples
    --------
    >>> list(track("ab", "reading", shown=False))
    ['a', 'b']
    """
    with Progress(title, float(len(items)), shown=shown) as progress:
        for number, item in enumerate(items, 1):
            yield item
            progress.update(float(number))


def _tenths(done: float, total: float) -> int:
    return int(10 * done / total + 1e-9)


def _bar(console: Any, *, size: bool) -> Any:
    """Make the bar: what goes on, how much is done, the time that it took and the time left."""
    from rich import progress

    amount = progress.DownloadColumn() if size else progress.TaskProgressColumn()
    return progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        amount,
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.fields[text]}"),
        console=console,
        speed_estimate_period=1e9,  # parts differ too much for the speed of the last ones to tell
    )
