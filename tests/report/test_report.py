"""The numbers of a report are those of the library and of scikit-learn."""

import json
import re
import shutil
import subprocess
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from report.fits import HOSTILE, binary, multiclass, multilabel
from sklearn.datasets import make_classification
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score, precision_score, recall_score

from pseudolinear import (
    ErrorCurve,
    ErrorProfile,
    FBeta,
    KernelLearner,
    LinearFractional,
    MeasureClassifier,
    RecallAtPrecision,
)
from pseudolinear.report import (
    Cuts,
    Features,
    Headline,
    LabelPart,
    LabelRows,
    Report,
    cuts_per_label,
    error_words,
    label_curves,
    make_page,
    report_on_evidence,
    report_on_rows,
)
from pseudolinear.report._page import page_data


def on_rows(clf, X, y, sample_weight=None, **options):
    """Gather a report on rows with the usual options."""
    return report_on_rows(
        clf, X, y, sample_weight, **({"importance": False, "random_state": 0} | options)
    )


def written(tmp_path, clf, *rows, **options):
    """Write a page and return its text and the data in it."""
    page = clf.report(tmp_path / "report.html", *rows, **options).read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return page, json.loads(data[1])


def test_every_embedded_threshold_has_the_counts_of_its_predictions():
    """A threshold that is read from the page gives the errors that the page states."""
    clf, X, y = binary()
    (label,) = on_rows(clf, X, y).labels
    scores = clf.decision_function(X) * (1 if clf.classes_[1] == "fraud" else -1) + clf.threshold_
    cuts, true = label.cuts, y == "fraud"
    for threshold, fn, fp in zip(cuts.thresholds, cuts.fn, cuts.fp, strict=True):
        flagged = scores >= threshold
        assert (true & ~flagged).sum() == fn
        assert (flagged & ~true).sum() == fp


@pytest.mark.parametrize("case", [binary, multilabel, multiclass])
def test_the_cut_in_use_is_what_is_predicted(case):
    """At the chosen threshold of every label or class, precision and recall are scikit-learn's."""
    clf, X, y = case()
    predicted = clf.decision_.kind.truth(clf.predict(X))
    true = clf.decision_.kind.truth(y)
    for k, label in enumerate(on_rows(clf, X, y).labels):
        profile = label.cuts.profile
        assert profile.recall[0] == pytest.approx(recall_score(true[:, k], predicted[:, k]))
        if predicted[:, k].any():
            precision = precision_score(true[:, k], predicted[:, k])
            assert profile.precision[0] == pytest.approx(precision)
        value = label.measure.value(profile)
        assert value == pytest.approx(f1_score(true[:, k], predicted[:, k]))


def test_moving_the_threshold_of_one_class_is_what_the_page_says():
    """The errors of a class along its threshold are those of predicting with it, others fixed."""
    clf, X, y = multiclass()
    margins = clf.decision_function(X) + clf.threshold_
    for k, label in enumerate(on_rows(clf, X, y).labels):
        for cut in range(0, len(label.cuts.thresholds), 7):
            moved = np.array(clf.threshold_, dtype=float)
            moved[k] = label.cuts.thresholds[cut]
            given = (margins - moved).argmax(axis=1) == k
            assert label.cuts.fn[cut] == ((y == clf.classes_[k]) & ~given).sum()
            assert label.cuts.fp[cut] == ((y != clf.classes_[k]) & given).sum()


def test_confusion_is_scikit_learns():
    """Lines are true classes, columns predicted ones, weights count."""
    clf, X, y = multiclass()
    weight = np.arange(len(y)) % 3
    found = on_rows(clf, X, y, weight).confusion
    wanted = confusion_matrix(y, clf.predict(X), labels=clf.classes_, sample_weight=weight)
    np.testing.assert_allclose(found, wanted)


def test_weights_are_repeated_rows():
    """A row of weight two counts as the same row twice, and one of weight 0 not at all."""
    clf, X, y = binary()
    weight = np.arange(len(y)) % 3
    weighted = on_rows(clf, X, y, weight).labels[0].cuts
    repeated = on_rows(clf, np.repeat(X, weight, axis=0), np.repeat(y, weight)).labels[0].cuts
    np.testing.assert_allclose(weighted.fn, repeated.fn)
    np.testing.assert_allclose(weighted.fp, repeated.fp)
    np.testing.assert_array_equal(weighted.thresholds, repeated.thresholds)


def test_rounded_weights_stay_shares_of_their_total():
    """Of a label that all rows carry, whatever they weigh."""
    weight = np.full(3, 2 / 9)
    curve = ErrorCurve.from_scores([1, 1, 1], [0.1, 0.2, 0.3], weight)
    assert Cuts.of_curve(curve, 1, weight.sum()).profile.prevalence == 1.0


def test_best_values_of_ratios_survive_thinning():
    """The hull is kept, so the page has the largest F-beta of all thresholds, for every beta."""
    rng = np.random.default_rng(0)
    true = rng.random((20_000, 1)) < 0.05
    scores = rng.normal(size=true.shape) + 1.5 * true
    rows = LabelRows(true, scores > 1, scores, np.ones(1), None)
    ((curve, chosen),) = label_curves(rows)
    cuts = Cuts.of_curve(curve, chosen, len(true))
    assert len(cuts.thresholds) <= 500 < cuts.n_possible
    for beta in (0.5, 1, 2, 5):
        best = np.max(FBeta(beta).value(curve))
        tp = cuts.positives - cuts.fn
        f = (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * cuts.fn + cuts.fp)
        assert f.max() == pytest.approx(best)


def test_permutation_importance_is_scikit_learns():
    """On the measure itself, the largest first."""
    clf, X, y = binary()
    features = on_rows(clf, X, y, importance=True, random_state=3).features
    wanted = permutation_importance(clf, X, y, n_repeats=5, random_state=3).importances_mean
    np.testing.assert_allclose(features.weights, np.sort(wanted)[::-1])
    assert features.names[0] == f"column {wanted.argmax()}"


def test_other_measures_are_those_of_the_frontier_and_of_the_rows():
    """Now is what the predictions have; the sweep's best is `frontier_`."""
    clf, X, y = multilabel()
    others = {other.name: other for other in on_rows(clf, X, y).others}
    true, predicted = (clf.decision_.kind.truth(z) for z in (y, clf.predict(X)))
    assert others["f1_macro"].now == pytest.approx(f1_score(true, predicted, average="macro"))
    for name, other in others.items():
        assert other.by_sweep == pytest.approx(clf.frontier_.value(name))
        assert other.by_threshold >= other.now - 1e-12


def test_without_rows_the_page_tells_of_the_validation_rows(tmp_path):
    """Its curve is the chosen candidate's, and it says so."""
    clf, _, _ = binary()
    page, data = written(tmp_path, clf)
    assert "from the validation rows of the fit" in page
    (label,) = data["labels"]
    candidate = clf.sweep_.chosen[0]
    assert label["fn"][label["chosen"]] == round(
        450 * candidate.curve.fn[clf.sweep_.choices[0].cuts[0], 0]
    )
    assert report_on_evidence(clf).headline.value == clf.honest_score_


@pytest.mark.parametrize("case", [binary, multilabel, multiclass])
def test_a_slim_classifier_without_rows_says_what_to_do(case, tmp_path):
    """There are no curves, and one sentence says why."""
    page, data = written(tmp_path, case()[0].slim())
    assert data["labels"] == []
    assert "This classifier was slimmed" in page
    assert written(tmp_path, case()[0].slim(), *case()[1:])[1]["labels"]


@pytest.mark.parametrize("measure", ["mcc", "g_mean", "cohen_kappa", "accuracy"])
def test_other_aims_have_pages(measure, tmp_path):
    """The measure along the threshold is that of the predictions, whether it is a ratio or not."""
    clf, X, y = binary(measure)
    _, data = written(tmp_path, clf, X, y)
    label = on_rows(clf, X, y).labels[0]
    value = label.measure.value(label.cuts.profile)
    assert value == pytest.approx(clf.score(X, y))
    if label.values is not None:
        assert data["labels"][0]["values"][label.cuts.chosen] == pytest.approx(value)


def test_an_aim_without_values_of_single_labels_has_a_page(tmp_path):
    """Factors of their own for several labels give no value to one of them."""
    _, X, y = multilabel()
    Y = multilabel()[0].decision_.kind.truth(y)[:, :2].astype(int)
    measure = LinearFractional(0.6, [-2, 0, -1, 0], 1.6, [-1, 1, -1, 1])
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, Y)
    for rows in ((X[::2], Y[::2]), ()):
        _, data = written(tmp_path, clf, *rows)
        assert [label["ratio"] for label in data["labels"]] == [None, None]


def test_labels_of_one_value_are_left_out_of_the_evidence(tmp_path):
    """They have no model and no threshold; on rows they are there."""
    _, X, y = multilabel()
    Y = multilabel()[0].decision_.kind.truth(y).astype(int)
    Y[:, 2] = 1
    with pytest.warns(UserWarning, match="same value in every row"):
        clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    names = [label["name"] for label in written(tmp_path, clf)[1]["labels"]]
    assert names == ["0", "1", "3", "4", "5", "6", "7"]
    assert len(written(tmp_path, clf, X[::2], Y[::2])[1]["labels"]) == 8


def test_a_portfolio_states_its_members():
    """Weights sum to one over the learners."""
    X, y = binary()[1:]
    clf = MeasureClassifier(effort="fast", random_state=0).fit(X, y)
    learners = report_on_evidence(clf).learners
    assert {row["learner"] for row in learners} == {row["learner"] for row in clf.portfolio_}
    assert sum(row["weight"] for row in learners) == pytest.approx(1)


def test_names_from_data_are_text(tmp_path):
    """Nothing that a name holds ends the data, opens a tag or stops the writing."""
    clf, X, y = multilabel(tuple(HOSTILE))
    page, data = written(tmp_path, clf, X, y, title=HOSTILE[1])
    assert page.count("<script") == 2
    assert {label["name"] for label in data["labels"]} >= set(HOSTILE[:5])
    assert max(len(label["name"]) for label in data["labels"]) == 120


def test_a_thousand_labels_fit_into_two_megabytes():
    """With scores that allow thousands of cuts."""
    rng = np.random.default_rng(0)
    true = rng.random((5000, 50)) < 0.02
    scores = 3 * rng.normal(size=true.shape) + 4 * true
    rows = LabelRows(true, scores > 5, scores, np.full(50, 5.0), None)
    clf = multilabel()[0]
    labels = [
        LabelPart(
            f"a label of a usual length, {i}",
            Cuts.of_curve(curve, chosen, 5000, cuts_per_label(1000)),
            clf._objective.binary(),
            (0.123456, 0.234567),
            0.12345,
            tuple([(0.12345, 0.12345, 500)] * 10),
        )
        for i, (curve, chosen) in enumerate(20 * label_curves(rows))
    ]
    headline = Headline(0.5, (0.4, 0.6), "On 5,000 rows")
    kind = clf.decision_.kind
    report = Report("f1_macro", kind, headline, labels, None, [], [], Features(""), [], [])
    assert len(make_page(report).encode()) < 2_000_000


def test_wrong_use_is_one_sentence(tmp_path):
    """Rows come in pairs, and what needs them says so."""
    clf, X, _ = binary()
    with pytest.raises(ValueError, match="both X and y"):
        clf.report(tmp_path / "page.html", X)
    with pytest.raises(ValueError, match="give X and y"):
        clf.report(tmp_path / "page.html", importance=True)
    assert not list(tmp_path.iterdir())


def test_the_page_says_which_population_thresholds_are_for(tmp_path):
    """Otherwise its held-out values would be taken for those of the training rows."""
    X, y = make_classification(200, weights=[0.7], random_state=0)
    clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    moved = clf.retarget(prevalence=0.02)
    there = moved.report(tmp_path / "there.html").read_text()
    assert "a prevalence of 0.02" in there
    assert "weighted to a prevalence of 0.02" in report_on_evidence(moved).headline.source
    assert "a prevalence of" not in clf.report(tmp_path / "here.html").read_text()


def test_groups_are_compared_on_the_page(tmp_path):
    """With the table and the gaps of evaluate; names are escaped, and rows are needed."""
    X, y = make_classification(400, weights=[0.7], random_state=0)
    clf = MeasureClassifier("linear", random_state=0).fit(X[:200], y[:200])
    by = np.where(X[200:, 0] > 0, "<b>", "other")
    page = clf.report(tmp_path / "page.html", X[200:], y[200:], by=by).read_text()
    found = clf.evaluate(X[200:], y[200:], by=by).by
    assert "How groups compare" in page
    assert "&lt;b&gt;" in page
    assert all(f"{one.evaluation.value:.3f}" in page for one in found.groups)
    assert f"largest gap {found.gap.value:.3f}" in page
    assert "How groups compare" not in clf.report(tmp_path / "a.html", X, y).read_text()
    with pytest.raises(ValueError, match="need rows"):
        clf.report(tmp_path / "b.html", by=by)


def test_the_first_words_are_counts_of_rows():
    clf, X, y = binary()
    flagged, true = clf.predict(X) == "fraud", y == "fraud"
    right, cases = (flagged & true).sum(), true.sum()
    missed = cases - right
    assert on_rows(clf, X, y).headline.words == (
        f"Of {flagged.sum()} flagged rows, {right} are right ({right / flagged.sum():.0%}); "
        f"of {cases} cases, {missed} are missed ({missed / cases:.0%})."
    ).replace("%", " %")


def test_the_first_words_of_classes_are_counts_of_rows():
    clf, X, y = multiclass()
    right = (clf.predict(X) == y).sum()
    words = on_rows(clf, X, y).headline.words
    assert words.startswith(
        f"Of 75 rows, {right} get their right class ({right / 75:.0%}".replace("%", " %")
    )


@pytest.mark.parametrize("case", [binary, multiclass])
def test_of_rows_with_weights_shares_alone_are_said(case):
    """Also where the weights are whole: their sums are no numbers of rows."""
    clf, X, y = case()
    report = on_rows(clf, X, y, np.full(len(y), 3.0))
    assert report.headline.words.startswith("By weight, ")
    assert not page_data(report)["labels"][0]["counted"]


def test_words_agree_with_one_and_with_many():
    one = error_words(ErrorProfile(0.001, 0.0, 0.002), labels=False, total=1000)
    assert one == "Of 1 flagged row, 1 is right (100 %); of 2 cases, 1 is missed (50 %)."
    many = error_words(ErrorProfile(0.1, 0.1, 0.4), labels=True, total=20_000)
    assert many.startswith("Of 8,000 predicted labels, 6,000 are right (75 %); of 8,000 labels, ")


def test_the_page_says_what_python_says():
    """The script has the words once more, for thresholds that are moved."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = (files("pseudolinear.report") / "page" / "numbers.js").read_text(encoding="utf-8")
    cases = [(0.02, 0.05, 0.1), (0.09, 0.0, 0.1), (0.1, 0.0, 0.1), (0.0, 0.0, 0.0), (0.0, 0.0, 0.1)]
    for fn, fp, positives in cases:
        for total in (100, 100_000, None):
            rows = total or 100
            label = {
                "fn": [round(fn * rows)], "fp": [round(fp * rows)],
                "positives": round(positives * rows), "total": rows,
            }  # fmt: skip
            call = f"inWords(errorsAt({json.dumps(label)}, 0), {json.dumps(total is not None)})"
            said = subprocess.run(
                [node, "-e", f"{script}\nconsole.log({call})"],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            words = error_words(ErrorProfile(fn, fp, positives), labels=False, total=total)
            assert said.stdout.strip() == words


def test_the_report_says_that_a_constraint_is_broken():
    clf, X, y = binary(RecallAtPrecision(0.9))
    changed = np.where(np.arange(len(y)) % 2, y, "fine")
    note = "below the 0.9 that was asked for"
    assert note in on_rows(clf, X, changed).headline.note


def test_why_features_have_no_weights_is_said_of_what_was_fitted():
    """A single learner has no members; one that is linear in what columns became has weights."""
    X, y = make_classification(300, random_state=0)
    table = pd.DataFrame(X[:, :3], columns=list("abc"))
    table = table.assign(colour=np.where(X[:, 3] > 0, "red", "blue"))
    single = MeasureClassifier("linear", random_state=0).fit(table, y)
    kernel = MeasureClassifier(KernelLearner(), random_state=0).fit(X, y)
    several = MeasureClassifier(["linear", LogisticRegression()], random_state=0).fit(X, y)
    single, kernel, several = (
        report_on_evidence(c).features.note for c in (single, kernel, several)
    )
    assert "members" not in single + kernel
    assert single.startswith("This classifier weighs numbers, categories and words that were made")
    assert kernel.startswith("This learner has no weights for features; ")
    assert several.startswith("The members of this classifier have no common weights")
