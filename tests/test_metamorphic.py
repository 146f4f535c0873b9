"""Changes of the input that must not change the decision.

Solutions agree to the solver's tolerance, not to the last digit, so a row may be decided otherwise
only where its margin is within `NEAR` of zero, in units of the spread of all margins; exact changes
(names, order of the columns in a frame) must give exactly the same.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold

from pseudolinear import KernelLearner, LinearLearner, MeasureClassifier

NEAR = 0.02
X, y = make_classification(
    400, 8, n_informative=5, weights=[0.8], flip_y=0.1, class_sep=0.8, random_state=3
)
Y = np.stack([y, (X[:, 0] > 1).astype(int), (X[:, 1] - X[:, 2] > 2).astype(int)], axis=1)
SPLITS = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
C = {"C": [0.1, 1.0]}
LEARNERS = {
    "linear": {"estimator": "linear"},
    "logistic": {"estimator": LinearLearner(tol=1e-5), "param_grid": C},
    "squared hinge": {"estimator": LinearLearner("squared_hinge", tol=1e-5), "param_grid": C},
    "hinge": {"estimator": LinearLearner("hinge", tol=1e-5), "param_grid": C},
    "kernel": {"estimator": KernelLearner(tol=1e-5), "param_grid": C},
}


def fit(learner, X=X, y=y, splits=SPLITS, weight=None, **params):
    clf = MeasureClassifier(**(LEARNERS[learner] | params), cv=splits, random_state=0)
    return clf.fit(X, y, sample_weight=weight)


def margins(clf, rows):
    values = clf.decision_function(rows)
    return values / values.std(axis=0)


def assert_same(clf, rows, other, other_rows):
    """Check that two classifiers decide alike, rows near the threshold apart."""
    a, b = margins(clf, rows), margins(other, other_rows)
    differs = (a > 0) != (b > 0)
    assert np.abs(a[differs]).max(initial=0.0) < NEAR
    np.testing.assert_allclose(a, b, atol=5 * NEAR)


@pytest.fixture(scope="module", params=sorted(LEARNERS))
def learner(request):
    return request.param


@pytest.fixture(scope="module")
def reference(learner):
    return fit(learner)


class TestOrder:
    def test_of_rows(self, learner, reference):
        order = np.random.default_rng(0).permutation(len(X))
        place = np.argsort(order)
        splits = [(np.sort(place[train]), np.sort(place[test])) for train, test in SPLITS]
        other = fit(learner, X[order], y[order], splits)
        assert_same(reference, X, other, X)

    def test_of_columns(self, learner, reference):
        order = np.random.default_rng(0).permutation(X.shape[1])
        assert_same(reference, X, fit(learner, X[:, order]), X[:, order])

    def test_of_labels(self):
        one, other = (fit("linear", y=Y[:, k], measure="f1_macro") for k in ([0, 1, 2], [2, 0, 1]))
        np.testing.assert_array_equal(one.predict(X)[:, [2, 0, 1]], other.predict(X))


class TestNames:
    @pytest.mark.parametrize("names", [(7, 9), ("no", "yes"), (False, True), (-1.0, 1.0)])
    def test_of_classes(self, names):
        predicted = fit("linear", y=np.array(names)[y]).predict(X)
        np.testing.assert_array_equal(predicted == names[1], fit("linear").predict(X) == 1)


class TestWeights:
    def test_twice_the_weight_is_twice_the_c(self):
        grid, half = {"C": [0.1, 1.0]}, {"C": [0.05, 0.5]}
        estimator = LinearLearner(tol=1e-5)
        one = fit("logistic", estimator=estimator, param_grid=grid)
        other = fit("logistic", weight=np.full(len(X), 2.0), estimator=estimator, param_grid=half)
        assert_same(one, X, other, X)

    @pytest.mark.parametrize("name", ["linear", "logistic", "squared hinge"])
    def test_twice_the_weight_decides_alike(self, name):
        """Hinge and kernels are more sensitive to C, which twice the weight doubles."""
        assert_same(fit(name), X, fit(name, weight=np.full(len(X), 2.0)), X)

    def test_a_weight_is_a_number_of_copies(self, learner):
        counts = np.random.default_rng(1).integers(0, 3, len(X))
        copies = np.repeat(np.arange(len(X)), counts)
        fold = np.empty(len(X), dtype=int)
        for number, (_, test) in enumerate(SPLITS):
            fold[test] = number
        splits = [(np.flatnonzero(fold[copies] != k), np.flatnonzero(fold[copies] == k))
                  for k in range(len(SPLITS))]  # fmt: skip
        one = fit(learner, weight=counts)
        other = fit(learner, X[copies], y[copies], splits)
        assert_same(one, X, other, X)


class TestScale:
    def test_of_features(self):
        rows = X * 10.0 ** np.arange(-4, 4) + np.arange(8)
        assert_same(fit("linear"), X, fit("linear", rows), rows)


class TestLayout:
    def test_a_frame_is_its_values(self, learner, reference):
        frame = pd.DataFrame(X).add_prefix("x")
        np.testing.assert_array_equal(fit(learner, frame).predict(frame), reference.predict(X))

    @pytest.mark.parametrize("name", ["logistic", "squared hinge", "hinge", "kernel"])
    def test_sparse_rows_are_their_values(self, name):
        rows = np.where(np.abs(X) > 0.5, X, 0.0)
        assert_same(fit(name, rows), rows, fit(name, sparse.csr_matrix(rows)), rows)

    @pytest.mark.parametrize("name", ["logistic", "squared hinge", "hinge", "kernel"])
    def test_entries_given_twice_are_added(self, name):
        plain = np.where(np.abs(X) > 0.5, X, 0.0)
        rows = sparse.csr_matrix(plain)
        halves = (np.repeat(rows.data / 2, 2), np.repeat(rows.indices, 2), 2 * rows.indptr)
        assert_same(fit(name, plain), plain, fit(name, sparse.csr_matrix(halves)), plain)

    def test_single_precision_is_enough(self, learner, reference):
        rows = X.astype(np.float32)
        assert_same(reference, X, fit(learner, rows), rows)
