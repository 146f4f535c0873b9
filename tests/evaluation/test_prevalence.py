"""The prevalence of unlabelled rows, from the spread of their scores."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

from pseudolinear import Adaptation, ErrorCurve, LabelAdaptation
from pseudolinear._platt import between_cuts
from pseudolinear.errors import ErrorCurves
from pseudolinear.evaluation import (
    ScoreBins,
    check_shift,
    estimate_by_confusion,
    estimate_by_likelihood,
)


def draw(rng, n, prevalence, shift=1.5):
    y = rng.random(n) < prevalence
    return y, rng.normal(size=n) + shift * (y - 0.5)


def bins_of(rng, n_rows=3000, n_new=1000, trained=0.4, prevalence=0.1, spread=1.0):
    """Gaussian scores, whose log-odds are a line: the calibration is exact."""
    y, scores = draw(rng, n_rows, trained)
    curve = ErrorCurve.from_scores(y, scores).outline()
    log_odds = 1.5 * between_cuts(ErrorCurves.of([curve])).scores + logit(curve.prevalence[0])
    new = draw(rng, n_new, prevalence)[1] * spread
    cut = int(np.argmin(curve.fn[:, 0] + curve.fp[:, 0]))
    return ScoreBins.of(curve, cut, log_odds, new, n_rows, float(y.mean())), curve, new


def test_bins_count_the_rows_between_the_cuts():
    """Flagged bins hold what the threshold flags, of new rows and of both classes."""
    bins, curve, new = bins_of(np.random.default_rng(0))
    cut = int(bins.flagged.sum()) - 1
    assert bins.new @ bins.flagged == pytest.approx(np.mean(new >= curve.thresholds[cut]))
    assert bins.positive @ bins.flagged == pytest.approx(curve.recall[cut, 0])
    p = curve.prevalence[0]
    assert bins.negative @ bins.flagged == pytest.approx(curve.fp[cut, 0] / (1 - p))


def test_the_population_of_a_curve_does_not_matter():
    """Rows of a class are spread alike wherever they are."""
    rng = np.random.default_rng(0)
    bins, curve, new = bins_of(rng)
    moved = curve.at_prevalence(0.02)
    log_odds = 1.5 * between_cuts(ErrorCurves.of([moved])).scores + logit(0.02)
    other = ScoreBins.of(moved, 3, log_odds, new, 3000, bins.trained)
    np.testing.assert_allclose(other.log_ratio, bins.log_ratio)
    assert estimate_by_likelihood(other).value == pytest.approx(estimate_by_likelihood(bins).value)


def test_the_likelihood_is_climbed_to_where_em_goes():
    """Saerens et al. 2002: posteriors, their mean, and again; with one row of the training."""
    bins = bins_of(np.random.default_rng(1))[0]
    theta = bins.trained
    for _ in range(5000):
        posterior = expit(bins.log_ratio + logit(theta))
        theta = (bins.n_new * (bins.new @ posterior) + bins.trained) / (bins.n_new + 1)
    assert estimate_by_likelihood(bins).value == pytest.approx(theta, abs=1e-6)


@pytest.mark.parametrize("theta", [0.01, 0.3, 0.9])
def test_whole_populations_give_the_prevalence_itself(theta):
    """BBSE inverts the rate exactly, and so does the likelihood once the ratios are right."""
    bins = bins_of(np.random.default_rng(2))[0]
    some = bins.positive + bins.negative > 0
    ratio = np.log(np.maximum(bins.positive, 1e-9) / np.maximum(bins.negative, 1e-9))
    exact = replace(bins, new=bins.mixture(theta), n_new=1e9, log_ratio=np.where(some, ratio, 0.0))
    assert estimate_by_confusion(exact).value == pytest.approx(theta)
    assert estimate_by_likelihood(exact).value == pytest.approx(theta, abs=1e-5)
    assert check_shift(exact, theta) > 0.99


def test_intervals_hold_the_prevalence_and_the_likelihood_tells_more():
    """Over draws of both samples, in nine of ten or more; the error of EM is the smaller one."""
    rng = np.random.default_rng(3)
    held, errors = [], []
    for _ in range(200):
        bins = bins_of(rng, 1000, 500)[0]
        found = estimate_by_likelihood(bins), estimate_by_confusion(bins)
        ends = [one.interval(0.95) for one in found]
        held.append([low <= 0.1 <= high for low, high in ends])
        errors.append([one.value - 0.1 for one in found])
    assert (np.mean(held, axis=0) > 0.93).all()
    by_likelihood, by_confusion = np.sqrt(np.mean(np.square(errors), axis=0))
    assert by_likelihood < by_confusion


def test_a_mere_shift_raises_no_alarm_and_other_scores_do():
    """The tolerance keeps false alarms rare; scores of twice the spread are told at once."""
    rng = np.random.default_rng(4)
    plain = [bins_of(rng, 1000, 500)[0] for _ in range(100)]
    wide = [bins_of(rng, 1000, 500, spread=2.0)[0] for _ in range(20)]
    p = [[check_shift(b, estimate_by_likelihood(b).value) for b in own] for own in (plain, wide)]
    assert np.mean(np.array(p[0]) < 0.01) <= 0.01
    assert np.mean(np.array(p[1]) < 0.01) == 1.0


def test_one_row_tells_nearly_nothing():
    """The estimate is between the training prevalence and what the row looks like."""
    bins = bins_of(np.random.default_rng(5), n_new=1)[0]
    found = estimate_by_likelihood(bins)
    assert 0.15 < found.value < 0.75
    assert found.interval(0.95) == (0.0, 1.0)
    assert np.isnan(check_shift(bins, found.value))


def test_scores_that_say_nothing_leave_the_prevalence_open():
    """Where positives and negatives are spread alike, anything is possible."""
    bins = bins_of(np.random.default_rng(6))[0]
    bins = replace(bins, positive=bins.negative, log_ratio=np.zeros_like(bins.log_ratio))
    for found in (estimate_by_likelihood(bins), estimate_by_confusion(bins)):
        assert found.value == bins.trained
        assert found.interval(0.95) == (0.0, 1.0)
    assert np.isnan(check_shift(bins, 0.4))


def test_an_interval_is_the_normal_one():
    """Cut off at 0 and 1."""
    bins = bins_of(np.random.default_rng(7))[0]
    found = estimate_by_likelihood(bins)._replace(value=0.3, error=0.1)
    assert found.interval(0.9) == pytest.approx(
        (0.3 - norm.ppf(0.95) / 10, 0.3 + norm.ppf(0.95) / 10)
    )


def test_an_adaptation_is_read_by_people_and_machines():
    """A few lines, JSON without NaN, and a table."""
    one = LabelAdaptation("spam", 0.4, 0.1, (0.08, 0.12), 0.11, (0.07, 0.15), np.nan)
    other = replace(one, label="ads", p_value=1e-5)
    found = Adaptation((one, other), 0.95, 1000)
    assert found.prevalence == (0.1, 0.1)
    assert "'ads'" in str(found)
    assert "spam   0.4000" in str(found)
    assert found.to_dict()["labels"][0]["p_value"] is None
    assert [row["suspicious"] for row in found.to_dict()["labels"]] == [False, True]
    assert "<td>ads</td>" in found._repr_html_()
    assert "too few rows" in str(Adaptation((one,), 0.95, 2))
    pytest.importorskip("pandas")
    assert found.frame()["label"].tolist() == ["spam", "ads"]
