"""Columns of text, whose words are counted once for all folds."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer

ANALYSIS = ("analyzer", "ngram_range", "token_pattern")  # what decides what is counted


class TextBlock:
    r"""Columns of text.

    To cut texts into words takes longer than anything that is made of these. Every fold learns its
    own vocabulary, from rows and columns of what was counted in all rows.

    Parameters
    ----------
    strings : ndarray of shape (n_samples, n_columns)
        The texts.

    Examples
    --------
    >>> from pseudolinear.features._text_block import TextBlock
    >>> block = TextBlock(np.array([["a b"], ["b c"], ["b a"], ["d"]], dtype=object))
    >>> some = block.take(np.array([0, 1, 2]))
    >>> words = some.fit(0, TfidfVectorizer(min_df=2, token_pattern=r"\b\w+\b"))
    >>> words.vocabulary_
    {'a': 0, 'b': 1}
    >>> block.transform(0, words).toarray().round(2)[-1]
    array([0., 0.])
    """

    def __init__(self, strings: NDArray[np.object_]) -> None:
        self.strings = strings
        self.shape = strings.shape
        self._all: TextBlock = self  # the rows that these were taken from,
        self._rows: Any = slice(None)  # and which of them they are
        self._lock = Lock()
        self._counts: dict[Any, tuple[CountVectorizer, Any]] = {}
        # columns of the counts for each vectorizer that has learnt from them; kept, so that it
        # stays the one of its number
        self._learnt: dict[int, tuple[TfidfVectorizer, Any]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the strings alone to another process."""
        return TextBlock, (self.strings,)

    def take(self, rows: NDArray[np.intp]) -> TextBlock:
        """Return some rows."""
        some = TextBlock(self.strings[rows])
        some._all, some._rows = self._all, np.arange(len(self._all.strings))[self._rows][rows]
        return some

    def fit(self, column: int, vectorizer: TfidfVectorizer) -> TfidfVectorizer:
        """Fit a vectorizer as the texts of a column would; where no word is left, raise the same.

        Its ``min_df`` is 2, and ``max_df`` that of scikit-learn.
        """
        counter, counted = self._all._count(column, vectorizer)
        counts = counted[self._rows]
        kept = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]) >= 2)
        if not len(kept):
            raise ValueError("no word occurs twice")
        if vectorizer.max_features is not None and len(kept) > vectorizer.max_features:
            often = np.asarray(counts.sum(axis=0)).ravel()[kept]
            kept = np.sort(kept[(-often).argsort()[: vectorizer.max_features]])
        words = counter.get_feature_names_out()[kept]
        vectorizer.vocabulary_ = {word: i for i, word in enumerate(words)}
        weigher = _weigher(vectorizer).fit(counts[:, kept])
        vectorizer.idf_ = weigher.idf_
        self._all._learnt[id(vectorizer)] = vectorizer, (counted, kept)
        return vectorizer

    def transform(self, column: int, vectorizer: TfidfVectorizer) -> Any:
        """Return the frequencies in a column: by counts, if the vectorizer has learnt from them."""
        _, learnt = self._all._learnt.get(id(vectorizer), (None, None))
        if learnt is None:
            return vectorizer.transform(self.strings[:, column])
        counted, kept = learnt
        weigher = _weigher(vectorizer)
        weigher.idf_ = vectorizer.idf_
        return weigher.transform(counted[self._rows][:, kept])

    def _count(self, column: int, vectorizer: TfidfVectorizer) -> tuple[CountVectorizer, Any]:
        """Count what occurs in two rows or more of all."""
        params = vectorizer.get_params()
        analysis = {name: params[name] for name in ANALYSIS}
        key = column, *analysis.values()
        with self._lock:
            if key not in self._counts:
                counter = CountVectorizer(min_df=2, dtype=params["dtype"], **analysis)
                counts = counter.fit_transform(self.strings[:, column])
                counts.sort_indices()  # sums of squares in scikit-learn's order
                self._counts[key] = counter, counts
            return self._counts[key]


def _weigher(vectorizer: TfidfVectorizer) -> TfidfTransformer:
    names = ("norm", "use_idf", "smooth_idf", "sublinear_tf")
    return TfidfTransformer(**{name: getattr(vectorizer, name) for name in names})
