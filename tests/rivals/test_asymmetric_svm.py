"""AsymmetricSVM: one SVM per pair of costs, and the pair that held-out rows choose."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.metrics import f1_score, fbeta_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import LinearLearner
from pseudolinear.datasets import make_galaxy
from pseudolinear.learners import LabelProblem
from pseudolinear.rivals._asymmetric_svm import AsymmetricSVM

GRID = (2.0**-5, 2.0**-2, 2.0)


@parametrize_with_checks([AsymmetricSVM()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    return make_classification(200, 6, weights=[0.8], flip_y=0.15, random_state=0)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_every_pair_has_the_f_of_libsvm(beta, data):
    """scikit-learn's SVC with class weights, its held-out predictions pooled over the folds."""
    X, y = data
    folds = StratifiedKFold(3)
    ours = AsymmetricSVM(beta=beta, C_positive=GRID, C_negative=GRID, cv=folds).fit(X, y)
    theirs = np.empty((3, 3))
    for i, plus in enumerate(GRID):
        for j, minus in enumerate(GRID):
            svc = SVC(kernel="linear", C=1.0, class_weight={0: minus, 1: plus}, tol=1e-5)
            predicted = cross_val_predict(svc, X, y, cv=folds)
            theirs[i, j] = fbeta_score(y, predicted, beta=beta, zero_division=0)
    assert_allclose(ours.cv_values_[0], theirs, atol=0.025)
    assert ours.best_score_ == ours.cv_values_.max()
    i, j = GRID.index(ours.best_C_positive_[0]), GRID.index(ours.best_C_negative_[0])
    assert ours.cv_values_[0, i, j] == ours.best_score_


@pytest.mark.parametrize("level", [0.2, 0.7, 1.4])
def test_a_pair_is_a_level_and_a_c(level, data):
    """C+ = C (1 + b2 - t) and C- = C t are the costs of level t, at the regularisation C."""
    X, y = data
    pair = {"C_positive": [0.3 * (2 - level)], "C_negative": [0.3 * level]}
    svm = AsymmetricSVM(**pair).fit(X, y)
    problem = LabelProblem(0, (2 - level, level), {"C": 0.3})
    learner = LinearLearner("hinge")
    (scores,) = learner.scores(learner.fit_batch(X, y[:, None], [problem]), X)
    assert_allclose(svm.decision_function(X), scores, atol=0.02)
    accurate = SVC(kernel="linear", C=0.3, class_weight={0: level, 1: 2 - level}, tol=1e-6)
    agree = svm.predict(X) == accurate.fit(X, y).predict(X)
    assert agree.mean() > 0.98


def test_galaxy():
    """With equal costs the SVM fails; the chosen ones favour the positives, and it does not."""
    X, y = make_galaxy(6000, random_state=0)
    svm = AsymmetricSVM(random_state=0).fit(X, y)
    plain = LinearLearner("hinge", C=2.0**-6).fit(X, y)
    assert svm.best_C_positive_[0] > svm.best_C_negative_[0]
    assert svm.score(X, y) > f1_score(y, plain.predict(X)) + 0.03


def test_macro_is_one_choice_per_label():
    X, Y = make_multilabel_classification(150, 6, n_classes=3, random_state=0)
    X, folds = X / 10, list(StratifiedKFold(3).split(X, Y[:, 0]))
    grids = {"C_positive": GRID, "C_negative": GRID, "cv": folds}
    joint = AsymmetricSVM(average="macro", **grids).fit(X, Y)
    singles = [AsymmetricSVM(**grids).fit(X, column) for column in Y.T]
    assert_allclose(joint.best_score_, np.mean([s.best_score_ for s in singles]), atol=0.01)
    for k, single in enumerate(singles):
        assert_allclose(joint.cv_values_[k], single.cv_values_[0], atol=0.03)


def test_sparse_rows_give_the_same(data):
    X, y = data
    params = {"C_positive": GRID, "C_negative": GRID, "random_state": 0}
    one = AsymmetricSVM(**params).fit(X, y)
    two = AsymmetricSVM(**params).fit(sparse.csr_matrix(X), y)
    assert_allclose(one.cv_values_, two.cv_values_, atol=0.02)
    assert_array_equal(one.predict(X), one.predict(sparse.csr_matrix(X)))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"average": "micro"}, "average must be one of binary, macro"),
        ({"C_positive": [1.0, 0.0]}, "C_positive must be a sequence of positive numbers"),
        ({"C_negative": []}, "C_negative must be a sequence of positive numbers"),
        ({"cv": "folds"}, "cv must be"),
    ],
)
def test_what_is_refused(params, message, data):
    with pytest.raises(ValueError, match=message):
        AsymmetricSVM(**params).fit(*data)
