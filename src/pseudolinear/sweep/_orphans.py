"""Orphans: workers that leave when the process that sends them tasks was killed."""

from __future__ import annotations

import os
import threading
import time
from functools import cache

INTERVAL = 1.0  # seconds between two looks


def leave_with(sender: int) -> None:
    """Let this process end when its parent is killed, if that is the one that sends tasks.

    Workers of joblib would wait for further tasks, with the rows in memory: one of loky's did so
    for 55 minutes. Those of a cluster have other parents, who look after them.

    Parameters
    ----------
    sender : int
        Number of the process that has sent a task; where that is this process, or no parent of
        it, nothing happens.
    """
    if os.name == "posix" and os.getppid() == sender:
        _start(os.getpid(), sender)


@cache  # a process that is forked has what its parent has called, so the own number counts
def _start(process: int, parent: int) -> None:
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(INTERVAL)
    os._exit(1)
