"""Journal: what a fit tells of itself while it runs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from pseudolinear._digits import in_digits
from pseudolinear._progress import Progress

READING = "reading the rows"
COMBINING = "combining"
TRAINING = "training on all rows"
AGAIN = "training on the first split"

logger = logging.getLogger("pseudolinear")
logger.addHandler(logging.NullHandler())


@dataclass(eq=False)
class Stage:
    """A part of a fit.

    Attributes
    ----------
    name : str
        What is done.
    weight : float
        How much of the fit it is, as far as anybody knows; 0 of what takes next to no time.
    open_ended : bool
        Whether further steps may follow those that are expected.
    expected : int
        Steps that are expected by now.
    done : int
        Steps that are done.
    failed : bool
        Whether it was given up.
    value : float or None
        What it has reached.
    """

    name: str
    weight: float = 0.0
    open_ended: bool = False
    expected: int = 0
    done: int = 0
    failed: bool = False
    value: float | None = None


class Watcher:
    """Somebody who is told how a fit goes on; only stages with a weight are told."""

    def begin(self, stage: Stage) -> None:
        """Hear that a stage begins."""

    def expect(self, stage: Stage) -> None:
        """Hear that more steps are expected of it."""

    def step(self, stage: Stage) -> None:
        """Hear that one of them is done."""

    def end(self, stage: Stage) -> None:
        """Hear that it is over."""


class Journal:
    """What a fit tells of itself: seconds, lines of the log, and steps to those who watch.

    Attributes
    ----------
    timings : list of (str, float)
        The stages so far with their seconds.
    watchers : list of Watcher
        Who is told.

    Examples
    --------
    >>> journal = Journal()
    >>> with journal.stage("combining"):
    ...     pass
    >>> [name for name, seconds in journal.timings]
    ['combining']
    """

    def __init__(self) -> None:
        self.timings: list[tuple[str, float]] = []
        self.watchers: list[Watcher] = []
        self._stage = Stage("")
        self._lock = Lock()  # threads tell their steps as well

    @contextmanager
    def stage(self, name: str, weight: float = 0.0, *, open_ended: bool = False) -> Iterator[Stage]:
        """Go through a part of the fit; see :class:`Stage`."""
        began = time.perf_counter()
        stage = self._stage = Stage(name, weight, open_ended)
        self._tell(Watcher.begin)
        try:
            yield stage
        except Exception as reason:
            stage.failed = True
            logger.info("%s: given up, %s", name, reason)
            raise
        finally:
            seconds = time.perf_counter() - began
            self.timings.append((name, seconds))
            self._tell(Watcher.end)
        reached = "" if stage.value is None else f" {in_digits(stage.value)} in"
        logger.info("%s:%s %.2f s", name, reached, seconds)

    def expect(self, n_steps: int) -> None:
        """Say how many steps the stage takes, or takes besides those that are known."""
        self._stage.expected += n_steps
        self._tell(Watcher.expect)

    def step(self) -> None:
        """Say that a step is done."""
        with self._lock:
            self._stage.done += 1
            self._tell(Watcher.step)

    def finished(self, number: int, n_batches: int, n_problems: int) -> None:
        """Note a batch of problems in the log."""
        text = "%s: batch %d of %d, %d problems"
        logger.debug(text, self._stage.name, number, n_batches, n_problems)

    def _tell(self, what: Callable[[Watcher, Stage], None]) -> None:
        if self._stage.weight > 0:
            for watcher in self.watchers:
                getattr(watcher, what.__name__)(self._stage)


class Steps:
    """Steps of one task: told when they are made in this process, otherwise when it is done."""

    def __init__(self, tell: Callable[[], None] | None, n_steps: int) -> None:
        self.tell, self.left = tell, n_steps
        self._lock = Lock()

    def __call__(self) -> None:
        """Tell that a step is done."""
        with self._lock:  # folds may be trained in threads
            self.left -= 1
        if self.tell is not None:
            self.tell()

    def finish(self) -> None:
        """Tell those that were made in another process."""
        while self.left > 0:
            self()

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process there is nobody to tell."""
        return Steps, (None, self.left)


class ShownProgress(Watcher):
    """One bar for the fit: a member weighs as much as any other, and its steps share its weight.

    Parameters
    ----------
    progress : Progress
        The bar, from 0 to 1.
    total : float
        The weight of all stages.
    """

    def __init__(self, progress: Progress, total: float) -> None:
        self.progress, self.total = progress, total
        self._before = 0.0

    def begin(self, stage: Stage) -> None:
        """Name what is done now."""
        self._show(stage, 0.0)

    def step(self, stage: Stage) -> None:
        """Move the bar by a step; never back, when more steps turn out to be needed."""
        self._show(stage, stage.weight * stage.done / max(stage.expected, stage.done))

    def end(self, stage: Stage) -> None:
        """Move the bar to the end of the stage; what was given up is not left to do either."""
        if stage.failed:
            self.total -= stage.weight
        else:
            self._before += stage.weight
        self._show(stage, 0.0)

    def _show(self, stage: Stage, part: float) -> None:
        done = (self._before + part) / self.total if self.total > 0 else 1.0
        self.progress.update(max(done, self.progress.done), stage.name)
