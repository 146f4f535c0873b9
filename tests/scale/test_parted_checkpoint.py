"""A killed fit in parts goes on after its last pass, and ends where it would have."""

import pytest
from part_rows import assert_same, linear, table

from pseudolinear import LinearLearner, MeasureClassifier
from pseudolinear.scale import ArrayParts, LocalEngine

X, y = table(2000)
PARTS = ArrayParts(X, y, rows=300)


def exact():
    """Return a classifier whose fit takes some passes."""
    grid = {"C": [0.1, 10.0]}
    return MeasureClassifier(LinearLearner(tol=1e-9), param_grid=grid, random_state=0)


class KilledError(Exception):
    """The fit was stopped."""


def stop_after(monkeypatch, passes):
    """Stop after some passes; return a list that grows by one with every pass."""
    done, reduce = [], LocalEngine.reduce

    def counted(self, stage, function, *args):
        if len(done) == passes:
            raise KilledError
        done.append(stage)
        return reduce(self, stage, function, *args)

    monkeypatch.setattr(LocalEngine, "reduce", counted)
    return done


@pytest.mark.parametrize("passes", [4, 7])
def test_a_killed_fit_goes_on(tmp_path, monkeypatch, passes):
    """To the same classifier, with fewer passes that train."""
    with monkeypatch.context() as patch:
        whole = stop_after(patch, None)
        best = exact().fit(PARTS)
    with monkeypatch.context() as patch:
        stop_after(patch, passes)
        with pytest.raises(KilledError):
            exact().fit(PARTS, checkpoint=tmp_path)
    with monkeypatch.context() as patch:
        again = stop_after(patch, None)
        clf = exact().fit(PARTS, checkpoint=tmp_path)
    assert clf.threshold_ == best.threshold_
    assert_same(clf, best, X, rel=0)
    trained = [sum("training" in stage for stage in run) for run in (again, whole)]
    assert trained[0] < trained[1]
    other = linear().fit(ArrayParts(X[::-1], y[::-1]), checkpoint=tmp_path)
    assert other.threshold_ == linear().fit(ArrayParts(X[::-1], y[::-1])).threshold_


def test_trees_are_kept(tmp_path, monkeypatch):
    """Boosting is not done again."""
    pytest.importorskip("lightgbm")
    best = MeasureClassifier("boosting", random_state=0).fit(PARTS, checkpoint=tmp_path)
    monkeypatch.setattr(LocalEngine, "boost", None)
    clf = MeasureClassifier("boosting", random_state=0).fit(PARTS, checkpoint=tmp_path)
    assert_same(clf, best, X, rel=0)
