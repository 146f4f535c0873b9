"""Certificate: how far from the optimum a classifier can be, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.bounds._cone_bound import ConeBound
from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure, label_mean

ORACLE = (
    "on the validation rows, no classifier of this kind is cheaper at any level that was tried "
    "than the cheapest candidate"
)

SMALL = 5e-5  # a gap that four digits do not show

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

    Examples
    --------
    >>> certificate = certify(FBeta(), [0.6], ErrorProfile([[0.1]], [[0.2]], [0.5]))
    >>> certificate["cone"].assumes[:22]
    'on the validation rows'
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
    >>> certificate = MeasureClassifier("linear", random_state=0).fit(X, y).certificate_
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

    def __repr__(self) -> str:
        ceilings = ", ".join(f"{s.name} {s.ceiling:.4f}" for s in self.statements)
        return f"<Certificate: value {self.value:.4f}; at most: {ceilings or 'unknown'}>"

    @property
    def sentence(self) -> str:
        """What is still possible on the validation rows, in one plain sentence.

        Examples
        --------
        >>> certify(FBeta(), [0.6], ErrorProfile([[0.1]], [[0.2]], [0.5])).sentence
        'more than 0.7782 is out of reach, if nothing of this kind is cheaper than what was found.'
        """
        if not self.statements:
            return "there are no bounds for this goal."
        by_name = {statement.name: statement for statement in self.statements}
        parts = []
        if (cut := by_name.get("threshold")) is not None:
            best = f"another threshold would reach {cut.ceiling:.4f} on these rows"
            none = "no threshold of these scores does better on these rows"
            parts.append(best if cut.gap > SMALL else none)
        if (cone := by_name.get("cone")) is not None and cone.ceiling < 1.0 - SMALL:
            parts.append(
                f"more than {cone.ceiling:.4f} is out of reach, if nothing of this kind is cheaper "
                "than what was found"
            )
        return f"{'; '.join(parts) or 'no value is ruled out'}."

    def __str__(self) -> str:
        """Say everything in words."""
        lines = [f"value {self.value:.4f} on the validation rows"]
        for s in self.statements:
            lines.append(
                f"at most {s.ceiling:.4f} (gap {s.gap:.4f}, {s.name}), assuming {s.assumes}"
            )
        return "\n".join(lines)


def certify(
    measure: Measure,
    levels: ArrayLike,
    profiles: ErrorProfile,
    *,
    value: float | None = None,
    by_threshold: float | None = None,
    suboptimality: float = 0.0,
) -> Certificate:
    """Bound what is possible from the cheapest classifiers at some levels.

    Parameters
    ----------
    measure : Measure
        What is maximised: one ratio, so no macro average.
    levels : array-like of shape (n_levels,)
        Levels that were tried.
    profiles : ErrorProfile
        Stacked: the errors of the cheapest classifier at each level.
    value : float, default=None
        Value that was reached; by default the largest of the profiles.
    by_threshold : float, default=None
        Largest value that any threshold of the chosen scores gives, if it is known.
    suboptimality : float, default=0.0
        By how much the cheapest classifier may miss the least cost at its level.

    Returns
    -------
    Certificate
        Value and statements.

    Examples
    --------
    A classifier is the cheapest at the level 0.6, so no other one is much better:

    >>> certificate = certify(FBeta(), [0.6], ErrorProfile([[0.1]], [[0.2]], [0.5]))
    >>> round(certificate.value, 3), round(certificate["cone"].ceiling, 3)
    (0.727, 0.778)
    """
    levels = np.asarray(levels, dtype=np.float64)
    values = np.asarray(measure.value(profiles))
    reached = float(values.max()) if value is None else value
    bounds = {} if by_threshold is None else {"threshold": by_threshold}
    bounds |= _bounds(measure, levels, profiles, reached, suboptimality)
    assumes = ORACLE if suboptimality == 0 else f"{ORACLE}, by more than {suboptimality:g}"
    return Certificate(
        reached,
        tuple(
            Statement(name, bound, bound - reached, NOTHING if name == "threshold" else assumes)
            for name, bound in bounds.items()
        ),
    )


def mean_certificate(certificates: Sequence[Certificate], weights: ArrayLike) -> Certificate:
    """Average certificates, as a mean over labels decomposes into them; see `label_mean`."""
    value = float(label_mean([certificate.value for certificate in certificates], weights))
    statements = []
    for same in zip(*(certificate.statements for certificate in certificates), strict=True):
        ceiling = float(label_mean([statement.ceiling for statement in same], weights))
        statements.append(Statement(same[0].name, ceiling, ceiling - value, same[0].assumes))
    return Certificate(value, tuple(statements))


def _bounds(
    measure: Measure,
    levels: NDArray[np.float64],
    profiles: ErrorProfile,
    value: float,
    suboptimality: float,
) -> dict[str, float]:
    """Return the bounds that rest on the cheapest classifiers at the levels tried."""
    p = profiles.prevalence if profiles.n_labels > 1 else profiles.prevalence[0]
    if not np.any(p):  # without a positive row there is nothing to reach
        return dict.fromkeys(("cone", "grid", "literature"), value)
    perfect = float(measure.value(ErrorProfile(0.0 * p, 0.0 * p, p)))
    values = np.asarray(measure.value(profiles))
    reached = max(value, float(values.max()))
    to_pair = measure.pair_map(profiles.n_labels)
    pairs = (profiles.errors[:, None] * to_pair).sum(axis=(-2, -1))
    cones = [
        ConeBound.from_pair(
            measure, p, float(level), pair, suboptimality=suboptimality, floor=reached
        ).bound()
        for level, pair in zip(levels, pairs, strict=True)
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
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.concatenate(
            [[top], values - slope * gap / (1.0 - slope), values + slope * gap / (1.0 + slope)]
        )
    roots = roots[np.isfinite(roots) & (roots <= top)]
    ceilings = values + slope * np.abs(levels - roots[:, None])
    allowed = roots[(roots[:, None] <= ceilings + 1e-12).all(axis=1)]
    return float(allowed.max())
