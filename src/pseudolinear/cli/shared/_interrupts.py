"""Ctrl-C: one line, whatever the work was."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

AGAIN = 2.0  # seconds until an interrupt that was lost is raised once more
SOON = 0.02  # seconds until processes that are being started are looked at again


class InterruptedByUser(click.ClickException):
    """What Ctrl-C ends a command with."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("Interrupted; nothing was written.")


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn Ctrl-C into :class:`InterruptedByUser`, and end the processes that work for us."""
    with _watch():
        try:
            yield
        except KeyboardInterrupt:
            _end_workers()
            raise InterruptedByUser() from None


def shield_workers(jobs: int) -> None:
    """Keep Ctrl-C from the processes of joblib, which would print tracebacks of their own.

    They inherit that the signal is blocked; multiprocessing lifts the block when it starts its
    tracker of resources, so that is started first.
    """
    if jobs != 1 and hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


@contextmanager
def _watch() -> Iterator[None]:
    """Let a thread wait for Ctrl-C and tell the main one.

    The signal stays blocked, which processes that we start inherit: they do not print tracebacks
    of their own, and are ended by us. A KeyboardInterrupt that is raised in a callback from
    compiled code is lost there, so it is raised again until somebody takes it.
    """
    main = threading.main_thread()
    deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if deaf or threading.current_thread() is not main or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    over = threading.Event()

    def wait() -> None:
        signal.sigwait({signal.SIGINT})
        while not over.wait(0):
            if _is_starting_processes(main):
                over.wait(SOON)
            else:
                signal.pthread_kill(main.ident or 0, signal.SIGUSR1)
                over.wait(AGAIN)

    hook = sys.unraisablehook
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})  # as the parent may have left it
    handler = signal.signal(signal.SIGUSR1, _interrupt)
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else hook(lost)
    watcher = threading.Thread(target=wait, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        if watcher.is_alive():
            signal.pthread_kill(watcher.ident or 0, signal.SIGINT)
        watcher.join()
        while signal.SIGINT in signal.sigpending():  # the second of two, which says nothing new
            signal.sigwait({signal.SIGINT})
        sys.unraisablehook = hook
        signal.signal(signal.SIGUSR1, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _is_starting_processes(thread: threading.Thread) -> bool:
    """Say whether joblib is at it: a process that it does not know yet could not be ended."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if frame.f_code.co_name == "_ensure_executor_running":
            return True
        frame = frame.f_back
    return False


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _end_workers() -> None:
    """End the processes of joblib, which would otherwise finish what they were given."""
    if "joblib" in sys.modules:
        from joblib.externals.loky import reusable_executor

        if reusable_executor._executor is not None:
            reusable_executor._executor.shutdown(wait=True, kill_workers=True)
