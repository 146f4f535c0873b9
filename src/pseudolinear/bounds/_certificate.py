"""Certificate: how far from the optimum a classifier can be, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.bounds._cone_bound import ConeBound
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.selection._selection import Candidate, Choice, Group, least_costs
from pseudolinear.thresholds._cut import combine
from pseudolinear.thresholds._labels import joint_cuts

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
