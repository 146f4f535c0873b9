"""Certificates: how far from the optimum a classifier can be, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._measure import Measure
from pseudolinear._profiles import ErrorProfile
from pseudolinear._selection import Candidate, Choice, Group, least_costs
from pseudolinear._thresholds import combine, joint_cuts

ORACLE = (
    "on the validation rows, no classifier of this kind is cheaper at any level that was tried "
    "than the cheapest candidate"
)
NOTHING = "nothing: every threshold of the chosen scores was tried on the validation rows"


class Statement(NamedTuple):
    """A bound on what is possible, with what it assumes.

    Attributes
    ----------
    name : {"threshold", "cone", "grid", "literature"}
        Which bound it is.
    ceiling : float
        No classifier that the statement speaks of has a larger value.
    gap : float
        Ceiling minus the value reached.
    assumes : str
        What the statement rests on, in words.
    """

    name: str
    ceiling: float
    gap: float
    assumes: str


@dataclass(frozen=True)
class Certificate:
    """How good the chosen classifier is on the validation rows, and how good any could be.

    Attributes
    ----------
    value : float
        Value of the measure that was reached.
    statements : tuple of Statement
        From the one that assumes least to the one that says least: the best threshold of the
        chosen scores; the cones of Bascol et al. (2019) at the diagonal; the distance to the next
        level that was tried (with the width of the measure, then with the literature's constants,
        corrected).

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> certificate = MeasureClassifier(random_state=0).fit(X, y).certificate_
    >>> certificate["threshold"].gap  # no other threshold is better, whatever one assumes
    0.0
    >>> certificate["cone"].gap <= certificate["grid"].gap <= certificate["literature"].gap
    True
    """

    value: float
    statements: tuple[Statement, ...]

    def __getitem__(self, name: str) -> Statement:
        """Return the statement of a name."""
        for statement in self.statements:
            if statement.name == name:
                return statement
        known = ", ".join(statement.name for statement in self.statements)
        raise KeyError(f"There is no statement {name!r} here; there are: {known}.")

    def __str__(self) -> str:
        """Say everything in words."""
        lines = [f"value {self.value:.4f} on the validation rows"]
        for s in self.statements:
            lines.append(
                f"at most {s.ceiling:.4f} (gap {s.gap:.4f}, {s.name}), assuming {s.assumes}"
            )
        return "\n".join(lines)


def certify(
    groups: Sequence[Group],
    by_group: Sequence[Sequence[Candidate]],
    choices: Sequence[Choice],
    *,
    suboptimality: float = 0.0,
) -> Certificate:
    """Bound what is possible from the candidates of a sweep.

    Parameters
    ----------
    groups : sequence of Group
        Labels that share a level. The bounds of several groups are averaged, as a macro
        average falls apart into them.
    by_group : sequence of sequence of Candidate
        The candidates of each group.
    choices : sequence of Choice
        What was chosen.
    suboptimality : float, default=0.0
        By how much the cheapest candidate may miss the least cost at its level.

    Returns
    -------
    Certificate
        Value and statements. Measures that are not one ratio (macro averages over the classes of
        a multiclass problem) get none.
    """
    value = float(np.mean([choice.value for choice in choices]))
    if not groups[0].measure.collapses:
        return Certificate(value, ())
    assumes = ORACLE if suboptimality == 0 else f"{ORACLE}, by more than {suboptimality:g}"
    bounds = {"threshold": [_best_thresholds(g, o) for g, o in zip(groups, choices, strict=True)]}
    for group, candidates, choice in zip(groups, by_group, choices, strict=True):
        held_out = _on_validation_rows(group, choice)
        for name, bound in _bounds(held_out, candidates, choice.value, suboptimality).items():
            bounds.setdefault(name, []).append(bound)
    statements = [
        Statement(name, ceiling, ceiling - value, NOTHING if name == "threshold" else assumes)
        for name, ceiling in ((name, float(np.mean(b))) for name, b in bounds.items())
    ]
    return Certificate(value, tuple(statements))


def _on_validation_rows(group: Group, choice: Choice) -> Group:
    """Return the group with the prevalence of the validation rows, which the values are of."""
    prevalence = choice.profile.prevalence
    return replace(group, prevalence=prevalence if group.prevalence.ndim else prevalence[0])


def _best_thresholds(group: Group, choice: Choice) -> float:
    """Return the best value that any thresholds of the chosen scores give."""
    curves = [candidate.curve for candidate in choice.candidates]
    if len(curves) == 1:
        best = float(np.max(group.measure.value(curves[0])))
    else:
        best = float(group.measure.value(combine(curves, joint_cuts(curves, group.measure))))
    return max(best, choice.value)


def _bounds(
    group: Group, candidates: Sequence[Candidate], value: float, suboptimality: float
) -> dict[str, float]:
    """Return the bounds that rest on the cheapest candidates at the levels tried."""
    measure, p = group.measure, group.prevalence
    if not np.any(p):  # without a positive row there is nothing to reach
        return dict.fromkeys(("cone", "grid", "literature"), value)
    perfect = float(measure.value(ErrorProfile(0.0 * p, 0.0 * p, p)))
    levels = np.array(sorted({candidate.level for candidate in candidates}))
    cheapest = [least_costs(group, candidates, level).profile for level in levels.tolist()]
    values = np.array([float(measure.value(profile)) for profile in cheapest])
    reached = max(value, float(values.max()))
    to_pair = measure.pair_map(cheapest[0].n_labels)
    cones = [
        ConeBound.from_pair(
            measure,
            p,
            float(level),
            (profile.errors * to_pair).sum(axis=(-2, -1)),
            suboptimality=suboptimality,
            floor=reached,
        ).bound()
        for level, profile in zip(levels, cheapest, strict=True)
    ]
    phi = measure.resolution(p)
    largest = float(np.linalg.norm(np.stack([p, 1.0 - p])))
    slopes = {
        "grid": phi * measure.width(p),
        "literature": 2.0 * phi * measure.lipschitz(p) * largest,
    }
    apex = values + phi * suboptimality
    bounds = {"cone": min(cones)}
    bounds |= {name: diagonal_bound(levels, apex, slope, perfect) for name, slope in slopes.items()}
    return {name: min(max(bound, reached), perfect) for name, bound in bounds.items()}


def diagonal_bound(
    levels: NDArray[np.float64], values: NDArray[np.float64], slope: float, top: float
) -> float:
    """Return the largest v up to `top` with ``v <= value + slope * |level - v|`` for every level.

    It is the discretisation bound at its most favourable: the optimum is within slope times its
    distance to a level of what that level reached.

    Examples
    --------
    >>> diagonal_bound(np.array([0.4, 0.6]), np.array([0.5, 0.5]), slope=0.5, top=1.0)
    0.533
    """
    gap = levels - values
    with np.errstate(divide="ignore"):
        roots = np.concatenate(
            [[top], values - slope * gap / (1.0 - slope), values + slope * gap / (1.0 + slope)]
        )
    roots = roots[np.isfinite(roots) & (roots <= top)]
    ceilings = values + slope * np.abs(levels - roots[:, None])
    allowed = roots[(roots[:, None] <= ceilings + 1e-12).all(axis=1)]
    return float(allowed.max())


@dataclass(frozen=True)
class ConeBound:
    """What is still possible after a classifier was trained at a level.

    If it has the least cost at its level, up to a given sub-optimality, then no classifier of
    the same class reaches the value t' above ``ceiling(t')``: in the plane of levels and values
    the region above a V with its apex at the level is forbidden (Bascol et al. 2019).

    Attributes
    ----------
    level : float
        Level whose costs were used in training.
    apex : float
        Value that was reached, plus the sub-optimality over the denominator.
    left, right : float
        Slopes of the ceiling below and above the level; ``left <= 0 <= right < 1``.
    """

    level: float
    apex: float
    left: float
    right: float

    @classmethod
    def from_pair(
        cls,
        measure: Measure,
        prevalence: ArrayLike,
        level: float,
        pair: Sequence[float],
        *,
        suboptimality: float = 0.0,
        floor: float | None = None,
    ) -> ConeBound:
        """Build the cone of a classifier from its pair of errors.

        Parameters
        ----------
        measure : Measure
            What is optimised.
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.
        level : float
            Level whose costs were used in training.
        pair : sequence of two floats
            False negatives and false positives to which the profile collapses.
        suboptimality : float, default=0.0
            How far its cost may be above the least one.
        floor : float, default=None
            Only better classifiers than this value matter, if it is above the value reached;
            the cone gets narrower.

        Returns
        -------
        ConeBound
            The cone.

        Examples
        --------
        >>> cone = ConeBound.from_pair(FBeta(), 0.5, level=0.6, pair=(0.1, 0.2))
        >>> round(cone.apex, 3), round(cone.bound(), 3)
        (0.727, 0.778)
        """
        c = measure.pair_coefficients(prevalence)
        errors = np.asarray(pair, dtype=np.float64)
        denominator = c.alpha1 + c.delta @ errors
        value = (c.alpha0 + c.gamma @ errors) / denominator
        corners = _still_better(measure, prevalence, value if floor is None else max(value, floor))
        reach = corners @ c.delta
        slopes = (c.delta @ errors - np.array([reach.max(), reach.min()])) / denominator
        left, right = min(float(slopes[0]), 0.0), max(float(slopes[1]), 0.0)
        return cls(float(level), float(value + suboptimality / denominator), left, right)

    def ceiling(self, levels: ArrayLike) -> NDArray[np.float64]:
        """Return the largest value that is possible at each level."""
        distance = np.asarray(levels, dtype=np.float64) - self.level
        return self.apex + np.where(distance < 0, self.left, self.right) * distance

    def bound(self) -> float:
        """Return the largest value that is possible at all: where the ceiling meets the diagonal.

        The best classifier reaches its own value, so only points (t', t') matter.
        """
        slope = self.right if self.apex >= self.level else self.left
        return (self.apex - slope * self.level) / (1.0 - slope)


def _still_better(measure: Measure, prevalence: ArrayLike, value: float) -> NDArray[np.float64]:
    """Return the corners of the set of all pairs of errors that reach a value.

    It is the box of all pairs, cut by the straight level set.
    """
    p = np.asarray(prevalence, dtype=np.float64)
    box = np.stack([p, 1.0 - p], axis=-1).reshape(-1, 2)
    fn, fp = (measure.pair_map(p.size) * box).sum(axis=(-2, -1))
    c = measure.pair_coefficients(prevalence)
    costs, offset = value * c.delta - c.gamma, value * c.alpha1 - c.alpha0
    corners = np.array([[0.0, 0.0], [fn, 0.0], [fn, fp], [0.0, fp]])
    heights = corners @ costs + offset
    kept = [corner for corner, h in zip(corners, heights, strict=True) if h <= 1e-12]
    for i in range(4):
        j = (i + 1) % 4
        if heights[i] * heights[j] < 0:
            share = heights[i] / (heights[i] - heights[j])
            kept.append(corners[i] + share * (corners[j] - corners[i]))
    return np.array(kept)
