"""What a fit tells of itself: seconds, lines of the log, and a bar."""

import logging
import re
import time
from contextlib import suppress

import pytest
from joblib import parallel_config
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from pseudolinear import MeasureClassifier
from pseudolinear._journal import Journal, ShownProgress
from pseudolinear._progress import Progress

ENDS = ["reading the rows", "combining", "training on all rows"]


@pytest.fixture(scope="module")
def rows():
    return make_classification(400, 8, weights=[0.8], flip_y=0.1, random_state=0)


class Bars(Progress):
    """Keeps what it was told."""

    def __init__(self):
        super().__init__("fit", shown=False)
        self.told = []

    def update(self, done, text=""):
        super().update(done, text)
        self.told.append((round(done, 6), text))


def test_timings_add_up_to_the_fit(rows):
    """Every stage by its name, in order, and hardly anything in between."""
    began = time.perf_counter()
    clf = MeasureClassifier(random_state=0).fit(*rows)
    total = time.perf_counter() - began
    names, seconds = zip(*clf.timings_, strict=True)
    members = [row["learner"] for row in clf.portfolio_]
    assert list(names) == [ENDS[0], *members, *ENDS[1:]]
    assert min(seconds) >= 0
    assert 0.5 * total < sum(seconds) <= total


@pytest.mark.parametrize(
    ("refit", "last"), [(True, ENDS[2]), (False, "training on the first split")]
)
def test_a_single_learner_has_timings_too(rows, refit, last):
    """And they stay with what is made of the classifier."""
    clf = MeasureClassifier(GaussianNB(), refit=refit, random_state=0).fit(*rows)
    assert [name for name, _ in clf.timings_] == [ENDS[0], "GaussianNB-0", last]
    for other in (clf.slim(), clf.retarget("f2"), clf.retarget("f2", *rows)):
        assert other.timings_ == clf.timings_


def test_the_log_has_a_line_for_every_member(rows, caplog):
    """With its value and its seconds; batches are for those who want to know more."""
    with caplog.at_level(logging.INFO, "pseudolinear"):
        clf = MeasureClassifier("linear", random_state=0).fit(*rows)
    text = rf"linear: {clf.best_score_:.4f} in \d+\.\d\d s"
    assert any(re.fullmatch(text, line) for line in caplog.messages)
    assert not any("batch" in line for line in caplog.messages)
    caplog.clear()
    with caplog.at_level(logging.DEBUG, "pseudolinear"):
        MeasureClassifier("linear", random_state=0).fit(*rows)
    assert "linear: batch 1 of 1, 16 problems" in caplog.messages


def test_nothing_is_said_unasked(rows, capfd):
    """Neither on the screen nor by the logger, which others may have set up."""
    MeasureClassifier(random_state=0).fit(*rows)
    assert capfd.readouterr() == ("", "")


def test_verbose_is_a_few_lines_in_a_log(rows, capsys):
    """At most ten, the last of them for the whole, each with the name of what is trained."""
    MeasureClassifier(random_state=0, verbose=True).fit(*rows)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert 3 < len(lines) <= 10
    assert any(line.startswith("fit: linear, ") for line in lines)
    assert lines[-1].startswith("fit: training on all rows, 100 %")


def test_members_share_the_bar():
    """Steps share the weight of their member; more of them never move the bar back."""
    journal, bar = Journal(), Bars()
    journal.watchers.append(ShownProgress(bar, 8.0))
    with journal.stage("reading"):
        journal.expect(1)
    assert bar.told == []  # it has no weight
    with journal.stage("one", 3.0):
        journal.expect(3)
        journal.step()
        journal.expect(9)  # the search goes on
        journal.step()
    with suppress(ZeroDivisionError), journal.stage("two", 3.0):
        journal.expect(6)
        journal.step()
        raise ZeroDivisionError
    with journal.stage("all rows", 2.0):
        pass
    done = [share for share, _ in bar.told]
    assert done == sorted(done)
    assert bar.told[1] == (0.125, "one")
    assert (3 / 8, "one") in bar.told
    assert (3 / 5, "two") in bar.told  # what was given up is not left to do
    assert bar.told[-1] == (1.0, "all rows")


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_steps_are_told_from_everywhere(rows, backend, monkeypatch):
    """Folds of a batch in this process, and all of them at its end in another."""
    told = []
    monkeypatch.setattr(Journal, "step", lambda self: told.append(1))
    with parallel_config(backend, n_jobs=2):
        clf = MeasureClassifier(GaussianNB(), search="grid", cv=4, random_state=0).fit(*rows)
    assert len(told) == 4 * len(clf.sweep_) + 1
