"""evaluate_batches: predictions batch by batch in, a value with its interval out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from pseudolinear._validation import check_confidence, check_scores
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._class_pairs import ClassPairs, counted_units
from pseudolinear.evaluation._evaluate import assess_part, check_method
from pseudolinear.evaluation._evaluation import Evaluation
from pseudolinear.evaluation._label_stream import LabelStream
from pseudolinear.evaluation._label_sums import LabelSums
from pseudolinear.evaluation._part import Part
from pseudolinear.evaluation._reading import cut_scores, read_predictions
from pseudolinear.evaluation._share import read_measure
from pseudolinear.kinds import name_positive
from pseudolinear.measures import FBeta, Measure, Objective, has_row_costs, short_name

Batches = Iterable[Any] | Callable[[], Iterable[Any]]


def evaluate_batches(
    batches: Batches,
    measure: str | Measure | Objective = "f1",
    *,
    threshold: Any = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    random_state: Any = 0,
) -> Evaluation:
    """Evaluate predictions that come in batches, in constant memory: as :func:`evaluate`.

    Classes take one pass, and every method of :func:`evaluate` is the same on what is counted;
    with weights all but the bootstrap. Several labels take two passes, and have the delta method
    and, for means over labels, the exact one. Costs by row, groups of rows that belong together and
    groups to compare are for rows in memory.

    Parameters
    ----------
    batches : iterable or callable
        Of ``(y_true, y_pred)`` or ``(y_true, y_pred, weight)``: columns of classes, or matrices of
        0 and 1 with a column per label. A list, an object such as :class:`datasets.ScoreFiles`, or
        a function that yields them anew; an iterator serves one pass.
    measure : str, Measure or Objective, default="f1"
        As for :func:`evaluate`.
    threshold : float or array-like of shape (n_labels,), default=None
        Where `y_pred` are scores: rows with at least this one are positive.
    pos_label : object, default=None
        The positive class of two; None takes 1 of 0 and 1 or -1 and 1, otherwise the rarer one of
        all batches.
    labels : sequence, default=None
        Names of the labels; by default their numbers.
    confidence, method, random_state
        As for :func:`evaluate`.

    Returns
    -------
    Evaluation
        With the value, its interval, and the same for each label.

    Examples
    --------
    >>> parts = [([1, 1, 1], [1, 1, 0]), ([0, 0, 0], [1, 0, 0])]
    >>> result = evaluate_batches(parts, "f1")
    >>> round(result.value, 3), tuple(round(end, 3) for end in result.interval)
    (0.667, (0.261, 0.919))
    """
    check_method(method)
    confidence = check_confidence(confidence)
    if has_row_costs(read_measure(measure)):
        raise ValueError(
            f"{measure!r} has costs by row, which sums do not tell; use evaluate on rows in memory."
        )
    reader = _Reader(batches, threshold, labels)
    pairs, sums = ClassPairs(), None
    for true, predicted, weight in reader:
        if true.ndim == 1:
            pairs.add(true, predicted, weight)
        else:
            own = LabelSums.of(reader.outcomes(true, predicted), weight)
            sums = own if sums is None else sums.merge(own)
    if sums is not None:
        part: Any = _label_part(reader, sums, measure, pos_label)
    else:
        part = _class_part(pairs, measure, pos_label, scores=threshold is not None)
    if method == "bootstrap" and sums is None and pairs.weighted:
        raise ValueError(
            "method='bootstrap' needs all weighted rows at once; use 'auto' or 'delta' for batches."
        )
    name = short_name(measure, 1 if sums is None else sums.n_labels)
    return assess_part(
        part, name=name, confidence=confidence, method=method, random_state=random_state
    )


class _Reader:
    """Batches with their checks."""

    def __init__(self, batches: Batches, threshold: Any, labels: Sequence[Any] | None) -> None:
        self.batches, self.threshold, self.names = batches, threshold, labels
        self._shape: tuple[int, ...] | None = None
        self._weighted = False
        self._passes = 0

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        if self._passes and isinstance(self.batches, Iterator):
            raise ValueError(
                "The batches can be gone through only once, and several labels need two passes; "
                "give a list, an object or a function that yields them anew."
            )
        self._passes += 1
        for number, batch in enumerate(
            self.batches() if callable(self.batches) else self.batches, 1
        ):
            try:
                true, predicted, *weight = batch
                if len(true):
                    yield self._checked(true, predicted, weight[0] if weight else None)
            except (ValueError, TypeError) as error:
                raise ValueError(f"Batch {number}: {error}") from error
        if self._shape is None:
            raise ValueError("The batches have no row; give at least one.")

    def outcomes(self, true: Any, predicted: Any) -> Outcomes:
        """Compare labels."""
        names = range(true.shape[1]) if self.names is None else self.names
        return Outcomes.of_labels(true, predicted, names)

    def judged(self) -> Iterator[tuple[Outcomes, Any]]:
        """Yield outcomes and weights of labels."""
        for true, predicted, weight in self:
            yield self.outcomes(true, predicted), weight

    def _checked(self, y_true: Any, y_pred: Any, weight: Any) -> tuple[Any, Any, Any]:
        true, predicted = np.asarray(y_true), np.asarray(y_pred)
        if self.threshold is not None:
            predicted = check_scores(predicted, true.shape) >= np.asarray(self.threshold)
        if true.shape != predicted.shape:
            raise ValueError(
                f"y_true has the shape {true.shape} and y_pred {predicted.shape}; they must be "
                "equal."
            )
        if self._shape not in (None, true.shape[1:]):
            raise ValueError("all batches need the same labels.")
        if self._shape is not None and (weight is not None) != self._weighted:
            raise ValueError("either all batches have weights or none.")
        self._shape, self._weighted = true.shape[1:], weight is not None
        if weight is not None:
            weight = np.asarray(weight, dtype=np.float64)
            if weight.shape != true.shape[:1] or not (np.isfinite(weight) & (weight >= 0)).all():
                raise ValueError("give one finite weight per row that is not negative.")
        return true, predicted, weight


def _class_part(pairs: ClassPairs, measure: Any, pos_label: Any, *, scores: bool) -> Part:
    """Return what was counted of classes: distinct rows, with how many there are of each."""
    true, predicted, sums = pairs.rows()
    y = np.array(true)
    if scores:
        named = name_positive(FBeta(), y, pos_label, sums[:, 0])
        predicted = cut_scores(y, np.array(predicted, dtype=float), 0.5, named.pos_label)
    weight = sums[:, 1]
    objective, (outcomes,) = read_predictions(y, [np.array(predicted)], measure, pos_label, weight)
    units = counted_units(outcomes, sums, weighted=pairs.weighted)
    return Part(None, objective, outcomes, weight, None, max(len(outcomes.labels), 2), units)


def _label_part(reader: _Reader, sums: LabelSums, measure: Any, pos_label: Any) -> LabelStream:
    n_labels = sums.n_labels
    none = np.zeros((1, n_labels), dtype=np.intp)
    objective, _ = read_predictions(none, [none], measure, pos_label, None)
    names = tuple(range(n_labels) if reader.names is None else reader.names)
    return LabelStream(objective, names, sums, reader.judged)
