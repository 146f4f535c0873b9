"""Texts as a few numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD

from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views

TOPICS = 30  # columns that stand for all words


class TopicsView(View):
    """The directions in which the frequencies of words vary most (latent semantic analysis)."""

    name = "topics"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn the topics; see :class:`View`."""
        words = views("words")
        n_topics = min(TOPICS, words.shape[1] - 1, words.shape[0] - 1)
        self.topics = None
        if n_topics > 0:
            with np.errstate(
                divide="ignore", invalid="ignore"
            ):  # texts that are all alike vary nowhere
                self.topics = TruncatedSVD(n_topics, random_state=seed).fit(words)
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return topics; see :class:`View`."""
        words = views("words")
        return words.toarray() if self.topics is None else self.topics.transform(words)
