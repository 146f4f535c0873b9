"""scikit-learn's callbacks, where it has them (1.9 and later)."""

from __future__ import annotations

from typing import Any, Self

from pseudolinear._journal import Stage, Watcher

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # an older scikit-learn: classifiers have no `set_callbacks`

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands for the class of later versions."""

    def with_callbacks(method: Any) -> Any:
        """Stand for the decorator of later versions."""
        return method


@with_callbacks
def _tear_down(estimator: Any) -> None:
    """End the callbacks of an estimator, which is what the decorator does after a method."""


class ToldCallbacks(Watcher):
    """Tells the callbacks of an estimator how its fit goes on: stages, and steps below them.

    Parameters
    ----------
    estimator : estimator
        The one that is fitted.
    n_stages : int
        Number of stages with a weight.
    X, y : object
        What it is fitted on.
    """

    def __init__(self, estimator: Any, n_stages: int, X: Any, y: Any) -> None:
        self.estimator, self.n_stages = estimator, n_stages
        self._data = {"estimator": estimator, "X": X, "y": y}
        self._root: Any = None
        self._context: Any = None

    def __enter__(self) -> Self:
        """Set the callbacks up."""
        if hasattr(self.estimator, "_skl_callbacks"):
            try:
                self._root = self.estimator._init_callback_context(max_subtasks=self.n_stages)
                self._root.call_on_fit_task_begin(**self._data)
            except BaseException:
                _tear_down(self.estimator)
                raise
        return self

    def __exit__(self, kind: Any, *reason: object) -> None:
        """Tell that the fit is over, and end them."""
        if self._root is None:
            return
        try:
            if kind is None:
                self._root.call_on_fit_task_end(**self._data, reconstruction_attributes={})
        finally:
            _tear_down(self.estimator)

    def expect(self, stage: Stage) -> None:
        """Open a context once it is known how many steps there are, unless more may follow."""
        if self._root is not None and self._context is None:
            n_steps = None if stage.open_ended else stage.expected
            self._context = self._root.subcontext(task_name=stage.name, max_subtasks=n_steps)
            self._context.call_on_fit_task_begin(**self._data)

    def step(self, stage: Stage) -> None:
        """Tell of one step."""
        if self._context is not None:
            step = self._context.subcontext(task_name="fold")
            step.call_on_fit_task_begin(**self._data)
            step.call_on_fit_task_end(**self._data)

    def end(self, stage: Stage) -> None:
        """Close the context."""
        self.expect(stage)  # of a stage that was given up before its first step
        if self._context is not None:
            self._context.call_on_fit_task_end(**self._data)
            self._context = None
