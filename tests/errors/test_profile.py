"""Error profiles: counting, fronts, hulls, and the three-point example."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import precision_score, recall_score

from pseudolinear import ErrorCurve, ErrorProfile, FBeta, Jaccard, get_measure
from pseudolinear.errors import SparseOutcomes

NAMES = np.array(list("ABCDEFGH"))
POINTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=25)
ROWS = st.lists(
    st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=25
).filter(lambda rows: any(w for _, _, w in rows))


def stack(points):
    # A power of two, so that points on a line stay on it.
    fn, fp = np.array(points, dtype=float).T[..., None] / 32
    return ErrorProfile(fn, fp, 0.5)


def test_three_points_have_the_exact_errors(three_points):
    """2.5: false positives and negatives of the classifiers A to H."""
    fp = [0, 0.0425, 0.18, 0.195, 0.2375, 0.375, 0.4175, 0.2225]
    fn = [0.5825, 0.575, 0.4625, 0.1275, 0.12, 0.0075, 0, 0.455]
    np.testing.assert_allclose(three_points.fp[:, 0], fp, atol=1e-12)
    np.testing.assert_allclose(three_points.fn[:, 0], fn, atol=1e-12)
    assert three_points.prevalence == pytest.approx(0.5825)


def test_three_points_have_the_exact_f1(three_points):
    """2.5: F1 in percent to four decimals; the paper misprints A, C and F."""
    expected = [0.0, 2.3715, 27.1955, 73.8337, 72.1248, 75.0408, 73.6177, 27.3458]
    np.testing.assert_allclose(100 * FBeta().value(three_points), expected, atol=5e-5)


def test_three_points_have_the_exact_jaccard(three_points):
    """2.5: the Jaccard index in percent to four decimals."""
    expected = [0.0, 1.2, 15.7377, 58.5209, 56.4024, 60.0522, 58.25, 15.8385]
    np.testing.assert_allclose(100 * Jaccard().value(three_points), expected, atol=5e-5)


def test_three_points_front_is_all_but_h(three_points):
    """2.5: H is dominated by D, nothing else is dominated."""
    assert "".join(NAMES[three_points.front()]) == "ABCDEFG"


def test_three_points_hull_has_four_vertices(three_points):
    """2.5: the cheapest at some costs are A, D, F and G; the paper forgets G."""
    assert "".join(NAMES[three_points.hull()]) == "ADFG"


@pytest.mark.parametrize(
    ("weight", "cheapest"),
    [
        (0.0, "A"), (0.29, "A"), (0.30, "AD"), (0.31, "D"), (0.59, "D"), (0.60, "DF"),
        (0.61, "F"), (0.84, "F"), (0.85, "FG"), (0.86, "G"), (1.0, "G"),
    ],
)  # fmt: skip
def test_three_points_change_at_the_weights_of_their_likelihoods(three_points, weight, cheapest):
    """2.5: the weight w of false negatives makes A, D, F, G the cheapest in turn."""
    costs = three_points.total_cost([weight, 1 - weight])
    assert "".join(NAMES[costs <= costs.min() + 1e-12]) == cheapest


@pytest.mark.parametrize(("beta", "best"), [(0.1, "D"), (0.5, "D"), (1, "F"), (2, "F"), (4, "G")])
def test_three_points_best_classifier_depends_on_beta(three_points, beta, best):
    """2.5: the maximiser moves along the hull as recall gains weight."""
    assert NAMES[FBeta(beta).value(three_points).argmax()] == best


def test_three_points_raw_costs_of_different_levels_do_not_compare(three_points):
    """3.3: the least raw cost over all levels is that of G at the lowest one, not of F."""
    levels = np.linspace(0.05, 1.95, 39)
    costs = np.array([three_points.total_cost(FBeta().costs(t)) for t in levels])
    level, classifier = np.unravel_index(costs.argmin(), costs.shape)
    assert (levels[level], NAMES[classifier]) == (pytest.approx(0.05), "G")
    assert NAMES[FBeta().value(three_points).argmax()] == "F"


def test_three_points_front_serves_constraints_that_the_hull_does_not(three_points):
    """2.5: the fewest false negatives with at most 0.1 false positives are those of B."""
    allowed = np.where(three_points.fp[:, 0] <= 0.1, three_points.fn[:, 0], np.inf)
    assert NAMES[allowed.argmin()] == "B"
    assert "B" in NAMES[three_points.front()]
    assert "B" not in NAMES[three_points.hull()]


@given(points=POINTS)
def test_front_holds_what_no_other_profile_dominates(points):
    """The front is the set of undominated points, each once, by ascending false positives."""
    front = stack(points).front()
    undominated = {
        (fn, fp)
        for fn, fp in points
        if not any(a <= fn and b <= fp and (a, b) != (fn, fp) for a, b in points)
    }
    assert [points[i] for i in front] == sorted(undominated, key=lambda point: point[1])


@given(points=POINTS, cost_fn=st.integers(0, 20), cost_fp=st.integers(0, 20))
def test_hull_holds_a_cheapest_profile_of_all_costs(points, cost_fn, cost_fp):
    """The least cost over all profiles is reached on the hull, whatever the costs."""
    profiles = stack(points)
    costs = profiles.total_cost([cost_fn, cost_fp])
    assert costs[profiles.hull()].min() == pytest.approx(costs.min(), abs=1e-12)


@given(points=POINTS)
@example(points=[(3, 7), (5, 6), (7, 5)])
def test_hull_holds_nothing_that_is_never_cheapest(points):
    """Each vertex is the only cheapest point at some positive costs."""
    vertices = [points[i] for i in stack(points).hull()]
    for k, (fn, fp) in enumerate(vertices):
        # Normals of the edges to both neighbours; beyond the ends the axes.
        left = (fp - vertices[k - 1][1], vertices[k - 1][0] - fn) if k else (0, 1)
        last = k + 1 == len(vertices)
        right = (1, 0) if last else (vertices[k + 1][1] - fp, fn - vertices[k + 1][0])
        a, b = np.array(left) / sum(left) + np.array(right) / sum(right)
        cost = a * fn + b * fp
        assert all(a * x + b * y > cost + 1e-9 for x, y in points if (x, y) != (fn, fp))


@given(rows=ROWS)
def test_recall_and_precision_equal_scikit_learn(rows):
    """Both follow from the profile; where they are undefined they are NaN."""
    true, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    pred = score > 0
    profile = ErrorProfile.from_labels(true, pred, sample_weight=weight)
    keywords = {"sample_weight": weight, "zero_division": np.nan}
    recall = recall_score(true, pred, **keywords)
    precision = precision_score(true, pred, **keywords)
    np.testing.assert_allclose(profile.recall, recall, atol=1e-12)
    np.testing.assert_allclose(profile.precision, precision, atol=1e-12)


@given(rows=ROWS)
def test_weights_count_as_repeated_rows(rows):
    """An integer weight is that many equal rows, and a weight of zero is no row."""
    true, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    weighted = ErrorCurve.from_scores(true, score, weight)
    repeated = ErrorCurve.from_scores(np.repeat(true, weight), np.repeat(score, weight))
    np.testing.assert_array_equal(weighted.thresholds, repeated.thresholds)
    np.testing.assert_allclose(weighted.errors, repeated.errors, atol=1e-12)


@given(rows=ROWS)
def test_every_cut_counts_the_errors_of_its_threshold(rows):
    """Each profile of a curve is that of predicting score >= threshold, from none to all."""
    true, score, _ = (np.array(column) for column in zip(*rows, strict=True))
    curve = ErrorCurve.from_scores(true, score)
    assert len(curve) == np.unique(score).size + 1
    assert (np.diff(curve.thresholds) < 0).all()
    for cut, threshold in enumerate(curve.thresholds):
        counted = ErrorProfile.from_labels(true, score >= threshold)
        np.testing.assert_allclose(curve.profile(cut).errors, counted.errors, atol=1e-12)


def test_neighbouring_floating_point_scores_are_cut_apart():
    """Where there is no number half-way between two scores, the upper one is the threshold."""
    score = np.array([1.0, np.nextafter(1.0, 2.0)])
    curve = ErrorCurve.from_scores([0, 1], score)
    np.testing.assert_array_equal((score >= curve.thresholds[1]), [False, True])
    assert curve.fn[1, 0] == curve.fp[1, 0] == 0


@pytest.mark.parametrize("scores", [[0.0, 0.0], [0.0, 5e-324], [-5e-324, 0.0], [-1e-323, -5e-324]])
def test_ends_are_clear_of_zero(scores):
    """Nobody reads the number next to 0; cuts within stay exact between neighbouring numbers."""
    curve = ErrorCurve.from_scores([0, 1], scores)
    for cut, threshold in enumerate(curve.thresholds):
        counted = ErrorProfile.from_labels([0, 1], np.array(scores) >= threshold)
        np.testing.assert_array_equal(curve.profile(cut).errors, counted.errors)
    if scores[0] == 0:
        assert curve.thresholds[-1] == -1e-9
    if scores[1] == 0:
        assert curve.thresholds[0] == 1e-9


def test_sparse_labels_are_counted_as_dense_ones():
    """A sparse 0/1 matrix gives the profile of its dense form."""
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 2, (2, 12, 3))
    dense = ErrorProfile.from_labels(true, pred)
    thin = ErrorProfile.from_labels(sparse.csr_matrix(true), sparse.csr_array(pred))
    np.testing.assert_array_equal(dense.errors, thin.errors)
    np.testing.assert_array_equal(dense.prevalence, thin.prevalence)


def test_errors_of_classes_that_exclude_each_other_add_up_to_the_error_rate():
    """1.1: in a multiclass problem sum FN = sum FP = error rate, and prevalences sum to 1."""
    rng = np.random.default_rng(1)
    true, pred = rng.choice(["a", "b", "c"], (2, 40))
    profile = ErrorProfile.from_labels(true, pred, labels=["a", "b", "c"])
    rate = np.mean(true != pred)
    assert profile.fn.sum() == pytest.approx(rate)
    assert profile.fp.sum() == pytest.approx(rate)
    assert profile.prevalence.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["balanced_accuracy", "cohen_kappa", "mcc", "g_mean", "accuracy"])
def test_weights_do_not_blur_a_label_of_all_rows(name):
    """Sums of weights are rounded, and 1 - 1e-16 is no prevalence: it made 0/0 a perfect value."""
    weight = np.random.default_rng(0).uniform(0.1, 3, size=(50, 8))
    for wrong in (0, 8):
        true, predicted = np.ones(8, int), np.repeat([0, 1], [wrong, 8 - wrong])
        plain = get_measure(name).score(true, predicted)
        for w in weight:
            assert get_measure(name).score(true, predicted, sample_weight=w) == plain


@pytest.mark.parametrize("name", ["balanced_accuracy", "cohen_kappa", "accuracy"])
def test_nor_do_they_among_sparse_labels(name):
    for wrong in (0, 8):
        true, predicted = np.ones(8, int), np.repeat([0, 1], [wrong, 8 - wrong])
        pair = (sparse.csr_array(labels[:, None]) for labels in (true, predicted))
        outcomes = SparseOutcomes.of_matrices(*pair, ["a"])
        plain = get_measure(name).score(true, predicted)
        for weight in np.random.default_rng(0).uniform(0.1, 3, size=(50, 8)):
            assert get_measure(name + "_macro").of_outcomes(outcomes, weight) == plain


def test_shapes_of_errors_must_agree():
    """Both errors come in one shape, and its last axis is that of the prevalence."""
    with pytest.raises(ValueError, match=r"fn has the shape \(2,\) and fp \(1,\)"):
        ErrorProfile([0.1, 0.2], [0.1], [0.3, 0.4])
    with pytest.raises(ValueError, match=r"the last axis of fn and fp must be the labels"):
        ErrorProfile([0.1, 0.2], [0.1, 0.2], 0.3)


def test_fronts_are_for_one_label():
    """With several labels there is no plane in which to draw a front."""
    with pytest.raises(ValueError, match="take one label at a time"):
        ErrorProfile([[0.1, 0.1]], [[0.1, 0.1]], [0.5, 0.5]).front()


def test_predictions_must_match_the_truth_in_shape():
    """Truth and predictions are counted row by row."""
    with pytest.raises(ValueError, match=r"y_true has the shape \(2,\) and y_pred \(3,\)"):
        ErrorProfile.from_labels([0, 1], [0, 1, 1])


@given(ROWS, st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_another_prevalence_is_another_weight_of_the_rows(rows, prevalence, before):
    """Label shift on a curve equals counting rows that are weighted to the prevalence."""
    positive, score, weight = map(np.array, zip(*rows, strict=True))
    curve = ErrorCurve.from_scores(positive, score, weight)
    share = curve.prevalence[0]
    if not 0 < share < 1:
        with pytest.raises(ValueError, match="cannot be moved"):
            curve.at_prevalence(prevalence)
        return
    moved = np.where(positive, prevalence / share, (1 - prevalence) / (1 - share)) * weight
    wanted = ErrorCurve.from_scores(positive, score, moved)
    for found in (
        curve.at_prevalence(prevalence),
        curve.at_prevalence(before).at_prevalence(prevalence),
    ):
        np.testing.assert_allclose(found.fn, wanted.fn, atol=1e-12)
        np.testing.assert_allclose(found.fp, wanted.fp, atol=1e-12)
        np.testing.assert_allclose(found.prevalence, wanted.prevalence)
        np.testing.assert_array_equal(found.thresholds, curve.thresholds)


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.1, np.nan, [0.1, 0.2]])
def test_a_prevalence_lies_between_0_and_1(wrong):
    with pytest.raises(ValueError, match="prevalence must be a number between 0 and 1"):
        ErrorProfile(0.1, 0.1, 0.5).at_prevalence(wrong)
