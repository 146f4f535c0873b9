"""Measures of the confusion matrix: gradients by finite differences, values by scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix as counted
from sklearn.metrics import f1_score, fbeta_score, recall_score

from pseudolinear import CohenKappa, ErrorProfile, FBeta, FBetaOverLabels, Jaccard
from pseudolinear.rivals._confusion import confusion_matrix
from pseudolinear.rivals._linear_ratio import LinearRatio
from pseudolinear.rivals._macro_average import MacroAverage
from pseudolinear.rivals._recall_means import GMean, HMean, QMean

MEANS = [GMean(), HMean(), QMean()]
MACRO = [FBeta(average="macro"), FBeta(2.0, average="macro"), Jaccard(average="macro")]
MACRO += [CohenKappa(average="macro"), FBeta(average="weighted")]
SMOOTH = [*MEANS, *map(MacroAverage, MACRO)]


def random_matrix(rng, n_classes=4):
    matrix = rng.uniform(0.05, 1.0, (n_classes, n_classes)) + 2 * np.eye(n_classes)
    return matrix / matrix.sum()


def random_labels(rng, n=200, n_classes=4):
    true = rng.integers(0, n_classes, n)
    return true, np.where(rng.random(n) < 0.6, true, rng.integers(0, n_classes, n))


@pytest.mark.parametrize("measure", SMOOTH, ids=repr)
def test_gradient_by_finite_differences(measure):
    """Along directions that leave the prevalences as they are."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        matrix, direction = random_matrix(rng), rng.normal(size=(4, 4))
        direction -= direction.mean(axis=1, keepdims=True)
        h = 1e-6
        slope = (measure.value(matrix + h * direction) - measure.value(matrix - h * direction)) / (
            2 * h
        )
        assert (measure.gradient(matrix) * direction).sum() == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("measure", MEANS, ids=repr)
def test_means_are_concave(measure):
    """Between two matrices with equal prevalences the value is above the chord."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        prevalence = rng.dirichlet(np.ones(4))
        a, b = (rng.dirichlet(np.ones(4), 4) * prevalence[:, None] for _ in range(2))
        mean = (measure.value(a) + measure.value(b)) / 2
        assert measure.value((a + b) / 2) >= mean - 1e-12


def test_values_by_scikit_learn():
    rng = np.random.default_rng(2)
    true, pred = random_labels(rng)
    matrix = counted(true, pred, normalize="all")
    recalls = recall_score(true, pred, average=None)
    assert GMean().value(matrix) == pytest.approx(np.exp(np.log(recalls).mean()))
    assert HMean().value(matrix) == pytest.approx(1 / (1 / recalls).mean())
    assert QMean().value(matrix) == pytest.approx(1 - np.sqrt(((1 - recalls) ** 2).mean()))
    macro = MacroAverage(FBeta(average="macro"))
    assert macro.value(matrix) == pytest.approx(f1_score(true, pred, average="macro"))
    np.testing.assert_allclose(
        confusion_matrix(np.eye(4)[true], pred, np.full(200, 3.0)), matrix, atol=1e-15
    )


@pytest.mark.parametrize("measure", SMOOTH, ids=repr)
def test_stacks_are_evaluated_one_by_one(measure):
    rng = np.random.default_rng(3)
    one, prevalence = random_matrix(rng), random_matrix(rng).sum(axis=1)
    stack = np.array([one / one.sum(axis=1, keepdims=True) * prevalence[:, None]] * 2)
    stack[1] = np.outer(prevalence, np.full(4, 0.25))
    np.testing.assert_allclose(measure.value(stack), [measure.value(m) for m in stack])


def test_no_right_row_of_a_class_and_no_wrong_row_at_all():
    """A recall of zero makes both other means zero; without errors all means are one."""
    missed, perfect = np.array([[0.7, 0.0], [0.3, 0.0]]), np.diag([0.7, 0.3])
    assert GMean().value(missed) == HMean().value(missed) == 0
    assert QMean().value(missed) == pytest.approx(1 - np.sqrt(0.5))
    for mean in MEANS:
        assert mean.value(perfect) == pytest.approx(1)
    assert not QMean().gradient(perfect).any()


def test_a_class_without_rows_does_not_count():
    matrix = np.array([[0.4, 0.1, 0.0], [0.3, 0.2, 0.0], [0.0, 0.0, 0.0]])
    for mean in MEANS:
        assert mean.value(matrix) == pytest.approx(mean.value(matrix[:2, :2]))
        assert mean.gradient(matrix)[2, 2] == 0


@pytest.mark.parametrize(
    "measure",
    [
        FBeta(average="micro", default_class=0),
        FBeta(2.0, average="micro", default_class=0),
        FBetaOverLabels(0.5, default_class=0),
        Jaccard(average="micro", default_class=0),
        FBeta(average="micro"),
    ],
    ids=repr,
)
def test_ratio_of_a_measure_has_its_values(measure):
    rng = np.random.default_rng(4)
    true, pred = random_labels(rng)
    matrix = counted(true, pred, normalize="all")
    ratio = LinearRatio.from_measure(measure, matrix.sum(axis=1))
    assert ratio.value(matrix) == pytest.approx(measure.score(true, pred))


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_published_matrices_of_micro_f(beta):
    """A and B of the literature, for both ways to count confusions among the other classes."""
    b2, n = beta**2, 4
    A = np.diag([0.0, *[1 + b2] * (n - 1)])
    B = np.full((n, n), b2)
    B[0] = 1.0
    np.fill_diagonal(B, 1 + b2)
    B[0, 0] = 0.0
    over_labels = np.full((n, n), 1 + b2)
    over_labels[:, 0], over_labels[0] = b2, B[0]
    rng = np.random.default_rng(5)
    true, pred = random_labels(rng)
    matrix = counted(true, pred, normalize="all")
    once = FBeta(beta, average="micro", default_class=0).score(true, pred)
    twice = fbeta_score(true, pred, beta=beta, labels=[1, 2, 3], average="micro")
    assert LinearRatio(A, B).value(matrix) == pytest.approx(once)
    assert LinearRatio(A, over_labels).value(matrix) == pytest.approx(twice)


@pytest.mark.parametrize("measure", [FBeta(2.0), Jaccard(), CohenKappa()], ids=repr)
def test_ratio_of_a_binary_measure(measure):
    """The second class is the positive one; the costs are those of the measure."""
    ratio = LinearRatio.from_measure(measure, np.array([0.7, 0.3]))
    matrix = np.array([[0.6, 0.1], [0.05, 0.25]])
    assert ratio.value(matrix) == pytest.approx(measure.value(ErrorProfile(0.05, 0.1, 0.3)))
    costs = ratio.costs(0.4)
    fn, fp = costs[1, 0] - costs[1, 1], costs[0, 1] - costs[0, 0]
    np.testing.assert_allclose([fn, fp], measure.costs(0.4, 0.3))


@pytest.mark.parametrize(
    ("A", "B", "match"),
    [
        ([[1, 0]], [[1, 1]], "square"),
        (np.eye(2), np.eye(3), "one size"),
        ([[np.nan, 0], [0, 1]], np.ones((2, 2)), "finite"),
    ],
)
def test_bad_matrices_are_refused(A, B, match):
    with pytest.raises(ValueError, match=match):
        LinearRatio(A, B)
