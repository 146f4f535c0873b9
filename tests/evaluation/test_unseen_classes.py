"""Classes that do not occur in the rows: what is said of a mean over classes holds with them."""

import numpy as np
import pytest
from evaluation.enumeration import coverage, samples

from pseudolinear import MeasureClassifier, evaluate, get_measure
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation import assess


def rows_of(counts):
    """Return classes 0 and 1 with these numbers of (tp, fn, fp, tn)."""
    cells = np.repeat(np.arange(4), counts.astype(int))
    return np.isin(cells, (0, 1)).astype(int), np.isin(cells, (0, 2)).astype(int)


@pytest.mark.parametrize(
    "measure", ["f1_macro", pytest.param("f1_weighted", marks=pytest.mark.slow)]
)
def test_the_exact_interval_over_two_classes_holds_where_one_is_rarely_seen(measure):
    """By enumeration of all samples of eight rows, most of which show one class alone."""
    counts = samples(8)
    ends = np.array([evaluate(*rows_of(c), measure, method="exact").interval for c in counts])
    for shares in ([0.2, 0.1, 0.1, 10], [1, 2, 1, 30], [4, 1, 2, 3]):
        truth = get_measure(measure).score(*rows_of(1000 * np.array(shares)))
        assert coverage(counts, ends, truth, np.divide(shares, np.sum(shares))) >= 0.95


@pytest.mark.parametrize(
    "measure", ["f1_macro", pytest.param("balanced_accuracy", marks=pytest.mark.slow)]
)
def test_the_exact_interval_over_known_classes_holds_where_one_is_never_found(measure):
    """Of three classes the third is rare and always taken for the first: all samples of 6 rows."""
    true, predicted = np.array([0, 1, 2, 0]), np.array([0, 1, 0, 1])
    objective = get_measure(measure).for_classes(3)
    counts, ends = samples(6), []
    for kinds in (np.repeat(np.arange(4), count.astype(int)) for count in counts):
        outcomes = objective.outcomes(true[kinds], predicted[kinds])
        found = assess(outcomes, objective, name="", classes=[0, 1, 2], method="exact")
        ends.append(found.interval)
    for rare in (0.01, 0.1):
        shares = np.array([0.9 - rare, 0.05, rare, 0.05])
        profile = Outcomes.of_classes(true, predicted, range(3)).profile(shares)
        assert coverage(counts, np.array(ends), objective.value(profile), shares) >= 0.95


@pytest.mark.parametrize("method", ["auto", "exact", "delta", "bootstrap"])
def test_a_class_that_none_has_may_have_any_value(method):
    """Of one class in the rows there must be another, so that half of the mean is unknown."""
    z = np.zeros(12, int)
    found = evaluate(z, z, "f1_macro", method=method)
    assert found.value == 1.0
    assert found.interval[0] <= 0.5
    assert found.note.startswith("1 of 2 classes has no row and no prediction")
    assert len(found.labels) == 1


def test_that_all_classes_occur_is_said_where_it_is_not_known():
    """Predictions alone do not tell which classes there are."""
    p = ["x"] * 15 + ["y"] * 15
    for measure in ("f1_macro", "balanced_accuracy"):
        assert "that every class occurs" in evaluate(p, p, measure).assumption
    for measure in ("f1_micro", "accuracy", "cohen_kappa"):
        assert "every class" not in evaluate(p, p, measure).assumption


@pytest.mark.parametrize("method", ["auto", "exact", "bootstrap"])
@pytest.mark.parametrize("measure", ["f1_macro", "balanced_accuracy"])
def test_a_classifier_knows_its_classes(measure, method):
    """Rows without its third class leave a third of the mean open; the value is as ever."""
    rng = np.random.RandomState(0)
    y = rng.choice(3, size=300, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(300, 2)) + 2 * np.eye(3)[y][:, :2]
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:150], y[:150])
    test = X[150:][y[150:] < 2]
    test = test[clf.predict(test) < 2]
    true = np.arange(len(test)) % 2
    found = clf.evaluate(test, true, method=method)
    assert found.value == clf.score(test, true)
    alone = evaluate(true, clf.predict(test), measure, method=method)
    assert found.interval[0] < alone.interval[0] - 0.05
    assert found.interval[1] > alone.interval[1] + 0.05
    assert "1 of 3 classes has no row and no prediction" in found.note
    assert "every class" not in found.assumption
