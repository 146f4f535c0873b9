"""Retraining: what was chosen, trained on new rows without a sweep."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from pseudolinear import FBeta, Grid, LevelSearch, LinearLearner, MeasureClassifier
from pseudolinear.learners import LabelProblem

X, y = make_classification(900, 8, weights=[0.8], flip_y=0.1, random_state=0)
SEVERAL, LABELS = make_multilabel_classification(400, 8, n_classes=4, random_state=0)
CLASSES = np.random.RandomState(0).randint(0, 2, len(y)) + y
OLD = slice(0, 300)
TIGHT = LinearLearner(tol=1e-9)


def make(estimator="linear", **params):
    return MeasureClassifier(estimator, random_state=0, **params)


class At(LevelSearch):
    """One level only."""

    def __init__(self, level):
        self.level = level

    def search(self, measure, prevalence):
        yield np.array([self.level])


def problems_of(clf):
    return [c.problem for c in clf.sweep_.chosen.values()]


@pytest.mark.parametrize(
    ("rows", "target", "measure"),
    [(X, y, "f1"), (X, CLASSES, "f1_macro"), (SEVERAL, LABELS, "f1_macro"),
     (SEVERAL, LABELS, "f1_micro")],
    ids=["binary", "classes", "labels", "shared level"],
)  # fmt: skip
def test_it_is_the_fit_that_tries_nothing_else(rows, target, measure):
    """Same problems, same folds and rule: the optimum does not depend on where it starts."""
    scaled = StandardScaler().fit_transform(rows)
    clf = make(TIGHT, measure=measure, search=Grid(3), param_grid={"C": [0.1, 1.0]})
    old = clf.fit(scaled[OLD], target[OLD])
    new = old.retrain(scaled, target)
    assert problems_of(new) == problems_of(old)
    targets = target[:, None] if target.ndim == 1 else target
    models = LinearLearner(tol=1e-9).fit_batch(scaled, targets, problems_of(new))
    for own, model in zip(new.models_, models, strict=True):
        assert_allclose(own.coef, model.coef, atol=1e-4)
        assert_allclose(own.intercept, model.intercept, atol=1e-4)
    if measure != "f1_macro":  # costs of classes follow their prevalence; labels have own levels
        chosen = problems_of(new)[0].params
        grid = {name: [value] for name, value in chosen.items()}
        only = make(TIGHT, measure=measure, search=At(float(new.level_)), param_grid=grid)
        only.fit(scaled, target)
        assert new.best_score_ == pytest.approx(only.best_score_, abs=1e-6)
        assert_allclose(new.threshold_, only.threshold_, atol=1e-3)


def test_on_the_same_rows_it_is_the_same_classifier():
    """Started at the optimum, with the same folds: nothing changes beyond the tolerance."""
    old = make(TIGHT).fit(X, y)
    new = old.retrain(X, y)
    assert_allclose(new.decision_function(X), old.decision_function(X), atol=1e-4)
    assert new.best_score_ == pytest.approx(old.best_score_, abs=1e-6)
    assert_array_equal(new.predict(X), old.predict(X))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("loss", ["logistic", "squared_hinge", "hinge"])
def test_a_start_changes_the_way_not_the_end(kind, loss):
    """From the solution a smooth solver needs few steps; from elsewhere it gets there too."""
    rows = sparse.csr_matrix(np.where(X > 0.5, X, 0.0)) if kind == "sparse" else X
    learner = LinearLearner(loss, tol=1e-7)
    problems = [LabelProblem(0, (c, 1.0), {"C": C}) for c in (1.0, 3.0) for C in (0.1, 1.0)]
    models = learner.fit_batch(rows, y[:, None], problems)
    again = learner.started(problems, models).fit_batch(rows, y[:, None], problems)
    swapped = learner.started(problems, models[::-1]).fit_batch(rows, y[:, None], problems)
    for old, new, other in zip(models, again, swapped, strict=True):
        assert new.converged
        assert_allclose(new.coef, old.coef, atol=2e-3)
        assert_allclose(other.coef, old.coef, atol=2e-3)
    if loss != "hinge":  # the first of every chain of values of C; its tolerance is finer
        assert all(
            n.n_iter < min(4, o.n_iter) for o, n in zip(models[::2], again[::2], strict=True)
        )


@pytest.mark.slow
def test_a_portfolio_keeps_its_weights():
    """Members that were not used are not trained; their scores are mixed as before."""
    forest = ExtraTreesClassifier(20)
    old = make(["linear", forest, LogisticRegression()]).fit(X[OLD], y[OLD])
    new = old.retrain(X, y)
    shares = [
        [(s.member, s.weight, s.problem) for s in problems_of(clf)[0].shares] for clf in (old, new)
    ]
    assert shares[0] == shares[1]
    assert new.best_params_.keys() == old.best_params_.keys()
    assert new.best_score_ != old.best_score_
    assert new.retrain(X, y).best_score_ == pytest.approx(new.best_score_, abs=0.01)
    assert new.retarget("f2", X, y).best_score_ > 0


def test_what_is_kept_and_what_is_not(tmp_path):
    """The old classifier stays as it was; the new one saves, explains and is retrained."""
    old = make().fit(X[OLD], y[OLD])
    before = old.decision_function(X)
    new = old.retrain(X, y, sample_weight=np.ones(len(y)))
    assert_array_equal(old.decision_function(X), before)
    new.save(tmp_path / "model.plm", evidence=True)
    assert "f1" in str(new.summary()).lower()
    assert new.honest_interval_[0] < new.honest_score_ < new.honest_interval_[1]
    assert new.decision_.features is old.decision_.features
    assert not new.learner_._starts
    with pytest.warns(UserWarning, match="These rows are those of fit"):
        new.evaluate(X, y)


def test_new_rows_are_read_as_those_of_the_fit():
    """Words, categories and the positive class are those of the fit."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"n": X[:, 0] + y, "c": np.where(X[:, 1] > 0, "a", "b")})
    target = np.where(y, "yes", "no")
    old = make().fit(frame[OLD], target[OLD])
    assert old.pos_label_ == "yes"
    rows = np.concatenate([np.flatnonzero(y)[:100], np.flatnonzero(y == 0)[:60]])
    changed = frame.assign(c=np.where(X[:, 2] > 1, "new", frame["c"]))
    new = old.retrain(changed.iloc[rows], target[rows])
    assert new.pos_label_ == "yes"  # although it is no longer the rarer one


def test_what_was_not_learnt_is_refused():
    """Other columns, classes and labels need a new fit."""
    old = make().fit(X, y)
    with pytest.raises(ValueError, match="8 features"):
        old.retrain(X[:, :5], y)
    with pytest.raises(ValueError, match="and 0 is only in one of both; fit again"):
        old.retrain(X, y + 1)
    several = make(measure="f1_macro").fit(X, CLASSES)
    with pytest.raises(ValueError, match="and 2 is only in one of both; fit again"):
        several.retrain(X, np.minimum(CLASSES, 1))
    fixed = LABELS.copy()
    fixed[:, 2] = 0
    with pytest.warns(UserWarning, match="same value in every row"):
        labels = make(measure="f1_macro").fit(SEVERAL, fixed)
    with pytest.raises(ValueError, match="label 2 had one value in all rows of fit"):
        labels.retrain(SEVERAL, LABELS)
    with pytest.raises(AttributeError, match="slimmed"):
        old.slim().retrain(X, y)


def test_a_held_out_third_without_refit():
    """As the published protocol trains."""
    clf = MeasureClassifier.published(FBeta(), "linear", random_state=0).fit(X[OLD], y[OLD])
    new = clf.retrain(X, y)
    assert new.best_score_ > 0
    assert problems_of(new) == problems_of(clf)
