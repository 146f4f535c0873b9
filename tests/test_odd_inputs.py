"""Inputs that are wrong, or odd: one clear sentence, never a crash, a hang or another's error."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from pseudolinear import (
    Grid,
    KernelLearner,
    LinearLearner,
    MeasureClassifier,
    best_threshold,
    evaluate,
)
from pseudolinear.datasets import make_galaxy, read_rows
from pseudolinear.rivals import SVMPerf

X = np.random.default_rng(0).normal(size=(60, 4))
y = (X[:, 0] + X[:, 1] > 0.8).astype(int)
LINEAR = MeasureClassifier("linear", random_state=0)
SCORES = np.arange(4.0)


def _broken(part, number):
    """Return sparse rows one of whose index arrays points outside."""
    rows = sparse.csr_matrix(X)
    index = getattr(rows, part).copy()
    index[3] = number
    setattr(rows, part, index)
    return rows


BROKEN = [("indices", 77), ("indices", -7), ("indptr", 10**6), ("indptr", -1)]


class TestSparseRows:
    """Compiled loops do not look whether an index is inside; so somebody has to before."""

    @pytest.mark.parametrize(("part", "number"), BROKEN)
    @pytest.mark.parametrize("learner", [LinearLearner(), KernelLearner(), LINEAR])
    def test_broken_rows_are_refused_in_fit(self, part, number, learner):
        with pytest.raises(ValueError, match="X is a broken sparse matrix"):
            learner.fit(_broken(part, number), y)

    @pytest.mark.parametrize(("part", "number"), BROKEN)
    @pytest.mark.parametrize("learner", [LinearLearner(), KernelLearner(), LINEAR])
    def test_broken_rows_are_refused_in_predict(self, part, number, learner):
        fitted = learner.fit(sparse.csr_matrix(X), y)
        with pytest.raises(ValueError, match="X is a broken sparse matrix"):
            fitted.predict(_broken(part, number))

    def test_broken_labels_are_refused(self):
        Y = sparse.csr_matrix(np.stack([y, 1 - y], axis=1))
        Y.indices = np.where(np.arange(Y.nnz) == 3, 9, Y.indices)
        with pytest.raises(ValueError, match="y is a broken sparse matrix"):
            MeasureClassifier("linear", measure="f1_macro").fit(X, Y)

    def test_rows_that_were_broken_as_coordinates_are_refused(self):
        rows = sparse.coo_matrix(X)
        rows.col = np.where(np.arange(rows.nnz) == 3, 9, rows.col)
        with pytest.raises(ValueError, match="X is a broken sparse matrix"):
            LINEAR.fit(rows, y)


class TestLabels:
    @pytest.mark.parametrize("mixed", [[1, "a", 1, "a"], np.array([1, "a", 1, "a"], dtype=object)])
    def test_texts_among_numbers_are_named(self, mixed):
        said = "y mixes texts and numbers, as 'a' and 1"
        with pytest.raises(ValueError, match=said):
            LINEAR.fit(X[:4], mixed)
        with pytest.raises(ValueError, match=said.replace("y ", "y_true ")):
            best_threshold(mixed, SCORES)

    def test_none_is_a_missing_class(self):
        holes = np.array([1, None, 0, 1], dtype=object)
        with pytest.raises(ValueError, match="missing values"):
            LINEAR.fit(X[:4], holes)
        with pytest.raises(ValueError, match="missing values"):
            best_threshold(holes, SCORES)
        with pytest.raises(ValueError, match="missing values"):
            evaluate(holes, [1, 0, 0, 1], "f1")

    def test_a_label_matrix_with_twos_is_refused_at_once(self):
        with pytest.raises(ValueError, match="more than two classes"):
            LINEAR.fit(X, np.stack([y, 2 * y, y + y], axis=1) + np.eye(60, 3, dtype=int))


class TestColumns:
    def test_two_columns_of_one_name_are_named(self):
        frame = pd.DataFrame(X, columns=["a", "b", "a", "c"])
        with pytest.raises(ValueError, match="X has two columns of the name 'a'"):
            LINEAR.fit(frame, y)

    def test_numbers_too_large_to_be_squared_are_named(self):
        rows = X.copy()
        rows[5, 2] = 1e300
        for learner in (LinearLearner(), KernelLearner(), LINEAR, MeasureClassifier()):
            with pytest.raises(ValueError, match=r"1e\+300 in column 2.*(Divide|Scale)"):
                learner.fit(rows, y)

    def test_large_numbers_of_one_column_change_nothing_once_scaled(self):
        rows = X * [1.0, 1e90, 1.0, 1e-90]
        scaled = LINEAR.fit(X, y).predict(X)
        np.testing.assert_array_equal(LINEAR.fit(rows, y).predict(rows), scaled)

    def test_numbers_that_a_loss_cannot_be_minimised_with_are_named_at_once(self):
        """The hinge took half a minute for them, and gave nonsense."""
        with pytest.raises(
            ValueError, match=r"column 1; with C=1 the loss 'hinge' cannot .* Scale"
        ):
            LinearLearner("hinge").fit(X * [1.0, 1e12, 1.0, 1.0], y)

    @pytest.mark.parametrize("size", [1e-150, 1e-154, 1e-155, 1e-156, 1e-160, 1e-310])
    def test_numbers_whose_squares_vanish_are_fitted(self, size):
        """One over a variance of 1e-310 is infinite; warnings are errors here."""
        rows = size * X
        assert np.isfinite(KernelLearner().fit(rows, y).decision_function(rows)).all()


class TestWeights:
    def test_rows_next_to_zero_with_weights_far_apart_are_fitted(self):
        """Squared norms below 1e-300 are no scale to divide by; a warning would be an error."""
        rng = np.random.default_rng(14)
        rows, weight = 3e-160 * rng.normal(size=(40, 1)), 10.0 ** rng.uniform(-7, 7, 40)
        clf = MeasureClassifier(
            LinearLearner("hinge"), measure="accuracy", param_grid={"C": [1.0]}, random_state=0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            clf.fit(rows, rng.random(40) < 0.4, sample_weight=weight)
        assert np.isfinite(clf.decision_function(rows)).all()

    def test_weights_further_apart_than_sums_can_tell_are_refused(self):
        weight = np.geomspace(1e-50, 1e50, 60)
        with pytest.raises(ValueError, match=r"sample_weight.*1e\+100"):
            LINEAR.fit(X, y, sample_weight=weight)

    def test_weights_that_leave_few_rows_are_warned_of(self):
        weight = np.geomspace(1e-6, 1e6, 60)
        with pytest.warns(UserWarning, match="worth"):
            LINEAR.fit(X, y, sample_weight=weight)

    @pytest.mark.parametrize("size", [1e-20, 1e20])
    def test_weights_all_far_from_one_are_refused(self, size):
        """They multiply C: nothing would be learnt, or nothing regularised."""
        for learner in (LINEAR, MeasureClassifier(), LinearLearner(), KernelLearner()):
            with pytest.raises(ValueError, match=r"largest sample_weight is 1e.20.*mean"):
                learner.fit(X, y, sample_weight=np.full(60, size))

    def test_the_size_of_weights_is_no_matter_to_thresholds(self):
        plain = best_threshold(y, X[:, 0])
        tiny = best_threshold(y, X[:, 0], sample_weight=np.full(60, 2.0**-60))
        assert tiny.threshold == plain.threshold


class TestFloor:
    """On the rows of the fit nothing is worse than a constant answer."""

    @pytest.mark.parametrize("constant", [0.0, 1.0, 1e-310])
    @pytest.mark.parametrize(
        "learner",
        [LinearLearner("hinge"), LinearLearner(), KernelLearner(), LogisticRegression(), "linear"],
    )
    def test_features_that_say_nothing(self, constant, learner):
        """The scores of the folds and of the final model are nearly equal, but not quite."""
        rows = np.full_like(X, constant)
        clf = MeasureClassifier(learner, random_state=0).fit(rows, y)
        assert clf.score(rows, y) == pytest.approx(best_threshold(y, np.zeros(60)).value)

    @pytest.mark.parametrize("seed", range(3))
    def test_weights_that_leave_a_few_rows(self, seed):
        weight = 10.0 ** np.random.default_rng(seed).uniform(-7, 7, 60)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            clf = MeasureClassifier(LogisticRegression(), random_state=0)
            clf.fit(X, y, sample_weight=weight)
        floor = best_threshold(y, np.zeros(60), sample_weight=weight).value
        assert clf.score(X, y, sample_weight=weight) >= floor - 1e-12

    def test_what_validation_promised_and_nobody_keeps_is_said(self):
        """The classifier of all rows is not the one of the folds."""
        with pytest.warns(UserWarning, match=r"Validation gave .* constant answer"):
            clf = MeasureClassifier(Turncoat(len(X)), random_state=0).fit(X, y)
        assert clf.score(X, y) > best_threshold(y, np.zeros(60)).value

    @pytest.mark.parametrize("seed", [177, 185, 239])
    def test_a_dozen_rows_promise_nothing(self, seed):
        """What two folds of six rows give is chance: no reason for a warning, which fails here."""
        rows = np.array([[i, j] for i in range(3) for j in range(4)], dtype=float)
        target = np.array([1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2])
        clf = MeasureClassifier(LogisticRegression(), search=Grid(1), cv=2, random_state=seed)
        assert clf.fit(rows + 1, target).score(rows + 1, target) >= 2 / 3 - 1e-12


class Turncoat(LogisticRegression):
    """Gives lower scores if it was trained on all rows."""

    def __init__(self, n_rows=0):
        super().__init__()
        self.n_rows = n_rows

    def fit(self, X, y, sample_weight=None):
        self.moved_ = 10.0 if len(X) == self.n_rows else 0.0
        return super().fit(X, y, sample_weight)

    def decision_function(self, X):
        return super().decision_function(X) - self.moved_


class TestParameters:
    def test_no_job_is_no_number_of_jobs(self):
        with pytest.raises(ValueError, match="n_jobs must be"):
            MeasureClassifier("linear", n_jobs=0).fit(X, y)

    @pytest.mark.parametrize("C", [0.0, -1.0, np.nan, np.inf, 1e16, 1e300])
    @pytest.mark.parametrize("learner", [LinearLearner(), LinearLearner("hinge"), KernelLearner()])
    def test_a_c_that_cannot_be_computed_with_is_refused(self, learner, C):
        with pytest.raises(ValueError, match="C must be"):
            learner.set_params(C=C).fit(X, y)

    def test_a_rival_says_that_numbers_are_too_large(self):
        with pytest.raises(ValueError, match="Divide"):
            SVMPerf().fit(X * 1e300, y)


class TestReaders:
    def test_no_path_is_no_file(self):
        with pytest.raises(TypeError, match="path must be"):
            read_rows(None)

    def test_a_sample_has_rows(self):
        with pytest.raises(ValueError, match="n_samples must be"):
            make_galaxy(-1)


class TestFoldsWithoutWeight:
    def test_a_fold_whose_rows_weigh_nothing_is_named(self):
        """Of classes without thresholds: a share of no weight is no number."""
        rows, classes = sparse.csr_array([[0.5], [0.0], [1.2], [0.0]]), np.array([3, 1, 3, 3])
        clf = MeasureClassifier(LogisticRegression(), measure="f1_micro", random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            with pytest.raises(ValueError, match="zero for every row"):
                clf.fit(rows, classes, sample_weight=[0, 3, 2, 3])


class TestFewPositives:
    """One or two positive rows cannot be in every fold; what is done about it is said by us."""

    @pytest.mark.parametrize("n_positive", [1, 2])
    def test_the_warning_is_ours(self, n_positive):
        rare = np.zeros(60, dtype=int)
        rare[:n_positive] = 1
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            LINEAR.fit(X, rare)
        said = [str(one.message) for one in caught]
        assert not any("least populated" in one for one in said)
        assert any(f"only {n_positive} row" in one and "3 folds" in one for one in said)


class TestNoRowsYet:
    """What is nearly a table is refused by a sentence that says how to make one of it."""

    NUMBERS = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    MIXED = NUMBERS.assign(d=np.where(y, "u", "v"))

    @pytest.mark.parametrize("frame", [NUMBERS, MIXED], ids=["numbers", "mixed"])
    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda f: f.to_dict("records"), r"^X holds records \(dicts\); make a data frame of"),
            (lambda f: f.to_dict("list"), r"^X is a dict; make a data frame of it, as pd.DataF"),
            (lambda f: f["a"], r"^X is a Series where rows must be a data frame; one row is X.il"),
            (
                lambda f: pytest.importorskip("polars").from_pandas(f).lazy(),
                r"^X is a LazyFrame, which holds no rows yet; call .collect\(\) first.$",
            ),
        ],
        ids=["records", "dict", "series", "lazy"],
    )
    def test_one_sentence_says_what_to_do(self, frame, make, message):
        """In fit, in predict and in evaluate, whatever the columns hold."""
        clf = MeasureClassifier("linear", random_state=0).fit(frame, y)
        bad = make(frame)
        for use in (
            lambda: MeasureClassifier("linear").fit(bad, y),
            lambda: clf.predict(bad),
            lambda: clf.evaluate(bad, y),
        ):
            with pytest.raises(ValueError, match=message):
                use()

    @pytest.mark.parametrize("frame", [NUMBERS, MIXED], ids=["numbers", "mixed"])
    def test_one_row_is_a_frame_of_one_row(self, frame):
        """As the sentence says."""
        clf = MeasureClassifier("linear", random_state=0).fit(frame, y)
        with pytest.raises(ValueError, match=r"one row is X.iloc\[\[0\]\]"):
            clf.predict(frame.iloc[0])
        assert clf.predict(frame.iloc[[0]]).shape == (1,)

    def test_a_pipeline_may_begin_with_records(self):
        """It knows itself what it takes."""
        pipeline = make_pipeline(DictVectorizer(), LogisticRegression())
        records = self.MIXED.to_dict("records")
        clf = MeasureClassifier(pipeline, search=Grid(2), random_state=0).fit(records, y)
        assert clf.predict(records).shape == y.shape
