"""Policy: how margins become decisions where one threshold per label will not do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray


class Policy(ABC):
    """Part of a decision that looks at more than the score of a row.

    A budget compares the rows of a batch; thresholds per group depend on a column. Whatever it
    looks at, it moves margins, so that their signs are still what is predicted.

    Attributes
    ----------
    whole_batch : bool
        Whether rows are compared with each other, so that a batch must be predicted at once.
    limits : bool
        Whether so much is predicted at most, so that what is certain may have to go as well.
    """

    whole_batch: ClassVar[bool] = False
    limits: ClassVar[bool] = False

    @abstractmethod
    def apply(self, margins: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Move margins.

        Parameters
        ----------
        margins : ndarray of shape (n_samples, n_labels)
            Scores less the thresholds of the decision.
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows as they were given.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            Positive where the label is predicted.
        """
