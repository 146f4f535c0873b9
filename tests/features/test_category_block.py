"""Encoders that learn from numbers of values are those that learn from the strings."""

from contextlib import nullcontext

import numpy as np
import pytest
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from pseudolinear.features._category_block import CategoryBlock

ENCODERS = {
    "one-hot": lambda: OneHotEncoder(
        handle_unknown="infrequent_if_exist",
        drop="if_binary",
        min_frequency=5,
        max_categories=6,
        sparse_output=False,
    ),
    "ordinal": lambda: OrdinalEncoder(
        handle_unknown="use_encoded_value",
        unknown_value=np.nan,
        encoded_missing_value=np.nan,
        max_categories=8,
    ),
}


def rows(seed=0, n=300):
    """Columns of many and of two values, with rare ones and gaps, and one without either."""
    rng = np.random.default_rng(seed)
    many = rng.choice(["z", "", "\u00e9", "a b", "10", "9", *map(str, range(20, 32))], n)
    many[:2] = "only twice"
    gaps = np.where(rng.random(n) < 0.1, None, rng.choice(list("xyz"), n).astype(object))
    columns = [many.astype(object), gaps, rng.choice(["no", "yes"], n).astype(object)]
    return np.stack(columns, axis=1)


def block(strings):
    return CategoryBlock.of([list(column) for column in strings.T], len(strings))


@pytest.mark.parametrize("make", ENCODERS.values(), ids=ENCODERS)
@pytest.mark.parametrize("some", [slice(None), slice(0, 40)], ids=["all rows", "some of them"])
def test_encoders_are_those_of_the_strings(make, some):
    """Also where the rows of a fold lack values that others have."""
    strings, new = rows(), rows(seed=1, n=50)
    new[0] = "unseen", None, "unseen"
    fitted = block(strings).take(np.arange(len(strings))[some]).fit(make())
    expected = make().fit(strings[some])
    for own, other in zip(fitted.categories_, expected.categories_, strict=True):
        assert own.dtype == object
        np.testing.assert_array_equal(own, other)
    for own, other in zip(
        fitted.infrequent_categories_, expected.infrequent_categories_, strict=True
    ):
        np.testing.assert_array_equal(own, other)
    np.testing.assert_array_equal(fitted.get_feature_names_out(), expected.get_feature_names_out())
    with pytest.warns(UserWarning, match="unknown") if "drop" in vars(fitted) else nullcontext():
        np.testing.assert_array_equal(fitted.transform(new), expected.transform(new))


def test_rows_are_encoded_as_their_strings():
    strings = rows()
    found = block(strings).take(np.array([5, 0, 5])).encode(lambda rows: rows)
    np.testing.assert_array_equal(found, strings[[5, 0, 5]])


def test_every_value_is_encoded_once():
    """The function sees as many rows as the column of most values has, however many rows are."""
    strings, seen = rows(n=5000), []
    block(strings).encode(lambda rows: seen.append(len(rows)) or rows)
    assert seen == [len(set(strings[:, 0]))]
