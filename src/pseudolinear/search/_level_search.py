"""The protocol of level searches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._discovery import Named
from pseudolinear.measures import Measure

Levels = NDArray[np.float64]


class Reached(NamedTuple):
    """What the proposed levels have reached, one entry per level.

    Attributes
    ----------
    values : ndarray
        Values of the measure.
    pairs : ndarray of shape (n_levels, 2)
        False negatives and false positives to which the profiles collapse.

    Examples
    --------
    >>> from pseudolinear.search import Reached
    >>> reached = Reached(values=np.array([0.4, 0.6]), pairs=np.array([[0.2, 0.1], [0.1, 0.1]]))
    >>> reached.pairs[reached.values.argmax()]
    array([0.1, 0.1])
    """

    values: NDArray[np.float64]
    pairs: NDArray[np.float64]


Search = Generator[Levels, Reached, None]


class LevelSearch(Named, ABC):
    """Proposes levels, sees what they reach, and stops.

    A search sees numbers only: it knows nothing of data or learners. One of your own is a child
    with the method `search`; with a `name` it can also be given to :class:`MeasureClassifier` by
    that name.

    Examples
    --------
    One level, and then the value that it reached:

    >>> from sklearn.datasets import make_classification
    >>> class Twice(LevelSearch):
    ...     def search(self, measure, prevalence):
    ...         reached = yield np.array([0.5])
    ...         yield reached.values
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", search=Twice(), random_state=0).fit(X, y)
    >>> len(clf.sweep_)  # two levels, four values of C
    8
    """

    known: ClassVar[dict[str, type[Any]]] = {}
    looks: ClassVar[bool] = True  # whether what levels have reached decides on further ones

    @abstractmethod
    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield levels to try; each `yield` returns what they reached."""
