"""Beam search through a fitted tree, against brute force over all labels."""

import numpy as np
import pytest
from extreme.zipf import zipf_rows
from scipy import sparse
from scipy.special import log_expit

from pseudolinear.extreme import TreeLearner
from pseudolinear.extreme._tree_learner import STEEPNESS
from pseudolinear.learners import LinearLearner


@pytest.fixture(scope="module")
def rows():
    return zipf_rows(700, 300, 120)


@pytest.fixture(scope="module")
def model(rows):
    return TreeLearner(C=10.0, arity=4, leaf_size=5, random_state=3).fit(*rows)


@pytest.fixture(scope="module")
def every(rows, model):
    """Scores of all labels, summed along their paths."""
    margins = rows[0].toarray() @ model.weights.toarray() + model.intercept
    to_label = model.tree.child >= model.tree.n_nodes
    steps = log_expit(margins) * np.where(to_label, 1.0, model.damping)
    return steps @ model.tree.paths.toarray().T


def best(scores, k):
    return np.sort(np.argsort(-scores, axis=1)[:, :k], axis=1)


def test_beam_as_wide_as_the_tree_is_brute_force(rows, model, every):
    """All labels, with the sums along their paths as scores."""
    found = model.shortlist(rows[0], most=120, beam=1000)
    np.testing.assert_allclose(found.scores.toarray(), every, rtol=1e-5)
    assert found.certified(120).all()
    assert found.complete.all()


@pytest.mark.parametrize("beam", [1, 2, 5, 20])
def test_scores_on_any_list_are_sums_along_paths(rows, model, every, beam):
    """Whatever was dropped."""
    found = model.shortlist(rows[0], most=7, beam=beam).scores.tocoo()
    np.testing.assert_allclose(found.data, every[found.row, found.col], rtol=1e-5)


@pytest.mark.parametrize(("beam", "k"), [(1, 1), (2, 1), (5, 1), (5, 3), (20, 3), (20, 5)])
def test_certified_labels_are_those_of_brute_force(rows, model, every, beam, k):
    """The theorem: what leads to a label scores at least as much."""
    found = model.shortlist(rows[0], most=5, beam=beam)
    certain = found.certified(k)
    top = found.top(k)[certain]
    assert certain.any()
    assert (np.diff(top.indptr) == k).all()
    np.testing.assert_array_equal(top.indices.reshape(-1, k), best(every, k)[certain])


def test_wider_beams_certify_more(rows, model):
    """Until everything is certain."""
    shares = [model.shortlist(rows[0], beam=beam).certified(5).mean() for beam in (1, 3, 9, 99)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1] == 1.0


def test_what_a_narrow_beam_misses_is_not_certified(rows, model, every):
    """Rows whose labels differ from brute force are among those that are not certain."""
    found = model.shortlist(rows[0], most=3, beam=1)
    top = found.top(3)
    short = np.diff(top.indptr) < 3
    same = np.zeros(len(short), bool)
    same[~short] = (top[~short].indices.reshape(-1, 3) == best(every, 3)[~short]).all(axis=1)
    assert not same.all()
    assert not found.certified(3)[~same].any()


def test_floors_leave_exactly_the_labels_above_them(rows, model, every):
    """Rows with a complete list have every label that reaches its floor."""
    floors = np.quantile(every, 0.97, axis=0)
    found = model.shortlist(rows[0], floors=floors, beam=30)
    assert 0.1 < found.complete.mean() < 1.0, found.complete.mean()
    above = (every >= floors)[found.complete]
    np.testing.assert_array_equal(found.scores[found.complete].toarray() != 0, above)
    assert (found.scores.tocoo().data >= floors[found.scores.tocoo().col]).all()


def test_lists_that_overflow_are_not_complete(rows, model):
    """One label too many is one that could have been of interest."""
    found = model.shortlist(rows[0], most=3, beam=1000)
    assert not found.complete.any()
    assert found.certified(3).all()


def test_blocks_of_rows_change_nothing(rows, model, monkeypatch):
    """Rows do not know each other."""
    whole = model.shortlist(rows[0], most=9)
    monkeypatch.setattr("pseudolinear.extreme._tree_model.ROW_NUMBERS", 100)
    parts = model.shortlist(rows[0], most=9)
    np.testing.assert_array_equal(whole.scores.toarray(), parts.scores.toarray())
    np.testing.assert_array_equal(whole.bounds, parts.bounds)


def test_edges_are_linear_models_of_the_rows_that_reach_their_node(rows):
    """By the linear learner, one edge at a time."""
    X, Y = rows
    learner = TreeLearner(C=2.0, arity=4, leaf_size=5, truncation=0.0, tol=1e-7)
    model = learner.fit(X, Y)
    tree, reached = model.tree, (Y @ model.tree.paths.T.T).toarray() > 0
    for node in (0, 1, tree.n_nodes - 1):
        own = np.arange(tree.first[node], tree.first[node + 1])
        here = np.flatnonzero(reached[:, own].any(axis=1))
        for edge in own[:2]:
            y = reached[here, edge]
            if y.all() or not y.any():
                continue
            C = 2.0 / X.multiply(X).sum(axis=1).mean()
            single = LinearLearner("squared_hinge", C=C, tol=1e-7).fit(X[here], y)
            weights = model.weights[:, [edge]].toarray().ravel()
            np.testing.assert_allclose(weights, STEEPNESS * single.coef_[0], atol=2e-3)
            intercept = STEEPNESS * single.intercept_[0]
            np.testing.assert_allclose(model.intercept[edge], intercept, atol=2e-3)


def test_truncated_weights_are_the_small_ones(rows):
    """None below the share of the largest weight of its edge; nothing else changes."""
    whole, some = (TreeLearner(arity=4, truncation=t).fit(*rows).weights for t in (0.0, 0.2))
    full = whole.toarray()
    small = np.abs(full) < 0.2 * np.abs(full).max(axis=0)
    np.testing.assert_allclose(some.toarray(), np.where(small, 0.0, full), atol=1e-6)


def test_same_seed_same_model(rows):
    """To the last bit."""
    first, second = (TreeLearner(arity=4, leaf_size=5).fit(*rows) for _ in range(2))
    np.testing.assert_array_equal(first.weights.toarray(), second.weights.toarray())
    np.testing.assert_array_equal(first.intercept, second.intercept)


def test_labels_without_rows_are_the_last_ones_of_all_lists(rows):
    """They are in the tree, and practically impossible."""
    X, Y = rows
    none = sparse.hstack([Y, sparse.csr_array((700, 30))], format="csr")
    model = TreeLearner(C=10.0, arity=4, leaf_size=5).fit(X, none)
    found = model.shortlist(X, most=5, beam=1000)
    assert model.tree.n_labels == 150
    assert (found.scores.indices < 120).all()


def test_rows_without_values_get_a_list(rows, model):
    """That of the intercepts."""
    nothing = sparse.csr_array((2, 300))
    found = model.shortlist(nothing, most=4, beam=1000)
    np.testing.assert_array_equal(np.diff(found.scores.indptr), [4, 4])
    assert model.shortlist(nothing[:0]).scores.shape == (0, 120)
