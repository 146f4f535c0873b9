"""What a fitted classifier prints of itself."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, precision_score, recall_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import MeasureClassifier, RecallAtPrecision
from pseudolinear.report import Summary
from pseudolinear.report._making import learner_rows
from pseudolinear.report._sparkline import sparkline

BAD = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def data():
    return make_classification(600, weights=[0.85], flip_y=0.05, random_state=0)


@pytest.fixture(scope="module")
def fits(data):
    """One classifier of every kind that a summary speaks of."""
    X, y = data
    XM, Y = make_multilabel_classification(200, n_classes=8, random_state=0)
    XC, yc = make_classification(300, n_classes=3, n_informative=6, random_state=0)
    named = pd.DataFrame(Y, columns=[BAD, *"abcdefg"])
    frozen = FrozenEstimator(LogisticRegression().fit(X[:300], y[:300]))
    made = {
        "portfolio": MeasureClassifier(effort="fast", random_state=0).fit(X, y),
        "linear": MeasureClassifier("linear", random_state=0).fit(X, y),
        "macro": MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(XM, named),
        "micro": MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(XM, Y[:, :3]),
        "classes": MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(XC, yc),
        "constraint": MeasureClassifier(
            "linear", measure=RecallAtPrecision(0.8), random_state=0
        ).fit(X, y),
        "published": MeasureClassifier.published(random_state=0).fit(X, y),
        "prefit": MeasureClassifier(frozen).fit(X[300:], y[300:]),
    }
    made["slim"] = made["portfolio"].slim()
    made["slim macro"] = made["macro"].slim()
    made["retargeted"] = made["portfolio"].retarget("f2")
    return made


def test_retargeting_without_rows_tries_no_further_models(fits):
    """Thresholds are all that was chosen; "1 candidate" would be no count of anything."""
    assert "candidate" in fits["portfolio"].summary().tried
    assert fits["retargeted"].summary().tried == (
        "other thresholds alone; the models are those of the fit"
    )


def test_a_summary_is_about_ten_aligned_lines(fits):
    for clf in fits.values():
        title, *lines = str(clf).splitlines()
        assert title.startswith("MeasureClassifier for ")
        assert 5 <= len(lines) <= 13
        assert max(map(len, lines)) <= 88
        assert all(line[10] == " " and line[11] != " " for line in lines)
        assert str(clf) == str(clf.summary())


def test_values_are_those_of_the_classifier(fits):
    for name, clf in fits.items():
        summary = clf.summary()
        assert summary.value == clf.best_score_
        assert summary.honest_value == getattr(clf, "honest_score_", None)
        assert (summary.honest_value is None) == (name in ("constraint", "published", "prefit"))


def test_precision_and_recall_are_scikit_learns(data, fits):
    """Of a prefit classifier, the rows of the fit are those that the summary speaks of."""
    X, y = (part[300:] for part in data)
    clf = fits["prefit"]
    precision, recall = (f(y, clf.predict(X)) for f in (precision_score, recall_score))
    text = f"on the rows of this fit, precision {precision:.3f}, recall {recall:.3f}"
    assert clf.summary().value_of == text


def test_classes_have_their_recall_and_the_accuracy():
    X, y = make_classification(300, n_classes=3, n_informative=6, random_state=0)
    names = np.array(["c", "a", "b"])[y]
    frozen = FrozenEstimator(LogisticRegression().fit(X, names))
    clf = MeasureClassifier(frozen, measure="f1_macro").fit(X, names)
    predicted = clf.predict(X)
    recalls = dict(zip("abc", recall_score(names, predicted, average=None), strict=True))
    assert dict(clf.summary().labels) == pytest.approx(recalls)
    assert f"accuracy {accuracy_score(names, predicted):.3f}" in str(clf)


def test_best_and_worst_labels_are_named_not_all(fits):
    """Eight labels: the three at either end, with the values that the sweep lists."""
    clf = fits["macro"]
    values = {row["label"]: row["value"] for row in clf.sweep_.labels()}
    ordered = sorted(values, key=lambda label: -values[label])
    assert [label for label, _ in clf.summary().labels] == ordered
    lines = dict(clf.summary().lines())
    for subject, labels in (("best", ordered[:3]), ("worst", ordered[-3:])):
        assert lines[subject] == ", ".join(f"{k} {values[k]:.3f}" for k in labels) + " (F1)"
    middle = f"{ordered[4]} {values[ordered[4]]:.3f}"
    assert middle not in str(clf)


def test_weights_of_a_blend_sum_to_one(fits):
    clf = fits["portfolio"]
    weights = [share.weight for share in clf.models_[0].shares]
    assert sum(weights) == pytest.approx(1)
    for share in clf.models_[0].shares:
        name = clf.portfolio_[share.member]["learner"]
        assert f"{name} {100 * share.weight:.0f} %" in clf.summary().chosen


def test_time_is_shared_among_its_steps():
    known = {"measure": "F1", "problem": "", "chosen": "", "threshold": "", "value": 0.5}
    known |= {"value_of": "", "honest_value": 0.4, "honest_interval": (0.3, 0.5), "labels": ()}
    known |= {"label_value": "", "certificate": "", "tried": ""}
    steps = (("reading", 0.1), ("linear", 2.0), ("boosting", 5.9), ("training", 0.2))
    lines = dict(Summary(timings=steps, **known).lines())
    assert lines["time"] == "8.2 s, of which boosting 5.9 s, linear 2.0 s"
    assert lines["expected"] == "0.4000 on new rows, 95 % interval 0.3000 to 0.5000"


def test_to_dict_is_json(fits):
    for clf in fits.values():
        told = json.loads(json.dumps(clf.summary().to_dict()))
        assert told["value"] == clf.best_score_
        assert len(told["labels"]) == len(clf.summary().labels)


def test_repr_is_the_constructor_and_before_fit_so_is_print(fits):
    """Also inside pipelines; the summary belongs to a fitted one alone."""
    unfitted = MeasureClassifier("linear", random_state=0)
    assert str(unfitted) == repr(unfitted) == repr(fits["linear"])
    with pytest.raises(NotFittedError):
        unfitted.summary()
    pipeline = make_pipeline(StandardScaler(), fits["linear"])
    assert "MeasureClassifier(estimator='linear', random_state=0)" in repr(pipeline)


class _Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.seen = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)


def test_notebooks_show_scikit_learns_diagram_and_the_summary(fits):
    with config_context(display="diagram"):
        plain = MeasureClassifier("linear")._repr_html_()
        assert "sk-top-container" in plain
        assert "pl-summary" not in plain
        for name, clf in fits.items():
            page = clf._repr_html_()
            assert "sk-top-container" in page
            assert clf._repr_mimebundle_()["text/html"].count('pl-summary"') == 1
            assert ("svg" in _Tags(page).seen) == (not name.startswith("slim"))
            assert f"{clf.best_score_:.4f}" in page


def test_names_from_data_are_escaped(fits):
    """A label called as a script is text, in the summary and in the picture."""
    summary = replace(fits["macro"].summary(), measure=BAD, labels=((BAD, 0.5),))
    page = summary._repr_html_()
    assert "script" not in _Tags(page).seen
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2
    assert "script" not in _Tags(sparkline([0, 1], [0, 1], BAD, BAD)).seen
    tags = _Tags(fits["macro"]._repr_html_()).seen
    assert tags.count("script") == _Tags(fits["linear"]._repr_html_()).seen.count("script")


def test_the_picture_marks_the_chosen_threshold(fits):
    """The circle is on the line, at its highest point where the largest value was chosen."""
    clf = fits["linear"]
    picture = clf.summary().picture
    points = picture.split('points="')[1].split('"')[0].split()
    heights = [float(point.split(",")[1]) for point in points]
    assert len(points) == len(clf.sweep_.choices[0].candidates[0].curve)
    circle = float(picture.split('cy="')[1].split('"')[0])
    assert circle in heights
    assert circle <= min(heights) + 2  # a smoothed curve may be cut beside the top


def test_numbers_of_members_are_shown_where_they_tell_them_apart(data):
    X, y = data
    two = [LogisticRegression(C=0.01), LogisticRegression(C=10.0)]
    named = MeasureClassifier(["linear", two[0]], random_state=0).fit(X, y)
    alike = MeasureClassifier(two, random_state=0).fit(X, y)
    assert "LogisticRegression-" not in str(named)
    assert [row["learner"] for row in learner_rows(named)][1] == "LogisticRegression"
    assert [row["learner"] for row in learner_rows(alike)] == [
        "LogisticRegression-0", "LogisticRegression-1"
    ]  # fmt: skip
    assert named.portfolio_[1]["learner"] == "LogisticRegression-1"  # as best_params_ has it


def test_labels_that_end_in_digits_are_set_apart_from_their_values(fits):
    summary = replace(fits["micro"].summary(), labels=((3, 0.8351), (0, 0.8242)))
    assert dict(summary.lines())["each"] == "3: 0.835, 0: 0.824 (F1)"
    words = replace(summary, labels=(("a", 0.8351), ("b", 0.8242)))
    assert dict(words.lines())["each"] == "a 0.835, b 0.824 (F1)"


def test_steps_that_took_no_time_are_not_named(fits):
    def shown(*timings):
        return dict(replace(fits["linear"].summary(), timings=timings).lines())["time"]

    assert shown(("reading", 0.01), ("LinearLearner-0", 0.24)) == (
        "0.2 s, of which LinearLearner 0.2 s"
    )
    assert shown(("reading", 0.01), ("linear", 0.02)) == "0.0 s"
    assert shown(("reading", 0.4), ("linear", 20.0)) == "20.4 s, of which linear 20.0 s"
