"""How long intervals by three bounds on bounded means are: python -m benchmarks.bounded_means.

"F >= t" is "the mean of a bounded quantity is at most 0". Beside the betting bound that the package
takes, the mean is bounded by Hoeffding (1963) and by Maurer and Pontil's empirical Bernstein bound
(2009). Every interval is that of the numbers of rows that are expected, so that nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pseudolinear import FBeta, Jaccard
from pseudolinear.evaluation import betting_interval, ratio_of

CELLS, ERROR, N_STEPS = np.eye(4), 0.05, 50
QUALITIES = {"good": (0.9, 0.9), "bad": (0.3, 0.5)}  # precision and recall
Bound = Callable[[float, float, float, int], float]


def hoeffding(mean: float, variance: float, width: float, n: int) -> float:
    """Return by how much the mean of all may be above that of n rows, but for half of the error."""
    return width * np.sqrt(np.log(2 / ERROR) / (2 * n))


def maurer_pontil(mean: float, variance: float, width: float, n: int) -> float:
    """Return the same from the variance that the rows show."""
    log = np.log(4 / ERROR)
    return np.sqrt(2 * variance * log / n) + 7 * width * log / (3 * (n - 1))


def lower(count: NDArray[np.float64], num: NDArray[np.float64], den: NDArray[np.float64],
          ends: tuple[float, float], bound: Bound) -> float:  # fmt: skip
    """Return the largest level that is excluded, as the mean of t den - num is surely below 0."""
    n, (low, high) = int(count.sum()), ends
    for _ in range(N_STEPS):
        t = (low + high) / 2
        x = t * den - num
        mean = count @ x / n
        variance = count @ (x - mean) ** 2 / (n - 1)
        surely = mean + bound(mean, variance, float(np.ptp(x)), n) < 0
        low, high = (t, high) if surely else (low, t)
    return low


def length(count: NDArray[np.float64], measure: object, bound: Bound | None) -> float:
    """Return how long the interval of a measure is; without a bound that by betting."""
    ratio = ratio_of(measure)
    assert ratio is not None
    if bound is None:
        return float(np.ptp(betting_interval(count, CELLS, CELLS, ratio, ERROR)))
    low = lower(count, ratio.numerator, ratio.denominator, ratio.range, bound)
    least, most = ratio.range
    high = -lower(count, -ratio.numerator, ratio.denominator, (-most, -least), bound)
    return high - low


def expected(n: int, prevalence: float, precision: float, recall: float) -> NDArray[np.float64]:
    """Return the numbers of (tp, fn, fp, tn) that are expected, as whole ones."""
    tp = n * prevalence * recall
    cells = np.round([tp, n * prevalence - tp, tp * (1 - precision) / precision])
    return np.append(cells, n - cells.sum())


def main() -> None:
    """Print a line per measure, number of rows and prevalence: the mean of both classifiers."""
    print("| measure | rows | prevalence | betting | Maurer-Pontil | Hoeffding |")
    print("|---|---:|---:|---:|---:|---:|")
    for measure in (FBeta(2.0), Jaccard()):
        for n in (500, 5_000, 50_000):
            for prevalence in (0.02, 0.1, 0.5):
                counts = [expected(n, prevalence, *q) for q in QUALITIES.values()]
                found = [
                    np.mean([length(count, measure, bound) for count in counts])
                    for bound in (None, maurer_pontil, hoeffding)
                ]
                cells = " | ".join(f"{one:.3f}" for one in found)
                print(f"| {measure!r} | {n:,} | {prevalence} | {cells} |")


if __name__ == "__main__":
    main()
