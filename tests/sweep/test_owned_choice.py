"""A sweep's result owns the choice that was made: every view shows what predicts."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from pseudolinear import (
    FalseNegativesAtFalsePositives,
    FBeta,
    Grid,
    LinearLearner,
    MeasureClassifier,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtPrecision,
)
from pseudolinear.selection import LargestValue, Shrunk

X, Y = make_multilabel_classification(300, n_classes=4, random_state=0)
GRID = {"C": [2.0**-4, 2.0**-1, 2.0**2, 2.0**5]}


def thresholds(classifier):
    return [row["threshold"] for row in classifier.sweep_.labels()]


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_tables_of_two_classes_name_the_positive_one(positive):
    """Not its number among the labels, of which there is one."""
    y = np.where(Y[:, 0] == 1, "yes", "no")
    fitted = MeasureClassifier("linear", pos_label=positive, random_state=0).fit(X, y)
    for rows in (fitted.sweep_.labels(), fitted.sweep_.rows(), fitted.frontier_.rows()):
        assert {row["label"] for row in rows} == {positive}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"measure": "f1_micro"},
        {"selection": "largest_value"},
        {"cv": "holdout", "refit": False},
        {"estimator": [LinearLearner(), LogisticRegression()]},
        pytest.param({"estimator": "auto"}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_labels_show_the_thresholds_that_predict(params):
    """Also of a portfolio, and where the kept models were cut again."""
    defaults = {"estimator": "linear", "measure": "f1_macro", "random_state": 0}
    classifier = MeasureClassifier(**(defaults | params)).fit(X, Y)
    assert thresholds(classifier) == classifier.threshold_.tolist()


@pytest.mark.parametrize("target", ["f2_macro", "f1_micro", RecallAtPrecision(0.6)], ids=repr)
@pytest.mark.parametrize("rows", [(), (X, Y)], ids=["thresholds alone", "trained again"])
def test_labels_show_the_thresholds_after_retargeting(target, rows):
    """For measures and constraints, with and without training."""
    classifier = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    other = classifier.retarget(target, *rows)
    assert thresholds(other) == other.threshold_.tolist()
    assert other.best_score_ == pytest.approx(other.certificate_.value)


def test_values_of_labels_are_those_of_the_certificate():
    """A macro average is the mean over its labels."""
    classifier = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    values = [row["value"] for row in classifier.sweep_.labels()]
    assert np.mean(values) == pytest.approx(classifier.certificate_.value)
    assert np.mean(values) == pytest.approx(classifier.best_score_)


def test_constraint_is_the_measure_of_the_result():
    """The parameter says what the classifier is for, and score what it reaches."""
    classifier = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    other = classifier.retarget(RecallAtPrecision(0.6))
    assert other.measure == RecallAtPrecision(0.6)
    assert classifier.measure == "f1_macro"
    predicted = other.predict(X)
    recalls = (predicted & Y).sum(axis=0) / Y.sum(axis=0)
    assert other.score(X, Y) == pytest.approx(recalls.mean())


@pytest.mark.parametrize("target", [Y, Y[:, 0]], ids=["labels", "binary"])
def test_a_constraint_is_fitted_as_a_sweep_of_f1_retargeted(target):
    """The same candidates, chosen for the constraint; the fit looks at every cut of theirs."""
    average = "f1_macro" if target.ndim == 2 else "f1"
    constraint = RecallAtPrecision(0.6)
    fitted = clone(MeasureClassifier("linear", measure=constraint, random_state=0)).fit(X, target)
    other = MeasureClassifier("linear", measure=average, random_state=0).fit(X, target)
    other = other.retarget(constraint, X, target)
    assert np.mean(fitted.predict(X) == other.predict(X)) > 0.9
    assert other.best_score_ <= fitted.best_score_ < other.best_score_ + 0.05
    assert fitted.certificate_.statements == ()
    assert "RecallAtPrecision(min_precision=0.6)" in repr(fitted)


def test_the_constraint_holds_on_the_validation_rows():
    """Every label keeps the precision, and no candidate and cut has more recall."""
    fitted = MeasureClassifier("linear", measure=RecallAtPrecision(0.6), random_state=0).fit(X, Y)
    recalls = []
    for candidates, choice in zip(fitted.sweep_.by_goal, fitted.sweep_.choices, strict=True):
        assert choice.profile.precision[0] >= 0.6 - 1e-12
        recalls.append(
            max(c.curve.recall[c.curve.precision[:, 0] >= 0.6, 0].max() for c in candidates)
        )
        assert choice.profile.recall[0] == pytest.approx(recalls[-1])
    assert fitted.best_score_ == pytest.approx(np.mean(recalls))


def test_least_cost_is_trained_with_its_own_costs():
    """They are known, so there is one level and nothing to search."""
    fitted = MeasureClassifier("linear", measure=MinimalCost(5.0, 1.0), random_state=0).fit(
        X, Y[:, 0]
    )
    assert fitted.costs_.tolist() == [5.0, 1.0]
    assert -fitted.best_score_ == pytest.approx(
        min(c.curve.total_cost([5.0, 1.0]).min() for c in fitted.sweep_.by_goal[0])
    )


def test_a_constraint_can_be_retargeted_again():
    """Back to a measure, with and without training."""
    first = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    there = first.retarget(RecallAtPrecision(0.6), X, Y)
    back = there.retarget("f1_macro", X, Y)
    assert (back.predict(X) == first.predict(X)).all()
    assert there.retarget("f2_macro").measure == "f2_macro"


def test_a_constraint_leaves_nothing_to_select():
    """It is itself a rule."""
    with pytest.raises(ValueError, match="selection must be 'auto'"):
        MeasureClassifier("linear", measure=RecallAtPrecision(0.9), selection="both").fit(X, Y)


def test_labels_with_levels_of_their_own_are_retargeted_jointly():
    """A micro average cuts the models of a macro average together, without training."""
    classifier = MeasureClassifier(
        LinearLearner(), measure="f1_macro", param_grid=GRID, random_state=0
    ).fit(X, Y)
    assert len(np.unique(classifier.level_)) > 1
    joint = classifier.retarget("f1_micro")
    assert joint.best_score_ >= classifier.frontier_.value("f1_micro") - 0.05
    assert joint.certificate_["threshold"].gap == 0.0


def test_a_level_may_fail_a_constraint_that_another_keeps():
    """Only if no candidate at all keeps the constraint, there is nothing to choose."""
    rng = np.random.RandomState(0)
    y = (rng.uniform(size=400) < 0.3).astype(int)
    features = np.column_stack([rng.normal(size=400), y + 0.3 * rng.normal(size=400)])

    class Column(ClassifierMixin, BaseEstimator):
        """Scores rows by the first feature for dear positives, by the second for cheap ones."""

        def fit(self, X, y, sample_weight=None):
            dear = sample_weight is None or sample_weight[y == 1].mean() >= 1
            self.column_, self.classes_ = int(not dear), np.unique(y)
            return self

        def decision_function(self, X):
            return X[:, self.column_]

        def predict(self, X):
            return self.classes_[(self.decision_function(X) > 0).astype(int)]

    constrained = MeasureClassifier(
        Column(), measure=RecallAtPrecision(0.9), search="grid", random_state=0
    ).fit(features, y)
    assert constrained.best_score_ > 0.8
    impossible = MeasureClassifier(
        Column(), measure=RecallAtPrecision(1.0), search=Grid(levels=[0.5]), random_state=0
    )
    with pytest.raises(ValueError, match="No threshold reaches a precision of 1"):
        impossible.fit(np.column_stack([-y, -y]), y)


@pytest.mark.parametrize("constraint", [MinimalCost(3.0, 1.0), FalseNegativesAtFalsePositives(0.2)])
def test_scores_of_constraints_are_the_larger_the_better(constraint):
    """So that GridSearchCV prefers the better one: here costs and misses are negative."""
    fitted = MeasureClassifier("linear", measure=constraint, random_state=0).fit(X, Y[:, 0])
    worse = fitted.retarget(RecallAtPrecision(0.99)).set_params(measure=constraint)
    assert worse.score(X, Y[:, 0]) < fitted.score(X, Y[:, 0]) <= 0


def test_constraints_are_for_labels():
    """Classes are tied, so no single one keeps a constraint."""
    classes = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(
        X, Y.sum(axis=1) % 3
    )
    with pytest.raises(ValueError, match="is for labels; this sweep has several classes"):
        classes.retarget(RecallAtPrecision(0.5))


def test_published_classifiers_take_constraints():
    """Whatever rule chose before."""
    fitted = MeasureClassifier.published("f1", random_state=0).fit(X, Y[:, 0])
    assert fitted.retarget(RecallAtPrecision(0.5)).measure == RecallAtPrecision(0.5)


def test_labels_without_rows_do_not_spoil_a_score():
    """A test set may lack a label; its recall counts as 0."""
    fitted = MeasureClassifier("linear", measure=RecallAtPrecision(0.3), random_state=0).fit(X, Y)
    rows = Y[:, 0] == 0
    assert np.isfinite(fitted.score(X[rows], Y[rows]))


def test_retargeting_with_rows_keeps_groups():
    """The same splits as the fit, which may need the groups."""
    groups = np.arange(300) // 3
    fitted = MeasureClassifier("linear", cv=GroupKFold(3), random_state=0).fit(
        X, Y[:, 0], groups=groups
    )
    again = fitted.retarget("f1", X, Y[:, 0], groups=groups)
    assert again.threshold_ == fitted.threshold_
    unseeded = MeasureClassifier("linear", cv="holdout", refit=False).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="needs a random_state"):
        unseeded.retarget("f2", X, Y[:, 0])


def test_retargeting_keeps_the_positive_class():
    """A sweep counts the errors of one class."""
    fitted = MeasureClassifier("linear", random_state=0).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="for the class 1, not for 0; fit again"):
        fitted.retarget(FBeta(2, pos_label=0))


@pytest.mark.slow
def test_a_list_of_one_learner_is_a_portfolio():
    """With its table; a later fit without a portfolio has none."""
    fitted = MeasureClassifier([LogisticRegression()], random_state=0).fit(X, Y[:, 0])
    assert [row["learner"] for row in fitted.portfolio_] == ["LogisticRegression-0"]
    alone = MeasureClassifier(LogisticRegression(), search="grid", random_state=0).fit(X, Y[:, 0])
    listed = MeasureClassifier([LogisticRegression()], search="grid", random_state=0)
    assert (listed.fit(X, Y[:, 0]).predict(X) == alone.predict(X)).all()
    assert not hasattr(fitted.set_params(estimator="linear").fit(X, Y[:, 0]), "portfolio_")


def test_a_portfolio_compares_members_by_the_constraint():
    """The value of a member is the recall at the precision that it reaches alone."""
    members = [LinearLearner(C=0.01), LinearLearner(C=10.0)]
    options = {"measure": RecallAtPrecision(0.7), "random_state": 0}
    fitted = MeasureClassifier(members, **options).fit(X, Y[:, 0])
    alone = [MeasureClassifier(member, **options).fit(X, Y[:, 0]).best_score_ for member in members]
    assert [row["value"] for row in fitted.portfolio_] == alone
    assert fitted.sweep_.choices[0].profile.precision[0] >= 0.7


@pytest.mark.parametrize(
    "constraint", [PrecisionAtRecall(0.999), FalseNegativesAtFalsePositives(0.0)], ids=repr
)
def test_constraints_that_no_cut_keeps_are_errors(constraint):
    """With the natural threshold alone there may be no choice; then nothing is kept silently."""
    classifier = MeasureClassifier(
        "linear", measure=constraint, tune_threshold=False, random_state=0
    )
    with pytest.raises(ValueError, match="No threshold"):
        classifier.fit(X, Y[:, 0])


def test_tables_of_a_constraint_report_what_it_is_after():
    """The recall, not the F1 that was swept."""
    fitted = MeasureClassifier("linear", measure=RecallAtPrecision(0.6), random_state=0).fit(
        X, Y[:, 0]
    )
    (row,) = fitted.sweep_.labels()
    assert row["value"] == fitted.best_score_
    best = max(row["value"] for row in fitted.sweep_.rows() if row["fold"] == -1)
    assert best == pytest.approx(fitted.best_score_)


@pytest.mark.parametrize("measure", ["f1_macro", FBeta(average="micro", default_class=0)])
def test_one_label_cannot_be_averaged(measure):
    """Once the errors of the other class were silently left out."""
    fitted = MeasureClassifier("linear", random_state=0).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="is an average, but this sweep has one label"):
        fitted.retarget(measure)


def test_free_false_positives_predict_everything():
    """A cost of zero has no accuracy to train for, but a best threshold."""
    fitted = MeasureClassifier("linear", measure=MinimalCost(1.0, 0.0), random_state=0).fit(
        X, Y[:, 0]
    )
    assert fitted.best_score_ == 0.0


def test_a_constraint_is_a_measure_not_a_selection():
    """Said where it is given in the wrong place."""
    rule = MeasureClassifier("linear", measure=RecallAtPrecision(0.5)).fit(X, Y[:, 0]).sweep_.rule
    with pytest.raises(ValueError, match="Give the constraint as measure=RecallAtPrecision"):
        MeasureClassifier("linear", selection=rule).fit(X, Y[:, 0])


def test_models_that_are_kept_are_cut_by_the_rule_of_the_fit():
    """Shrunk labels stay shrunk where one split is held out and nothing is trained again."""
    params = {"measure": "f1_macro", "cv": "holdout", "refit": False, "random_state": 0}
    fitted = MeasureClassifier(LinearLearner(), param_grid=GRID, **params).fit(X, Y)
    sweep = fitted.sweep_
    kept = [choice.candidates for choice in sweep.choices]
    for rule, same in ((Shrunk(), True), (LargestValue(), False)):
        cuts = [choice.cuts for choice in rule.recut(sweep.goals, kept)]
        assert (cuts == [choice.cuts for choice in sweep.choices]) is same
