"""At most k labels for every row, so that a measure of all rows is the largest."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from pseudolinear.loops._label_budget import ascend_rows
from pseudolinear.measures import Measure, get_ratio, short_name
from pseudolinear.thresholds._expected_ratio import ExpectedRatio
from pseudolinear.thresholds._label_ceiling import label_ceiling

MAX_PASSES = 100  # of the ascent over all rows; a handful is usual
MAX_LEVELS = 100  # of Dinkelbach's iteration, which squares its error in every step
NEVER = 1e-100  # a smaller probability is none: its inverse overflows before any row carries it


@dataclass(frozen=True, eq=False)
class LabelPlan:
    """The labels of every row, what they are expected to reach, and what is possible at most.

    Attributes
    ----------
    labels : ndarray of bool, shape (n_samples, n_labels)
        What to predict.
    k : int
        Most labels of a row.
    measure : Measure
        What is maximised.
    value : float
        The measure of the expected counts.
    weights, offsets : ndarray of shape (n_labels,)
        The rule for a further row: the k labels of the largest ``weights * p - offsets``, if
        positive.

    Examples
    --------
    >>> plan = best_labels([[0.9, 0.8], [0.2, 0.7], [0.6, 0.5]], k=1, measure="f1_macro")
    >>> plan.labels.sum(axis=1), round(plan.value, 3), plan.gap < 0.01
    (array([1, 1, 1]), 0.639, True)
    """

    labels: NDArray[np.bool_]
    k: int
    measure: Measure
    value: float
    weights: NDArray[np.float64]
    offsets: NDArray[np.float64]
    _probabilities: NDArray[np.float64] = field(repr=False)

    def __str__(self) -> str:
        n_samples, n_labels = self.labels.shape
        return (
            f"{short_name(self.measure)} with at most {self.k} of {n_labels} labels for each of "
            f"{n_samples} rows: {self.value:.4f} expected\n"
            f"at most {self.ceiling:.4f} is possible, so the gap is at most {self.gap:.4f}\n"
            f"{self.labels.sum() / n_samples:.2f} labels per row on average"
        )

    @cached_property
    def ceiling(self) -> float:
        """What no choice of at most k labels for each row exceeds; a micro average reaches it."""
        if not self.measure.decomposes:
            return self.value
        ratio = ExpectedRatio.of(self.measure, self._probabilities)
        return max(self.value, label_ceiling(ratio, self._probabilities, self.labels, self.k))

    @property
    def gap(self) -> float:
        """How far the value is from the largest possible one, at most."""
        return self.ceiling - self.value

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers, without the labels."""
        return {
            "measure": repr(self.measure),
            "k": self.k,
            "n_samples": self.labels.shape[0],
            "n_labels": self.labels.shape[1],
            "value": self.value,
            "ceiling": self.ceiling,
            "gap": self.gap,
            "labels_per_row": float(self.labels.sum(axis=1).mean()),
        }


def best_labels(probabilities: ArrayLike, k: int, measure: str | Measure = "f1_micro") -> LabelPlan:
    """Choose at most k labels for every row, for the largest measure of the expected counts.

    A micro average is maximised exactly: at the level that it reaches, the best labels of a row are
    the k of the largest positive gains, and Dinkelbach's iteration finds that level. For a mean
    over labels, every row in turn gets its best labels while the others keep theirs (block
    coordinate ascent; Schultheis et al. 2023); how far that can be from the best is stated.

    Parameters
    ----------
    probabilities : array-like of shape (n_samples, n_labels)
        Calibrated probability of every label of every row.
    k : int
        Most labels of a row.
    measure : str or Measure, default="f1_micro"
        A micro, macro or weighted average.

    Returns
    -------
    LabelPlan
        The labels, their value, and the gap to the largest possible one.

    Examples
    --------
    >>> P = [[0.9, 0.8, 0.3], [0.7, 0.6, 0.1], [0.8, 0.1, 0.2]]
    >>> best_labels(P, k=1, measure="f1_macro").labels.astype(int)
    array([[0, 0, 1],
           [0, 1, 0],
           [1, 0, 0]])
    >>> print(best_labels(P, k=2))
    micro-F1 with at most 2 of 3 labels for each of 3 rows: 0.8000 expected
    at most 0.8000 is possible, so the gap is at most 0.0000
    1.67 labels per row on average
    """
    p = _check_probabilities(probabilities)
    check_labels(k, p.shape[1], "best_labels")
    aim = label_average(measure, "best_labels")
    ratio = ExpectedRatio.of(aim, p)
    labels = _by_levels(ratio, p, int(k)) if ratio.pooled else _by_ascent(ratio, p, int(k))
    of_positive, of_row = ratio.slopes(p, labels)
    return LabelPlan(labels, int(k), aim, ratio.value(p, labels), of_positive, -of_row, p)


def largest(gains: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    """Say which gains of each row are among its k largest and positive; of equal ones the first."""
    chosen = np.zeros(gains.shape, dtype=bool)
    first = np.argsort(-gains, axis=1, kind="stable")[:, :k]
    np.put_along_axis(chosen, first, True, axis=1)
    return chosen & (gains > 0)


def label_average(measure: str | Measure, what: str) -> Measure:
    """Return an average over labels, or say that it is none."""
    found = get_ratio(measure)
    if found.average not in ("micro", "macro", "weighted"):
        raise ValueError(
            f"{what}: labels of a row need an average over labels such as 'f1_micro' or "
            f"'f1_macro', got {measure!r}."
        )
    return found


def check_labels(k: Any, n_labels: int, what: str) -> None:
    """Refuse a number of labels for each row that makes no sense."""
    whole = isinstance(k, Integral) and not isinstance(k, bool)
    if not whole or k < 1:
        raise ValueError(f"{what}: k must be a whole number of at least 1, got {k!r}.")
    if k > n_labels:
        raise ValueError(
            f"{what}: k={k} labels for each row are no limit, as there are {n_labels} labels; "
            "give a smaller k."
        )


def _check_probabilities(probabilities: Any) -> NDArray[np.float64]:
    dense = probabilities.toarray() if sparse.issparse(probabilities) else probabilities
    p = np.ascontiguousarray(dense, dtype=np.float64)
    if p.ndim != 2 or 0 in p.shape:
        raise ValueError(
            f"probabilities has the shape {p.shape}; give one row per row and a column per label."
        )
    if not ((p >= 0) & (p <= 1)).all():  # False for NaN
        raise ValueError("probabilities must lie between 0 and 1; check for NaN and for scores.")
    return np.where(p < NEVER, 0.0, p)


def _by_levels(ratio: ExpectedRatio, p: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    """Maximise a pooled ratio: raise the level until no labels exceed it (Dinkelbach 1967)."""
    labels = largest(p, k)
    value = ratio.value(p, labels)
    for _ in range(MAX_LEVELS):
        of_positive, of_row = ratio.slopes(p, labels)
        other = largest(of_positive * p + of_row, k)
        raised = ratio.value(p, other)
        if raised <= value:
            break
        labels, value = other, raised
    return labels


def _by_ascent(ratio: ExpectedRatio, p: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    """Maximise a mean of ratios from three starts: likely labels, surprising ones, and none."""
    usual = np.maximum(p.mean(axis=0), np.finfo(np.float64).tiny)
    starts = [largest(p, k), largest(p / usual, k), np.zeros(p.shape, dtype=bool)]
    for labels in starts:
        ascend_rows(
            p, labels, ratio.above, ratio.below, ratio.zero, ratio.weight, k, MAX_PASSES
        )  # fmt: skip
    return max(starts, key=lambda labels: ratio.value(p, labels))
