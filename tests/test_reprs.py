"""Nothing that a fitted classifier or a public function gives floods the screen."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import (
    ErrorCurve,
    ErrorProfile,
    KernelLearner,
    MeasureClassifier,
    best_threshold,
    best_thresholds,
    evaluate,
    evaluate_difference,
)
from pseudolinear._brief import brief_repr
from pseudolinear.evaluation import Adaptation, LabelAdaptation
from pseudolinear.kinds import IterativeKFold
from pseudolinear.thresholds import resampled_threshold

MANY = 300  # labels, of which a naive repr writes all
LINES, CHARACTERS = 6, 400  # scikit-learn's own repr of a pipeline has five


def _fits():
    X, y = make_classification(300, weights=[0.8], random_state=0)
    XM, Y = make_multilabel_classification(100, n_classes=4, random_state=0)
    many = pd.DataFrame(np.tile(Y, MANY // 4), columns=[f"a long label {i}" for i in range(MANY)])
    XC, yc = make_classification(300, n_classes=3, n_informative=6, random_state=0)
    table = pd.DataFrame(X).assign(colour=np.where(X[:, 0] > 0, "red", "blue"))
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    return {
        "portfolio": MeasureClassifier(effort="fast", random_state=0).fit(X, y),
        "trees": MeasureClassifier("boosting", random_state=0).fit(X, y),
        "table": MeasureClassifier("linear", random_state=0).fit(table.rename(columns=str), y),
        "kernel": MeasureClassifier(KernelLearner(), random_state=0).fit(X, y),
        "pipeline": MeasureClassifier(pipeline, random_state=0).fit(X, y),
        "many": MeasureClassifier(
            "linear", measure="f1_micro", cv="holdout", random_state=0
        ).fit(XM, many),
        "macro": MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(XM, Y),
        "classes": MeasureClassifier(
            measure="f1_macro", effort="fast", random_state=0
        ).fit(XC, yc),
    }  # fmt: skip


def _ours(root):
    """Find all objects of the package that can be reached by attributes, lists and dicts."""
    waiting, seen, found = [root], set(), {}
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, list | tuple):
            waiting += one[:20]
        elif isinstance(one, dict):
            waiting += list(one.values())[:20]
        if type(one).__module__.startswith("pseudolinear"):
            found.setdefault(type(one), []).append(one)
            waiting += list(getattr(one, "__dict__", {}).values())
    return found


@pytest.fixture(scope="module")
def fits():
    return _fits()


@pytest.mark.slow
def test_no_repr_of_a_fit_is_longer_than_a_few_lines(fits):
    for clf in fits.values():
        given = [clf, clf.certificate_, clf.certificate_.statements, clf.summary()]
        if clf.decision_.kind.separable:
            given.append(clf.frontier_)
        for own in _ours(given).values():
            for one in own[:50]:
                text = repr(one)
                assert len(text) <= CHARACTERS, type(one)
                assert text.count("\n") < LINES, type(one)


def test_what_people_look_at_is_one_line(fits):
    """And says what it holds: here by the numbers of the sweep."""
    clf = fits["macro"]
    sweep, n_candidates = clf.sweep_, len(clf.sweep_)
    assert f"4 labels, {n_candidates} candidates at 16 levels, 3 folds" in repr(sweep)
    assert f"{clf.best_score_:.4f}" in repr(sweep)
    for one in (sweep, clf.decision_, clf.frontier_, clf.certificate_, sweep.choices[0]):
        assert "\n" not in repr(one)
    assert "\n" not in repr(sweep.choices[0].candidates[0])


def test_results_of_public_functions_are_short():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 2, 5000), rng.normal(size=5000)
    Y, scores = rng.integers(0, 2, (200, 50)), rng.normal(size=(200, 50))
    curve = ErrorCurve.from_scores(y, score)
    results = [curve, curve.profile(3), best_threshold(y, score)]
    results += [best_thresholds(Y, scores, "f1_macro"), ErrorProfile.from_labels(Y, Y)]
    results.append(resampled_threshold(Y, scores, "f1_macro", n_resamples=3, random_state=0))
    assert repr(curve).startswith(f"<ErrorCurve: {len(curve)} cuts")
    for one in results:
        assert "\n" not in repr(one)
        assert len(repr(one)) <= CHARACTERS


def test_results_of_evaluations_are_one_short_line():
    """A value, its interval and the number of rows; all else is printed."""
    y, one, other = [1, 1, 1, 0, 0, 0] * 20, [1, 0, 0, 0, 0, 1] * 20, [1, 1, 0, 0, 0, 1] * 20
    found = evaluate(y, other, "f1", by=["a", "b", "b"] * 40)
    assert repr(found) == "<Evaluation: f1 0.667, 95 % interval 0.564 to 0.755, 120 rows>"
    assert repr(found.by) == "<GroupEvaluations: f1 of 2 groups by group>"
    labels = evaluate(np.array([y, y]).T, np.array([one, other]).T, "f1_macro")
    assert repr(labels).endswith(", 120 rows, 2 labels>")
    difference = repr(evaluate_difference(y, one, other, "f1"))
    assert difference.startswith(
        "<Difference: f1 0.400 and 0.667: difference +0.267, 95 % interval"
    )
    assert difference.endswith(", 120 rows>")
    for own in _ours([found, labels]).values():
        assert max(len(repr(one)) for one in own) <= CHARACTERS


def test_an_adaptation_is_one_short_line():
    own = LabelAdaptation("spam", 0.4, 0.1, (0.08, 0.12), 0.11, (0.07, 0.15), 0.5)
    one = repr(Adaptation((own,), 0.95, 2000))
    assert one == "<Adaptation: prevalence 0.1000, 95 % interval 0.0800 to 0.1200, 2000 rows>"
    odd = dataclasses.replace(own, p_value=1e-5)
    several = repr(Adaptation((own, odd), 0.95, 2000))
    assert several == (
        "<Adaptation: prevalences of 2 labels, 95 % intervals, 2000 rows, 1 suspicious>"
    )


def test_what_is_shortened_keeps_its_brackets():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 2, 500), rng.normal(size=500)
    cut = resampled_threshold(y, score, n_resamples=3, random_state=0)
    assert repr(cut).startswith("ResampledCut(cut=Cut(...), expected=0.")

    @dataclasses.dataclass
    class Holder:
        it: object
        __repr__ = brief_repr

    long = "a" * 100
    texts = {
        "Holder(it=Cut(...))": cut.cut,
        "Holder(it=<2 entries>)": [long, long],
        f"Holder(it='{'a' * 55}...')": long,
        "Holder(it=LogisticRegression(...))": LogisticRegression(
            C=0.1, max_iter=12, tol=0.01, random_state=0
        ),
        "Holder(it=<Odd>)": type("Odd", (), {"__repr__": lambda self: f"<{long}>"})(),
    }
    for text, it in texts.items():
        assert repr(Holder(it)) == text


def test_folds_are_written_as_they_are_made():
    assert repr(IterativeKFold(3)) == "IterativeKFold(n_splits=3, random_state=None)"
    assert repr(IterativeKFold(5, random_state=1)) == "IterativeKFold(n_splits=5, random_state=1)"
