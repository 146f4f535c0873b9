"""KernelLearner: the optimum that LIBSVM finds, on one Gram matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import make_classification, make_moons
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from pseudolinear import Grid, KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.learners import LabelProblem


@pytest.fixture(scope="module")
def data():
    return make_classification(300, 8, weights=[0.75], flip_y=0.08, random_state=0)


@pytest.mark.parametrize("C", [0.05, 1.0, 50.0])
@pytest.mark.parametrize(
    "kernel",
    [{"kernel": "rbf", "gamma": 0.1}, {"kernel": "poly", "gamma": 0.2, "degree": 2, "coef0": 1.0},
     {"kernel": "linear"}],
    ids=lambda k: k["kernel"],
)  # fmt: skip
def test_the_optimum_is_that_of_libsvm(kernel, C, data):
    """Scores agree with scikit-learn's SVC, costs given as class weights."""
    X, y = data
    learner = KernelLearner(C=C, tol=1e-7, **kernel)
    models = learner.fit_batch(X, y[:, None], [LabelProblem(0, (3.0, 1.0))])
    peer = SVC(C=C, tol=1e-7, class_weight={0: 1.0, 1: 3.0}, **kernel).fit(X, y)
    assert_allclose(learner.scores(models, X)[0], peer.decision_function(X), atol=3e-3)


@pytest.mark.parametrize("n", [80, 300])  # solved by Newton's method, and pair by pair
def test_rows_that_are_kept_are_the_support_vectors_of_libsvm(n, data):
    """A row beyond the margin is not in the model; near the margin both may differ."""
    X, y = data[0][:n], data[1][:n]
    ours = KernelLearner(C=5.0, gamma=0.1, tol=1e-7).fit(X, y)
    peer = SVC(C=5.0, gamma=0.1, tol=1e-7).fit(X, y)
    coef = np.zeros(n)
    coef[ours.support_] = ours.dual_coef_[0]
    outside = np.flatnonzero(np.where(y, 1, -1) * peer.decision_function(X) > 1 + 1e-3)
    assert_array_equal(coef[outside], 0.0)
    assert (
        len(ours.models_[0].rows) == len(ours.support_) == pytest.approx(len(peer.support_), abs=3)
    )
    assert len(outside) > n // 4


def test_labels_share_the_rows_that_any_of_them_needs(data):
    """One Gram matrix scores all labels, and no row is kept that no label rests on."""
    X, y = data
    Y = np.stack([y, X[:, 0] > 1], axis=1)
    models = KernelLearner(C=5.0, gamma=0.1).fit_batch(
        X, Y, [LabelProblem(label, (1.0, 1.0)) for label in (0, 1)]
    )
    assert models[0].rows is models[1].rows
    assert np.any([model.dual_coef != 0.0 for model in models], axis=0).all()
    assert len(models[0].rows) < len(X)


def test_a_label_that_nothing_can_be_learnt_of_keeps_no_row():
    """The intercept alone decides."""
    X = np.arange(20.0)[:, None]
    learner = KernelLearner(C=0.001, gamma=1.0)
    targets = np.array([1] + [0] * 19)[:, None]
    models = learner.fit_batch(X, targets, [LabelProblem(0, (0.0, 1.0))])
    assert models[0].rows.shape == (0, 1)
    assert (learner.scores(models, X)[0] < 0).all()


def test_gamma_scale_is_that_of_scikit_learn(data):
    """One over the number of features times the variance."""
    X, y = data
    ours = KernelLearner(tol=1e-7).fit(X, y)
    assert_allclose(
        ours.decision_function(X), SVC(tol=1e-7).fit(X, y).decision_function(X), atol=3e-3
    )


def test_without_intercept_the_scores_are_a_combination_of_kernels(data):
    """No bias term: the literature's RBF experiments have none."""
    X, y = data
    clf = KernelLearner(gamma=0.1, fit_intercept=False, tol=1e-6).fit(X, y)
    assert clf.intercept_ == 0.0
    kernels = rbf_kernel(X, X[clf.support_], gamma=0.1)
    assert_allclose(clf.decision_function(X), kernels @ clf.dual_coef_[0])
    alpha = clf.dual_coef_[0] * np.where(y == 1, 1, -1)[clf.support_]
    assert (alpha >= -1e-12).all()
    assert (alpha <= 1 + 1e-12).all()


def test_the_linear_kernel_is_the_linear_learner(data):
    """Two routes to the same hinge problem."""
    X, y = data
    kernel = KernelLearner(kernel="linear", C=0.5, tol=1e-7).fit(X, y)
    linear = LinearLearner("hinge", C=0.5, tol=1e-7).fit(X, y)
    assert_allclose(kernel.decision_function(X), linear.decision_function(X), atol=3e-3)


def test_a_precomputed_gram_matrix_is_as_good_as_rows(data):
    """Alone and in a sweep, whose folds take rows and columns."""
    X, y = data
    K = rbf_kernel(X, gamma=0.1)
    by_rows = MeasureClassifier(
        KernelLearner(gamma=0.1, tol=1e-6), search=Grid(3), random_state=0
    ).fit(X, y)
    by_gram = MeasureClassifier(
        KernelLearner(kernel="precomputed", tol=1e-6), search=Grid(3), random_state=0
    ).fit(K, y)
    assert_allclose(by_gram.decision_function(K), by_rows.decision_function(X), atol=1e-6)


def test_dense_equals_sparse(data):
    """CSR rows give the same Gram matrix."""
    X, y = data
    dense, csr = KernelLearner().fit(X, y), KernelLearner().fit(sparse.csr_array(X), y)
    assert_allclose(dense.decision_function(X), csr.decision_function(sparse.csr_array(X)))


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_duplicate_entries_are_their_sum(kernel, data):
    """A sparse matrix that is not canonical means the one that is, in fitting and scoring."""
    X, y = data
    once = sparse.csr_array(X)
    order = np.arange(once.nnz).repeat(2)
    parts = once.data[order] * np.where(np.arange(order.size) % 2, 0.25, 0.75)
    twice = sparse.csr_array((parts, once.indices[order], 2 * once.indptr), shape=once.shape)
    assert not twice.has_canonical_format
    expected = KernelLearner(kernel=kernel).fit(once, y).decision_function(once)
    fitted = KernelLearner(kernel=kernel).fit(twice, y)
    assert_allclose(fitted.decision_function(twice), expected)
    assert_allclose(fitted.decision_function(once), expected)
    assert twice.nnz == 2 * once.nnz  # the caller's matrix stays as it was


def test_weights_equal_repeated_rows(data):
    """A weight of two is a row given twice."""
    X, y = data
    weight = np.random.RandomState(0).randint(0, 3, len(y))
    weighted = KernelLearner(gamma=0.1, tol=1e-8).fit(X, y, sample_weight=weight)
    repeated = KernelLearner(gamma=0.1, tol=1e-8).fit(X.repeat(weight, axis=0), y.repeat(weight))
    assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=2e-3)


def test_it_sweeps_gamma_and_c():
    """A sweep over costs, C and gamma bends the boundary where a line cannot."""
    X, y = make_moons(300, noise=0.2, random_state=0)
    clf = MeasureClassifier(
        KernelLearner(), param_grid={"C": [1.0, 10.0], "gamma": [0.1, 1.0]}, random_state=0,
        search=Grid(3),
    ).fit(X, y)  # fmt: skip
    linear = MeasureClassifier("linear", random_state=0).fit(X, y)
    assert clf.score(X, y) > linear.score(X, y) + 0.05
    assert_array_equal(np.unique(clf.predict(X)), [0, 1])


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    "kernel",
    [{"gamma": 0.1}, {"kernel": "poly", "gamma": 0.2, "degree": 2, "coef0": 1.0}],
    ids=["rbf", "poly"],
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_the_solution_does_not_depend_on_the_memory(form, kernel, fit_intercept, data):
    """Rows of the Gram matrix that come and go lead to the optimum of the whole matrix."""
    X, y = form(data[0]), data[1]
    whole = KernelLearner(C=3.0, tol=1e-6, fit_intercept=fit_intercept, **kernel)
    little = KernelLearner(C=3.0, tol=1e-6, fit_intercept=fit_intercept, cache_size=0.1, **kernel)
    problems = [LabelProblem(0, (cost, 1.0), {"C": C}) for cost in (3.0, 0.5) for C in (0.1, 5.0)]
    models = little.fit_batch(X, y[:, None], problems)
    assert max(model.optimality for model in models) <= 1e-6
    for one, other in zip(
        little.scores(models, X),
        whole.scores(whole.fit_batch(X, y[:, None], problems), X),
        strict=True,
    ):
        assert_allclose(one, other, atol=3e-3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "rfb"}, "kernel must be one of rbf, poly, linear, precomputed, got 'rfb'"),
        ({"C": -1.0}, "C must be positive"),
        ({"cache_size": 0.0}, "cache_size must be positive, got 0.0"),
    ],
)
def test_bad_parameters(parameters, message, data):
    """One sentence each."""
    with pytest.raises(ValueError, match=message):
        KernelLearner(**parameters).fit(*data)


def test_a_gram_matrix_needs_a_refit(data):
    """Without it the columns of new rows could not be matched."""
    X, y = data
    clf = MeasureClassifier(KernelLearner(kernel="precomputed"), cv="holdout", refit=False)
    with pytest.raises(ValueError, match="needs refit=True"):
        clf.fit(rbf_kernel(X), y)
