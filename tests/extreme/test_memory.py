"""A budget of memory is read, shared, and kept by files."""

from __future__ import annotations

import numpy as np
import pytest

from pseudolinear.extreme import ArrayStore, block_size, leave_out, read_memory
from pseudolinear.extreme._weight_blocks import WeightBlocks


@pytest.mark.parametrize(
    ("given", "n_bytes"),
    [("8GB", 8 * 10**9), ("512 mb", 512 * 10**6), ("1.5T", 15 * 10**11), ("7", 7), (100, 100)],
)
def test_sizes_are_read_as_people_write_them(given, n_bytes):
    assert read_memory(given) == n_bytes


@pytest.mark.parametrize("given", ["", "much", "-1GB", "8GiB", 0, -5, float("nan"), True, [1]])
def test_what_is_no_size_is_refused_in_one_sentence(given):
    with pytest.raises(ValueError, match="max_memory must be a number of bytes or a text such as"):
        read_memory(given)


def test_none_is_a_share_of_what_the_machine_has():
    assert read_memory(None) > 10**7


def test_blocks_grow_with_the_budget_and_shrink_with_the_rows():
    sizes = [block_size(budget, 100_000, 50_000) for budget in (10**7, 10**9, 10**11)]
    assert sizes == sorted(sizes)
    assert sizes[0] >= 1
    assert block_size(10**9, 10_000_000, 50_000) <= block_size(10**9, 100_000, 50_000)


@pytest.mark.parametrize("limit", [0, 10**9])
def test_weights_are_the_same_in_memory_and_on_disk(limit):
    rng = np.random.default_rng(0)
    coef, intercept = rng.normal(size=(7, 30)), rng.normal(size=7)
    blocks = WeightBlocks(7, 30, 0.1, ArrayStore(limit))
    order = np.array([3, 1, 6, 0, 2, 5, 4])
    for part in (order[:3], order[3:]):
        blocks.add(part, coef[part], intercept[part])
    model = blocks.model()
    X = rng.normal(size=(5, 30))
    expected = X @ leave_out(coef, 0.1).T + intercept
    np.testing.assert_allclose(model.scores(X), expected, atol=1e-5)
    thresholds = np.zeros(7)
    assert np.array_equal(model.predict(X, thresholds).toarray(), model.scores(X) > 0)


def test_arrays_beyond_the_limit_are_mapped_to_files():
    store = ArrayStore(1000)
    assert not isinstance(store.keep(np.zeros(100)), np.memmap)
    kept = store.keep(np.arange(100.0))
    assert isinstance(kept, np.memmap)
    assert np.array_equal(kept, np.arange(100.0))
