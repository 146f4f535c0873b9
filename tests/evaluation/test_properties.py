"""What holds of any rows: intervals, differences, populations and promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudolinear import ErrorCurve, FBeta, evaluate, evaluate_difference, get_measure
from pseudolinear.evaluation import Aim, lower_bounds

MEASURES = ["f1", "f2", "jaccard", "accuracy", "balanced_accuracy", "cohen_kappa", "mcc", "recall"]
rows = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)
classes = st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=30)
measures, methods = st.sampled_from(MEASURES), st.sampled_from(["auto", "exact", "delta"])


def columns(pairs):
    return (np.array(one) for one in zip(*pairs, strict=True))


@given(rows, measures, methods)
def test_an_interval_holds_its_value_and_grows_with_the_confidence(pairs, measure, method):
    """Within what is possible, for any rows, and whatever their order."""
    y, p = (one.astype(int) for one in columns(pairs))
    found, longer = (evaluate(y, p, measure, method=method, confidence=c) for c in (0.8, 0.99))
    (low, high), (lowest, highest) = found.interval, longer.interval
    least = -1.0 if measure in ("cohen_kappa", "mcc") else 0.0
    assert least <= lowest <= low + 1e-9
    assert low <= found.value <= high
    assert high - 1e-9 <= highest <= 1.0 + 1e-9
    turned = evaluate(y[::-1], p[::-1], measure, method=method, confidence=0.8)
    assert turned.interval == pytest.approx(found.interval)


@given(classes, st.sampled_from(["f1_macro", "f1_weighted", "balanced_accuracy"]), methods)
def test_a_mean_over_classes_holds_its_value(pairs, measure, method):
    """Also where classes are missing; the names do not matter."""
    y, p = columns(pairs)
    if measure == "balanced_accuracy" and len({*y, *p}) < 3:
        return  # of two classes: see above
    found = evaluate(y, p, measure, method=method)
    assert 0.0 <= found.interval[0] <= found.value <= found.interval[1] <= 1.0 + 1e-9
    names = {"a": 7, "b": 3, "c": 5}
    other = evaluate([names[one] for one in y], [names[one] for one in p], measure, method=method)
    assert other.interval == pytest.approx(found.interval)


@given(rows, st.lists(st.booleans(), min_size=40, max_size=40), st.sampled_from(["f1", "f2"]))
def test_a_difference_the_other_way_is_its_negative(pairs, other, measure):
    """Of value and interval; the p-value is the same."""
    y, p = (one.astype(int) for one in columns(pairs))
    q = np.array(other[: len(y)]).astype(int)
    one, turned = (evaluate_difference(y, *both, measure) for both in ((p, q), (q, p)))
    assert one.value == -turned.value
    assert one.interval == pytest.approx((-turned.interval[1], -turned.interval[0]))
    assert one.p_value == pytest.approx(turned.p_value)
    assert -1 <= one.interval[0] <= one.value <= one.interval[1] <= 1


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=4, max_size=40),
    st.floats(0.01, 0.99),
    st.sampled_from(["f1", "cohen_kappa", "balanced_accuracy"]),
)
def test_another_prevalence_is_rows_of_other_weights(pairs, prevalence, measure):
    """At every threshold of a score."""
    y, score = columns([(True, 5), (False, 5), *pairs])
    curve = ErrorCurve.from_scores(y, score.astype(float)).at_prevalence(prevalence)
    weight = np.where(y, prevalence / y.mean(), (1 - prevalence) / (1 - y.mean()))
    values = get_measure(measure).value(curve)
    for threshold, value in zip(curve.thresholds, values, strict=True):
        flagged = score >= threshold
        assert value == pytest.approx(get_measure(measure).score(y, flagged, weight), abs=1e-9)


@given(
    st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=5),
    st.sampled_from(["recall >= 0.5", "precision >= 0.5", "f1 >= 0.5", "f2 >= 0.5"]),
    st.floats(0.01, 0.4),
)
def test_what_is_promised_is_below_what_was_seen(counts, sentence, error):
    """And falls as less error is allowed."""
    cells, aim = np.array(counts, float), Aim.read(sentence)
    bounds, careful = (lower_bounds(aim.objective, cells, own) for own in (error, error / 4))
    ratio = aim.objective if sentence[0] in "rp" else None
    values = [
        ratio.value(one) if ratio else FBeta(float(sentence[1])).of_masses(
            one[1], one[2], one[0] + one[1], one[2] + one[3]
        )
        for one in cells
    ]  # fmt: skip
    assert (careful <= bounds + 1e-9).all()
    assert (bounds <= np.array(values) + 1e-9).all()
