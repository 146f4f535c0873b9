"""Limits: when a sweep gives up."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pseudolinear.sweep._bar import Bar


class OutOfTimeError(Exception):
    """There was no time for a learner."""

    def __str__(self) -> str:
        """Say it in a table."""
        return "out of time"


@dataclass(frozen=True, eq=False)
class Limits:
    """When a sweep gives up.

    Attributes
    ----------
    deadline : float or None
        Time (``time.monotonic()``) after which nothing further is started.
    essential : bool
        Whether one problem of every label is trained whatever the time.
    bar : Bar or None
        What the learner has to reach on the first fold.
    """

    deadline: float | None = None
    essential: bool = True
    bar: Bar | None = None

    def late(self, seconds: float = 0.0) -> bool:
        """Tell whether what takes some seconds more would end after the deadline."""
        return self.deadline is not None and time.monotonic() + seconds > self.deadline


NO_LIMITS = Limits()
