"""Identifiers and copies of the target: told once by name, and nothing else is."""

import warnings
from itertools import product

import numpy as np
import pytest

from pseudolinear import MeasureClassifier
from pseudolinear.features import warn_of_suspects

pandas = pytest.importorskip("pandas")

N = 300
RNG = np.random.default_rng(0)
Y = (RNG.random(N) < 0.3).astype(int)
THREE = RNG.integers(0, 3, N)

IDENTIFIERS = {
    "counted": np.arange(N),
    "shuffled": RNG.permutation(N) + 1_000_000,
    "a split": np.sort(RNG.choice(int(1.5 * N), N, replace=False)),
    "codes": [f"C-{k:05d}" for k in RNG.permutation(N)],
    "digits": [f"{k:06d}" for k in RNG.permutation(N)],
    "hashes": [f"a{k * 7919:08x}-0{k:03x}" for k in range(N)],
}
COPIES = {
    "equal": Y,
    "reversed": 1 - Y,
    "words": np.where(Y == 1, "yes", "no"),
    "booleans": Y == 1,
    "floats": Y * 2.5,
}
HARMLESS = {
    "floats": RNG.normal(size=N),
    "whole floats": np.arange(N) * 1.0,
    "sparse numbers": RNG.choice(100 * N, N, replace=False),
    "repeats": np.arange(N) // 2,
    "texts": [f"the item {k} is good" for k in range(N)],
    "names": ["".join(letters) for letters in product("abcdefghij", "klmnopqrst", "uvw")],
    "dates": pandas.date_range("2020-01-01", periods=N).strftime("%Y-%m-%d"),
    "fractions": [f"{k / 7:.4f}" for k in range(N)],
    "decimal commas": [f"{k / 7:.4f}".replace(".", ",") for k in range(N)],
    "sequences": ["".join(RNG.choice(list("ACGT"), 12)) for _ in range(N)],
    "formulas": [f"C{k}(=O)" for k in range(N)],
    "nearly": np.where(np.arange(N) == 0, 1 - Y, Y),
    "finer": np.where(Y == 1, "yes", np.where(np.arange(N) % 2, "no", "never")),
    "constant": np.zeros(N, dtype=int),
}  # fmt: skip


def told(X, y):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warn_of_suspects(X, np.asarray(y))
    return [str(one.message) for one in found]


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_identifiers_are_told(name):
    """Numbers that count rows, some of which are held out, and codes that never repeat."""
    (text,) = told(pandas.DataFrame({"x": Y + THREE, "it": IDENTIFIERS[name]}), Y)
    assert "identifiers of rows ('it': no value twice)" in text


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_the_target_are_told(name):
    """However the classes are written, and of one of several labels."""
    X = pandas.DataFrame({"x": Y + THREE, "it": COPIES[name]})
    for y in (Y, np.where(Y == 1, "b", "a"), np.stack([THREE == 1, Y], axis=1).astype(int)):
        (text,) = told(X, y)
        assert "copies of the target ('it': a value for each class)" in text


@pytest.mark.parametrize("name", HARMLESS)
def test_other_columns_are_not(name):
    """Numbers, texts, names, dates, sequences, and what nearly tells the target."""
    X = pandas.DataFrame({"it": HARMLESS[name]})
    for y in (Y, THREE, np.stack([THREE == 1, Y], axis=1).astype(int)):
        assert told(X, y) == []


def test_few_rows_and_columns_without_names_are_not():
    """What may be chance, and arrays, whose columns nobody could drop by name."""
    X = pandas.DataFrame({"id": np.arange(N), "y": Y})
    assert told(X[:100], Y[:100]) == []
    assert told(X.to_numpy(), Y) == []


def test_fit_tells_once_and_goes_on():
    """Both kinds in one warning, in memory and in parts."""
    X = pandas.DataFrame({"id": np.arange(N), "age": Y + RNG.normal(size=N), "copy": 1 - Y})
    clf = MeasureClassifier("linear", random_state=0)
    expected = r"\('id': no value twice\) and .*\('copy': a value for each class\); drop"
    with pytest.warns(UserWarning, match=expected) as found:
        clf.fit(X, Y)
    assert len(found) == 1
    with pytest.warns(UserWarning, match=expected) as found:
        clf.fit(iter([(X[:150], Y[:150]), (X[150:], Y[150:])]), None)
    assert len(found) == 1
    clf.fit(X[["age"]], Y)
