"""compare: every method under the same splits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedShuffleSplit

from pseudolinear import FBeta, MeasureClassifier, compare

QUICK = ["default", "plain", "threshold", "plug_in", "svm_perf", "soft_f", "online", "bisection"]


def test_values_are_those_of_the_held_out_rows():
    """What it says of the default is what a fit and scikit-learn's F1 give."""
    X, y = make_classification(400, weights=[0.85], flip_y=0.05, random_state=0)
    splits = list(StratifiedShuffleSplit(2, test_size=0.4, random_state=0).split(X, y))
    rows = compare(X, y, methods=QUICK, cv=splits, random_state=0)
    values = [row["value"] for row in rows]
    assert values == sorted(values, reverse=True)
    by_name = {row["method"]: row for row in rows}
    assert set(by_name) == set(QUICK)
    seed = int(np.random.RandomState(0).randint(np.iinfo(np.int32).max))
    expected = []
    for train, test in splits:
        clf = MeasureClassifier(random_state=seed).fit(X[train], y[train])
        expected.append(f1_score(y[test], clf.predict(X[test])))
    assert_allclose(by_name["default"]["value"], np.mean(expected))
    assert_allclose(by_name["default"]["spread"], np.std(expected))
    assert by_name["default"]["solves"] == 16 * 3 + 1
    assert all(row["seconds"] > 0 and not row["note"] for row in rows)


@pytest.mark.parametrize(
    ("measure", "present", "absent"),
    [
        ("f1_macro", {"scut", "svm_perf", "gfm", "cost_path"}, {"micro", "online", "frank_wolfe"}),
        ("f1_micro", {"micro", "soft_f", "plug_in"}, {"svm_perf", "cost_path", "bisection"}),
    ],
)
def test_all_takes_what_applies(measure, present, absent):
    """Methods for one label are used label by label where the average allows."""
    X, Y = make_multilabel_classification(120, n_features=8, n_classes=3, random_state=0)
    rows = compare(X, Y, measure, cv=2, random_state=0)
    names = {row["method"] for row in rows}
    assert present <= names
    assert not absent & names
    assert {"default", "auto", "plain"} <= names
    assert [row["note"] for row in rows if np.isnan(row["value"])] == []


def test_classes_have_methods_of_their_own():
    """Frank-Wolfe for the macro average, bisection with a default class."""
    X, y = make_classification(200, n_classes=3, n_informative=5, random_state=0)
    rows = compare(X, y, "f1_macro", methods=["default", "frank_wolfe"], cv=2, random_state=0)
    assert all(0 < row["value"] <= 1 for row in rows)
    measure = FBeta(default_class=0)
    rows = compare(X, y, measure, methods=["default", "bisection"], cv=2, random_state=0)
    assert all(0 < row["value"] <= 1 for row in rows)


def test_what_does_not_apply_is_refused_by_name():
    """Asked for by name, a method that cannot work says so."""
    X, y = make_classification(60, random_state=0)
    with pytest.raises(ValueError, match="The method 'gfm' is not for FBeta"):
        compare(X, y, methods=["gfm"])
    with pytest.raises(ValueError, match="Unknown method 'svmperf'; known are default, auto"):
        compare(X, y, methods=["svmperf"])
