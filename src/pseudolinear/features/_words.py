"""Text as frequencies of words or pieces of words."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from pseudolinear.features._table import Table
from pseudolinear.features._text_block import TextBlock
from pseudolinear.features._view import View, Views

WORDY = 3.0  # words per row from which a column is text; below, names and codes
MOST = 50_000  # columns per column of text


class WordsView(View):
    """Rows of unit length per column of text, sparse.

    Text is cut into words and pairs of words; names and codes, which hold fewer than three words on
    average, into pieces of two to four letters.
    """

    name = "words"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn the words; see :class:`View`."""
        texts = table.texts
        self.vectorizers = [_vectorizer(texts, column) for column in range(texts.shape[1])]
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Keep every vocabulary as one text: safe formats describe each entry of a dictionary."""
        return self.__dict__ | {"vectorizers": [_with(v, _joined) for v in self.vectorizers]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make dictionaries of the texts."""
        vectorizers = [_with(v, _parted) for v in state["vectorizers"]]
        self.__dict__.update(state, vectorizers=vectorizers)

    def transform(self, table: Table, views: Views) -> Any:
        """Return frequencies; see :class:`View`."""
        none = sparse.csr_matrix((len(table), 0))
        columns = (table.texts.transform(i, one) for i, one in enumerate(self.vectorizers))
        return sparse.csr_matrix(sparse.hstack([none, *columns]))


def _vectorizer(block: TextBlock, column: int) -> TfidfVectorizer:
    texts = block.strings[:, column]
    wordy = np.mean([len(text.split()) for text in texts]) >= WORDY
    words = {"ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"}
    pieces = {"ngram_range": (2, 4), "analyzer": "char_wb"}
    options: dict[str, Any] = {
        "sublinear_tf": True,
        "max_features": MOST,
        **(words if wordy else pieces),
    }
    try:
        return block.fit(column, TfidfVectorizer(min_df=2, **options))
    except ValueError:  # nothing occurs twice
        return TfidfVectorizer(**options).fit([*texts, "empty"])


def _with(vectorizer: TfidfVectorizer, change: Callable[[Any], Any]) -> TfidfVectorizer:
    """Return a copy whose vocabulary has another form."""
    other = copy(vectorizer)
    other.vocabulary_ = change(vectorizer.vocabulary_)
    return other


def _joined(vocabulary: dict[str, int]) -> str:
    """Return the words in the order of their columns; none has a line break."""
    return "\n".join(sorted(vocabulary, key=vocabulary.__getitem__))


def _parted(words: str) -> dict[str, int]:
    return {word: column for column, word in enumerate(words.split("\n"))}
