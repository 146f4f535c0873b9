"""Thresholds for a population in which positives are rarer or more common."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import pseudolinear
from pseudolinear import MeasureClassifier, RecallAtPrecision, best_threshold, get_measure


@pytest.fixture(scope="module")
def binary():
    return make_classification(600, weights=[0.7], flip_y=0.1, random_state=0)


@pytest.fixture(scope="module")
def fitted(binary):
    return MeasureClassifier("linear", random_state=0).fit(*binary)


@pytest.fixture(scope="module")
def labels():
    return make_multilabel_classification(300, n_classes=4, n_labels=2, random_state=0)


@pytest.fixture(scope="module")
def fitted_labels(labels):
    names = ("f1_macro", "f1_micro")
    return {n: MeasureClassifier("linear", measure=n, random_state=0).fit(*labels) for n in names}


def weights(y, prevalence):
    return np.where(y == 1, prevalence / y.mean(), (1 - prevalence) / (1 - y.mean()))


@pytest.mark.parametrize("prevalence", [0.02, 0.1, 0.8])
@pytest.mark.parametrize("measure", ["f1", "jaccard", "cohen_kappa"])
def test_what_is_chosen_is_best_on_rows_weighted_to_the_prevalence(binary, measure, prevalence):
    """Threshold and value are those of out-of-fold scores whose rows have other weights."""
    X, y = binary
    folds = StratifiedKFold(3)
    clf = MeasureClassifier(
        LogisticRegression(), measure=measure, selection="largest_value", cost_sensitive=False,
        cv=folds, search="dinkelbach",
    ).fit(X, y)  # fmt: skip
    other = clf.retarget(prevalence=prevalence)
    scores = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="decision_function")
    weight = weights(y, prevalence)
    best = best_threshold(y, scores, measure, sample_weight=weight)
    assert other.threshold_ == pytest.approx(best.threshold)
    assert other.best_score_ == pytest.approx(best.value)
    pred = (scores > other.threshold_).astype(int)
    value = get_measure(measure).score(y, pred, sample_weight=weight)
    assert other.best_score_ == pytest.approx(value)


@pytest.mark.parametrize("rule", ["largest_value", "smoothed", "joint"])
def test_populations_follow_each_other(binary, rule):
    """What counts is the last prevalence; another measure leaves it as it is."""
    X, y = binary
    clf = MeasureClassifier("linear", selection=rule, random_state=0).fit(X, y)
    direct = clf.retarget(prevalence=0.1)
    for other in (
        clf.retarget(prevalence=0.02).retarget(prevalence=0.1),
        clf.retarget("f2", prevalence=0.1).retarget("f1"),
        clf.retarget("f2").retarget("f1", prevalence=0.1),
    ):
        assert other.prevalence_ == 0.1
        assert other.threshold_ == direct.threshold_
        assert other.best_score_ == pytest.approx(direct.best_score_)
        assert other.honest_score_ == pytest.approx(direct.honest_score_)
        assert_allclose(other.honest_interval_, direct.honest_interval_)
        assert_allclose(other.predict_proba(X), direct.predict_proba(X))
        assert other.level_ == pytest.approx(direct.level_)
    assert clf.prevalence_ is None


def test_the_prevalence_of_the_rows_changes_nothing(binary, fitted):
    """Thresholds, values, intervals and certificates are those of the fit."""
    X, y = binary
    same, kept = fitted.retarget(prevalence=float(y.mean())), fitted.retarget("f1")
    assert same.threshold_ == fitted.threshold_
    assert same.best_score_ == fitted.best_score_
    assert same.honest_score_ == pytest.approx(fitted.honest_score_)
    assert kept.honest_score_ == pytest.approx(fitted.honest_score_)
    assert_allclose(same.honest_interval_, fitted.honest_interval_)
    assert same.certificate_.sentence == kept.certificate_.sentence
    assert_allclose(same.predict_proba(X), fitted.predict_proba(X))


def test_held_out_rows_are_moved_from_their_own_prevalence(binary):
    """Those of one split are not quite like all rows, and go to the same place by any way."""
    X, y = binary
    clf = MeasureClassifier("linear", cv="holdout", random_state=0).fit(X[:-1], y[:-1])
    trained = float(y[:-1].mean())
    one, other = clf.retarget(prevalence=trained), clf.retarget(prevalence=0.02)
    other = other.retarget(prevalence=trained)
    for moved in (one, other):
        assert moved.sweep_.choices[0].profile.prevalence[0] == trained
    assert one.best_score_ == pytest.approx(other.best_score_)
    assert_allclose(one.predict_proba(X), other.predict_proba(X))


def test_probabilities_are_those_of_the_population(binary):
    """By Bayes' rule all log-odds move by the difference of those of the prevalences."""
    X, y = binary
    clf = MeasureClassifier("linear", probabilities="calibrated", random_state=0).fit(X, y)
    there = clf.retarget(prevalence=0.02).predict_proba(X)[:, 1]
    shift = logit(0.02) - logit(y.mean())
    assert_allclose(there, expit(logit(clf.predict_proba(X)[:, 1]) + shift))


def test_a_model_that_is_trained_anew_has_the_same_probabilities(binary):
    """With one candidate there is nothing else to choose, so rows change nothing."""
    X, y = binary
    clf = MeasureClassifier("linear", param_grid={"C": [1.0]}, cost_sensitive=False, random_state=0)
    clf.fit(X, y)
    one, other = clf.retarget(prevalence=0.05), clf.retarget(X=X, y=y, prevalence=0.05)
    assert other.threshold_ == pytest.approx(one.threshold_)
    assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("cv", [3, "holdout"])
def test_without_refit_the_threshold_is_for_the_population(binary, cv):
    """What is kept without training on all rows gets its threshold on its own rows, weighted."""
    (X, y), lost = binary, []
    for seed in range(6):  # splits of which one or the other has the better luck
        clf = MeasureClassifier("linear", refit=False, cv=cv, random_state=seed).fit(X, y)
        one, other = clf.retarget(prevalence=0.05), clf.retarget(X=X, y=y, prevalence=0.05)
        lost.append(one.best_score_ - other.best_score_)
        assert other.predict(X).sum() < clf.predict(X).sum()
    assert np.mean(lost) <= 0.02


def test_rows_choose_among_all_candidates(binary, fitted):
    """So the value can only be better than that of new thresholds."""
    clf = MeasureClassifier("linear", selection="largest_value", random_state=0).fit(*binary)
    other = clf.retarget(None, *binary, prevalence=0.05)
    assert other.best_score_ >= clf.retarget(prevalence=0.05).best_score_ - 1e-12
    moved = clf.retarget(prevalence=0.05).frontier_.value("f1")
    assert other.best_score_ >= moved - 1e-12


def test_a_portfolio_goes_where_it_is_sent(binary):
    """Blends are candidates like any other."""
    X, y = binary
    clf = MeasureClassifier(effort="fast", random_state=0).fit(X, y)
    rare = clf.retarget(prevalence=0.02)
    assert rare.predict(X).sum() < clf.predict(X).sum()
    assert clf.retarget(None, X, y, prevalence=0.02).prevalence_ == 0.02
    assert rare.retarget(prevalence=float(y.mean())).threshold_ == clf.threshold_


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
@pytest.mark.parametrize("given", [0.05, [0.05, np.nan, 0.5, 0.2], {1: 0.3}])
def test_labels_go_where_they_are_sent(labels, fitted_labels, measure, given):
    """One number for all, one for each, or some by name; the value is that of these curves."""
    X, Y = labels
    clf = fitted_labels[measure]
    other = clf.retarget(prevalence=given)
    trained = Y.mean(axis=0)
    wanted = {0.05: [0.05] * 4}.get(given) if isinstance(given, float) else trained.copy()
    if isinstance(given, dict):
        wanted[1] = 0.3
    elif isinstance(given, list):
        wanted = np.where(np.isnan(given), trained, given)
    assert_allclose(other.prevalence_, wanted)
    back = other.retarget(prevalence=trained)
    assert_allclose(back.threshold_, clf.threshold_)
    assert back.best_score_ == pytest.approx(clf.best_score_)
    rows = other.retarget(None, X, Y, prevalence=given)
    assert_allclose(rows.prevalence_, wanted)
    counted = [row["n_positive"] for row in other.sweep_.labels()]
    assert counted == Y.sum(axis=0).tolist()  # rows that were seen, wherever it goes


def test_a_constraint_is_kept_in_the_population(fitted):
    """Precision falls with the prevalence, so fewer rows are flagged."""
    here = fitted.retarget(RecallAtPrecision(0.6))
    there = fitted.retarget(RecallAtPrecision(0.6), prevalence=0.05)
    profile = there.sweep_.choices[0].profile
    assert profile.prevalence[0] == 0.05
    assert profile.precision[0] >= 0.6
    assert there.threshold_ >= here.threshold_


def test_the_interval_knows_that_few_positives_were_seen(fitted, binary):
    """Kish: rows that count for many tell less."""
    far, near = fitted.retarget(prevalence=0.95), fitted.retarget(prevalence=0.35)
    p = binary[1].mean()
    effect = far.sweep_.goals[0].design_effect
    assert effect == pytest.approx(0.95**2 / p + 0.05**2 / (1 - p))
    assert 1.0 <= near.sweep_.goals[0].design_effect < effect


@pytest.mark.parametrize("evidence", [False, True])
def test_the_population_is_saved_and_said(fitted, binary, tmp_path, evidence):
    """Also without the evidence the summary says which population thresholds are for."""
    other = fitted.retarget(prevalence=0.02)
    other.save(tmp_path / "model.plm", evidence=evidence)
    found = pseudolinear.load(tmp_path / "model.plm")
    assert found.prevalence_ == 0.02
    assert "a prevalence of 0.02" in str(found)
    assert "prevalence" not in str(fitted)
    assert_array_equal(found.predict(binary[0]), other.predict(binary[0]))
    if evidence:
        assert (
            found.retarget(prevalence=0.1).threshold_ == fitted.retarget(prevalence=0.1).threshold_
        )


def test_what_no_population_is_says_so(fitted, fitted_labels):
    """One sentence each."""
    for wrong in (0, 1, -0.5, 2.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="must lie between 0 and 1"):
            fitted.retarget(prevalence=wrong)
    for wrong in ("0.1", True):
        with pytest.raises(TypeError, match="must be a number"):
            fitted.retarget(prevalence=wrong)
    with pytest.raises(ValueError, match=r"shape \(2,\); give one number"):
        fitted.retarget(prevalence=[0.1, 0.9])
    with pytest.raises(ValueError, match="names 0, but must be of what is predicted: that is 1"):
        fitted.retarget(prevalence={0: 0.1})
    with pytest.raises(ValueError, match="names 'x'"):
        fitted_labels["f1_macro"].retarget(prevalence={"x": 0.1})
    with pytest.raises(ValueError, match="a measure, a prevalence, or both"):
        fitted.retarget()
    with pytest.raises(AttributeError, match="cannot be retargeted"):
        fitted.slim().retarget(prevalence=0.1)


def test_classes_are_refused():
    """Their false positives come from rows of all other classes."""
    X, y = make_classification(200, n_classes=3, n_informative=4, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, y)
    for ask in (lambda: clf.retarget(prevalence=0.1), lambda: clf.adapt(X)):
        with pytest.raises(ValueError, match=r"come from rows of several others.* sample_weight"):
            ask()


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
def test_labels_of_one_value_stay(labels, measure):
    """A number is for the labels that can be moved; naming one that cannot be is an error."""
    X, Y = labels
    Y = np.column_stack([Y, np.zeros(len(Y), int)])
    with pytest.warns(UserWarning, match="same value"):
        clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, Y)
    other = clf.retarget(prevalence=0.05)
    assert_allclose(other.prevalence_[:4], 0.05)
    assert not other.predict(X)[:, 4].any()
    with pytest.raises(ValueError, match="Label 4 cannot be moved"):
        clf.retarget(prevalence={4: 0.1})
    assert len(clf.adapt(X).adaptation_.labels) == 4


def test_a_label_that_no_validation_row_has_stays(labels):
    """Nothing is known of its recall; the others go where they are sent."""
    X, Y = labels
    rare = (np.arange(len(Y)) == 0).astype(int)
    clf = MeasureClassifier("linear", measure="f1_macro", cv="holdout", random_state=0)
    clf.fit(X, np.column_stack([Y, rare]))
    other = clf.retarget(prevalence=0.05)
    assert_allclose(other.prevalence_, [0.05] * 4 + [rare.mean()])
    assert len(other.adapt(X).adaptation_.labels) == 4
    with pytest.raises(ValueError, match="Label 4 cannot be moved"):
        clf.retarget(prevalence={4: 0.1})
