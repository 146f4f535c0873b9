"""Frontier: what every measure would get from one sweep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve
from pseudolinear.loops._curves import lower_left_hull
from pseudolinear.measures import Measure, get_ratio, label_mean
from pseudolinear.selection import Candidate
from pseudolinear.sweep._result import SweepResult
from pseudolinear.thresholds import combine, joint_cuts


@dataclass(frozen=True, eq=False)
class Frontier:
    """The best pairs of errors that the candidates of a sweep reach on the validation rows.

    For each label, the lower left hull over all candidates and thresholds. It holds the best
    classifier of the sweep for every linear-fractional measure, so their values are known
    without training anything.

    Attributes
    ----------
    labels : tuple
        The positive class; or the labels, by their names, or numbers where they have none.
    curves : tuple of ErrorCurve
        The hull of each label.
    candidates : tuple of list of Candidate
        To whom each vertex belongs.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> frontier = MeasureClassifier("linear", random_state=0).fit(X, y).frontier_
    >>> frontier.value("jaccard") < frontier.value("f1")
    True
    """

    labels: tuple[Any, ...]
    curves: tuple[ErrorCurve, ...]
    candidates: tuple[list[Candidate], ...]

    def __repr__(self) -> str:
        n_labels, n_vertices = len(self.labels), sum(map(len, self.curves))
        labels = f"{n_labels} label{'s' * (n_labels != 1)}"
        return f"<Frontier: {labels}, {n_vertices} best pairs of errors>"

    @classmethod
    def from_sweep(cls, sweep: SweepResult) -> Frontier:
        """Collect the hulls of all labels of a binary or multilabel sweep."""
        if not sweep.kind.separable:
            raise AttributeError("A multiclass sweep has no frontier: its classes are tied.")
        by_label: dict[int, list[Candidate]] = {}
        for candidate in (c for candidates in sweep.by_goal for c in candidates):
            by_label.setdefault(candidate.label, []).append(candidate)
        hulls = [_hull(by_label[label]) for label in sorted(by_label)]
        names = tuple(sweep.kind.label_name(label) for label in sorted(by_label))
        return cls(names, tuple(h[0] for h in hulls), tuple(h[1] for h in hulls))

    def value(self, measure: str | Measure) -> float:
        """Return the largest value of a measure that the candidates reach together.

        Parameters
        ----------
        measure : str or Measure
            Any measure; see :func:`get_measure` for the names.

        Returns
        -------
        float
            On the validation rows.
        """
        goal = get_ratio(measure)
        if goal.average == "micro":
            cuts = joint_cuts(self.curves, goal)
            return float(goal.value(combine(self.curves, cuts)))
        if goal.average == "binary" and len(self.curves) > 1:
            raise ValueError(f"{goal!r} is for one label, got {len(self.curves)}; use an average.")
        best = [np.max(goal.binary().value(curve)) for curve in self.curves]
        return float(label_mean(best, goal.label_weights([c.prevalence[0] for c in self.curves])))

    def rows(self) -> list[dict[str, Any]]:
        """List one row per vertex: label, errors, rates, threshold and candidate."""
        return [
            {
                "label": label,
                "fn": float(curve.fn[i, 0]),
                "fp": float(curve.fp[i, 0]),
                "precision": float(curve.precision[i, 0]),
                "recall": float(curve.recall[i, 0]),
                "threshold": float(curve.thresholds[i]),
                "level": candidate.level,
                **candidate.params,
            }
            for label, curve, owners in zip(self.labels, self.curves, self.candidates, strict=True)
            for i, candidate in enumerate(owners)
        ]


def _hull(candidates: list[Candidate]) -> tuple[ErrorCurve, list[Candidate]]:
    fn = np.concatenate([c.curve.fn[:, 0] for c in candidates])
    fp = np.concatenate([c.curve.fp[:, 0] for c in candidates])
    thresholds = np.concatenate([c.curve.thresholds for c in candidates])
    owner = np.repeat(np.arange(len(candidates)), [len(c.curve.thresholds) for c in candidates])
    order: NDArray[np.intp] = np.lexsort((fn, fp))
    kept = order[lower_left_hull(fp[order], fn[order])]
    prevalence = candidates[0].curve.prevalence
    curve = ErrorCurve(fn[kept, None], fp[kept, None], prevalence, thresholds[kept])
    return curve, [candidates[i] for i in owner[kept]]
