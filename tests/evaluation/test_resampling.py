"""The bootstrap against SciPy's, and the delta method against formulas and repeated draws."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score, f1_score

from pseudolinear import FBeta, evaluate, get_measure
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation import Units
from pseudolinear.evaluation._bootstrap import resampled_values
from pseudolinear.evaluation._delta import standard_error
from pseudolinear.evaluation._label_values import label_gradient
from pseudolinear.evaluation._statistic import statistic_of


def rows(n=150, n_labels=1, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.uniform(size=(n, n_labels)) < 0.3
    return true, true ^ (rng.uniform(size=(n, n_labels)) < 0.2)


def f2(true, predicted, axis=-1):
    hits = (true * predicted).sum(axis)
    return 5 * hits / (4 * true.sum(axis) + predicted.sum(axis))


def mcc(true, predicted, axis=-1):
    both = np.mean(true * predicted, axis) - true.mean(axis) * predicted.mean(axis)
    return both / (true.std(axis) * predicted.std(axis))


@pytest.mark.parametrize("score", [f2, mcc])
def test_bootstrap_is_that_of_scipy(score):
    """BCa over rows; both are random, so nearly."""
    true, predicted = (y[:, 0].astype(int) for y in rows())
    theirs = stats.bootstrap(
        (true, predicted),
        score,
        paired=True,
        n_resamples=3000,
        method="BCa",
        random_state=np.random.RandomState(0),
    ).confidence_interval
    ours = evaluate(true, predicted, score.__name__, method="bootstrap").interval
    assert ours == pytest.approx(theirs, abs=0.02)


def test_counts_of_kinds_and_rows_are_resampled_alike():
    """Kinds of rows are multinomial; drawing rows one by one has the same distribution."""
    outcomes = Outcomes(*rows(400), (1,))
    pairs = [Units.of(outcomes, merge=merge) for merge in (True, False)]
    draws = [
        resampled_values(statistic_of(FBeta(2.0), units, merge=merge))
        for units, merge in zip(pairs, (True, False), strict=True)
    ]
    assert stats.ks_2samp(*draws).pvalue > 0.01


def test_gradient_of_f1_is_the_formula():
    """F1 = 2 tp / (2 tp + fn + fp)."""
    tp, fn, fp, tn = 60.0, 11.0, 23.0, 400.0
    below = 2 * tp + fn + fp
    expected = [2 * (fn + fp) / below**2, -2 * tp / below**2, -2 * tp / below**2, 0.0]
    found = label_gradient(FBeta(), np.array([[tp, fn, fp, tn]]))[0]
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize(
    "measure", ["f2", "mcc", "cohen_kappa", "f1_micro", "f1_macro", "f1_weighted", "g_mean"]
)
@pytest.mark.parametrize("grouped", [False, True])
def test_standard_error_is_that_of_resamples(measure, grouped):
    """The standard deviation over resamples of rows or groups."""
    true, predicted = rows(1500, 3 if "_m" in measure or "_w" in measure else 1)
    groups = np.arange(1500) // 5 if grouped else None
    units = Units.of(Outcomes(true, predicted, ()), groups=groups)
    statistic = statistic_of(get_measure(measure), units)
    error, _ = standard_error(statistic, units.row)
    assert error == pytest.approx(resampled_values(statistic).std(), rel=0.08)


def test_standard_error_of_several_classes():
    """Cohen's kappa over classes is no function of a pair."""
    rng = np.random.RandomState(0)
    true = rng.randint(3, size=800)
    predicted = np.where(rng.uniform(size=800) < 0.3, rng.randint(3, size=800), true)
    result = evaluate(true, predicted, "cohen_kappa")
    assert result.value == pytest.approx(cohen_kappa_score(true, predicted))
    draws = rng.randint(800, size=(300, 800))
    error = np.std([cohen_kappa_score(true[d], predicted[d]) for d in draws])
    assert np.ptp(result.interval) == pytest.approx(2 * 1.96 * error, rel=0.12)


def test_delta_and_wilson_agree_where_rows_are_many():
    """Both are right there."""
    true, predicted = (y[:, 0] for y in rows(20_000))
    both = [evaluate(true, predicted, "f1", method=how).interval for how in ("delta", "wilson")]
    assert both[0] == pytest.approx(both[1], abs=1e-4)
    assert f1_score(true, predicted) == pytest.approx(np.mean(both), abs=2e-3)
