"""LinearLearner: the optimum that other programs find, many problems at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import expit
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from pseudolinear import Grid, LinearLearner, MeasureClassifier
from pseudolinear.learners import LabelProblem

LOSSES = ("logistic", "squared_hinge", "hinge")
POINTWISE = {
    "logistic": lambda m: np.logaddexp(0, -m),
    "squared_hinge": lambda m: np.maximum(0, 1 - m) ** 2,
    "hinge": lambda m: np.maximum(0, 1 - m),
}


@pytest.fixture(scope="module")
def data():
    return make_classification(400, 15, weights=[0.8], flip_y=0.1, random_state=0)


@pytest.fixture(scope="module")
def labels():
    X, Y = make_multilabel_classification(300, 12, n_classes=3, random_state=2)
    return X / 10, Y


def objective(loss, X, y, costs, C, w, b):
    """The objective as it is written, costs by class: of a negative and of a positive row."""
    margins = np.where(y == 1, 1, -1) * (X @ w + b)
    return 0.5 * w @ w + C * np.asarray(costs)[y] @ POINTWISE[loss](margins)


def grid(n_labels):
    """Problems over labels, costs and C, in no particular order."""
    problems = [
        LabelProblem(k, ((2 - t) / t, 1.0), {"C": C})
        for t in (0.2, 1.0, 1.7)
        for C in (0.02, 1.0, 30.0)
        for k in range(n_labels)
    ]
    return [problems[i] for i in np.random.RandomState(0).permutation(len(problems))]


@pytest.mark.parametrize("loss", LOSSES)
def test_every_problem_of_a_batch_is_within_its_tolerance(loss, labels):
    """Its objective is at most 1 + 1e-3 times that of an accurate single solve."""
    X, Y = labels
    problems = grid(3)
    models = LinearLearner(loss).fit_batch(X, Y, problems)
    assert all(model.converged and model.optimality <= 1e-3 for model in models)
    for problem, model in list(zip(problems, models, strict=True))[::3]:
        accurate = LinearLearner(loss, tol=1e-7).fit_batch(X, Y, [problem])[0]
        ours, best = (
            objective(loss, X, Y[:, problem.label], problem.class_costs, problem.params["C"],
                      m.coef, m.intercept)
            for m in (model, accurate)
        )  # fmt: skip
        assert best * (1 - 1e-7) <= ours <= best * (1 + 1e-3)


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_optimum_is_that_of_liblinear(loss, C, data):
    """With the literature's constant feature, scikit-learn's LIBLINEAR ends at the same point."""
    X, y = data
    ours = LinearLearner(loss, C=C, intercept_scaling=1.0, tol=1e-8).fit(X, y)
    shared = {"C": C, "intercept_scaling": 1.0, "tol": 1e-8, "max_iter": 1_000_000}
    if loss == "logistic":
        peer = LogisticRegression(solver="liblinear", **shared)
    else:
        peer = LinearSVC(loss=loss, dual=loss == "hinge", random_state=0, **shared)
    peer.fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, atol=2e-3)
    assert_allclose(ours.intercept_, peer.intercept_, atol=2e-3)


def test_a_free_intercept_is_that_of_logistic_regression(data):
    """The intercept is not regularised, as in scikit-learn's Newton solver."""
    X, y = data
    ours = LinearLearner(tol=1e-10).fit(X, y)
    peer = LogisticRegression(solver="newton-cholesky", tol=1e-10).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-4)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-4)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("loss", LOSSES)
def test_dense_equals_sparse_of_any_type(loss, data):
    """CSR rows with either index width, and single precision, give the dense result."""
    X, y = data
    X = np.where(np.abs(X) > 0.7, X, 0.0).astype(np.float32)
    dense = LinearLearner(loss, tol=1e-6).fit(X.astype(np.float64), y)
    wide = sparse.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for rows in (X, sparse.csr_array(X), wide):
        other = LinearLearner(loss, tol=1e-6).fit(rows, y)
        assert_allclose(other.decision_function(rows), dense.decision_function(X), atol=5e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_equal_repeated_rows(loss, data):
    """A weight of two is a row given twice, a weight of zero a row left out."""
    X, y = data
    weight = np.random.RandomState(0).randint(0, 3, len(y))
    weighted = LinearLearner(loss, tol=1e-7).fit(X, y, sample_weight=weight)
    repeated = LinearLearner(loss, tol=1e-7).fit(X.repeat(weight, axis=0), y.repeat(weight))
    assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=2e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_costs_are_weights_of_the_classes(loss, data):
    """A cost of 3 for false negatives is a weight of 3 for the positives."""
    X, y = data
    learner = LinearLearner(loss, tol=1e-7)
    models = learner.fit_batch(X, y[:, None], [LabelProblem(0, (3.0, 1.0))])
    weighted = LinearLearner(loss, tol=1e-7).fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    assert_allclose(learner.scores(models, X)[0], weighted.decision_function(X), atol=2e-3)


def test_classes_are_told_each_from_the_rest():
    """Several classes are as many binary problems."""
    X, y = make_classification(300, n_classes=3, n_informative=5, random_state=0)
    names = np.array(["a", "b", "c"])[y]
    clf = LinearLearner(tol=1e-8).fit(X, names)
    assert clf.coef_.shape == (3, 20)
    for k in range(3):
        alone = LinearLearner(tol=1e-8).fit(X, y == k)
        assert_allclose(clf.coef_[k], alone.coef_[0], atol=1e-4)
    assert_array_equal(clf.predict(X), clf.classes_[clf.decision_function(X).argmax(axis=1)])


def test_only_the_logistic_loss_has_probabilities(data):
    """They are the logistic function of the scores."""
    X, y = data
    assert not hasattr(LinearLearner("hinge"), "predict_proba")
    clf = LinearLearner().fit(X, y)
    assert_allclose(clf.predict_proba(X)[:, 1], expit(clf.decision_function(X)))


def test_it_is_asked_for_by_name_and_sweeps_its_own_parameters(data):
    """C and the loss can be searched; the gap that each problem reached is in the table."""
    X, y = data
    clf = MeasureClassifier(
        "linear",
        param_grid={"C": [0.1, 1.0], "loss": ["logistic", "hinge"]},
        search=Grid(3),
        random_state=0,
    ).fit(X, y)
    table = clf.sweep_.to_pandas()
    assert len(table) == 3 * 4 * 4
    assert table["optimality"].max() <= 1e-3
    assert set(clf.best_params_) == {"C", "loss"}


def test_problems_that_do_not_converge_are_counted(data):
    """One warning states how many, and how far the worst one is."""
    X, y = data
    learner = LinearLearner(max_iter=1, tol=1e-9)
    with pytest.warns(ConvergenceWarning, match=r"1 of 1 problems stopped before tol"):
        learner.fit(X, y)
    with pytest.warns(ConvergenceWarning, match=r"3 of 3 problems .* \(worst relative gap"):
        MeasureClassifier(learner, search=Grid(3)).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"loss": "hnge"},
            "loss must be one of hinge, logistic, softmax, squared_hinge, got 'hnge'",
        ),
        ({"C": 0.0}, "C must be positive"),
    ],
)
def test_bad_parameters(parameters, message, data):
    """One sentence each."""
    with pytest.raises(ValueError, match=message):
        LinearLearner(**parameters).fit(*data)
