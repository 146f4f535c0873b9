"""Promises: what is tested in which order, and how often that breaks them."""

import json
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import stats

from pseudolinear import ErrorCurve
from pseudolinear.evaluation import (
    Aim,
    Promise,
    count_cells,
    find_cut,
    label_values,
    lower_bounds,
    make_promise,
    order_cuts,
    take_accepted,
)

N_ROWS, N_BINS = 8, 3
BINS = np.tile(np.arange(N_BINS), 2)  # scores of the cells: negative rows, then positive ones
POSITIVE = np.repeat([False, True], N_BINS)
CUTS = np.array([2.5, 1.5, 0.5, -0.5])
AIMS = {  # with how often they are broken at least in the worst population, as bounds are sharp
    "recall >= 0.6": 0.1,
    "precision >= 0.5": 0.1,
    "f1 >= 0.5": 0.1,
    "f2 >= 0.5": 0.02,
    "balanced_accuracy >= 0.4": 0.004,
}


def every_sample():
    """Every way in which a few rows can fall into the cells."""
    falls = combinations_with_replacement(range(2 * N_BINS), N_ROWS)
    return np.array([np.bincount(one, minlength=2 * N_BINS) for one in falls])


def some_populations():
    """Any, and some whose rows with a score are positive as often whatever the score."""
    rng = np.random.default_rng(0)
    bins, share = rng.dirichlet(np.ones(N_BINS), 200), rng.uniform(0.3, 0.5, (200, 1))
    alike = np.hstack([(1 - share) * bins, share * bins])
    return np.vstack([rng.dirichlet(np.ones(2 * N_BINS) / 2, 200), alike])


def curve_of(shares):
    """What a curve of the cells' shares says at the cuts."""
    above = CUTS[:, None] < BINS
    fn = ((POSITIVE & ~above) * shares).sum(axis=1)
    fp = ((~POSITIVE & above) * shares).sum(axis=1)
    return ErrorCurve(fn[:, None], fp[:, None], shares[POSITIVE].sum(keepdims=True), CUTS)


def values_of(aim, shares):
    """The true value at every cut."""
    return label_values(aim.objective, count_shares(shares))


def count_shares(shares):
    curve = curve_of(shares)
    fn, fp, p = curve.fn[:, 0], curve.fp[:, 0], curve.prevalence[0]
    return np.stack([p - fn, fn, fp, 1 - p - fp], axis=1).clip(0)


def count_samples(samples):
    """Cells (tp, fn, fp, tn) of every sample at every cut."""
    above = CUTS[:, None] < BINS
    kinds = (POSITIVE & above, POSITIVE & ~above, ~POSITIVE & above, ~POSITIVE & ~above)
    return np.stack([samples @ kind.T for kind in kinds], axis=-1).astype(float)


@pytest.mark.parametrize("sentence", AIMS)
def test_a_promise_is_broken_no_more_often_than_said(sentence):
    """Computed over all samples of 8 rows, for many populations, whatever the curve forecasts."""
    aim, error, samples = Aim.read(sentence), 0.4, every_sample()
    cells = count_samples(samples)
    bounds = lower_bounds(aim.objective, cells.reshape(-1, 4), error).reshape(len(samples), -1)
    shares = np.array([0.3, 0.15, 0.05, 0.05, 0.15, 0.3])
    populations = some_populations()
    probability = np.array([stats.multinomial(N_ROWS, p).pmf(samples) for p in populations])
    fails = np.array([values_of(aim, p) < aim.least - 1e-12 for p in populations])
    fails = np.column_stack([fails, np.zeros(len(fails), bool)])  # -1: nothing is promised
    for forecast in (shares, shares[::-1]):
        order = order_cuts(aim, curve_of(forecast), N_ROWS, error)
        taken = [take_accepted(aim, c[order], b[order]) for c, b in zip(cells, bounds, strict=True)]
        cuts = np.array([-1 if one is None else order[one] for one in taken])
        broken = (probability * fails[:, cuts]).sum(axis=1)
        assert broken.max() <= error + 1e-9
        assert broken.max() > AIMS[sentence]  # so that the test can fail


@pytest.mark.parametrize("sentence", AIMS)
def test_samples_are_tested_so(sentence):
    """From scores to the cut: count, bound, take."""
    aim, curve = Aim.read(sentence), curve_of(np.array([0.3, 0.15, 0.05, 0.05, 0.15, 0.3]))
    for counts in every_sample()[[300, 900]]:
        rows = np.repeat(np.arange(2 * N_BINS), counts)
        found = find_cut(aim, curve, POSITIVE[rows], BINS[rows].astype(float), 0.4)
        order = order_cuts(aim, curve, N_ROWS, 0.4)
        cells = count_samples(counts[None])[0][order]
        taken = take_accepted(aim, cells, lower_bounds(aim.objective, cells, 0.4))
        assert found.cut == (None if taken is None else order[taken])


@pytest.mark.parametrize("measure", ["f1", "f2", "accuracy", "cohen_kappa", "mcc", "g_mean"])
def test_lower_bounds_hold_as_often_as_said(measure):
    """One-sided, computed over all samples of 10 rows."""
    from evaluation.enumeration import samples

    counts, aim = samples(10), Aim.read(f"{measure} >= 0.5")
    bounds = lower_bounds(aim.objective, counts, 0.15)
    for shares in [(0.3, 0.1, 0.2, 0.4), (0.1, 0.3, 0.05, 0.55), (0.6, 0.05, 0.05, 0.3)]:
        truth = label_values(aim.objective, np.array([shares]))[0]
        probability = stats.multinomial(10, shares).pmf(counts)
        assert probability @ (bounds <= truth + 1e-12) >= 0.85


def simulated(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.25
    return y, rng.normal(size=n) + 1.7 * y


@pytest.fixture(scope="module")
def curve():
    return ErrorCurve.from_scores(*simulated(1500, 0)).outline()


@pytest.mark.parametrize("seed", range(5))
def test_recall_takes_the_highest_threshold_up_to_which_all_are_accepted(curve, seed):
    """By brute force: the binomial test of every threshold up to it rejects less recall."""
    y, s = simulated(400, seed + 1)
    found = find_cut(Aim.read("recall >= 0.85"), curve, y, s, 0.1)
    best = None
    for cut in range(len(curve) - 1, -1, -1):
        hits = int((s[y] > curve.thresholds[cut]).sum())
        test = stats.binomtest(hits, int(y.sum()), 0.85, alternative="greater")
        if test.pvalue > 0.1:
            break
        best = cut
    assert found.cut == best is not None


@pytest.mark.parametrize("seed", range(5))
def test_precision_goes_down_from_the_cut_that_the_curve_forecasts_best(curve, seed):
    """By brute force, with the p-value of the predicted rows at each step."""
    y, s = simulated(600, seed + 1)
    aim = Aim.read("precision >= 0.7")
    found = find_cut(aim, curve, y, s, 0.1)
    start = order_cuts(aim, curve, 600, 0.1)[0]
    best = None
    for cut in range(start, len(curve)):
        flagged = s > curve.thresholds[cut]
        hits, n = int((y & flagged).sum()), int(flagged.sum())
        if not n or stats.binomtest(hits, n, 0.7, alternative="greater").pvalue > 0.1:
            break
        best = cut
    assert found.cut == best


@pytest.mark.parametrize("sentence", ["recall >= 0.8", "precision >= 0.6", "f1 >= 0.5"])
def test_the_order_does_not_depend_on_what_is_promised(curve, sentence):
    """So that the first bound says what could have been promised instead."""
    aim = Aim.read(sentence)
    other = Aim.read(sentence[:-3] + "0.2")
    assert order_cuts(aim, curve, 300, 0.1).tolist() == order_cuts(other, curve, 300, 0.1).tolist()


def test_counts_are_those_of_scores_above_the_threshold():
    """A score on the threshold is not above it."""
    y, s = np.array([True, True, False, False]), np.array([1.0, 2.0, 1.0, 3.0])
    assert count_cells(y, s, np.array([1.0, 0.5])).tolist() == [[1, 1, 1, 1], [2, 0, 2, 0]]


def test_labels_share_the_error(curve):
    """The promise for two labels is that of each alone at half the error."""
    pairs = [simulated(800, seed) for seed in (5, 6)]
    true, scores = (np.stack(columns, axis=1) for columns in zip(*pairs, strict=True))
    aim, names = Aim.read("recall >= 0.8"), np.array(["a", "b", "c"])
    true, scores = np.pad(true, ((0, 0), (0, 1))), np.pad(scores, ((0, 0), (0, 1)))
    promise, cuts = make_promise(aim, {0: curve, 1: curve}, true, scores, names, 0.1)
    alone = [find_cut(aim, curve, y, s, 0.05) for y, s in pairs]
    assert cuts == {k: one.cut for k, one in enumerate(alone)}
    assert [label.bound for label in promise.labels] == [one.bound for one in alone]
    assert promise.left_out == ("c",)


def test_what_could_be_promised_could_be(curve):
    """The value that the refusal names is accepted, and nothing larger."""
    y, s = simulated(200, 3)
    with pytest.raises(ValueError, match=r"No threshold can promise precision >= 0.99") as refusal:
        make_promise(
            Aim.read("precision >= 0.99"), {0: curve}, y[:, None], s[:, None], np.array([1]), 0.1
        )
    value = float(str(refusal.value).split("; precision >= ")[1].split(" ")[0])
    assert find_cut(Aim.read(f"precision >= {value:g}"), curve, y, s, 0.1).cut is not None
    assert find_cut(Aim.read(f"precision >= {value + 0.01:g}"), curve, y, s, 0.1).cut is None


def test_refusals_name_the_labels_that_failed(curve):
    """The first of them, and how many others."""
    y, s = simulated(300, 3)
    true, scores = np.stack([y, y, y], axis=1), np.stack([s, -s, -s], axis=1)
    names = np.array(["fine", "bad", "worse"])
    with pytest.raises(
        ValueError, match=r"recall >= 0.7 for label 'bad' and 1 more at error 0.1 on"
    ):
        make_promise(
            Aim.read("recall >= 0.7"), dict.fromkeys(range(3), curve), true, scores, names, 0.1
        )


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("recall > 0.9", "reads 'measure >= value'"),
        ("recall >= 90%", "reads 'measure >= value'"),
        ("recall", "reads 'measure >= value'"),
        ("", "reads 'measure >= value'"),
        ("recall >= 90", r"must be in \(0, 1\]"),
        ("recall >= 0", r"must be in \(0, 1\]"),
        ("recall >= -0.1", r"must be in \(0, 1\]"),
        ("recall >= 0.9.1", r"must be in \(0, 1\]"),
        ("sensitivity >= 0.9", "Unknown measure 'sensitivity' of a promise; known are recall,"),
        ("roc_auc >= 0.9", "Unknown measure 'roc_auc'"),
        ("f1_macro >= 0.9", "promise each label"),
        ("f1_micro >= 0.9", "promise each label"),
    ],
)
def test_sentences_that_are_none_are_refused(sentence, message):
    """In one sentence that has the form, or the names."""
    with pytest.raises(ValueError, match=message):
        Aim.read(sentence)


def test_a_promise_is_a_text():
    """Not a number or a measure."""
    with pytest.raises(TypeError, match=r"is a text such as 'recall >= 0.9', got float"):
        Aim.read(0.9)


def test_a_promise_is_read_printed_and_counted(curve):
    """In words, as JSON, as a frame and as HTML with names escaped."""
    y, s = simulated(500, 2)
    promise, _ = make_promise(
        Aim.read(" F1≥.50 "), {0: curve}, y[:, None], s[:, None], np.array(["<b>"]), 0.05
    )
    assert isinstance(promise, Promise)
    assert promise.sentence == "f1 >= 0.5"
    assert str(promise).startswith("With probability 95 % over the 500 rows used here, the f1 on")
    assert "Assuming that the rows were drawn alike and independently" in str(promise)
    data = json.loads(json.dumps(promise.to_dict()))
    assert data["labels"][0]["bound"] == promise.labels[0].bound >= 0.5
    assert "&lt;b&gt;" in promise._repr_html_()
    pytest.importorskip("pandas")
    assert promise.frame()["threshold"].tolist() == [promise.labels[0].threshold]
