"""Displays of what a sweep has seen for one goal."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

from pseudolinear.inspection._display import Display
from pseudolinear.sweep import SweepResult


class SweepDisplay(Display):
    """A display whose numbers are the evidence of a fit, so that it needs no rows.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.inspection import LevelDisplay, SweepDisplay
    >>> issubclass(LevelDisplay, SweepDisplay)
    True
    >>> X, y = make_classification(300, weights=[0.8], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> len(LevelDisplay.from_estimator(clf).rows()) > 0
    True
    """

    @classmethod
    @abstractmethod
    def from_sweep(cls, sweep: SweepResult, goal: int = 0, **options: Any) -> Self:
        """Read the numbers of a goal from a classifier's `sweep_` and plot them."""

    @classmethod
    def from_estimator(cls, estimator: Any, goal: int = 0, **options: Any) -> Self:
        """Read the numbers of a goal from a fitted classifier and plot them.

        Parameters
        ----------
        estimator : MeasureClassifier
            Fitted, and not slimmed.
        goal : int, default=0
            Of a macro average the label; otherwise there is one goal only.
        **options
            As for `from_sweep`.

        Returns
        -------
        SweepDisplay
            The plotted display.
        """
        return cls.from_sweep(estimator.sweep_, goal, **options)
