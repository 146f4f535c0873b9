"""The tree of labels: balanced, complete, and the same for the same seed."""

import numpy as np
import pytest
from extreme.zipf import zipf_rows
from scipy import sparse

from pseudolinear.extreme._balanced_clusters import balanced_clusters, label_centroids
from pseudolinear.extreme._label_tree import grow_tree


@pytest.fixture(scope="module")
def centroids():
    return label_centroids(*zipf_rows(600, 300, 150))


def test_centroids_are_the_directions_of_the_sums_of_rows():
    """By a product of dense arrays."""
    X, Y = (part.toarray() for part in zipf_rows(50, 40, 12))
    rows = X / np.linalg.norm(X, axis=1, keepdims=True)
    sums = Y.T @ rows
    expected = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    found = label_centroids(sparse.csr_array(X), sparse.csr_array(Y))
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-6)


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 7, 64, 150])
def test_clusters_are_balanced_and_hold_every_point_once(centroids, n_clusters):
    """Sizes differ by at most one."""
    clusters = balanced_clusters(centroids, n_clusters, np.random.default_rng(0))
    sizes = [len(cluster) for cluster in clusters]
    assert len(clusters) == n_clusters
    assert max(sizes) - min(sizes) <= 1
    np.testing.assert_array_equal(np.sort(np.concatenate(clusters)), np.arange(150))


def test_clusters_of_two_topics_are_the_topics():
    """Points of two orthogonal directions are told apart, whatever the first centres are."""
    topics = np.repeat([0, 1], 20)
    rng = np.random.default_rng(0)
    noise = rng.random((40, 10)) * 0.1
    points = np.eye(10)[topics] + noise
    points = sparse.csr_array(points / np.linalg.norm(points, axis=1, keepdims=True))
    for seed in range(10):
        first, second = balanced_clusters(points, 2, np.random.default_rng(seed))
        assert {*topics[first]} == {0}
        assert {*topics[second]} == {1}


@pytest.mark.parametrize(("arity", "leaf_size"), [(2, 1), (2, 5), (4, 3), (10, 40), (64, 200)])
def test_every_label_is_in_exactly_one_leaf(centroids, arity, leaf_size):
    """Every edge but those to labels leads to a node of its own, no node has too many edges."""
    tree = grow_tree(centroids, arity, leaf_size, seed=1)
    assert tree.n_labels == 150
    np.testing.assert_array_equal(np.sort(tree.child), np.arange(1, tree.n_nodes + 150))
    assert np.diff(tree.first).max() <= max(arity, leaf_size)
    starts = np.repeat(np.arange(tree.n_nodes), np.diff(tree.first))
    assert (tree.child > starts).all()


def test_paths_lead_from_the_root_to_the_label(centroids):
    """By walking them."""
    tree = grow_tree(centroids, 3, 4, seed=1)
    for label in range(tree.n_labels):
        at = 0
        for edge in tree.paths.indices[tree.paths.indptr[label] : tree.paths.indptr[label + 1]]:
            assert tree.first[at] <= edge < tree.first[at + 1]
            at = tree.child[edge]
        assert at == tree.n_nodes + label


def test_lowest_value_below_a_node(centroids):
    """By the paths."""
    tree = grow_tree(centroids, 3, 4, seed=1)
    values = np.random.default_rng(0).normal(size=tree.n_labels)
    lowest = tree.lowest(values)
    assert lowest[0] == values.min()
    for edge, to in enumerate(tree.child):
        assert lowest[to] == values[tree.paths[:, [edge]].toarray().ravel() > 0].min()


def test_same_seed_same_tree(centroids):
    """And another seed gives another one."""
    trees = [grow_tree(centroids, 4, 5, seed) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(trees[0].child, trees[1].child)
    assert (trees[0].child != trees[2].child).any()
