"""The verb threshold: against brute force over all cuts."""

import json

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_curve, precision_score, recall_score


@pytest.fixture(scope="module")
def scored():
    rng = np.random.default_rng(0)
    y = (rng.random(150) < 0.2).astype(int)
    return y, y + rng.normal(0, 0.8, 150)


@pytest.fixture(scope="module")
def scores(scored, tmp_path_factory):
    pandas = pytest.importorskip("pandas")
    y, score = scored
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    pandas.DataFrame({"y": y, "score": score, "not": 1 - y, "minus": -score}).to_csv(
        path, index=False
    )
    return path


def find(run, scores, *options):
    code, out, _ = run("threshold", scores, "--target", "y", "--score", "score", *options, "--json")
    assert code == 0
    found = json.loads(out)
    return found, found["thresholds"][0]["threshold"]


def test_the_threshold_is_the_best_of_all(run, scored, scores):
    """No other cut has a larger F1, and the expected value is below what these rows give."""
    y, score = scored
    found, threshold = find(run, scores)
    best = max(f1_score(y, score >= cut) for cut in score)
    assert f1_score(y, score >= threshold) == pytest.approx(best)
    assert found["value_here"] == pytest.approx(best)
    assert found["value"] < best
    low, high = found["thresholds"][0]["spread"]
    assert low <= threshold <= high
    assert found["interval"][0] < found["value"] < found["interval"][1]


def test_constraints_hold(run, scored, scores):
    """Precision, recall and budget; and nothing better would keep them."""
    y, score = scored
    precision, recall, _ = precision_recall_curve(y, score)
    _, threshold = find(run, scores, "--min-precision", "0.5")
    assert recall_score(y, score >= threshold) == recall[precision >= 0.5].max()
    _, threshold = find(run, scores, "--min-recall", "0.9")
    assert precision_score(y, score >= threshold) == precision[recall >= 0.9].max()
    _, threshold = find(run, scores, "--budget", "20")
    assert (score >= threshold).sum() <= 20
    twentieth = np.sort(score)[-20]
    assert recall_score(y, score >= threshold) == recall_score(y, score >= twentieth)


def test_prevalence_is_a_population_of_repeated_rows(run, scored, scores):
    """Rows repeated until a tenth of the share is positive give the same threshold."""
    y, score = scored
    share = y.mean()
    population = share / (share + 9 * (1 - share))  # every negative row nine times
    _, threshold = find(run, scores, "--prevalence", str(population))
    repeated = np.repeat(np.arange(len(y)), np.where(y == 1, 1, 9))
    value = {c: f1_score(y[repeated], score[repeated] >= c) for c in score}
    assert f1_score(y[repeated], score[repeated] >= threshold) == pytest.approx(max(value.values()))


def test_several_labels_have_a_threshold_each(run, scored, scores):
    """As many as there are columns."""
    options = ("--target", "y,not", "--score", "score,minus", "--measure", "f1_macro", "--json")
    code, out, _ = run("threshold", scores, *options)
    assert code == 0
    y, score = scored
    for row, truth, own in zip(
        json.loads(out)["thresholds"], (y, 1 - y), (score, -score), strict=True
    ):
        precision, recall, _ = precision_recall_curve(truth, own)
        best = (2 * precision * recall / np.maximum(precision + recall, 1e-9)).max()
        assert f1_score(truth, own >= row["threshold"]) == pytest.approx(best)


@pytest.mark.parametrize(
    ("options", "code", "match"),
    [
        (("--min-recall", "0.9", "--budget", "3"), 2, "exclude each other"),
        (("--prevalence", "2"), 2, "not in the range 0<x<1"),
        (("--budget", "0"), 2, "not in the range x>=1"),
        (("--min-precision", "1.5"), 2, "not in the range 0<x<=1"),
        (("--budget", "10000"), 1, "would flag all"),
    ],
)
def test_what_cannot_be_is_refused(run, scores, options, code, match):
    """In one sentence."""
    found, out, err = run("threshold", scores, "--target", "y", "--score", "score", *options)
    assert (found, out) == (code, "")
    assert match in err


def test_costs_are_numbers_or_columns_of_the_file(run, scored, scores, tmp_path):
    """No other cut is cheaper, with what each row costs in a column."""
    pandas = pytest.importorskip("pandas")
    y, score = scored
    amount = np.random.default_rng(1).lognormal(3, 1, len(y))
    path = tmp_path / "amounts.csv"
    pandas.read_csv(scores).assign(amount=amount).to_csv(path, index=False)
    found, threshold = find(run, path, "--cost-fn", "amount", "--cost-fp", "8")

    def cost(cut):
        flagged = score >= cut
        return np.where(y == 1, ~flagged * amount, flagged * 8.0).mean()

    assert cost(threshold) == pytest.approx(min(cost(cut) for cut in [*score, np.inf]))
    assert found["value_here"] == pytest.approx(-cost(threshold))
    options = ("--target", "y", "--score", "score", "--cost-fn", "2", "--cost-fp", "1")
    code, _, said = run("threshold", path, *options, "--budget", "5")
    assert code == 2
    assert "Costs are a goal of their own" in said
