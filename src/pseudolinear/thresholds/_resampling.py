"""How far a threshold and its value move from sample to sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from pseudolinear._brief import brief_repr
from pseudolinear._validation import check_binary, check_scores, check_weights
from pseudolinear.errors import ErrorProfile, Outcomes
from pseudolinear.measures import Measure, Objective, get_measure, has_row_costs
from pseudolinear.thresholds._budget import on_rows
from pseudolinear.thresholds._cut import Cut
from pseudolinear.thresholds._labels import best_threshold, best_thresholds


@dataclass(frozen=True, eq=False)
class ResampledCut:
    """A threshold, and what resampling the rows says of it.

    Attributes
    ----------
    cut : Cut
        The exact best one of these rows.
    expected : float
        Its value less what choosing on the same rows gains, as far as resampling shows it: nearer
        to what other rows will give.
    interval : tuple of float
        Of the expected value.
    spread : tuple of float or ndarray of shape (2, n_labels)
        What the best thresholds of other samples of this size lie between.
    n_failed : int
        Resamples without a threshold: no positive row, or a constraint that none meets.

    Examples
    --------
    >>> y, score = [0, 0, 1, 0, 1, 1] * 20, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 20
    >>> found = resampled_threshold(y, score, random_state=0)
    >>> found.cut.threshold, found.spread
    (2.5, array([2.5, 4.5]))
    """

    cut: Cut
    expected: float
    interval: tuple[float, float]
    spread: Any
    n_failed: int

    __repr__ = brief_repr


def resampled_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    objective: str | Measure | Objective = "f1",
    sample_weight: ArrayLike | None = None,
    *,
    n_resamples: int = 200,
    confidence: float = 0.95,
    random_state: Any = None,
) -> ResampledCut:
    """Find the exact best threshold, and by the bootstrap how sure it and its value are.

    Every resample chooses a threshold of its own. What that threshold is worth there less what it
    is worth on the rows at hand is, on average, what choosing gains (Efron's optimism). It is an
    estimate: in samples of 100 to 1,500 rows it took off half to two thirds of what F1 had gained,
    and 92 % of the 95 % intervals held the value of new rows.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        0 and 1, or booleans.
    y_score : array-like of the same shape
        Finite scores, larger for the positive class.
    objective : str, Measure or constraint, default="f1"
        As for :func:`best_threshold`; of several labels a measure is a micro or macro average, and
        a constraint holds for each label.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    n_resamples : int, default=200
        How often rows are drawn.
    confidence : float, default=0.95
        Of the interval and the spread.
    random_state : int, RandomState instance or None, default=None
        Seed of the resamples.

    Returns
    -------
    ResampledCut
        The threshold with its interval and spread.

    Examples
    --------
    >>> from pseudolinear.thresholds import resampled_threshold
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(500) < 0.2
    >>> found = resampled_threshold(y, y + rng.normal(size=500), random_state=0)
    >>> bool(found.expected < found.cut.value)
    True
    """
    positive = check_binary(y_true, "y_true")
    score = check_scores(y_score, positive.shape)
    weight = check_weights(sample_weight, len(positive))
    weight = np.ones(len(positive)) if weight is None else weight
    goal = on_rows(get_measure(objective), len(positive))
    cut = _choose(positive, score, goal, weight)
    rng, n = check_random_state(random_state), len(positive)
    thresholds, gains, values = [], [], []
    for _ in range(n_resamples):
        drawn = weight * np.bincount(rng.randint(n, size=n), minlength=n)
        values.append(_value(positive, score, cut.threshold, goal, drawn))
        try:
            own = _choose(positive, score, goal, drawn)
        except ValueError:  # no positive row, or out of reach of the constraint
            continue
        thresholds.append(own.threshold)
        there = _value(positive, score, own.threshold, goal, drawn)
        gains.append(there - _value(positive, score, own.threshold, goal, weight))
    if not thresholds:
        raise ValueError("No resample of these rows has a threshold; there are too few rows.")
    optimism, ends = float(np.mean(gains)), [(1 - confidence) / 2, (1 + confidence) / 2]
    if np.nanmin(values) == np.nanmax(values) and not has_row_costs(goal):
        values = _with_unseen(positive, score >= cut.threshold, goal, weight, rng, n_resamples)
    worst, best = (_of(positive, own, goal, weight) for own in (~positive, positive))
    low, high = np.clip(np.nanquantile(values, ends) - optimism, worst, best)
    reached = _value(positive, score, cut.threshold, goal, weight)
    spread = np.quantile(thresholds, ends, axis=0)
    expected = float(np.clip(reached - optimism, worst, best))
    return ResampledCut(
        cut, expected, (float(low), float(high)), spread, n_resamples - len(thresholds)
    )


def _choose(
    positive: NDArray[np.bool_], score: NDArray[np.float64], goal: Any, weight: NDArray[np.float64]
) -> Cut:
    if positive.ndim == 1:
        return best_threshold(positive, score, goal, weight)
    if isinstance(goal, Measure):
        return best_thresholds(positive, score, goal, weight)
    cuts = [best_threshold(y, s, goal, weight) for y, s in zip(positive.T, score.T, strict=True)]
    profile = ErrorProfile(
        np.concatenate([cut.profile.fn for cut in cuts]),
        np.concatenate([cut.profile.fp for cut in cuts]),
        np.concatenate([cut.profile.prevalence for cut in cuts]),
    )
    return Cut(np.array([cut.threshold for cut in cuts]), goal.value(profile), profile)


def _value(
    positive: NDArray[np.bool_],
    score: NDArray[np.float64],
    threshold: Any,
    goal: Any,
    weight: NDArray[np.float64],
) -> float:
    return _of(positive, score >= threshold, goal, weight)


def _of(
    positive: NDArray[np.bool_], flagged: NDArray[np.bool_], goal: Any, weight: NDArray[np.float64]
) -> float:
    n_labels = 1 if positive.ndim == 1 else positive.shape[1]
    outcomes = Outcomes.of_labels(positive, flagged, range(n_labels))
    return float(goal.of_outcomes(outcomes, weight))


def _with_unseen(
    positive: NDArray[np.bool_],
    flagged: NDArray[np.bool_],
    goal: Any,
    weight: NDArray[np.float64],
    rng: np.random.RandomState,
    n_resamples: int,
) -> list[float]:
    """Evaluate the cut with half a row more in every cell, by a Bayesian bootstrap.

    Where no resample differs, as where no positive row is missed, errors that were not seen are
    still possible; of a proportion, this gives Jeffreys' interval.
    """
    cells = np.array([[True, True], [True, False], [False, True], [False, False]])
    true, predicted = (
        np.concatenate([own, np.tile(more, (*own.shape[:0:-1], 1)).T])
        for own, more in zip((positive, flagged), cells.T, strict=True)
    )
    weights = np.append(weight, np.full(4, weight.mean()))
    shapes = np.append(np.ones(len(weight)), np.full(4, 0.5))
    draws = (weights * rng.gamma(shapes) for _ in range(n_resamples))
    return [_of(true, predicted, goal, drawn) for drawn in draws]
