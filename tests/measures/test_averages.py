"""Weighted averages, and measures of all classes: scikit-learn's values."""

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

from pseudolinear import BalancedAccuracy, CohenKappa, FBeta, Jaccard, WeightedAccuracy, get_measure

SEEDS = st.integers(0, 2**32 - 1)
OF_ALL_CLASSES = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "cohen_kappa": cohen_kappa_score,
}


def classes(seed, n_classes=4):
    """Draw true and predicted classes that agree now and then, and weights."""
    rng = np.random.default_rng(seed)
    names = np.array(list("abcdefg"))[:n_classes]
    size = rng.integers(n_classes, 30)
    true = names[rng.integers(0, n_classes, size)]
    pred = np.where(rng.random(size) < rng.random(), true, names[rng.integers(0, n_classes, size)])
    return true, pred, rng.integers(0, 4, size) + (np.arange(size) == 0)


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@given(seed=SEEDS)
def test_weighted_averages_of_labels_equal_scikit_learn(zero_division, seed):
    """F-beta and Jaccard of 0/1 matrices, also where no row carries any label."""
    rng = np.random.default_rng(seed)
    shape = (rng.integers(1, 12), rng.integers(2, 4))
    true, pred = rng.random((2, *shape)) < rng.uniform(0, 0.7, 2)[:, None, None]
    weight = rng.integers(1, 4, len(true))
    keywords = {"average": "weighted", "sample_weight": weight, "zero_division": zero_division}
    for beta in (0.5, 1.0):
        ours = FBeta(beta, average="weighted", zero_division=zero_division)
        theirs = fbeta_score(true, pred, beta=beta, **keywords)
        assert ours.score(true, pred, weight) == pytest.approx(theirs, abs=1e-12)
    ours = Jaccard(average="weighted", zero_division=zero_division)
    theirs = jaccard_score(true, pred, **keywords)
    assert ours.score(true, pred, weight) == pytest.approx(theirs, abs=1e-12)


@given(seed=SEEDS, weighted=st.booleans())
def test_weighted_averages_of_classes_equal_scikit_learn(seed, weighted):
    """The same over the classes of a multiclass problem."""
    true, pred, weight = classes(seed)
    weight = weight if weighted else None
    keywords = {"average": "weighted", "sample_weight": weight, "zero_division": 0}
    f2, jaccard = fbeta_score(true, pred, beta=2, **keywords), jaccard_score(true, pred, **keywords)
    assert get_measure("f2_weighted").score(true, pred, weight) == pytest.approx(f2, abs=1e-12)
    assert get_measure("jaccard_weighted").score(true, pred, weight) == pytest.approx(jaccard)


@pytest.mark.parametrize("name", OF_ALL_CLASSES)
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@given(seed=SEEDS, weighted=st.booleans(), n_classes=st.integers(3, 7))
def test_plain_measures_of_several_classes_equal_scikit_learn(name, seed, weighted, n_classes):
    """Without an average the number of classes decides, as in scikit-learn."""
    true, pred, weight = classes(seed, n_classes)
    weight = weight if weighted else None
    assume(len(np.union1d(true, pred)) > 2)
    if weighted:
        some = weight > 0  # scikit-learn's recall of a class without weight is not a number
        true, pred, weight = true[some], pred[some], weight[some]
        assume(len(np.union1d(true, pred)) > 2)
    theirs = OF_ALL_CLASSES[name](true, pred, sample_weight=weight)
    assert get_measure(name).score(true, pred, weight) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("measure", [BalancedAccuracy(), CohenKappa(), WeightedAccuracy()])
@given(p=st.floats(0.05, 0.95), fn=st.floats(0, 1), fp=st.floats(0, 1))
def test_two_classes_have_one_value(measure, p, fn, fp):
    """The formula of several classes is the binary one where there are two."""
    errors = np.array([[fn * p, fp * (1 - p)], [fp * (1 - p), fn * p]])
    both = type(measure)(average="multiclass").coefficients([p, 1 - p])
    ratio = (both.alpha0 + (both.gamma * errors).sum()) / (
        both.alpha1 + (both.delta * errors).sum()
    )
    one = measure.coefficients(p)
    alone = (one.alpha0 + one.gamma @ errors[0]) / (one.alpha1 + one.delta @ errors[0])
    assert ratio == pytest.approx(alone, abs=1e-9)


@given(seed=SEEDS)
def test_equal_prevalences_make_weighted_and_macro_averages_equal(seed):
    """The weights are then equal."""
    rng = np.random.default_rng(seed)
    true = np.array([rng.permutation(8) < 3 for _ in range(3)]).T
    pred = rng.random(true.shape) < 0.5
    expected = FBeta(average="macro").score(true, pred)
    assert FBeta(average="weighted").score(true, pred) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FBeta(average="multiclass"), "one of binary, micro, macro, weighted, got"),
        (lambda: FBeta(average="weighted", default_class=0), "goes with average='micro' only"),
        (lambda: FBeta(average="weighted").coefficients([0.1, 0.2]), "a weighted average is not"),
        (lambda: WeightedAccuracy(2.0, average="multiclass"), "its costs must be equal, got 2 and"),
        (lambda: WeightedAccuracy(2.0).score([0, 1, 2], [0, 1, 2]), "needs two classes, got 3"),
        (lambda: CohenKappa().score([[1, 0]], [[1, 0]]), "is for one label, got 2"),
    ],
)
def test_refusals_say_what_is_wrong(make, message):
    """Each mistake has its sentence."""
    with pytest.raises(ValueError, match=message):
        make()
