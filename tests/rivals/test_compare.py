"""compare: every method under the same splits."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.metrics import cohen_kappa_score, f1_score, jaccard_score
from sklearn.model_selection import KFold, StratifiedShuffleSplit
from sklearn.multioutput import MultiOutputClassifier

from pseudolinear import (
    METHODS,
    ExpectedCost,
    FBeta,
    Jaccard,
    LinearLearner,
    MeasureClassifier,
    compare,
    evaluate_difference,
    get_measure,
)
from pseudolinear.evaluation import Influences
from pseudolinear.rivals import (
    BisectionClassifier,
    FrankWolfeClassifier,
    GFMClassifier,
    OnlineFClassifier,
    PlugInClassifier,
    SoftFClassifier,
    SVMPerf,
    Task,
    ThresholdStrategy,
)
from pseudolinear.rivals._compare import _ties
from pseudolinear.sweep import Trainer

SEED = int(np.random.RandomState(0).randint(np.iinfo(np.int32).max))  # of random_state=0


def by_name(rows):
    return {row["method"]: row for row in rows}


def by_hand(estimator, X, y, splits, metric):
    """Fit on the training rows of each split; evaluate the held-out rows with scikit-learn."""
    return [metric(y[b], estimator.fit(X[a], y[a]).predict(X[b])) for a, b in splits]


@pytest.fixture(scope="module")
def binary():
    X, y = make_classification(300, weights=[0.85], flip_y=0.05, random_state=0)
    splits = list(StratifiedShuffleSplit(2, test_size=0.4, random_state=0).split(X, y))
    return X, y, splits


@pytest.fixture(scope="module")
def labels():
    X, Y = make_multilabel_classification(120, n_features=8, n_classes=3, random_state=0)
    return X, Y, list(KFold(2).split(X))


@pytest.fixture(scope="module")
def classes():
    X, y = make_classification(200, n_classes=3, n_informative=5, random_state=0)
    return X, y, list(KFold(2).split(X))


def test_values_of_two_classes(binary):
    """Mean and spread over the splits are those of each estimator and scikit-learn's F1."""
    X, y, splits = binary
    made = {
        "threshold": MeasureClassifier(LinearLearner(), cost_sensitive=False, random_state=SEED),
        "plug_in": PlugInClassifier(random_state=SEED),
        "svm_perf": SVMPerf(),
        "soft_f": SoftFClassifier(random_state=SEED),
        "bisection": BisectionClassifier(random_state=SEED),
        "online": OnlineFClassifier(random_state=SEED),
    }
    rows = compare(X, y, methods=list(made), cv=splits, random_state=0)
    assert set(by_name(rows)) == set(made)
    for row in rows:
        expected = by_hand(made[row["method"]], X, y, splits, f1_score)
        assert_allclose(row["value"], np.mean(expected))
        assert_allclose(row["spread"], np.std(expected))
        assert row["seconds"] > 0
        assert row["note"] == ""
    values = [row["value"] for row in rows]
    assert values == sorted(values, reverse=True)


def test_values_of_another_measure(binary):
    """The measure is what is reported, and what is aimed at."""
    X, y, splits = binary
    (row,) = compare(X, y, Jaccard(), methods="plug_in", cv=splits, random_state=0)
    clf = PlugInClassifier(measure="jaccard", random_state=SEED)
    assert_allclose(row["value"], np.mean(by_hand(clf, X, y, splits, jaccard_score)))


def test_values_of_several_labels(labels):
    """Methods for one label are used label by label under the macro average."""
    X, Y, splits = labels
    made = {
        "svm_perf": MultiOutputClassifier(SVMPerf()),
        "gfm": GFMClassifier(parameters="independent", random_state=SEED),
        "rcut": ThresholdStrategy(strategy="rcut", measure="f1_macro", random_state=SEED),
    }
    found = by_name(compare(X, Y, "f1_macro", methods=list(made), cv=splits, random_state=0))
    for name, estimator in made.items():
        expected = by_hand(estimator, X, Y, splits, lambda a, b: f1_score(a, b, average="macro"))
        assert_allclose(found[name]["value"], np.mean(expected))


def test_values_of_several_classes(classes):
    """Frank-Wolfe for the macro average, bisection where a default class is left out."""
    X, y, splits = classes
    rows = compare(X, y, "f1_macro", methods="frank_wolfe", cv=splits, random_state=0)
    clf = FrankWolfeClassifier(measure="f1_macro", random_state=SEED)
    expected = by_hand(clf, X, y, splits, lambda a, b: f1_score(a, b, average="macro"))
    assert_allclose(rows[0]["value"], np.mean(expected))

    measure = FBeta(default_class=0)
    rows = compare(X, y, measure, methods="bisection", cv=splits, random_state=0)
    clf = BisectionClassifier(measure=measure, random_state=SEED)

    def f1_without_default(true, predicted):
        hits = ((true == predicted) & (true != 0)).sum()
        wrong = ((true != 0) & (predicted != true)).sum() + ((true == 0) & (predicted != 0)).sum()
        return 2 * hits / (2 * hits + wrong)

    assert_allclose(rows[0]["value"], np.mean(by_hand(clf, X, y, splits, f1_without_default)))

    rows = compare(X, y, "cohen_kappa", methods="bisection", cv=splits, random_state=0)
    clf = BisectionClassifier(measure="cohen_kappa", random_state=SEED)
    assert_allclose(rows[0]["value"], np.mean(by_hand(clf, X, y, splits, cohen_kappa_score)))


def test_ties_are_the_paired_difference_to_the_best(binary):
    """On one split: what `evaluate_difference` says of the same predictions."""
    X, y, splits = binary
    (train, test), *_ = splits
    made = {"default": MeasureClassifier(random_state=SEED), "svm_perf": SVMPerf()}
    predicted = {k: m.fit(X[train], y[train]).predict(X[test]) for k, m in made.items()}
    best, other = compare(X, y, methods=list(made), cv=splits[:1], random_state=0)
    expected = evaluate_difference(
        y[test], predicted[other["method"]], predicted[best["method"]], "f1"
    )
    assert_allclose(other["below"], expected.value)
    # Rows that were not held out change the number of draws, hardly the interval.
    assert_allclose([other["low"], other["high"]], expected.interval, atol=0.005)
    assert_allclose(other["p_value"], expected.p_value, atol=0.01)
    assert (best["below"], best["p_value"], best["level"]) == (0.0, 1.0, True)


def test_equal_methods_are_level_and_worse_ones_are_not(binary):
    """Ties are no wins: only what chance does not explain is said to be worse."""
    X, y, splits = binary
    rows = by_name(compare(X, y, methods=["linear", "plain", "threshold"], cv=3, random_state=0))
    for row in rows.values():
        assert row["level"] == (row["p_value"] > 0.05)
        assert row["low"] <= row["below"] <= row["high"]
    noise = np.random.RandomState(0).normal(size=X.shape)
    some = compare(noise, y, methods=["linear", "threshold"], cv=splits, random_state=0)
    assert all(row["level"] for row in some)  # there is nothing to be better at


def test_verdicts_and_intervals_agree():
    """Both are for all comparisons with the best together, by Bonferroni: level is 0 within.

    The middle one differs by 2.2 standard errors, which tells one from one, but not one of four.
    """
    rng = np.random.RandomState(0)
    noise = rng.normal(size=400)
    noise /= np.linalg.norm(noise)
    best = Influences(0.9, np.zeros(400))
    others = [Influences(0.9 - k * 0.01, 0.01 * noise) for k in (1.0, 2.2, 2.4, 5.0)]
    failed = None
    first, *rows, last = _ties([best, *others, failed])
    assert [row["level"] for row in rows] == [True, True, True, False]
    assert [row["low"] <= 0 <= row["high"] for row in rows] == [True, True, True, False]
    for row, own in zip(rows, others, strict=True):
        (low, high), p_value = own.compare(best, confidence=1 - 0.05 / 4)
        assert_allclose([row["low"], row["high"]], [low, high])
        assert_allclose(row["p_value"], min(4 * p_value, 1))
    assert (first["low"], first["high"], first["level"]) == (0, 0, True)
    assert np.isnan(last["p_value"])


@pytest.mark.parametrize("method", ["default", "linear", "plain", "threshold"])
@pytest.mark.parametrize("kind", ["binary", "labels"])
def test_solves_are_what_is_trained(method, kind, request, monkeypatch):
    """As many problems as the learners are given: equal ones once, and those of a blend.

    Of a member that is left after the first fold, nothing is kept, so none may be here.
    """
    monkeypatch.setattr("pseudolinear.sweep._bar.ERRORS", np.inf)
    X, y, splits = request.getfixturevalue(kind)
    trained, map_batches = [], Trainer.map_batches

    def counting_map(trainer, function, problems, *args, n_steps):
        trained.extend(n_steps * list(problems))  # a step is a fold, or training on all rows
        return map_batches(trainer, function, problems, *args, n_steps=n_steps)

    monkeypatch.setattr(Trainer, "map_batches", counting_map)
    measure = "f1" if kind == "binary" else "f1_macro"
    (row,) = compare(X, y, measure, methods=method, cv=splits[:1], random_state=0)
    assert row["solves"] == len(trained)


def test_solves_mean_nothing_for_a_rival(binary):
    X, y, splits = binary
    assert compare(X, y, methods="svm_perf", cv=splits, random_state=0)[0]["solves"] is None


class Failing(ClassifierMixin, BaseEstimator):
    """A classifier that cannot be trained, or cannot predict."""

    def __init__(self, error=ValueError, when="fit"):
        self.error = error
        self.when = when

    def fit(self, X, y):
        if self.when == "fit":
            raise self.error("It cannot be fitted.\nDetails follow.")
        return self

    def predict(self, X):
        raise self.error("It cannot predict.\nDetails follow.")


@pytest.mark.parametrize("error", [ValueError, TypeError])
@pytest.mark.parametrize(("when", "note"), [("fit", "be fitted."), ("predict", "predict.")])
def test_a_method_that_fails_has_a_note(binary, monkeypatch, error, when, note):
    """It comes last, without a value, and the others are what they are without it."""
    X, y, splits = binary
    monkeypatch.setitem(METHODS, "failing", lambda task: Failing(error, when))
    alone = compare(X, y, methods="online", cv=splits[:1], random_state=0)
    first, last = compare(X, y, methods=["failing", "online"], cv=splits[:1], random_state=0)
    assert (first["method"], first["value"]) == ("online", alone[0]["value"])
    assert last["method"] == "failing"
    assert last["note"] == f"It cannot {note}"
    assert np.isnan(last["value"])
    assert np.isnan(last["spread"])


ANY = {"default", "linear", "plain", "threshold"}
STRATEGIES = {"scut", "scutfbr", "rcut", "pcut"}
FOR_F = {"svm_perf", "soft_f", "model_combination", "asymmetric_svm"}


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (("f1", "binary", 300), ANY | FOR_F | {"plug_in", "cost_path", "bisection", "online"}),
        (("f1", "binary", 3000), ANY | FOR_F | {"plug_in", "bisection", "online"}),
        (("jaccard", "binary", 300), ANY | {"plug_in", "cost_path", "bisection"}),
        (("f1_macro", "multilabel", 300), ANY | STRATEGIES | FOR_F | {"plug_in", "cost_path"}),
        (
            ("f1_micro", "multilabel", 300),
            ANY | STRATEGIES | {"micro", "plug_in", "soft_f", "model_combination"},
        ),
        (
            ("f1_weighted", "multilabel", 300),
            ANY | STRATEGIES | {"svm_perf", "asymmetric_svm", "plug_in", "cost_path"},
        ),
        (("f1_macro", "multiclass", 300), ANY | {"frank_wolfe"}),
        (("f1_weighted", "multiclass", 300), ANY | {"frank_wolfe"}),
    ],
)
def test_methods_that_apply(task, expected):
    """A method gives None for a task that it is not for; GFM is for F of several labels."""
    measure, kind, n_samples = task
    if kind == "multilabel":
        expected = expected | {"gfm"}
    task = Task(get_measure(measure), kind, n_samples, seed=0)
    assert {name for name, make in METHODS.items() if make(task) is not None} == expected


def test_bisection_is_for_classes_with_a_default():
    for measure, applies in ((FBeta(default_class=0), True), (FBeta(average="micro"), False)):
        task = Task(measure, "multiclass", 300, seed=0)
        assert (METHODS["bisection"](task) is not None) is applies


@pytest.mark.slow
def test_all_takes_what_applies(labels):
    """Every method that applies is fitted, and has a value."""
    X, Y, splits = labels
    rows = compare(X, Y, "f1_micro", cv=splits, random_state=0)
    task = Task(FBeta(average="micro"), "multilabel", len(X), seed=0)
    assert set(by_name(rows)) == {name for name, make in METHODS.items() if make(task) is not None}
    assert [row["note"] for row in rows if np.isnan(row["value"])] == []


def test_rows_of_any_kind(binary):
    """Data frames, sparse matrices and lists are split like arrays."""
    X, y, splits = binary
    options = {"methods": ["plain", "svm_perf"], "cv": splits[:1], "random_state": 0}
    expected = by_name(compare(X, y, **options))
    for kind in (pd.DataFrame, sparse.csr_matrix, sparse.coo_matrix, list):
        found = by_name(compare(kind(X), y, **options))
        for name, row in expected.items():
            assert found[name]["note"] == ""
            assert_allclose(found[name]["value"], row["value"], atol=0.02)


def test_what_does_not_apply_is_refused_by_name():
    """Asked for by name, a method that cannot work says so."""
    X, y = make_classification(60, random_state=0)
    with pytest.raises(ValueError, match="The method 'gfm' is not for FBeta"):
        compare(X, y, methods=["gfm"])
    with pytest.raises(ValueError, match="Unknown method 'svmperf'; known are default, linear"):
        compare(X, y, methods=["svmperf"])


def test_costs_by_row_are_refused():
    """No rival knows them, and a table of failures would say nothing."""
    X, y = make_classification(60, random_state=0)
    rows = pd.DataFrame(X).add_prefix("x")
    with pytest.raises(ValueError, match="costs that are the same for all rows"):
        compare(rows, y, ExpectedCost(fn="x0", fp=1))
