"""How often intervals hold the value that they are for, and how long they are.

    python -m benchmarks.interval_coverage [--draws 80] [--only one_label]

prints one JSON line per figure. `one_label`: a label of prevalence 0.002 to 0.5, a good and a bad
classifier, 50 to 20,000 rows; per measure, method and number of rows the coverage in percent (mean
and least over prevalences and classifiers) and the mean length. `labels` and `classes`: averages
over eight labels of prevalence 0.5 to 0.01, or four classes, drawn from a population of rows, so
that errors of labels come together as in data. `groups`: rows come in groups of ten that are alike,
evaluated with and without being told. `difference`: two classifiers on the same rows, the interval
of how much better one is. `honest`: fits to draws of simulations, and how often
`honest_interval_` holds the value on many other rows. Intervals of 95 %.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification

from benchmarks.honest import SIMULATIONS, simulated
from pseudolinear import FBeta, MeasureClassifier, evaluate_difference, get_measure
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation import Case, Units, assess, label_intervals, label_values

PREVALENCES = (0.002, 0.02, 0.1, 0.5)
ROWS = (50, 500, 5000, 20000)
CLASSIFIERS = {"good": (0.9, 0.9), "bad": (0.5, 0.3)}  # recall and precision
ONE_LABEL = ("f1", "f2", "mcc", "balanced_accuracy")
LABELS = ("f1_micro", "f1_macro", "f1_weighted")
CLASSES = ("f1_macro", "cohen_kappa", FBeta(average="micro", default_class=0))
MORE = 5  # times as many draws where methods are quick
METHODS = ("delta", "bootstrap", "exact")
ROWS_OF_AVERAGES = (50, 500, 5000)


def report(held: np.ndarray, lengths: np.ndarray, **about: Any) -> None:
    """Print the coverage of each population (rows of `held`), mean and least, and the length."""
    coverage = 100 * held.mean(axis=1)
    figures = {
        "coverage": round(coverage.mean(), 1),
        "least": round(coverage.min(), 1),
        "length": round(lengths.mean(), 4),
    }
    print(json.dumps({"benchmark": "coverage", **about, **figures}), flush=True)


def interval(units: Units, objective: Any, method: str, *, exclusive: bool = False) -> Any:
    """Return the interval of some draws."""
    return getattr(Case(objective, units, exclusive, 0.05), method)()[0]


@dataclass(frozen=True)
class Samples:
    """Many samples of one label side by side, as the intervals of many labels take them."""

    cells: np.ndarray
    n: int
    plain: bool = True
    row: float = 1.0

    @property
    def n_labels(self) -> int:
        """Number of samples."""
        return len(self.cells)

    def squares(self, factors: np.ndarray) -> np.ndarray:
        """Sum the squares of a linear function over the rows of each sample."""
        return (self.cells * factors**2).sum(axis=1)


def one_label(n_draws: int) -> None:
    """Draw the cells of one label; of the bootstrap fewer, since it is slow."""
    rng = np.random.RandomState(0)
    shares = [shares_of(p, *both) for p in PREVALENCES for both in CLASSIFIERS.values()]
    for name in ONE_LABEL:
        objective = get_measure(name)
        for n in ROWS:
            draws = [rng.multinomial(n, share, 30 * n_draws).astype(float) for share in shares]
            truths = [label_values(objective, share[None])[0] for share in shares]
            about = {"setting": "one_label", "measure": name, "rows": n}
            for method in ("auto", "exact"):
                ends = [
                    label_intervals(objective, Samples(d, n), 0.05, exact=method == "exact")
                    for d in draws
                ]
                summarise(list(zip(truths, ends, strict=True)), **about, method=method)
            ends = [
                np.array([interval(counted(c), objective, "bootstrap") for c in d[:n_draws]])
                for d in draws
            ]
            summarise(list(zip(truths, ends, strict=True)), **about, method="bootstrap")


def counted(cells: np.ndarray) -> Units:
    """Return draws with given numbers of (tp, fn, fp, tn)."""
    blocks = [sparse.csr_array(np.eye(4)[:, [cell]]) for cell in range(3)]
    return Units(*blocks, np.ones(4), cells, plain=True)


def shares_of(p: float, recall: float, precision: float) -> np.ndarray:
    """Return the shares of (tp, fn, fp, tn)."""
    tp = p * recall
    fp = min(tp / precision - tp, 0.9 * (1 - p))
    return np.array([tp, p - tp, fp, 1 - p - fp])


def summarise(results: list[Any], **about: Any) -> None:
    """Report how often intervals hold the truth, for each population."""
    held = np.array([(e[:, 0] <= t + 1e-9) & (t - 1e-9 <= e[:, 1]) for t, e in results])
    report(held, np.array([e[:, 1] - e[:, 0] for _, e in results]), **about)


def population_of_labels(rng: Any, n: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose labels, and errors in them, come together."""
    prevalence = np.array([0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01])
    latent = rng.normal(size=(n, 1)) * 0.7 + rng.normal(size=(n, 8))
    cuts = np.quantile(latent, 1 - prevalence, axis=0).diagonal()
    blurred = latent + noise * (rng.normal(size=(n, 1)) + rng.normal(size=(n, 8)))
    return latent > cuts, blurred > cuts


def population_of_classes(rng: Any, n: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of four classes as indicators."""
    centres = np.log([0.6, 0.25, 0.1, 0.05])
    scores = centres + rng.gumbel(size=(n, 4))
    blurred = scores + noise * rng.normal(size=(n, 4))
    return np.eye(4, dtype=bool)[scores.argmax(axis=1)], np.eye(4, dtype=bool)[blurred.argmax(1)]


def averages(setting: str, measures: tuple[Any, ...], n_draws: int) -> None:
    """Draw rows from a population of many."""
    rng, exclusive = np.random.RandomState(1), setting == "classes"
    make = population_of_classes if exclusive else population_of_labels
    populations = [make(rng, 100_000, noise) for noise in (0.2, 0.8)]
    for n in ROWS_OF_AVERAGES:
        draws = [rng.randint(100_000, size=(MORE * n_draws, n)) for _ in populations]
        for measure in measures:
            objective = get_measure(measure).for_classes(4) if exclusive else get_measure(measure)
            name = measure if isinstance(measure, str) else "f1_default_class"
            for method in METHODS:
                if name == "cohen_kappa" and method == "exact":
                    continue
                results = []
                for (true, predicted), drawn in zip(populations, draws, strict=True):
                    rows = drawn[:n_draws] if method == "bootstrap" else drawn
                    whole = Outcomes(true, predicted, (), exclusive=exclusive)
                    parts = (Outcomes(true[r], predicted[r], (), exclusive) for r in rows)
                    ends = [
                        interval(Units.of(part), objective, method, exclusive=exclusive)
                        for part in parts
                    ]
                    results.append((objective.value(whole.profile()), np.array(ends)))
                summarise(results, setting=setting, measure=name, method=method, rows=n)


def difference(n_draws: int) -> None:
    """Compare two classifiers on the same rows, of which one is better, or none."""
    rng = np.random.RandomState(3)
    for name, p in (("f1", 0.1), ("f1", 0.02), ("f2", 0.1), ("jaccard", 0.3)):
        true = rng.uniform(size=200_000) < p
        score = 2 * true + rng.normal(size=len(true))
        noises = [rng.normal(size=len(true)) for _ in range(2)]
        for better in (0.0, 0.5):
            cut = 1.5 + p
            one = score + noises[0] * (0.5 + better) > cut
            other = score + noises[1] * 0.5 > cut
            objective = get_measure(name)
            truth = objective.score(true, other) - objective.score(true, one)
            for n in (200, 1000, 5000):
                ends = []
                for rows in rng.randint(len(true), size=(n_draws, n)):
                    found = evaluate_difference(true[rows], one[rows], other[rows], name)
                    ends.append(found.interval)
                about = {"measure": name, "prevalence": p, "better": round(truth, 3), "rows": n}
                results = [(truth, np.array(ends))]
                summarise(results, setting="difference", method="paired delta", **about)


def groups(n_draws: int) -> None:
    """Draw groups of ten rows that are right or wrong together more often than not."""
    rng = np.random.RandomState(2)
    size, objective = 10, get_measure("f1")
    for n_groups in (20, 100):
        results: dict[str, list[Any]] = {"rows": [], "groups": []}
        for _ in range(n_draws):
            hit = rng.beta(4, 1, size=(n_groups, 1))
            true = (rng.uniform(size=(n_groups, size)) < 0.2).ravel()[:, None]
            wrong = (rng.uniform(size=(n_groups, size)) > hit).ravel()[:, None]
            outcomes = Outcomes(true, true ^ wrong, (1,))
            for told, given in (("rows", None), ("groups", np.repeat(np.arange(n_groups), size))):
                results[told].append(assess(outcomes, objective, name="", groups=given).interval)
        truth = 2 * 0.8 * 0.2 / (0.8 * 0.2 + 0.2 + 0.2 * 0.8)  # hits are 0.8 on average
        for told, ends in results.items():
            about = {"setting": "groups", "measure": "f1", "method": f"auto, told {told}"}
            summarise([(truth, np.array(ends))], **about, rows=n_groups * size)


def other_rows(n: int, share: float, n_draws: int) -> Iterator[tuple[Any, ...]]:
    """Yield draws of clusters of rows, a share of them positive."""
    for seed in range(n_draws):
        X, y = make_classification(
            30_000 + n, 15, n_informative=6, weights=[1 - share], flip_y=0.05, random_state=seed
        )
        yield X[:n], X[n:], y[:n], y[n:]


def several_labels(n: int, n_draws: int) -> Iterator[tuple[Any, ...]]:
    """Yield draws of rows with six labels."""
    for seed in range(n_draws):
        X, Y = make_multilabel_classification(10_000 + n, n_classes=6, random_state=seed)
        yield X[:n], X[n:], Y[:n], Y[n:]


def honest(n_draws: int) -> None:
    """Fit to draws of models; the constants were found on the first two."""
    simulations = {name: simulated(spread, n_draws) for name, spread in SIMULATIONS.items()}
    simulations["clusters, 300 rows, 0.3 positive"] = other_rows(300, 0.3, n_draws)
    simulations["clusters, 2,000 rows, 0.05 positive"] = other_rows(2000, 0.05, n_draws)
    simulations["six labels, 400 rows"] = several_labels(400, n_draws // 2)
    for name, draws in simulations.items():
        ends, values = [], []
        measure = "f1_macro" if "labels" in name else "f1"
        for seed, (X, X_test, y, y_test) in enumerate(draws):
            clf = MeasureClassifier("linear", measure=measure, random_state=seed).fit(X, y)
            ends.append(clf.honest_interval_)
            values.append(clf.score(X_test, y_test))
        low, high = np.array(ends).T
        held = (low <= values) & (values <= high)
        report(held[None], high - low, setting="honest", measure=measure, simulation=name)


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=80)
    parser.add_argument("--only", help="one of the settings")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    parts = {
        "one_label": lambda: one_label(args.draws),
        "labels": lambda: averages("labels", LABELS, args.draws),
        "classes": lambda: averages("classes", CLASSES, args.draws),
        "difference": lambda: difference(5 * args.draws),
        "groups": lambda: groups(5 * args.draws),
        "honest": lambda: honest(args.draws),
    }
    for name, run in parts.items():
        if args.only in (None, name):
            run()


if __name__ == "__main__":
    main()
