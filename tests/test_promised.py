"""guarantee: a classifier whose thresholds keep a promise."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, precision_score, recall_score

import pseudolinear
from pseudolinear import MeasureClassifier, RecallAtPrecision, evaluate
from pseudolinear._policy import Policy

X, Y = make_classification(1800, 8, weights=[0.75], flip_y=0.05, class_sep=0.8, random_state=0)
FIT, CAL, NEW = slice(0, 600), slice(600, 1200), slice(1200, 1800)


@pytest.fixture(scope="module")
def clf():
    return MeasureClassifier("linear", random_state=0).fit(X[FIT], Y[FIT])


@pytest.fixture(scope="module")
def kept(clf):
    return clf.guarantee("recall >= 0.8", X[CAL], Y[CAL])


def test_what_is_seen_is_what_is_predicted(clf, kept):
    """Value, cost and cells are scikit-learn's of the rows used, and 0.8 is below the bound."""
    label, predicted = kept.promise_.labels[0], kept.predict(X[CAL])
    assert label.value == label.recall == pytest.approx(recall_score(Y[CAL], predicted))
    assert label.precision == pytest.approx(precision_score(Y[CAL], predicted))
    assert 0.8 <= label.bound < label.value
    assert label.threshold == kept.threshold_ < clf.threshold_
    interval = evaluate(Y[CAL], predicted).labels[0].precision_interval
    assert label.precision_interval == pytest.approx(interval)


def test_the_classifier_is_a_copy_with_its_measure(clf, kept):
    """It scores by the measure of the fit; the fitted one is as before."""
    assert not hasattr(clf, "promise_")
    assert type(kept) is type(clf)
    assert kept.get_params() == clf.get_params()
    assert kept.score(X[NEW], Y[NEW]) == pytest.approx(f1_score(Y[NEW], kept.predict(X[NEW])))
    assert kept.evaluate(X[NEW], Y[NEW]).measure == "f1"
    scores = clf.decision_function(X[NEW]) + clf.threshold_
    assert kept.decision_function(X[NEW]) + kept.threshold_ == pytest.approx(scores)


def test_the_evidence_is_of_the_promised_threshold(clf, kept):
    """What was reached on held-out rows is what that cut reached; it was not chosen for that."""
    row = kept.sweep_.labels()[0]
    assert row["threshold"] == kept.threshold_
    assert row["value"] == kept.best_score_ < clf.best_score_
    assert kept.certificate_["threshold"].ceiling == pytest.approx(clf.best_score_)
    assert not hasattr(kept, "honest_score_")
    assert not hasattr(kept.slim(), "honest_interval_")


def test_other_thresholds_have_no_promise(kept):
    """Neither have those of another measure, nor those of another fit, nor a clone."""
    assert not hasattr(kept.retarget("f2"), "promise_")
    assert hasattr(kept.retarget("f1"), "honest_score_")
    assert not hasattr(clone(kept), "promise_")
    again = clone(kept).set_params(random_state=0).fit(X[FIT], Y[FIT])
    promised = again.guarantee("recall >= 0.8", X[CAL], Y[CAL])
    assert promised.threshold_ == kept.threshold_
    assert not hasattr(promised.fit(X[FIT], Y[FIT]), "promise_")


def test_another_promise_takes_the_place_of_the_first(kept):
    """The same thresholds are tested, whatever was promised before."""
    with pytest.warns(UserWarning, match="These rows have chosen the thresholds"):
        other = kept.guarantee("precision >= 0.72", X[CAL], Y[CAL])
    assert other.promise_.sentence == "precision >= 0.72"
    assert other.threshold_ > kept.threshold_


@pytest.mark.parametrize("evidence", [False, True])
def test_a_promise_is_saved(kept, tmp_path, evidence):
    """What is loaded says the same, predicts the same and prints the same line."""
    kept.save(tmp_path / "m.plm", evidence=evidence)
    loaded = pseudolinear.load(tmp_path / "m.plm")
    assert loaded.promise_.to_dict() == kept.promise_.to_dict()
    assert str(loaded.promise_) == str(kept.promise_)
    assert (loaded.predict(X[NEW]) == kept.predict(X[NEW])).all()
    assert "promised   recall >= 0.8 with probability 90 %, by 600 other rows" in str(loaded)
    if evidence:
        assert loaded.sweep_.promised


def test_the_page_says_it(kept, tmp_path):
    """Among how the classifier was made."""
    page = kept.report(tmp_path / "page.html").read_text()
    assert "recall &gt;= 0.8 with probability 90 %, by 600 other rows" in page


@pytest.mark.parametrize("measure", ["f1_micro", "f1_macro"])
def test_several_labels_all_keep_it(measure):
    """A label nobody has is left out; the others share the error and have their thresholds."""
    X, Y = make_multilabel_classification(1500, n_classes=3, random_state=0)
    Y = np.column_stack([Y, np.zeros(len(Y), int)])
    with pytest.warns(UserWarning, match="has the same value in every row"):
        clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:500], Y[:500])
    kept = clf.guarantee("recall >= 0.7", X[500:1000], Y[500:1000])
    labels = kept.promise_.labels
    assert [label.label for label in labels] == [0, 1, 2]
    assert [label.threshold for label in labels] == kept.threshold_[:3].tolist()
    assert kept.promise_.left_out == (3,)
    assert "labels on which all training rows agree: 3." in str(kept.promise_)
    assert kept.threshold_[3] == clf.threshold_[3]
    seen = recall_score(Y[500:1000], kept.predict(X[500:1000]), average=None, zero_division=0)
    assert [label.recall for label in labels] == pytest.approx(seen[:3].tolist())
    with pytest.raises(ValueError, match="No row is positive for label 1; give rows"):
        clf.guarantee("recall >= 0.7", X[500:], np.where(np.arange(4) == 1, 0, Y[500:]))
    with pytest.raises(ValueError, match="2 labels"):
        clf.guarantee("recall >= 0.7", X[500:], Y[500:, :2])


@pytest.mark.parametrize("estimator", ["auto", LogisticRegression()], ids=["auto", "wrapped"])
def test_any_learner_can_promise(estimator):
    """A blend, and a classifier of scikit-learn."""
    clf = MeasureClassifier(estimator, effort="fast", random_state=0).fit(X[FIT], Y[FIT])
    kept = clf.guarantee("recall >= 0.8", X[CAL], Y[CAL])
    assert recall_score(Y[CAL], kept.predict(X[CAL])) == kept.promise_.labels[0].recall > 0.8


def test_what_is_fitted_already_can_promise():
    """The thresholds to test are those of the rows on which the measure's was chosen."""
    fitted = LogisticRegression().fit(X[:300], Y[:300])
    clf = MeasureClassifier(fitted, cv="prefit").fit(X[300:600], Y[300:600])
    kept = clf.guarantee("precision >= 0.6", X[CAL], Y[CAL])
    flagged = kept.predict(X[CAL]) == 1
    assert Y[CAL][flagged].mean() == pytest.approx(kept.promise_.labels[0].value)


def test_a_constraint_can_be_promised(clf):
    """What holds on validation rows by RecallAtPrecision is chosen more carefully for a promise."""
    rule = clf.retarget(RecallAtPrecision(0.6))
    kept = rule.guarantee("precision >= 0.6", X[CAL], Y[CAL])
    assert kept.threshold_ > rule.threshold_
    assert kept.best_score_ < rule.best_score_  # less recall


def test_rows_come_as_in_predict(kept):
    """Names of classes and frames give the same threshold."""
    pandas = pytest.importorskip("pandas")
    names = np.array(["no", "yes"])
    named = MeasureClassifier("linear", random_state=0).fit(pandas.DataFrame(X[FIT]), names[Y[FIT]])
    frame = pandas.DataFrame(X[CAL])
    other = named.guarantee("recall >= 0.8", frame, pandas.Series(names[Y[CAL]]))
    assert other.threshold_ == pytest.approx(kept.threshold_)
    assert other.promise_.labels[0].label == "yes"


class Whim(Policy):
    def apply(self, margins, X):
        return margins


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda clf: clf, {"error": 0.0}, "error must be between 0 and 1"),
        (lambda clf: clf, {"error": 1.0}, "error must be between 0 and 1"),
        (lambda clf: clf, {"error": "0.1"}, "error must be between 0 and 1"),
        (lambda clf: clf, {"sample_weight": np.ones(600)}, "independent rows of equal weight"),
        (lambda clf: clf, {"groups": np.arange(600)}, "independent rows of equal weight"),
        (
            lambda clf: clf,
            {"y": np.zeros(600, int)},
            "No row is positive; give rows that are drawn",
        ),
        (lambda clf: clf, {"y": Y[:7]}, "inconsistent numbers of samples"),
        (lambda clf: clf, {"promise": "recall > 0.8"}, "A promise reads 'measure >= value'"),
        (lambda clf: clf.slim(), {}, "was slimmed, so the thresholds to test are gone"),
    ],
)
def test_what_cannot_be_promised_is_refused(clf, change, options, message):
    """In one sentence each."""
    given = {"promise": "recall >= 0.8", "X": X[CAL], "y": Y[CAL]} | options
    with pytest.raises(ValueError, match=message):
        change(clf).guarantee(**given)


def test_policies_are_refused(clf):
    """They look at more than thresholds."""
    from copy import copy
    from dataclasses import replace

    other = copy(clf)
    other.decision_ = replace(clf.decision_, policy=Whim())
    with pytest.raises(ValueError, match="A decision by Whim looks at more than thresholds"):
        other.guarantee("recall >= 0.8", X[CAL], Y[CAL])


def test_several_classes_are_refused():
    """Their thresholds depend on each other."""
    y = np.arange(len(X)) % 3
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[FIT], y[FIT])
    with pytest.raises(ValueError, match="tells 3 classes apart; fit one of them"):
        clf.guarantee("recall >= 0.1", X[CAL], y[CAL])


def test_too_few_rows_say_what_they_could_promise(clf):
    """Ten positive rows, all found, allow a recall of 0.1 ** (1 / 10)."""
    rows = np.append(np.flatnonzero(Y[CAL])[:10], np.flatnonzero(Y[CAL] == 0)[:10])
    with pytest.raises(ValueError, match=r"on these 20 rows; recall >= 0.79 could be promised"):
        clf.guarantee("recall >= 0.9", X[CAL][rows], Y[CAL][rows])
    with pytest.raises(ValueError, match="could be promised, or give more rows"):
        clf.guarantee("recall >= 0.9", X[CAL][rows[:1]], Y[CAL][rows[:1]])
