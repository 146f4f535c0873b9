"""Whatever is fitted: an answer, or one sentence of ours; never a crash, a hang or nonsense.

The slow tests share `PSEUDOLINEAR_FUZZ` examples; ``make fuzz`` and ``make test-all`` run 10,000.
"""

import itertools
import os
import signal
import traceback
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings
from strategies import problems

from pseudolinear import MeasureClassifier

LIMIT = 40  # seconds of processor time of an example, of which compiling may need 30
PARTS = 8  # of the slow examples, for several processes
EXAMPLES = int(os.environ.get("PSEUDOLINEAR_FUZZ", "400"))
OURS = ("pseudolinear", "sklearn/utils/validation", "sklearn/utils/_param_validation")
OURS += ("sklearn/utils/multiclass",)  # checks of scikit-learn that its users know


@contextmanager
def limited(seconds):
    """End an example that hangs."""

    def end(*_):
        raise AssertionError(f"hangs for more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fit(problem):
    """Return the fitted classifier; None where one sentence of ours refuses the problem."""
    clf = MeasureClassifier(**problem.params)
    with warnings.catch_warnings(record=True) as caught, limited(LIMIT):
        warnings.simplefilter("always")
        try:
            clf.fit(problem.X, problem.y, sample_weight=problem.weight)
            clf.predict(problem.X)
        except (ValueError, TypeError) as error:
            last = traceback.extract_tb(error.__traceback__)[-1].filename
            if not any(place in last for place in OURS):
                raise AssertionError(f"{last} says {error!r}") from error
            return None
    alien = [one for one in caught if issubclass(one.category, RuntimeWarning)]
    assert not alien, [f"{one.filename}: {one.message}" for one in alien[:3]]
    return clf


def constant_answers(kind, n_rows):
    """List the predictions that do not look at the rows."""
    if kind.name != "multilabel":
        return [np.full(n_rows, one) for one in kind.classes]
    n_labels = len(kind.classes)
    if n_labels <= 4:
        rows = itertools.product([0, 1], repeat=n_labels)
    else:
        rows = [[0] * n_labels, [1] * n_labels]
    return [np.tile(row, (n_rows, 1)) for row in rows]


def check(problem):
    clf = fit(problem)
    if clf is None:
        return
    margins = clf.decision_function(problem.X)
    assert np.isfinite(margins).all()
    value = clf.score(problem.X, problem.y, sample_weight=problem.weight)
    kind = clf.decision_.kind
    best = max(
        kind.score(problem.y, one, clf._objective, problem.weight)
        for one in constant_answers(kind, len(margins))
    )
    assert value >= best - 1e-9, f"{value} is below {best} of a constant answer"


def try_examples(part, n_examples):
    @seed(part)
    @settings(max_examples=n_examples, suppress_health_check=list(HealthCheck), database=None)
    @given(problem=problems())
    def one(problem):
        check(problem)

    one()


class TestAnyInput:
    """A hundred examples, and more of them among the slow tests."""

    @pytest.mark.parametrize("part", [100, 101])
    def test_an_answer_or_a_sentence(self, part):
        try_examples(part, 50)

    @pytest.mark.slow
    @pytest.mark.parametrize("part", range(PARTS))
    def test_an_answer_or_a_sentence_many_times(self, part):
        try_examples(part, EXAMPLES // PARTS)
