"""Measures: their coefficients, scikit-learn's values, their names and what they refuse."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    fbeta_score,
    jaccard_score,
)

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    ErrorProfile,
    FBeta,
    FBetaOverLabels,
    Jaccard,
    LinearFractional,
    Tversky,
    WeightedAccuracy,
    best_thresholds,
    evaluate,
    get_measure,
)

BINARY = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=25
).filter(lambda rows: any(w for _, _, w in rows))
CLASSES = st.lists(
    st.tuples(st.sampled_from("abO"), st.sampled_from("abO"), st.integers(1, 3)),
    min_size=2,
    max_size=25,
)
SEEDS = st.integers(0, 2**32 - 1)


def columns(rows, weighted):
    true, pred, weight = (np.array(column) for column in zip(*rows, strict=True))
    return true, pred, weight if weighted else None


@given(p=st.floats(0.01, 0.99))
def test_kappa_costs_are_non_negative_on_the_unit_interval(p):
    """1.5: from (1 - P, P) at t = 0 to (1/2, 1/2) at t = 1."""
    low, high = CohenKappa().level_range(p)
    assert low <= 0
    assert high >= 1
    np.testing.assert_allclose(CohenKappa().costs(0.0, p), [1 - p, p])
    np.testing.assert_allclose(CohenKappa().costs(1.0, p), [0.5, 0.5])


@given(rows=BINARY, weighted=st.booleans(), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_binary_fbeta_equals_scikit_learn(rows, weighted, beta):
    """With and without weights, also where nothing is positive or predicted."""
    true, pred, weight = columns(rows, weighted)
    expected = fbeta_score(true, pred, beta=beta, sample_weight=weight, zero_division=0)
    assert FBeta(beta).score(true, pred, weight) == pytest.approx(expected, abs=1e-12)


@given(rows=BINARY, weighted=st.booleans())
def test_binary_jaccard_equals_scikit_learn(rows, weighted):
    """With and without weights."""
    true, pred, weight = columns(rows, weighted)
    expected = jaccard_score(true, pred, sample_weight=weight, zero_division=0)
    assert Jaccard().score(true, pred, weight) == pytest.approx(expected, abs=1e-12)


@given(rows=BINARY)
def test_measures_of_both_classes_equal_scikit_learn(rows):
    """Cohen's kappa, balanced accuracy and accuracy, weighted."""
    true, pred, weight = columns(rows, weighted=True)
    assume(len(set(true[weight > 0])) == 2)
    keywords = {"sample_weight": weight}
    kappa, balanced, plain = (
        function(true, pred, **keywords)
        for function in (cohen_kappa_score, balanced_accuracy_score, accuracy_score)
    )
    assert CohenKappa().score(true, pred, weight) == pytest.approx(kappa, abs=1e-12)
    assert BalancedAccuracy().score(true, pred, weight) == pytest.approx(balanced, abs=1e-12)
    assert WeightedAccuracy().score(true, pred, weight) == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("only", [0, 1])
@pytest.mark.parametrize("weight", [None, [1, 2, 3, 4]])
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
def test_balanced_accuracy_of_one_class_is_its_recall(only, weight):
    """As in scikit-learn, which leaves out the class without rows."""
    true, pred = np.full(4, only), np.array([0, 1, 1, 0])
    expected = balanced_accuracy_score(true, pred, sample_weight=weight)
    assert BalancedAccuracy().score(true, pred, weight) == pytest.approx(expected)
    assert evaluate(true, pred, "balanced_accuracy", sample_weight=weight).value == pytest.approx(
        expected
    )
    # The other class may have any recall.
    assert evaluate(true, pred, "balanced_accuracy").interval == (0, 1)


@given(average=st.sampled_from(["macro", "micro"]), seed=SEEDS)
def test_multilabel_averages_equal_scikit_learn(average, seed):
    """Micro and macro F-beta and Jaccard of 0/1 matrices, with labels that never occur."""
    rng = np.random.default_rng(seed)
    shape = (rng.integers(1, 12), rng.integers(2, 4))
    true, pred = rng.random((2, *shape)) < rng.uniform(0, 0.7, 2)[:, None, None]
    keywords = {"average": average, "sample_weight": rng.integers(1, 4, len(true))}
    ours = (true, pred, keywords["sample_weight"])
    for beta in (0.5, 1.0):
        theirs = fbeta_score(true, pred, beta=beta, zero_division=0, **keywords)
        assert FBeta(beta, average=average).score(*ours) == pytest.approx(theirs, abs=1e-12)
    theirs = jaccard_score(true, pred, zero_division=0, **keywords)
    assert Jaccard(average=average).score(*ours) == pytest.approx(theirs, abs=1e-12)


@given(rows=CLASSES, weighted=st.booleans())
def test_multiclass_macro_equals_scikit_learn(rows, weighted):
    """The mean over the classes that occur or are predicted."""
    true, pred, weight = columns(rows, weighted)
    keywords = {"average": "macro", "sample_weight": weight, "zero_division": 0}
    f2, jaccard = fbeta_score(true, pred, beta=2, **keywords), jaccard_score(true, pred, **keywords)
    assert get_measure("f2_macro").score(true, pred, weight) == pytest.approx(f2, abs=1e-12)
    assert get_measure("jaccard_macro").score(true, pred, weight) == pytest.approx(jaccard)


@given(rows=CLASSES, weighted=st.booleans(), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_fbeta_over_labels_equals_scikit_learn(rows, weighted, beta):
    """It is fbeta_score(labels=all but the default class, average="micro")."""
    true, pred, weight = columns(rows, weighted)
    theirs = fbeta_score(
        true, pred, beta=beta, labels=["a", "b"], average="micro", sample_weight=weight,
        zero_division=0,
    )  # fmt: skip
    ours = FBetaOverLabels(beta, default_class="O").score(true, pred, weight)
    assert ours == pytest.approx(theirs, abs=1e-12)


@given(rows=CLASSES, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_counting_confusions_once_is_never_lower_than_twice(rows, beta):
    """1.4: the literature's F is at least scikit-learn's, and equal without such confusions."""
    true, pred, _ = columns(rows, weighted=False)
    once = FBeta(beta, default_class="O").score(true, pred)
    twice = FBetaOverLabels(beta, default_class="O").score(true, pred)
    assert once >= twice - 1e-12
    if not np.any((true != pred) & (true != "O") & (pred != "O")):
        assert once == pytest.approx(twice, abs=1e-12)


@pytest.mark.parametrize(
    ("several", "one"),
    [
        (FBeta(2.0, default_class=0), FBeta(2.0)),
        (FBetaOverLabels(2.0, default_class=0), FBeta(2.0)),
        (Jaccard(default_class=0), Jaccard()),
    ],
    ids=repr,
)
@given(rows=BINARY)
def test_two_classes_with_a_default_class_are_a_binary_problem(several, one, rows):
    """1.3: the other class is the positive one."""
    true, pred, weight = columns(rows, weighted=True)
    assert several.score(true, pred, weight) == pytest.approx(one.score(true, pred, weight))


@given(rows=CLASSES)
def test_micro_average_over_all_classes_is_accuracy(rows):
    """1.4: micro F-beta over every class of a multiclass problem is the share of right rows."""
    true, pred, weight = columns(rows, weighted=True)
    expected = accuracy_score(true, pred, sample_weight=weight)
    assert FBeta(2.0, average="micro").score(true, pred, weight) == pytest.approx(expected)


@given(rows=BINARY)
def test_jaccard_is_an_increasing_function_of_f1(rows):
    """1.4: J = F / (2 - F)."""
    true, pred, _ = columns(rows, weighted=False)
    f1 = FBeta().score(true, pred)
    assert Jaccard().score(true, pred) == pytest.approx(f1 / (2 - f1))


@given(rows=BINARY, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_fbeta_is_a_tversky_index(rows, beta):
    """1.5: with the weights beta^2 / (1 + beta^2) and 1 / (1 + beta^2)."""
    true, pred, weight = columns(rows, weighted=True)
    share = beta**2 / (1 + beta**2)
    expected = FBeta(beta).score(true, pred, weight)
    assert Tversky(share, 1 - share).score(true, pred, weight) == pytest.approx(expected)


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("average", ["binary", "micro", "macro"])
def test_undefined_ratio_has_the_value_of_zero_division(average, zero_division):
    """1.6: 0/0 where nothing is positive and nothing predicted."""
    measure = FBeta(average=average, zero_division=zero_division)
    n_labels = 1 if average == "binary" else 2
    zeros = np.zeros(n_labels)
    assert measure.value(ErrorProfile(zeros, zeros, zeros)) == zero_division
    assert measure.value(ErrorProfile(zeros, zeros + 0.1, zeros)) == 0


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("f1", FBeta()),
        ("f2", FBeta(2.0)),
        ("f0.5_micro", FBeta(0.5, average="micro")),
        ("jaccard_macro", Jaccard(average="macro")),
        ("cohen_kappa", CohenKappa()),
        ("balanced_accuracy", BalancedAccuracy()),
        ("accuracy", WeightedAccuracy()),
    ],
)
def test_names_stand_for_measures(name, measure):
    """A beta and an average may be part of the name."""
    assert get_measure(name) == measure
    assert get_measure(measure) is measure


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: get_measure("f1_marco"), "Unknown measure 'f1_marco'; did you mean 'f1_macro'"),
        (lambda: get_measure("jacard"), "did you mean 'jaccard'"),
        (lambda: get_measure("macro_f1"), "did you mean 'f1_macro'"),
        (lambda: get_measure("F1"), "did you mean 'f1'"),
        (lambda: get_measure("Kappa Cohen"), "did you mean 'cohen_kappa'"),
        (lambda: get_measure("utility"), "Unknown measure 'utility'; known are f1, f2"),
        (lambda: get_measure("f1_samples"), "not a pseudo-linear measure.*GFMClassifier"),
        (lambda: get_measure("f0"), "FBeta: beta must be positive, got 0.0"),
        (lambda: FBeta(-1.0), "FBeta: beta must be positive, got -1.0"),
        (lambda: FBeta(np.nan), "FBeta: beta must be positive, got nan"),
        (lambda: Tversky(0.0), "Tversky: fn_weight must be positive, got 0.0"),
        (lambda: WeightedAccuracy(1.0, -2.0), "WeightedAccuracy: cost_fp must be positive"),
        (lambda: FBeta(average="samples"), "average must be one of binary, micro, macro"),
        (lambda: FBeta(average="macro", default_class=0), "goes with average='micro' only"),
        (lambda: FBetaOverLabels(average="micro"), "FBetaOverLabels: default_class is missing"),
        (lambda: LinearFractional(1, [-1, 0], 2, [-2, 0]), "the measure is constant"),
        (lambda: LinearFractional(1, [-1], 1, [1]), "two factors per label, got 1 and 1"),
        (lambda: LinearFractional(1, [-1, 0], 1, [1, 0, 0]), "per label, got 2 and 3"),
        (lambda: LinearFractional(1, [-np.inf, 0], 1, [0, 1]), "must be finite"),
        (lambda: FBeta().resolution(0.0), "the denominator can be zero"),
        (lambda: BalancedAccuracy().costs(0.5), "the costs depend on the prevalence; pass it"),
        (lambda: FBeta(average="macro").coefficients([0.1, 0.2]), "not one ratio"),
        (lambda: LinearFractional(1, [1, 1], 1, [0, 0]).level_range(), "some cost is negative"),
        (lambda: FBeta().score([0, 1, 2], [0, 1, 2]), "needs two classes, got 3; use f1_micro or"),
        (lambda: FBeta().score([[1, 0]], [[1, 0]]), "one label, got 2; use f1_micro or f1_macro"),
        (lambda: best_thresholds([[1, 0]], [[1, 0]], "f1"), "got 2; use f1_micro or f1_macro"),
        (lambda: best_thresholds([[1, 0]], [[1, 0]], "f2"), "got 2; use f2_micro or f2_macro"),
        (lambda: Jaccard().score([[1, 0]], [[1, 0]]), "2; use jaccard_micro or jaccard_macro"),
        (lambda: FBeta().score(["no"], ["no"]), "Only the class 'no' occurs"),
        (lambda: FBeta(pos_label="x").score(["a", "b"], ["a", "a"]), "pos_label='x' is not one of"),
        (lambda: FBeta().level_grid(0.0, 0.5), "accuracy must be positive, got 0.0"),
    ],
)  # fmt: skip
def test_refusals_say_what_is_wrong(make, message):
    """Each mistake has its sentence."""
    with pytest.raises(ValueError, match=message):
        make()


def test_denominators_must_not_be_negative():
    """A ratio is pseudo-linear only where its denominator is positive."""
    measure = LinearFractional(0.1, [-1, 0], 0.1, [-1, 1])
    with pytest.raises(ValueError, match=r"the denominator is negative \(-0.3\)"):
        measure.value(ErrorProfile(0.4, 0.0, 0.5))


def test_measures_must_be_names_or_measures():
    """Anything else is a mistake of type."""
    with pytest.raises(TypeError, match=r"a name or a Measure such as FBeta\(2\), got int"):
        get_measure(2)


def test_positive_class_may_be_chosen():
    """The larger class is positive unless pos_label says otherwise."""
    true, pred = ["ham", "spam", "spam", "ham"], ["ham", "spam", "ham", "ham"]
    assert FBeta().score(true, pred) == pytest.approx(2 / 3)
    assert FBeta(pos_label="ham").score(true, pred) == pytest.approx(4 / 5)


def test_default_class_of_fbeta_over_labels_is_not_optional():
    """Without a class to leave out there is nothing to average over."""
    with pytest.raises(ValueError, match="default_class is missing"):
        FBetaOverLabels()


def test_empty_labels_are_refused():
    """No rows have no value."""
    with pytest.raises(ValueError, match="is empty; give at least one row"):
        FBeta().score([], [])
