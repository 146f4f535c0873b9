"""gfm: the label sets of largest expected instance-wise F, for any dependence of labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.rivals._expected_f import check_settings
from pseudolinear.rivals._probabilities import check_probabilities


def gfm(
    P: ArrayLike,
    p0: ArrayLike,
    beta: float = 1.0,
    *,
    sizes: ArrayLike | None = None,
    zero_division: float = 1.0,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    r"""Find the label sets of largest expected F-beta, one per instance.

    Whatever the dependence between the m labels of an instance, the expected F of a set h of
    k labels depends on their joint distribution only through m^2 + 1 numbers:

    .. math:: E F_\beta(y, h) = \sum_{i \in h} \sum_s P(y_i = 1, |y| = s)
              \frac{1 + \beta^2}{\beta^2 s + k}

    so the best set of k labels takes the k largest inner sums, and the best k is found by
    trying all (Dembczynski, Waegeman, Cheng and Hüllermeier 2011).

    Parameters
    ----------
    P : array-like of shape (n_samples, n_labels, n_sizes)
        Probability that an instance carries the label i and has as many labels as the size s.
    p0 : array-like of shape (n_samples,)
        Probability that an instance has no label.
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    sizes : array-like of shape (n_sizes,), default=None
        Numbers of labels along the last axis of `P`; by default 1, ..., n_labels.
    zero_division : float, default=1.0
        F of an empty set where there is no label, from 0 to 1.

    Returns
    -------
    predictions : ndarray of shape (n_samples, n_labels)
        0 or 1; of equally good sets a smallest one.
    values : ndarray of shape (n_samples,)
        Expected F of the predictions.

    Examples
    --------
    One of three labels for certain, or all three:

    >>> from pseudolinear.rivals import gfm
    >>> P = [[[0.6, 0, 0.4], [0, 0, 0.4], [0, 0, 0.4]]]
    >>> gfm(P, [0.0])
    (array([[1, 0, 0]]), array([0.8]))
    >>> gfm(P, [0.0], beta=2)
    (array([[1, 1, 1]]), array([0.8286]))
    """
    P, p0 = check_probabilities(P, "P"), check_probabilities(p0, "p0")
    beta2 = check_settings(beta, zero_division)
    if P.ndim != 3 or p0.shape != P.shape[:1]:
        raise ValueError(
            f"P has the shape {P.shape} and p0 {p0.shape}; they must be "
            "(n_samples, n_labels, n_sizes) and (n_samples,)."
        )
    k = np.arange(1, P.shape[1] + 1)
    s = k if sizes is None else np.asarray(sizes)
    if s.shape != P.shape[2:] or (s < 1).any():
        raise ValueError(
            f"The last axis of P has the length {P.shape[2]}, and the sizes are {s.tolist()}; give "
            "one size for each place on that axis, from 1 on."
        )
    gain = P @ ((1.0 + beta2) / (beta2 * s[:, None] + k))  # of each label in a set of k
    ranked = np.cumsum(-np.sort(-gain, axis=1), axis=1)
    values = np.column_stack([zero_division * p0, np.diagonal(ranked, axis1=1, axis2=2)])
    n_positive, rows = values.argmax(axis=1), np.arange(len(P))
    order = np.argsort(-gain[rows, :, n_positive - 1], axis=1, kind="stable")
    predictions = np.zeros(P.shape[:2], dtype=np.intp)
    np.put_along_axis(predictions, order, (k <= n_positive[:, None]).astype(np.intp), axis=1)
    return predictions, values[rows, n_positive]
