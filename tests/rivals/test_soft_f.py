"""SoftFClassifier: the gradient, the optimum it finds, and what it finds it from."""

import numpy as np
import pytest
from data import load
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta
from pseudolinear.datasets import make_galaxy
from pseudolinear.rivals._soft_f import SoftFClassifier, linear_scores
from pseudolinear.rivals._soft_f_loss import SoftFLoss, SoftFProblem

AVERAGES = ("micro", "macro", "samples")
PROBLEMS = [("binary", 1), *((average, 3) for average in AVERAGES)]


@parametrize_with_checks([SoftFClassifier()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def labels():
    X, Y = make_multilabel_classification(150, 6, n_classes=3, random_state=0)
    return X / 10, Y


def draw(n_labels, weighted, seed=0):
    rng = np.random.RandomState(seed)
    Y = (rng.random_sample((30, n_labels)) < 0.4).astype(np.int8)
    scores = rng.standard_normal((30, n_labels))
    return Y, scores, rng.randint(0, 4, 30).astype(float) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(("average", "n_labels"), PROBLEMS)
def test_sure_scores_have_the_f_of_their_decisions(average, n_labels, beta, weighted):
    """With probabilities of 0 and 1 it is scikit-learn's F-beta."""
    Y, scores, weight = draw(n_labels, weighted)
    loss, gradient = SoftFLoss(Y, beta, average, weight)(1e4 * scores)
    true, pred = (Y[:, 0], scores[:, 0] > 0) if n_labels == 1 else (Y, scores > 0)
    expected = fbeta_score(
        true, pred, beta=beta, average=average, sample_weight=weight, zero_division=0
    )
    assert_allclose(1 - loss, expected, rtol=1e-12)
    assert_allclose(gradient, 0, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(("average", "n_labels"), PROBLEMS)
def test_gradient_by_finite_differences(average, n_labels, beta, weighted):
    Y, scores, weight = draw(n_labels, weighted)
    loss = SoftFLoss(Y, beta, average, weight)
    numeric = approx_fprime(scores.ravel(), lambda s: loss(s.reshape(Y.shape))[0], 1e-7)
    assert_allclose(loss(scores)[1].ravel(), numeric, atol=2e-8)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(("average", "n_labels"), PROBLEMS)
def test_gradient_by_the_weights(average, n_labels, container):
    """Through the linear model, with a slope, a penalty and a centre."""
    Y, _, weight = draw(n_labels, True)
    rng = np.random.RandomState(1)
    X = container(rng.standard_normal((30, 4)))
    theta, precision, centre = rng.standard_normal((3, 5 * n_labels))
    design = linear_scores(X, n_labels)
    problem = SoftFProblem(SoftFLoss(Y, 2.0, average, weight), design, precision**2, centre)
    numeric = approx_fprime(theta, lambda t: problem(t, 3.0)[0], 1e-7)
    assert_allclose(problem(theta, 3.0)[1], numeric, atol=1e-6)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_rows_are_priced_by_the_costs_at_the_level_reached(beta):
    """Per unit of probability, a positive row weighs 1 + beta^2 - F and a negative one F."""
    Y, scores, _ = draw(1, False)
    loss, gradient = SoftFLoss(Y, beta)(scores)
    p = 1 / (1 + np.exp(-scores))
    price = np.abs(gradient / (p * (1 - p)))[:, 0]
    cost_fn, cost_fp = FBeta(beta).costs(1 - loss)
    assert_allclose(price / price[Y[:, 0] == 0][0] * cost_fp, np.where(Y[:, 0], cost_fn, cost_fp))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("average", AVERAGES)
def test_never_worse_than_its_starts(average, labels):
    """In the penalised objective at the last slope, whatever the number of iterations."""
    X, Y = labels
    for max_iter in (1, 1000):
        clf = SoftFClassifier(average=average, max_iter=max_iter, random_state=0)
        clf.fit(X, Y)
        slope, loss = clf.slopes[-1], SoftFLoss(Y, 1.0, average)

        def objective(coef, intercept, slope=slope, loss=loss, alpha=clf.alpha):
            scores = slope * (X @ coef.T + intercept)
            return loss(scores)[0] + alpha / 2 * (coef**2).sum(axis=1).mean()

        reached = objective(clf.coef_ / slope, clf.intercept_ / slope)
        starts = clf._starts(X, Y, None)
        assert len(starts) == 6
        assert reached <= min(objective(s[:, :-1], s[:, -1]) for s in starts) + 1e-12


def test_soft_f_is_that_of_the_probabilities(labels):
    X, Y = labels
    clf = SoftFClassifier(average="micro", random_state=0).fit(X, Y)
    p = clf.predict_proba(X)
    assert_allclose(clf.soft_f_, 2 * (Y * p).sum() / (Y.sum() + p.sum()))
    assert_allclose(clf.score(X, Y), f1_score(Y, clf.predict(X), average="micro"))


def test_the_larger_class_is_positive():
    """Names, in a list as well."""
    X, y = make_classification(200, weights=[0.8], random_state=0)
    names = ["spam" if label else "ham" for label in y]
    clf = SoftFClassifier(random_state=0).fit(X, names)
    assert clf.score(X, names) == f1_score(names, clf.predict(X), pos_label="spam")


@pytest.mark.parametrize("beta", [0.5, 1.0, 4.0])
def test_three_points(beta, three_points):
    """Three points in general position allow all eight classifiers; the best one is found."""
    mass, share = np.array([0.65, 0.30, 0.05]), np.array([0.70, 0.40, 0.15])
    X, y = np.tile(np.eye(3), (2, 1)), np.repeat([1, 0], 3)
    weight = np.concatenate([mass * share, mass * (1 - share)])
    clf = SoftFClassifier(beta=beta, alpha=1e-5, random_state=0).fit(X, y, weight)
    best = FBeta(beta).value(three_points).max()
    assert_allclose(clf.score(X, y, weight), best)
    if beta == 1:
        plain = LogisticRegression(C=1e3).fit(X, y, weight)
        assert f1_score(y, plain.predict(X), sample_weight=weight) < best


def test_galaxy():
    """Logistic regression is far from the best line, x2 = 39; the soft F finds one as good."""
    X, y = make_galaxy(12_000, random_state=0)
    clf = SoftFClassifier(random_state=0).fit(X, y)
    plain = f1_score(y, LogisticRegression().fit(X, y).predict(X))
    assert plain < 0.5 < f1_score(y, X[:, 1] > 39) - 0.005 <= clf.score(X, y)


def test_macro_is_one_problem_per_label(labels):
    X, Y = labels
    joint = SoftFClassifier(average="macro", n_restarts=0).fit(X, Y)
    for k in range(Y.shape[1]):
        single = SoftFClassifier(n_restarts=0).fit(X, Y[:, k])
        assert_allclose(joint.coef_[k], single.coef_[0], rtol=1e-3, atol=1e-3)
        assert_array_equal(joint.predict(X)[:, k], single.predict(X))


def test_the_intercept_is_free_of_the_penalty():
    """So it takes up any shift of the features."""
    X, y = make_classification(300, 5, weights=[0.8], flip_y=0.1, random_state=0)
    one = SoftFClassifier(alpha=0.05, n_restarts=0, tol=1e-8).fit(X, y)
    two = SoftFClassifier(alpha=0.05, n_restarts=0, tol=1e-8).fit(X + 1.0, y)
    assert_allclose(one.coef_, two.coef_, rtol=1e-2, atol=1e-3)
    assert_allclose(one.soft_f_, two.soft_f_, atol=1e-5)


def test_sparse_rows_give_the_same(labels):
    X, Y = labels
    one = SoftFClassifier(average="samples", random_state=0).fit(X, Y)
    two = SoftFClassifier(average="samples", random_state=0).fit(sparse.csr_matrix(X), Y)
    assert_allclose(one.soft_f_, two.soft_f_, rtol=1e-3)


@pytest.mark.parametrize("average", AVERAGES)
def test_real_labels(average):
    """On new rows of the yeast data it is better than logistic regression for each average."""
    (X, Y), (X_test, Y_test) = load("yeast"), load("yeast", "test")
    clf = SoftFClassifier(average=average, slopes=(1.0,), n_restarts=0).fit(X, Y)
    plain = OneVsRestClassifier(LogisticRegression(max_iter=1000)).fit(X, Y).predict(X_test)
    plain = f1_score(Y_test, plain, average=average, zero_division=0)
    assert clf.score(X_test, Y_test) > plain + 0.02


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"average": "weighted"}, "average must be one of binary, micro, macro, samples"),
        ({"average": "samples"}, "mean over rows of several labels"),
        ({"alpha": -1.0}, "alpha must not be negative"),
        ({"slopes": ()}, "slopes must be positive"),
        ({"slopes": (1.0, -1.0)}, "slopes must be positive"),
        ({"beta": 0.0}, "beta must be positive"),
    ],
)
def test_what_is_refused(params, message):
    X, y = make_classification(30, random_state=0)
    with pytest.raises(ValueError, match=message):
        SoftFClassifier(**params).fit(X, y)


def test_several_labels_need_an_average(labels):
    X, Y = labels
    with pytest.raises(ValueError, match="average='micro' or 'macro'"):
        SoftFClassifier().fit(X, Y)
