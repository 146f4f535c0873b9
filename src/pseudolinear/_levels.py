"""Level searches: which values of the measure to aim at next."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pseudolinear._certificates import ConeBound
from pseudolinear._measure import Measure
from pseudolinear._profiles import ErrorProfile

Levels = NDArray[np.float64]


class Reached(NamedTuple):
    """What the proposed levels have reached, one entry per level.

    Attributes
    ----------
    values : ndarray
        Values of the measure.
    pairs : ndarray of shape (n_levels, 2)
        False negatives and false positives to which the profiles collapse.
    """

    values: NDArray[np.float64]
    pairs: NDArray[np.float64]


Search = Generator[Levels, Reached, None]


class LevelSearch(Protocol):
    """Proposes levels, sees what they reach, and stops.

    A search sees numbers only: it knows nothing of data or learners.
    """

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield levels to try; each `yield` returns what they reached."""


@dataclass(frozen=True)
class Grid:
    """Try a fixed set of levels at once.

    Parameters
    ----------
    n_levels : int, default=19
        Number of levels. They are spaced so that the share of false positives in the costs,
        ``cost_fp / (cost_fn + cost_fp)``, is even in (0, 1): for F1 and 19 levels this is the
        literature's 0.1, 0.2, ..., 1.9, and F1 and Jaccard try the same ratios of costs.
        Measures whose costs do not depend on the level get a single one.
    levels : sequence of float, default=None
        The levels themselves, in place of `n_levels`.
    accuracy : float, default=None
        Levels fine enough to guarantee this accuracy with an exact cost-sensitive learner
        (:meth:`Measure.level_grid`), in place of `n_levels`.

    Examples
    --------
    >>> from pseudolinear import FBeta, Jaccard
    >>> next(Grid(3).search(FBeta(), 0.2)).tolist()
    [0.5, 1.0, 1.5]
    >>> next(Grid(3).search(Jaccard(), 0.2)).round(3).tolist()
    [0.333, 1.0, 3.0]
    """

    n_levels: int = 19
    levels: Sequence[float] | None = None
    accuracy: float | None = None

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield all levels once."""
        if self.levels is not None:
            levels = np.unique(np.asarray(self.levels, dtype=np.float64))
        elif self.accuracy is not None:
            levels = measure.level_grid(self.accuracy, prevalence)
        else:
            shares = np.arange(1, self.n_levels + 1) / (self.n_levels + 1)
            levels = np.sort(level_at(measure, prevalence, shares))
            if not measure.collapses:  # some label's costs may be negative at the ends
                low, high = measure.level_range(prevalence)
                levels = levels[(levels > low) & (levels < high)]
        if np.isnan(levels).any():
            raise ValueError("Grid: nan is not a level; give numbers.")
        if not levels.size:
            raise ValueError("Grid: there are no levels to try; give at least one.")
        low, high = measure.level_range(prevalence)
        outside = levels[(levels <= low) | (levels >= high)]
        if outside.size:
            raise ValueError(
                f"Grid: the level {outside[0]:g} is outside ({low:g}, {high:g}), where both costs "
                f"of {measure!r} are positive."
            )
        yield levels


@dataclass(frozen=True)
class Bracket:
    """Halve the range of cost ratios around the best level so far.

    The value is unimodal in the level for an exact cost-sensitive learner; two levels per round
    halve the range. Where values are equal, as on plateaus, the level nearest to its value is
    followed, because the optimum has the level that it reaches.

    Parameters
    ----------
    n_rounds : int, default=4
        How often the range is halved.
    n_final : int, default=3
        Levels that are spread over the last range.

    Examples
    --------
    >>> next(Bracket().search(FBeta(), 0.2)).tolist()
    [0.5, 1.0, 1.5]
    """

    n_rounds: int = 4
    n_final: int = 3

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield three levels, then two per round, then the rest of the final ones."""
        if _ratio_is_constant(measure, prevalence):
            yield level_at(measure, prevalence, np.array([0.5]))
            return
        none, everything = trivial_values(measure, prevalence)
        low, high = _share_range(measure, prevalence)
        known = {low: everything, high: none}  # at share 0 false positives are free

        def proposal(shares: Sequence[float]) -> list[float]:
            return [share for share in shares if share not in known]

        middle = (low + high) / 2
        for _ in range(self.n_rounds):
            five = [low, (low + middle) / 2, middle, (middle + high) / 2, high]
            new = proposal(five)
            reached = yield level_at(measure, prevalence, np.array(new))
            known.update(zip(new, reached.values.tolist(), strict=True))
            best = self._follow(five, known, measure, prevalence)
            low, middle, high = five[best - 1 : best + 2]
        new = proposal(np.linspace(low, high, self.n_final + 2)[1:-1].tolist())
        if new:
            yield level_at(measure, prevalence, np.array(new))

    def _follow(
        self,
        five: list[float],
        known: dict[float, float],
        measure: Measure,
        prevalence: NDArray[np.float64],
    ) -> int:
        values = np.array([known[share] for share in five])
        with np.errstate(divide="ignore"):
            levels = level_at(measure, prevalence, np.array(five))
        distance = np.where(values >= values.max() - 1e-12, np.abs(levels - values.max()), np.inf)
        return int(np.clip(np.argmin(distance), 1, 3))


@dataclass(frozen=True)
class Bisection:
    """Ask of each level whether it can be reached, and go up or down.

    A level that is reached is a lower bound of the best value; one that is not reached by an exact
    cost-sensitive learner is an upper bound.

    Parameters
    ----------
    n_steps : int, default=8
        Number of levels; the bounds end 2 ** -n_steps of the measure's range apart.

    Examples
    --------
    >>> next(Bisection().search(FBeta(), 0.2)).tolist()
    [0.5]
    """

    n_steps: int = 8

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield one level at a time."""
        low, high = _value_range(measure, prevalence)
        for _ in range(self.n_steps):
            level = (low + high) / 2
            reached = yield np.array([level])
            low, high = (level, high) if reached.values[0] >= level else (low, level)


@dataclass(frozen=True)
class Dinkelbach:
    """Aim at the value that the last classifier reached, until it stops rising.

    With an exact cost-sensitive learner this is Newton's method, and its end the optimum.
    Learners with surrogate losses end near it, so a few levels around the end are tried as well.

    Parameters
    ----------
    max_steps : int, default=8
        Largest number of levels before the refinement.
    tol : float, default=1e-4
        Smallest rise that counts.
    n_refine : int, default=4
        Levels around the end, half of them on either side.

    Examples
    --------
    >>> next(Dinkelbach().search(FBeta(), 0.2)).round(3).tolist()
    [0.333]
    """

    max_steps: int = 8
    tol: float = 1e-4
    n_refine: int = 4

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield one level at a time, then the refinement."""
        level = max(trivial_values(measure, prevalence))
        for _ in range(self.max_steps):
            reached = yield np.array([level])
            if reached.values[0] <= level + self.tol:
                break
            level = float(reached.values[0])
        if self.n_refine and not _ratio_is_constant(measure, prevalence):
            low, high = _share_range(measure, prevalence)
            share, steps = share_of(measure, prevalence, level), np.arange(self.n_refine // 2) + 1
            below = share - (share - low) * 0.25 * steps
            above = share + (high - share) * 0.2 * steps
            yield level_at(measure, prevalence, np.concatenate([below[::-1], above]))


@dataclass(frozen=True)
class Cone:
    """Halve the range between the best value and what is still possible.

    Each classifier forbids a cone above it (CONE, Bascol et al. 2019). The best classifier has
    the level that it reaches, so of the cones only their meeting with the diagonal matters:
    the next level lies half-way between the best value so far and the lowest of these bounds.
    With an exact cost-sensitive learner the range shrinks at least by half per level.

    Parameters
    ----------
    max_levels : int, default=10
        Largest number of levels.
    tol : float, default=1e-3
        Stop when nothing better than the best value by this much is possible.

    Examples
    --------
    >>> next(Cone().search(FBeta(), 0.2)).round(3).tolist()
    [0.667]
    """

    max_levels: int = 10
    tol: float = 1e-3

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield one level at a time."""
        if not measure.collapses:
            raise ValueError(f"Cone: {measure!r} has no single pair of errors; use another search.")
        best = max(trivial_values(measure, prevalence))
        bound = _value_range(measure, prevalence)[1]
        for _ in range(self.max_levels):
            level = (best + bound) / 2
            reached = yield np.array([level])
            best = max(best, float(reached.values[0]))
            cone = ConeBound.from_pair(measure, prevalence, level, reached.pairs[0], floor=best)
            bound = min(bound, cone.bound())
            if bound <= best + self.tol:
                return


def trivial_values(measure: Measure, prevalence: NDArray[np.float64]) -> tuple[float, float]:
    """Return the values of predicting nothing and everything."""
    p = np.asarray(prevalence, dtype=np.float64)
    nothing, everything = ErrorProfile(p, 0.0 * p, p), ErrorProfile(0.0 * p, 1.0 - p, p)
    return measure.value(nothing), measure.value(everything)


def _value_range(measure: Measure, prevalence: NDArray[np.float64]) -> tuple[float, float]:
    """Return a range that holds the best value: from zero to the value of no error."""
    p = np.asarray(prevalence, dtype=np.float64)
    perfect = measure.value(ErrorProfile(0.0 * p, 0.0 * p, p))
    return min(0.0, perfect), perfect


def _ratio_is_constant(measure: Measure, prevalence: NDArray[np.float64]) -> bool:
    _, gamma, _, delta = measure.pair_coefficients(prevalence)
    return bool(np.isclose(gamma[0] * delta[1], gamma[1] * delta[0], rtol=1e-12, atol=1e-15))


def share_of(measure: Measure, prevalence: NDArray[np.float64], level: float) -> float:
    """Return the share of false positives in the costs of a level."""
    _, gamma, _, delta = measure.pair_coefficients(prevalence)
    fn, fp = level * delta - gamma
    return float(fp / (fn + fp))


def _share_range(measure: Measure, prevalence: NDArray[np.float64]) -> tuple[float, float]:
    """Return the shares at the ends of the range of levels: 0 and 1 for a single pair."""
    if measure.collapses:
        return 0.0, 1.0
    low, high = measure.level_range(prevalence)
    ends = [share_of(measure, prevalence, t) if np.isfinite(t) else 1.0 for t in (low, high)]
    return ends[0], ends[1]


def level_at(measure: Measure, prevalence: NDArray[np.float64], shares: Levels) -> Levels:
    """Solve ``cost_fp(t) = share * (cost_fn(t) + cost_fp(t))`` for the level t."""
    if _ratio_is_constant(measure, prevalence):
        low, high = measure.level_range(prevalence)
        return np.array([(max(low, 0.0) + min(high, 1.0)) / 2])
    _, gamma, _, delta = measure.pair_coefficients(prevalence)
    return (gamma[1] - shares * gamma.sum()) / (delta[1] - shares * delta.sum())
