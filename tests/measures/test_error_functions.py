"""Matthews' correlation and the geometric mean: scikit-learn's values, and the best cuts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import matthews_corrcoef, recall_score

from pseudolinear import (
    CohenKappa,
    ErrorCurve,
    ErrorProfile,
    GeometricMean,
    MatthewsCorrelation,
    RecallAtPrecision,
    best_threshold,
    get_measure,
)
from pseudolinear.thresholds import label_curve

SEEDS = st.integers(0, 2**32 - 1)


def g_mean(true, pred, sample_weight=None):
    """Return the geometric mean of the recalls by scikit-learn."""
    recalls = recall_score(
        true, pred, average=None, labels=[0, 1], sample_weight=sample_weight, zero_division=0
    )
    return np.sqrt(recalls.prod())


PEERS = {"mcc": matthews_corrcoef, "g_mean": g_mean}


def scored(seed):
    """Draw labels of both values, tied scores that know a little of them, and weights."""
    rng = np.random.default_rng(seed)
    y = np.append(rng.random(rng.integers(2, 40)) < rng.uniform(0.05, 0.95), [False, True])
    score = np.round(rng.normal(size=y.size) + rng.uniform(-0.5, 2) * y, rng.integers(0, 3))
    return y, score, rng.integers(0, 4, y.size) + (np.arange(y.size) >= y.size - 2)


@pytest.mark.parametrize("name", PEERS)
@given(seed=SEEDS, weighted=st.booleans())
def test_values_equal_scikit_learn(name, seed, weighted):
    """Of two classes, with and without weights, also where one class is never predicted."""
    y, score, weight = scored(seed)
    weight = weight if weighted else None
    pred = score > np.median(score)
    theirs = PEERS[name](y, pred, sample_weight=weight)
    assert get_measure(name).score(y, pred, weight) == pytest.approx(theirs, abs=1e-7)
    names = np.array(["spam", "ham"])  # whichever class is the positive one
    ours = get_measure(name).score(names[y.astype(int)], names[pred.astype(int)], weight)
    assert ours == pytest.approx(theirs, abs=1e-7)


@pytest.mark.parametrize("name", PEERS)
@given(seed=SEEDS)
def test_several_labels_have_the_mean(name, seed):
    """Each label on its own."""
    rng = np.random.default_rng(seed)
    true, pred = rng.random((2, 15, 3)) < 0.4
    theirs = np.mean([PEERS[name](*columns) for columns in zip(true.T, pred.T, strict=True)])
    assert get_measure(name).score(true, pred) == pytest.approx(theirs, abs=1e-7)


@pytest.mark.parametrize("name", PEERS)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_threshold_is_the_best_of_all(name, seed):
    """Every cut between two scores is looked at."""
    y, score, weight = scored(seed)
    every = [score >= theta for theta in [np.inf, *np.unique(score)]]
    best = max(PEERS[name](y, pred, sample_weight=weight) for pred in every)
    assert best_threshold(y, score, get_measure(name), weight).value == pytest.approx(
        best, abs=1e-7
    )


@given(seed=SEEDS)
def test_best_matthews_correlation_is_on_the_hull(seed):
    """Sets of smaller values are convex where it is positive, so a vertex is the best."""
    curve = ErrorCurve.from_scores(*scored(seed))
    values = MatthewsCorrelation().of_labels(curve)[:, 0]
    assert values[curve.hull()].max() == pytest.approx(values.max(), abs=1e-7)


def test_best_geometric_mean_need_not_be_on_the_hull():
    """Recalls of 0.69 in both classes beat (1, 0.4) and (0.4, 1), but lie above their segment."""
    recalls = np.array([[0.0, 1.0], [0.4, 1.0], [0.69, 0.69], [1.0, 0.4], [1.0, 0.0]])
    fn, fp = 0.5 * (1 - recalls.T)
    curve = ErrorCurve(fn[:, None], fp[:, None], [0.5], np.arange(5.0)[::-1])
    assert GeometricMean().choose(curve) == (2, pytest.approx(0.69))
    assert 2 not in curve.hull()


@pytest.mark.parametrize(
    "objective", [MatthewsCorrelation(), GeometricMean(), RecallAtPrecision(0.5)], ids=repr
)
@given(seed=SEEDS)
def test_candidates_keep_the_best_cut(objective, seed):
    """On the outline or not, so that the choice among candidates is over all cuts."""
    rng = np.random.default_rng(seed)
    y = rng.random(500) < rng.uniform(0.05, 0.95)
    score = rng.normal(size=500) + y
    kept = label_curve(y.astype(np.intp), score, None, objective)
    best = best_threshold(y, score, objective)
    assert objective.choose(kept)[1] == pytest.approx(best.value, abs=1e-12)
    assert len(kept) < 120


@given(p=st.floats(0.05, 0.95), share=st.floats(0.0, 0.9))
def test_kappa_is_the_relative_of_matthews_correlation(p, share):
    """Where as many positives are predicted as there are, value and gradient agree."""
    error = share * min(p, 1 - p)
    step = 1e-6

    def values(fn, fp):
        profile = ErrorProfile([fn], [fp], [p])
        return MatthewsCorrelation().value(profile), CohenKappa().value(profile)

    at = values(error, error)
    assert at[0] == pytest.approx(at[1], abs=1e-9)
    for move in ((step, 0.0), (0.0, step)):
        ours, relative = np.subtract(values(error + move[0], error + move[1]), at) / step
        assert ours == pytest.approx(relative, rel=1e-3, abs=1e-3)


def test_three_classes_are_refused():
    """Both are for two classes, or several labels."""
    with pytest.raises(ValueError, match=r"MatthewsCorrelation\(\) is for two classes, got 3"):
        get_measure("mcc").score([0, 1, 2], [0, 1, 2])
