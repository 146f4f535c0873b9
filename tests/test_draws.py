"""Draws that belong to rows: the same in every batch, order and container, and even."""

import numpy as np
import pytest
from scipy import sparse, stats

from pseudolinear._draws import row_draws


def numbers(n=2000):
    X = np.round(np.random.default_rng(0).normal(size=(n, 3)), 2)
    X[np.abs(X) < 0.5] = 0.0
    return X


def test_draws_do_not_depend_on_order_nor_batch():
    """A row alone, among others and in another order has one draw."""
    X = numbers(50)
    draws = row_draws(X)
    assert (row_draws(X[::-1])[::-1] == draws).all()
    assert all(row_draws(X[[i]])[0] == draws[i] for i in range(50))


def test_draws_are_even_and_differ_by_seed():
    """As uniform draws are, also for rows that differ in one column of small numbers."""
    X = np.column_stack([np.arange(5000), np.zeros(5000)])
    one, other = row_draws(X), row_draws(X, seed=1)
    assert stats.kstest(one, "uniform").pvalue > 0.001
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.05
    assert one.min() >= 0
    assert one.max() < 1


def test_equal_rows_draw_alike_in_every_container():
    """Dense, sparse, integers, frames of pandas, polars and Arrow; minus zero is zero."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X = numbers(40)
    draws = row_draws(X)
    names = ["a", "b", "c"]
    for same in (
        sparse.csr_matrix(X),
        sparse.csc_array(X),
        pd.DataFrame(X, columns=names),
        pl.DataFrame(X, schema=names),
        pl.DataFrame(X, schema=names).to_arrow(),
        X.tolist(),
        X.astype(object),
        np.where(X == 0, -0.0, X),
    ):
        assert (row_draws(same) == draws).all()
    whole = np.arange(12).reshape(4, 3)
    assert (row_draws(whole) == row_draws(whole.astype(float))).all()


def test_texts_categories_and_gaps_count():
    """A column that becomes float because another row has a gap changes nothing."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": ["x", "y", None], "b": [1.0, 2.0, np.nan]})
    draws = row_draws(frame)
    assert len(set(draws)) == 3
    whole = pd.DataFrame({"a": ["x", "y"], "b": [1, 2]})
    assert (row_draws(whole) == draws[:2]).all()
    assert (row_draws(frame.astype({"a": "category"})) == draws).all()
    assert len(set(row_draws(["some text", "another text"]))) == 2
