"""Clusters of equal size: 2-means with a balanced cut, again and again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.preprocessing import normalize

MAX_PASSES = 10  # of 2-means; later ones move next to no label


def label_centroids(X: Any, Y: Any) -> sparse.csr_array:
    """Return the direction in which the rows of each label lie.

    Parameters
    ----------
    X : CSR matrix of shape (n_samples, n_features)
        The rows.
    Y : CSR matrix of shape (n_samples, n_labels)
        Their labels, 0 or 1.

    Returns
    -------
    csr_array of shape (n_labels, n_features)
        Sums of the rows of unit length, of unit length themselves; zero for a label without rows.

    Examples
    --------
    >>> X, Y = sparse.csr_array([[3.0, 0.0], [0.0, 2.0]]), sparse.csr_array([[1, 0], [1, 1]])
    >>> label_centroids(X, Y).toarray().round(2)
    array([[0.71, 0.71], [0.  , 1.  ]], dtype=float32)
    """
    rows = normalize(sparse.csr_array(X, dtype=np.float32))
    sums = sparse.csr_array(Y, dtype=np.float32).T.tocsr() @ rows
    return sparse.csr_array(normalize(sums))


def balanced_clusters(
    points: sparse.csr_array, n_clusters: int, rng: np.random.Generator
) -> list[NDArray[np.intp]]:
    """Split points into clusters whose sizes differ by at most one.

    Every split is a 2-means by the cosine, cut where the halves have the sizes that they must have
    (Prabhu et al. 2018).

    Parameters
    ----------
    points : csr_array of shape (n_points, n_features)
        Points of unit length.
    n_clusters : int
        At most as many as there are points.
    rng : Generator
        Draws the first centres.

    Returns
    -------
    list of ndarray of int
        Numbers of the points of each cluster, ascending.

    Examples
    --------
    >>> points = sparse.csr_array(np.eye(2)[[0, 1, 1, 0, 1]])
    >>> balanced_clusters(points, 2, np.random.default_rng(0))
    [array([0, 3]), array([1, 2, 4])]
    """
    ends = np.arange(n_clusters + 1) * points.shape[0] // n_clusters
    found = _split(points, np.arange(points.shape[0]), np.diff(ends), rng)
    return sorted(found, key=lambda cluster: int(cluster[0]))


def _split(
    points: sparse.csr_array,
    numbers: NDArray[np.intp],
    sizes: NDArray[np.intp],
    rng: np.random.Generator,
) -> list[NDArray[np.intp]]:
    if len(sizes) == 1:
        return [np.sort(numbers)]
    half = len(sizes) // 2
    order = _order(points, int(sizes[:half].sum()), rng)
    parts = np.split(order, [sizes[:half].sum()])
    pairs = zip(parts, (sizes[:half], sizes[half:]), strict=True)
    return [
        cluster
        for part, own in pairs
        for cluster in _split(points[part] if len(own) > 1 else points, numbers[part], own, rng)
    ]


def _order(points: sparse.csr_array, n_first: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Order the points from one centre to the other; the first so many belong to the first."""
    n_points = points.shape[0]
    first, second = rng.choice(n_points, 2, replace=False)
    towards = (points[[first]] - points[[second]]).toarray().ravel()
    order = np.arange(n_points)
    for _ in range(MAX_PASSES):
        previous = order
        order = np.argsort(-(points @ towards), kind="stable")
        if (np.sort(order[:n_first]) == np.sort(previous[:n_first])).all():
            break
        member = np.zeros((n_points, 2), dtype=points.dtype)
        member[order[:n_first], 0] = member[order[n_first:], 1] = 1.0
        centres = normalize((points.T @ member).T)
        towards = centres[0] - centres[1]
    return order
