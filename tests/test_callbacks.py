"""scikit-learn's callbacks hear how a fit goes on, where it has them."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

from pseudolinear import MeasureClassifier, _callbacks

try:
    from sklearn.callback import ProgressBar
except ImportError:
    ProgressBar = None

new = pytest.mark.skipif(ProgressBar is None, reason="callbacks need scikit-learn 1.9")


@pytest.fixture(scope="module")
def rows():
    return make_classification(400, 8, weights=[0.8], flip_y=0.1, random_state=0)


class Recorder:
    """A callback that keeps what it was told."""

    max_propagation_depth = None

    def __init__(self):
        self.begun, self.ended, self.state = [], [], []

    def setup(self, estimator, context):
        self.state.append("up")

    def teardown(self, estimator, context):
        self.state.append("down")

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context)

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.ended.append((context, fitted_estimator))


@new
def test_callbacks_hear_of_members_folds_and_the_refit(rows):
    """Each task begins and ends once; the last one, the fit, has a fitted classifier."""
    recorder = Recorder()
    clf = MeasureClassifier(random_state=0).set_callbacks(recorder).fit(*rows)
    root = recorder.begun[0]
    members = [row["learner"] for row in clf.portfolio_]
    own = [one.task_name for one in recorder.begun if one.parent is root]
    assert own == [*members, "training on all rows"]
    assert root.max_subtasks == len(own)
    linear = next(one for one in recorder.begun if one.task_name == "linear")
    folds = [one for one in recorder.begun if one.parent is linear]
    assert linear.max_subtasks == len(folds) == 3
    assert {id(one) for one in recorder.begun} == {id(one) for one, _ in recorder.ended}
    assert len(recorder.begun) == len(recorder.ended)
    last, fitted = recorder.ended[-1]
    assert last is root
    np.testing.assert_array_equal(fitted.predict(rows[0]), clf.predict(rows[0]))
    assert recorder.state == ["up", "down"]


@new
def test_callbacks_are_torn_down_after_an_error(rows):
    """And nothing of them stays with the classifier but themselves."""
    recorder = Recorder()

    class Failing(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise RuntimeError("no")

    clf = MeasureClassifier(Failing(), random_state=0).set_callbacks(recorder)
    with pytest.raises(RuntimeError, match="no"):
        clf.fit(*rows)
    assert recorder.state == ["up", "down"]
    assert not hasattr(clf, "_callback_fit_ctx")
    assert clone(clf)._skl_callbacks == [recorder]


@new
def test_the_progress_bar_of_scikit_learn(rows, capsys, monkeypatch):
    """One line for the fit, one for each member and one for training on all rows."""
    monkeypatch.setenv("COLUMNS", "120")
    clf = MeasureClassifier(random_state=0).set_callbacks(ProgressBar()).fit(*rows)
    out = capsys.readouterr().out
    for name in ("fit", *(row["learner"] for row in clf.portfolio_), "training on all rows"):
        assert re.search(rf"MeasureClassifier - {name}( #\d)? .*100%", out)


@new
def test_a_search_of_scikit_learn_passes_its_callbacks_on(rows):
    """The fit is a task of the search, with its members below."""
    recorder = Recorder()
    grid = {"measure": ["f1", "f2"]}
    search = GridSearchCV(MeasureClassifier("linear", random_state=0), grid, cv=2)
    search.set_callbacks(recorder).fit(*rows)
    names = [one.task_name for one in recorder.begun]
    assert names.count("linear") == names.count("training on all rows") == 5
    assert recorder.state == ["up", "down"]


def test_an_older_scikit_learn_has_none(monkeypatch):
    """The classifier has no `set_callbacks` then, and nobody is told."""
    monkeypatch.setitem(sys.modules, "sklearn.callback", None)
    spec = spec_from_file_location("older", _callbacks.__file__)
    older = module_from_spec(spec)
    spec.loader.exec_module(older)
    assert not hasattr(older.CallbackSupportMixin, "set_callbacks")
    with older.ToldCallbacks(older.CallbackSupportMixin(), 1, None, None) as told:
        told.end(None)
