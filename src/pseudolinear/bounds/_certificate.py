"""Certificate: how far from the optimum a classifier can be, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._digits import in_digits
from pseudolinear.bounds._cone_bound import ConeBound
from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import ROUNDING, Measure, label_mean

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
    perfect : float, default=1.0
        Value of no error: a ceiling as high says nothing.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> certificate = MeasureClassifier("linear", random_state=0).fit(X, y).certificate_
    >>> certificate["cone"].gap <= certificate["grid"].gap <= certificate["literature"].gap
    True
    >>> print(certificate)
    On the validation rows, 0.7312 was reached, and another threshold of the same scores would reach
    0.7442.
    No classifier of the kinds that were tried can reach more than 0.7643 there, provided that at no
    level that was tried a cheaper one exists than the cheapest that was found.
    """

    value: float
    statements: tuple[Statement, ...]
    perfect: float = 1.0

    def __getitem__(self, name: str) -> Statement:
        """Return the statement of a name."""
        if (found := self._find(name)) is not None:
            return found
        known = ", ".join(statement.name for statement in self.statements)
        raise KeyError(f"There is no statement {name!r} here; there are: {known}.")

    def __repr__(self) -> str:
        ceilings = ", ".join(f"{s.name} {in_digits(s.ceiling)}" for s in self.statements)
        return f"<Certificate: value {in_digits(self.value)}; at most: {ceilings or 'unknown'}>"

    @property
    def sentences(self) -> tuple[str, str]:
        """What was reached, and what is still possible, in two plain sentences.

        Examples
        --------
        >>> certify(FBeta(), [0.6], ErrorProfile([[0.1]], [[0.2]], [0.5])).sentences[0]
        'On the validation rows, 0.7273 was reached.'
        """
        reached = f"On the validation rows, {in_digits(self.value)} was reached"
        if (cut := self._find("threshold")) is not None:
            more = f"another threshold of the same scores would reach {in_digits(cut.ceiling)}"
            none = "no other threshold of the same scores reaches more"
            reached += f", and {more if cut.gap > self._small else none}"
        if not self.statements:
            return f"{reached}.", "What could be reached at best is not known for such an aim."
        if not self._rules_out:
            return f"{reached}.", (
                "The levels that were tried do not rule out any larger value; a finer search may, "
                "such as search='grid'."
            )
        return f"{reached}.", (
            "No classifier of the kinds that were tried can reach more than "
            f"{in_digits(self['cone'].ceiling)} there, provided that at no level that was tried a "
            "cheaper one exists than the cheapest that was found."
        )

    @property
    def sentence(self) -> str:
        """What is still possible on the validation rows, in one short sentence.

        Examples
        --------
        >>> certify(FBeta(), [0.6], ErrorProfile([[0.1]], [[0.2]], [0.5])).sentence
        'more than 0.7782 is out of reach, if nothing of this kind is cheaper than what was found.'
        """
        if not self.statements:
            return "there are no bounds for this goal."
        parts = []
        if (cut := self._find("threshold")) is not None:
            best = f"another threshold would reach {in_digits(cut.ceiling)} on these rows"
            none = "no threshold of these scores does better on these rows"
            parts.append(best if cut.gap > self._small else none)
        if self._rules_out:
            parts.append(
                f"more than {in_digits(self['cone'].ceiling)} is out of reach, if nothing of this "
                "kind is cheaper than what was found"
            )
        return f"{'; '.join(parts) or 'no value is ruled out'}."

    @property
    def _rules_out(self) -> bool:
        """Whether the cones exclude any value."""
        cone = self._find("cone")
        return cone is not None and cone.ceiling < self.perfect - self._small

    @property
    def _small(self) -> float:
        return SMALL * max(abs(self.perfect), 1.0)

    def _find(self, name: str) -> Statement | None:
        return next((s for s in self.statements if s.name == name), None)

    def __str__(self) -> str:
        """Say it in two sentences; `statements` has every bound with what it assumes."""
        return "\n".join(self.sentences)


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
    perfect = _perfect(measure, profiles)
    bounds |= _bounds(measure, levels, profiles, reached, suboptimality, perfect)
    assumes = ORACLE if suboptimality == 0 else f"{ORACLE}, by more than {suboptimality:g}"
    return Certificate(
        reached,
        tuple(
            Statement(name, bound, bound - reached, NOTHING if name == "threshold" else assumes)
            for name, bound in bounds.items()
        ),
        perfect,
    )


def mean_certificate(certificates: Sequence[Certificate], weights: ArrayLike) -> Certificate:
    """Average certificates, as a mean over labels decomposes into them; see `label_mean`."""
    value = float(label_mean([certificate.value for certificate in certificates], weights))
    statements = []
    for same in zip(*(certificate.statements for certificate in certificates), strict=True):
        ceiling = float(label_mean([statement.ceiling for statement in same], weights))
        statements.append(Statement(same[0].name, ceiling, ceiling - value, same[0].assumes))
    perfect = float(label_mean([certificate.perfect for certificate in certificates], weights))
    return Certificate(value, tuple(statements), perfect)


def _bounds(
    measure: Measure,
    levels: NDArray[np.float64],
    profiles: ErrorProfile,
    value: float,
    suboptimality: float,
    perfect: float,
) -> dict[str, float]:
    """Return the bounds that rest on the cheapest classifiers at the levels tried."""
    p = _prevalence(profiles)
    if not np.any(p):  # without a positive row there is nothing to reach
        return dict.fromkeys(("cone", "grid", "literature"), value)
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


def _prevalence(profiles: ErrorProfile) -> Any:
    return profiles.prevalence if profiles.n_labels > 1 else profiles.prevalence[0]


def _perfect(measure: Measure, profiles: ErrorProfile) -> float:
    """Return the value of no error."""
    p = _prevalence(profiles)
    return float(measure.value(ErrorProfile(0.0 * p, 0.0 * p, p)))


def diagonal_bound(
    levels: NDArray[np.float64], values: NDArray[np.float64], slope: Any, top: Any
) -> Any:
    """Return the largest v up to `top` with ``v <= value + slope * |level - v|`` for every level.

    It is the discretisation bound at its most favourable: the optimum is within slope times its
    distance to a level of what that level reached. Leading axes are those of several bounds.

    Examples
    --------
    >>> diagonal_bound(np.array([0.4, 0.6]), np.array([0.5, 0.5]), slope=0.5, top=1.0)
    0.533
    """
    slope, top = (np.expand_dims(np.asarray(part, dtype=np.float64), -1) for part in (slope, top))
    gap = levels - values
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.concatenate(
            [top, values - slope * gap / (1.0 - slope), values + slope * gap / (1.0 + slope)],
            axis=-1,
        )
    possible = np.isfinite(roots) & (roots <= top)
    roots = np.where(possible, roots, -np.inf)
    size = np.maximum(np.abs(np.concatenate([top, values], axis=-1)).max(axis=-1), 1.0)
    distances = np.abs(levels[..., None, :] - np.where(possible, roots, 0.0)[..., None])
    ceilings = values[..., None, :] + slope[..., None] * distances
    nothing = (ROUNDING * size)[..., None, None]
    allowed = (roots[..., None] <= ceilings + nothing).all(axis=-1)
    found = np.where(allowed, roots, -np.inf).max(axis=-1)
    return found if found.ndim else float(found)


def _without_errors(prevalence: ArrayLike) -> ErrorProfile:
    p = np.asarray(prevalence, dtype=np.float64)
    return ErrorProfile(0.0 * p, 0.0 * p, p)
