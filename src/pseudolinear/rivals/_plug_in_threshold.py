"""The threshold on probabilities that the value of a measure implies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_binary, check_weights
from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure, get_ratio
from pseudolinear.rivals._probabilities import check_probabilities
from pseudolinear.thresholds import ROUNDING, Cut


def plug_in_threshold(measure: str | Measure, prevalence: ArrayLike, value: ArrayLike) -> Any:
    r"""Give the threshold on probabilities that is optimal at a value of the measure.

    A row of probability :math:`\eta` costs :math:`\eta\, a_{fn}` when it is left out and
    :math:`(1 - \eta)\, a_{fp}` when it is predicted, so at the costs of the value :math:`v` the
    threshold is :math:`a_{fp}(v) / (a_{fn}(v) + a_{fp}(v))`. At the largest value that any
    classifier reaches, it is that of the best classifier.

    Parameters
    ----------
    measure : str or Measure
        For F-beta the threshold is :math:`v / (1 + \beta^2)`, for the Jaccard index
        :math:`v / (1 + v)`, for balanced accuracy the prevalence.
    prevalence : float or array-like of shape (n_labels,)
        Proportion of rows that carry each label.
    value : float or array-like of shape (n_labels,)
        Value of the measure; of a macro average one per label.

    Returns
    -------
    float or ndarray of shape (n_labels,)
        Rows with a larger probability are to be predicted positive.

    References
    ----------
    Koyejo, Natarajan, Ravikumar and Dhillon (2014), NIPS. Lipton, Elkan and Naryanaswamy (2014),
    ECML-PKDD.

    Examples
    --------
    >>> from pseudolinear.rivals import plug_in_threshold
    >>> plug_in_threshold("f1", 0.2, 0.6), plug_in_threshold("balanced_accuracy", 0.2, 0.6)
    (0.3, 0.2)
    """
    goal = get_ratio(measure)
    costs = goal.costs(value, prevalence)
    total = costs.sum(axis=-1)
    if (costs < -ROUNDING).any() or (total <= 0).any():
        raise ValueError(
            f"{goal!r} has the costs {costs.tolist()} at the value {value!r}; a threshold needs "
            "costs that are not negative, and not both zero."
        )
    threshold = costs[..., 1] / total
    return threshold if threshold.ndim else float(threshold)


def plug_in_fixed_point(
    probabilities: ArrayLike,
    measure: str | Measure = "f1",
    *,
    y_true: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    max_iter: int = 100,
) -> Cut:
    """Find the threshold that belongs to the value it gives.

    Starting from the value of predicting everything, the rows above the threshold of the value
    are predicted, which gives the next value. This is Dinkelbach's iteration: under the
    probabilities themselves it rises to the largest possible value in a few steps, each one a
    search in the sorted probabilities.

    Parameters
    ----------
    probabilities : array-like of shape (n_samples,) or (n_samples, n_labels)
        Probability that a row carries the label.
    measure : str or Measure, default="f1"
        For several labels a micro or macro average.
    y_true : array-like of the same shape, default=None
        Labels to count the errors with. By default there are none, and errors are expected
        ones: a row of probability 0.7 is 0.7 positive.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    max_iter : int, default=100
        Largest number of steps. Only wrong probabilities can need many: with `y_true`, values
        may go round in circles, and the best one that was seen is returned.

    Returns
    -------
    Cut
        Threshold, one per label if there are several; value and error profile. Rows with a
        larger probability are predicted positive.

    Examples
    --------
    With equal probabilities the best F1 is that of predicting everything, 2P / (1 + P):

    >>> from pseudolinear.rivals import plug_in_fixed_point
    >>> cut = plug_in_fixed_point([0.25, 0.25, 0.25, 0.25])
    >>> cut.value, cut.threshold
    (0.4, 0.2)
    """
    goal = get_ratio(measure)
    p, truth = _check_pair(probabilities, y_true)
    if max_iter < 1:
        raise ValueError(f"max_iter must be positive, got {max_iter}.")
    weight = check_weights(sample_weight, len(p))
    if p.ndim == 1:
        cut = _fixed_point(p[:, None], truth[:, None], weight, goal.binary(), max_iter)
        return Cut(float(cut.threshold[0]), cut.value, cut.profile)
    if not goal.decomposes:
        return _fixed_point(p, truth, weight, goal, max_iter)
    cuts = [
        _fixed_point(p[:, [k]], truth[:, [k]], weight, goal.binary(), max_iter)
        for k in range(p.shape[1])
    ]
    profile = ErrorProfile(
        *(
            np.concatenate([getattr(cut.profile, name) for cut in cuts])
            for name in ("fn", "fp", "prevalence")
        )
    )
    return Cut(np.concatenate([cut.threshold for cut in cuts]), goal.value(profile), profile)


def _check_pair(
    probabilities: ArrayLike, y_true: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the probabilities and what errors are counted with, labels or probabilities."""
    p = check_probabilities(probabilities, "probabilities")
    if p.ndim not in (1, 2) or p.size == 0:
        raise ValueError(
            f"probabilities has the shape {p.shape}; give one number per row, or one per row and "
            "label."
        )
    if y_true is None:
        return p, p
    truth = check_binary(y_true, "y_true").astype(np.float64)
    if truth.shape != p.shape:
        raise ValueError(
            f"y_true has the shape {truth.shape} and the probabilities {p.shape}; they must be "
            "equal."
        )
    return p, truth


def _fixed_point(
    p: NDArray[np.float64],
    truth: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    measure: Measure,
    max_iter: int,
) -> Cut:
    """Iterate for all labels together."""
    errors_above, prevalence = _sorted_errors(p, truth, weight)
    if not prevalence.any():
        raise ValueError("No row carries the label; no threshold can be chosen without one.")
    value = measure.value(errors_above(np.full(p.shape[1], -1.0)))
    cuts: list[Cut] = []
    while len(cuts) < max_iter:
        threshold = np.atleast_1d(plug_in_threshold(measure, prevalence, value))
        profile = errors_above(threshold)
        cuts.append(Cut(threshold, measure.value(profile), profile))
        if cuts[-1].value == value:  # predictions are finite in number, so values repeat exactly
            break
        value = cuts[-1].value
    return max(reversed(cuts), key=lambda cut: cut.value)  # of equal ones the last


def _sorted_errors(
    p: NDArray[np.float64], truth: NDArray[np.float64], weight: NDArray[np.float64] | None
) -> tuple[Callable[[NDArray[np.float64]], ErrorProfile], NDArray[np.float64]]:
    """Sort once; return the errors as a function of the thresholds, and the prevalence."""
    share = np.full(len(p), 1 / len(p)) if weight is None else weight / weight.sum()
    order = np.argsort(p, axis=0)
    ranked = np.take_along_axis(p, order, axis=0)
    positive = np.take_along_axis(share[:, None] * truth, order, axis=0)
    negative = np.take_along_axis(share[:, None] * (1 - truth), order, axis=0)
    # A row of zeros first: what lies below the lowest row.
    fn = np.pad(np.cumsum(positive, axis=0), ((1, 0), (0, 0)))
    tn = np.pad(np.cumsum(negative, axis=0), ((1, 0), (0, 0)))
    labels = np.arange(p.shape[1])

    def errors_above(thresholds: NDArray[np.float64]) -> ErrorProfile:
        cuts = [np.searchsorted(ranked[:, k], thresholds[k], side="right") for k in labels]
        return ErrorProfile(fn[cuts, labels], (tn[-1] - tn[cuts, labels]), fn[-1])

    return errors_above, fn[-1]
