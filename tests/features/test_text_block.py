"""Vocabularies of folds, made of counts of all rows, are those that scikit-learn learns."""

import pickle

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from pseudolinear.features._text_block import TextBlock

OPTIONS = {
    "words": {"ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
    "pieces": {"ngram_range": (2, 4), "analyzer": "char_wb"},
    "few words": {"max_features": 15},  # which ones, counts that are equal decide
}


def texts(n=120, seed=0):
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(60)] + ["\u00dcber", "na\u00efve"])
    shares = 1.0 / np.arange(1, 63)
    rows = [
        " ".join(rng.choice(words, rng.integers(0, 9), p=shares / shares.sum())) for _ in range(n)
    ]
    return np.array([rows, rows[::-1]], dtype=object).T


def make(name):
    return TfidfVectorizer(min_df=2, sublinear_tf=True, **OPTIONS[name])


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("name", OPTIONS)
def test_vocabularies_weights_and_frequencies_are_those_of_the_texts(name, column):
    """Rows that trained, rows that did not, and rows of another table."""
    strings, other = texts(), texts(seed=1)
    block, train = TextBlock(strings), np.arange(0, 120, 3)
    found = block.take(train).fit(column, make(name))
    expected = make(name).fit(strings[train, column])
    assert found.vocabulary_ == expected.vocabulary_
    np.testing.assert_array_equal(found.idf_, expected.idf_)
    for rows in (train, np.arange(1, 120, 2)):
        ours = block.take(rows).transform(column, found)
        theirs = expected.transform(strings[rows, column])
        assert (ours != theirs).nnz == 0
    ours = TextBlock(other).transform(column, found)
    assert (ours != expected.transform(other[:, column])).nnz == 0


def test_rows_of_rows_are_rows_of_all():
    strings = texts()
    block = TextBlock(strings)
    some = block.take(np.arange(20, 100)).take(np.arange(0, 80, 2))
    np.testing.assert_array_equal(some.strings, strings[20:100:2])
    expected = make("words").fit(strings[20:100:2, 0])
    assert some.fit(0, make("words")).vocabulary_ == expected.vocabulary_


def test_texts_without_a_word_that_occurs_twice_are_refused_as_scikit_learn_does():
    block = TextBlock(np.array([["a"], ["b"], ["a"]], dtype=object))
    with pytest.raises(ValueError, match="twice"):
        block.take(np.array([0, 1])).fit(0, make("words"))
    with pytest.raises(ValueError, match="no terms remain"):
        TextBlock(np.array([["a"], ["b"]], dtype=object)).fit(0, make("words"))


def test_texts_are_cut_into_words_once(monkeypatch):
    """For all folds together, and not at all for rows whose vectorizer learnt elsewhere."""
    seen = []
    analyse = TfidfVectorizer.build_analyzer

    def count(self):
        whole = analyse(self)
        return lambda text: seen.append(text) or whole(text)

    monkeypatch.setattr("sklearn.feature_extraction.text.CountVectorizer.build_analyzer", count)
    strings = texts()
    block = TextBlock(strings)
    for start in range(3):
        words = block.take(np.arange(start, 120, 3)).fit(0, make("words"))
        block.transform(0, words)
    assert len(seen) == len(strings)


def test_another_process_gets_the_strings_alone():
    block = TextBlock(texts())
    block.fit(0, make("words"))
    sent = pickle.loads(pickle.dumps(block.take(np.arange(5))))
    np.testing.assert_array_equal(sent.strings, block.strings[:5])
    assert len(pickle.dumps(block)) < 2 * len(pickle.dumps(block.strings))
