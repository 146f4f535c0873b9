"""Galaxy: four clusters in the plane on which plain training fails at F1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

MASS = np.array([0.01, 0.1, 0.001, 0.889])
POSITIVE = np.array([0.9, 0.09, 0.9, 0.0])
CENTRE = 10.0 * np.array([[10.0, 9.0], [-4.5, -9.5], [15.5, 5.0], [0.0, 0.0]])
SPREAD = 10.0 * np.array([2.0, 2.0, 0.5, 1.0])

GALAXY_OPTIMUM = 2 * 0.0099 / (2 * 0.0099 + 0.0011 + 0.009)
"""F1 of the best classifier: the two small clusters of positives, and nothing else."""


def make_galaxy(
    n_samples: int = 100_000, *, random_state: Any = None
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Draw a sample of the Galaxy problem.

    Two small clusters are mostly positive, a larger one on the far side of a big negative
    cluster is mildly positive, so that the log-odds are monotone in no direction. The masses and
    class shares are those of the literature; it gives no positions, so these were fitted to
    show the published behaviour, and results on it are an illustration, not a replication.

    Parameters
    ----------
    n_samples : int, default=100_000
        Number of rows.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        Positions.
    y : ndarray of shape (n_samples,)
        0 and 1; 1.89 % are positive.

    Examples
    --------
    >>> X, y = make_galaxy(1000, random_state=0)
    >>> X.shape, round(float(GALAXY_OPTIMUM), 4)
    ((1000, 2), 0.6622)
    """
    if n_samples < 0:
        raise ValueError(f"n_samples must be at least 0, got {n_samples}.")
    rng = check_random_state(random_state)
    cluster = rng.choice(len(MASS), size=n_samples, p=MASS)
    X = CENTRE[cluster] + SPREAD[cluster, None] * rng.standard_normal((n_samples, 2))
    y = (rng.random_sample(n_samples) < POSITIVE[cluster]).astype(np.intp)
    return X, y
