"""Threads share passes over the rows; what comes out does not depend on how many they are."""

import threading
import time

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.impute import SimpleImputer

from pseudolinear import MeasureClassifier
from pseudolinear.features._numbers import median_imputer
from pseudolinear.loops._crew import Crew, crew, row_blocks
from pseudolinear.sweep import Workers


def name_of_thread(seconds):
    time.sleep(seconds)
    return threading.current_thread().name


def test_idle_threads_take_parts_and_are_given_back():
    """Two helpers at most, and none after the hire."""
    own = Crew()
    with own.hired(2):
        names = own.share(name_of_thread, [0.05] * 6)
        assert own.idle == 2
    assert len(set(names)) == 3
    assert set(own.share(name_of_thread, [0.01] * 3)) == {threading.current_thread().name}


def test_nested_shares_never_wait_for_each_other():
    """More parts are shared than there are threads, inside of parts that are shared."""
    own = Crew()
    with own.hired(64):
        found = own.share(lambda i: own.share(lambda j: 10 * i + j, range(5)), range(8))
        assert own.idle == 64
    assert found == [[10 * i + j for j in range(5)] for i in range(8)]


def test_an_error_in_any_part_reaches_the_caller():
    """Whoever works on it; all threads are free again."""
    own = Crew()
    with own.hired(3):
        for bad in range(4):
            with pytest.raises(ZeroDivisionError):
                own.share(lambda i, bad=bad: 1 // (i != bad), range(4))
        assert own.idle == 3


@pytest.mark.parametrize("n_rows", [0, 1, 7, 100_000])
def test_blocks_are_all_rows_once(n_rows):
    """In their order, for any amount of work."""
    for operations in (0, 1 << 21, 1 << 23, 1 << 40):
        blocks = row_blocks(n_rows, operations)
        assert_array_equal(np.concatenate([np.arange(n_rows)[b] for b in blocks]), range(n_rows))


ROWS = make_classification(30_000, 40, weights=[0.8], flip_y=0.1, random_state=0)
TABLES = {
    "dense": ROWS[0],
    "gaps": np.where(np.random.RandomState(1).rand(*ROWS[0].shape) < 0.01, np.nan, ROWS[0]),
    "sparse": sparse.csr_matrix(ROWS[0] * (np.random.RandomState(1).rand(*ROWS[0].shape) < 0.2)),
}


@pytest.mark.parametrize(
    "table", ["dense", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sparse", "gaps"))]
)
def test_any_number_of_threads_gives_the_same_bits(table, monkeypatch):
    """One binary label, whose single batch threads share block by block."""
    X, helped = TABLES[table], []
    recruit = Crew._recruit

    def counted(self, work, most):
        helped.append(recruit(self, work, most))
        return helped[-1]

    monkeypatch.setattr(Crew, "_recruit", counted)
    one, other = (
        MeasureClassifier("linear", param_grid={"C": [0.1, 1.0]}, random_state=0, n_jobs=n).fit(
            X, ROWS[1]
        )
        for n in (1, 3)
    )
    assert any(helped)
    assert crew.idle == 0
    assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert one.threshold_ == other.threshold_
    assert [row["value"] for row in one.sweep_.rows()] == [
        row["value"] for row in other.sweep_.rows()
    ]


def test_batches_of_labels_run_in_threads_unless_a_backend_is_chosen(monkeypatch):
    """The learner says that it leaves Python's lock; joblib's configuration wins."""
    X, Y = make_multilabel_classification(300, 10, n_classes=4, random_state=0)
    monkeypatch.setattr("pseudolinear.learners._native.NativeLearner.batch_size", lambda *_: 4)
    seen, make = [], Workers._make

    def watched(self, *chosen):
        parallel = make(self, *chosen)
        seen.append(type(parallel._backend).__name__)
        return parallel

    monkeypatch.setattr(Workers, "_make", watched)

    def fit():
        clf = MeasureClassifier("linear", measure="f1_macro", random_state=0, n_jobs=2).fit(X, Y)
        return clf.decision_function(X), seen.pop()

    scores, backend = fit()
    assert backend == "ThreadingBackend"
    with parallel_config("loky", n_jobs=2):
        others, backend = fit()
    assert backend == "LokyBackend"
    assert_array_equal(scores, others)


def test_an_interrupt_ends_a_fit_in_threads():
    """Ctrl-C in the middle of a pass: the threads are free again."""
    own = Crew()

    def part(number):
        if number == 0:
            raise KeyboardInterrupt
        time.sleep(0.01)

    with own.hired(2):
        with pytest.raises(KeyboardInterrupt):
            own.share(part, range(50))
        assert own.idle == 2


@pytest.mark.parametrize("shape", [(9, 3), (10, 3), (1, 2)])
def test_medians_are_those_of_the_imputer(shape):
    """Odd and even numbers of rows, gaps, and a column of nothing else."""
    X = np.random.RandomState(0).randn(*shape)
    X[::3, 0] = np.nan
    X[:, -1] = np.nan if shape[0] == 9 else X[:, -1]
    peer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True).fit(X)
    ours = median_imputer(X)
    assert_array_equal(ours.statistics_, peer.statistics_)
    assert_array_equal(ours.transform(X), peer.transform(X))


def test_the_thread_that_waits_for_helpers_gives_its_place_to_others():
    """The last part is a helper's, who shares it in turn."""
    own, caller, started = Crew(), threading.current_thread(), threading.Event()

    def part(_):
        if threading.current_thread() is caller:
            started.wait()
            return set()
        started.set()
        time.sleep(0.1)
        return set(own.share(name_of_thread, [0.05] * 4))

    with own.hired(1):
        names = own.share(part, range(2))
        assert own.idle == 1
    assert sorted(map(len, names)) == [0, 2]
