"""Classifiers and sweeps that several displays show."""

from functools import cache

import numpy as np
import pytest
from curves import random_curve
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import Bracket, ErrorCurve, Grid, LinearLearner, MeasureClassifier
from pseudolinear.kinds import Binary, Goal
from pseudolinear.learners import LabelProblem
from pseudolinear.search import Reached
from pseudolinear.selection import Candidate, LargestValue
from pseudolinear.sweep import SweepResult

LEVELS = tuple(np.linspace(0.05, 0.95, 10).tolist())


@pytest.fixture(autouse=True)
def _no_screen():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")


@pytest.fixture(scope="session")
def data():
    return make_classification(1000, weights=[0.85], flip_y=0.05, class_sep=0.7, random_state=0)


@pytest.fixture(scope="session")
def fitted(data):
    """Searched by a bracket, so that levels are not tried in their order."""
    return MeasureClassifier(
        LinearLearner(), search=Bracket(n_rounds=3), selection="largest_value", random_state=0
    ).fit(*data)


@pytest.fixture(scope="session")
def multilabel():
    """Return a function that fits five labels, some rare, for an average."""
    X, Y = make_multilabel_classification(200, n_classes=5, n_labels=1, random_state=0)

    @cache
    def fit(average, **options):
        measure = f"f1_{average}"
        return MeasureClassifier(
            "linear", measure=measure, search=Grid(5), random_state=0, **options
        ).fit(X, Y)

    return fit


@pytest.fixture(scope="session")
def exact_sweep():
    """Return a function that sweeps with a learner of least cost.

    It gives the sweep, all profiles of the problem and the prevalence.
    """

    @cache
    def sweep(measure, seed, levels=LEVELS):
        profiles, prevalence = random_curve(seed)
        process = Grid(levels=levels).search(measure, np.array(prevalence))
        candidates, proposed = [], next(process)
        while True:
            costs = [profiles.total_cost(measure.costs(t, prevalence)) for t in proposed]
            cheapest = profiles[[int(np.argmin(cost)) for cost in costs]]
            for i, level in enumerate(proposed.tolist()):
                curve = ErrorCurve(cheapest.fn[[i]], cheapest.fp[[i]], prevalence, np.zeros(1))
                problem = LabelProblem(0, (1.0, 1.0))
                candidates.append(Candidate(problem, level, curve, (), np.nan, True))
            try:
                proposed = process.send(Reached(measure.value(cheapest), cheapest.errors[:, 0]))
            except StopIteration:
                goals, rule = [Goal((0,), measure, np.array(prevalence), 1)], LargestValue()
                choices = rule.choose(goals, [candidates])
                kind = Binary(np.array([0, 1]), 1)
                return SweepResult(kind, goals, [candidates], rule, choices), profiles, prevalence

    return sweep
