"""MeasureClassifier: what it returns is what its parts say it should."""

import pickle

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from pandas.testing import assert_frame_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, jaccard_score
from sklearn.model_selection import KFold, StratifiedShuffleSplit, cross_val_score

from pseudolinear import (
    FBeta,
    FBetaOverLabels,
    Grid,
    LinearLearner,
    MeasureClassifier,
    best_threshold,
)
from pseudolinear.portfolio._auto import C_VALUES


@pytest.fixture(scope="module")
def binary():
    return make_classification(300, weights=[0.85], flip_y=0.1, random_state=0)


@pytest.fixture(scope="module")
def multilabel():
    return make_multilabel_classification(300, n_classes=4, n_labels=1, random_state=0)


@pytest.fixture(scope="module")
def multiclass():
    return make_classification(
        400, n_classes=4, n_informative=6, weights=[0.6, 0.2, 0.1], random_state=1
    )


@pytest.fixture(scope="module")
def split():
    """One explicit split of 300 rows."""
    rows = np.random.RandomState(0).permutation(300)
    return [(rows[:200], rows[200:])]


FAST = Grid(5)


@pytest.mark.parametrize("selection", ["largest_value", "least_cost"])
@pytest.mark.parametrize("tune_threshold", [False, True])
def test_best_score_is_f1_of_the_validation_rows(binary, split, selection, tune_threshold):
    """Without refit, the value it reports is scikit-learn's F1 on the rows held out."""
    X, y = binary
    clf = MeasureClassifier(
        "linear",
        cv=split,
        refit=False,
        selection=selection,
        tune_threshold=tune_threshold,
        search=FAST,
    ).fit(X, y)
    test = split[0][1]
    assert_allclose(clf.best_score_, f1_score(y[test], clf.predict(X[test])))
    assert_allclose(clf.score(X[test], y[test]), clf.best_score_)


@pytest.mark.parametrize("selection", ["largest_value", "least_cost"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_best_score_is_averaged_f1_of_the_validation_rows(multilabel, split, selection, average):
    """The same for several labels."""
    X, Y = multilabel
    clf = MeasureClassifier(
        "linear", measure=f"f1_{average}", cv=split, refit=False, selection=selection, search=FAST
    ).fit(X, Y)
    test = split[0][1]
    assert_allclose(clf.best_score_, f1_score(Y[test], clf.predict(X[test]), average=average))


@pytest.mark.parametrize(
    "measure", ["f1_micro", "f1_macro", FBeta(default_class=0), FBetaOverLabels(default_class=2)]
)
def test_best_score_of_a_multiclass_problem(multiclass, measure):
    """The same for classes, with and without a default one."""
    X, y = multiclass
    train, test = next(StratifiedShuffleSplit(1, random_state=0).split(X, y))
    clf = MeasureClassifier(
        "linear", measure=measure, cv=[(train, test)], refit=False, search=FAST
    ).fit(X, y)
    assert_allclose(clf.score(X[test], y[test]), clf.best_score_)
    if measure == "f1_macro":
        assert_allclose(f1_score(y[test], clf.predict(X[test]), average="macro"), clf.best_score_)


def test_refit_trains_with_the_chosen_costs_on_all_rows(binary):
    """The final model is the learner itself, weighted by the costs that were chosen."""
    X, y = binary
    clf = MeasureClassifier(LogisticRegression(), random_state=0, search=FAST).fit(X, y)
    cost_fn, cost_fp = clf.costs_
    plain = LogisticRegression().fit(X, y, sample_weight=np.where(y == 1, cost_fn, cost_fp))
    assert_allclose(
        clf.decision_function(X), plain.decision_function(X) - clf.threshold_, atol=1e-8
    )


def test_threshold_alone_is_a_plain_fit_with_the_best_threshold(binary, split):
    """Without costs it reduces to one plain fit and the exact threshold of its scores."""
    X, y = binary
    train, test = split[0]
    options = {"selection": "largest_value", "cv": split, "refit": False}
    clf = MeasureClassifier(LogisticRegression(), cost_sensitive=False, **options).fit(X, y)
    plain = LogisticRegression().fit(X[train], y[train])
    cut = best_threshold(y[test], plain.decision_function(X[test]))
    assert_allclose(clf.threshold_, cut.threshold, atol=1e-10)
    assert_allclose(clf.best_score_, cut.value)


def test_more_freedom_never_lowers_the_validation_value(binary, split):
    """Thresholds and costs each contain the plain classifier as a special case."""
    X, y = binary

    def value(**options):
        # An odd grid contains the level of equal costs.
        clf = MeasureClassifier(
            "linear", selection="largest_value", cv=split, search=FAST, **options
        )
        return clf.fit(X, y).best_score_

    plain = value(cost_sensitive=False, tune_threshold=False)
    threshold, costs = value(cost_sensitive=False), value(tune_threshold=False)
    assert plain <= min(threshold, costs) <= max(threshold, costs) <= value()


def test_macro_is_one_binary_problem_per_label(multilabel, split):
    """A macro average falls apart: each label ends where it would end alone."""
    X, Y = multilabel
    learner = LogisticRegression(max_iter=1000)
    options = {"selection": "largest_value", "cv": split, "search": FAST}
    together = MeasureClassifier(learner, measure="f1_macro", **options).fit(X, Y)
    for k in range(Y.shape[1]):
        alone = MeasureClassifier(learner, measure="f1", **options).fit(X, Y[:, k])
        assert together.threshold_[k] == alone.threshold_
        assert together.level_[k] == alone.level_
        assert_array_equal(together.predict(X)[:, k], alone.predict(X))


def test_micro_shares_one_level(multilabel):
    """A micro average trains all labels with the same costs."""
    X, Y = multilabel
    clf = MeasureClassifier("linear", measure="f1_micro", random_state=0, search=FAST).fit(X, Y)
    assert isinstance(clf.level_, float)
    assert_array_equal(clf.costs_, np.tile(clf.costs_[0], (4, 1)))
    assert_allclose(clf.costs_[0], FBeta().costs(clf.level_) / clf.level_)


@pytest.mark.parametrize(("f1", "jaccard"), [("f1", "jaccard"), ("f1_micro", "jaccard_micro")])
def test_f1_and_jaccard_choose_the_same_classifier(binary, multilabel, f1, jaccard):
    """Jaccard is an increasing function of F1, so their best classifiers coincide."""
    X, y = binary if f1 == "f1" else multilabel
    by_f1, by_jaccard = (
        MeasureClassifier("linear", measure=m, random_state=0, selection="largest_value").fit(X, y)
        for m in (f1, jaccard)
    )
    assert_allclose(by_f1.threshold_, by_jaccard.threshold_)
    assert_allclose(by_f1.costs_, by_jaccard.costs_)
    if f1 == "f1":
        assert_allclose(jaccard_score(y, by_f1.predict(X)), by_jaccard.score(X, y))


def test_two_classes_with_a_default_class_are_a_binary_problem(binary):
    """The default-class measure reduces to binary F-beta when there are two classes."""
    X, y = binary
    options = {"selection": "largest_value", "search": FAST, "random_state": 0}
    by_default, by_binary = (
        MeasureClassifier(LogisticRegression(), measure=measure, **options).fit(X, y)
        for measure in (FBeta(2, default_class=0), FBeta(2))
    )
    assert_allclose(by_default.best_score_, by_binary.best_score_)
    assert_allclose(by_default.level_, by_binary.level_)
    assert_array_equal(by_default.predict(X), by_binary.predict(X))


def test_measures_with_constant_costs_train_once(multiclass, binary):
    """Accuracy has the same costs at every level, so nothing is trained twice."""
    X, y = multiclass
    clf = MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(X, y)
    assert_array_equal(clf.costs_, np.ones(4))
    clf = MeasureClassifier("linear", measure="balanced_accuracy", random_state=0).fit(*binary)
    assert len(clf.sweep_) == len(C_VALUES)


@pytest.mark.parametrize("n_jobs", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_any_number_of_jobs_gives_the_same_result(multilabel, n_jobs):
    """Parallel work changes the time, not the result."""
    X, Y = multilabel[0][:150], multilabel[1][:150, :2]
    forest = RandomForestClassifier(5)
    one, many = (
        MeasureClassifier(forest, measure="f1_macro", random_state=3, search=FAST, n_jobs=n).fit(
            X, Y
        )
        for n in (1, n_jobs)
    )
    assert_array_equal(one.decision_function(X), many.decision_function(X))


def test_batches_do_not_depend_on_the_number_of_jobs(multilabel):
    """The built-in learner cuts 1,216 problems into the same batches for any number of jobs."""
    X, Y = multilabel
    grid = {"C": 2.0 ** np.arange(-8, 8)}
    one, two = (
        MeasureClassifier(
            "linear", measure="f1_macro", param_grid=grid, random_state=0, n_jobs=n
        ).fit(X, Y)
        for n in (1, 2)
    )
    assert_array_equal(one.decision_function(X), two.decision_function(X))
    assert one.sweep_.rows() == two.sweep_.rows()


@pytest.mark.parametrize(
    "backend", ["threading", "loky", pytest.param("multiprocessing", marks=pytest.mark.slow)]
)
def test_any_backend_gives_the_same_result(binary, backend):
    """The active joblib backend is used and does not matter, whatever learners take part."""
    X, y = binary
    one = MeasureClassifier(random_state=0).fit(X, y)
    with parallel_config(backend=backend, n_jobs=2):
        other = MeasureClassifier(random_state=0).fit(X, y)
    assert_array_equal(one.predict(X), other.predict(X))
    # Similarities are rounded as the matrices happen to lie in memory.
    assert_allclose(one.decision_function(X), other.decision_function(X), atol=1e-9)


def test_the_same_seed_gives_the_same_result(binary):
    """A learner without a seed of its own takes the classifier's."""
    X, y = binary
    clf = MeasureClassifier(RandomForestClassifier(5), random_state=3, search=FAST)
    first, second = clone(clf).fit(X, y), clone(clf).fit(X, y)
    assert_array_equal(first.predict(X), second.predict(X))
    assert_frame_equal(first.sweep_.to_pandas(), second.sweep_.to_pandas())


def test_dense_equals_sparse_with_either_index_width(binary):
    """Sparse matrices with 32- and 64-bit indices give what dense arrays give."""
    X, y = binary
    clf = MeasureClassifier(LinearLearner(), random_state=0, search=FAST)
    dense = clone(clf).fit(X, y)
    for index in (np.int32, np.int64):
        matrix = sparse.csr_array(X)
        matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
        other = clone(clf).fit(matrix, y)
        assert_allclose(other.decision_function(matrix), dense.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("names", [("ham", "spam"), (-1, 1), (False, True), (3, 7)])
def test_labels_of_any_type(binary, names):
    """The larger label is positive, and predictions come in the labels' own type."""
    X, y = binary
    labels = np.array(names)[y]
    clf = MeasureClassifier("linear", random_state=0, search=FAST).fit(X, labels)
    plain = MeasureClassifier("linear", random_state=0, search=FAST).fit(X, y)
    assert clf.classes_.tolist() == sorted(names)
    assert_array_equal(clf.predict(X), np.array(names)[plain.predict(X)])
    assert clf.score(X, labels) == plain.score(X, y)


def test_pos_label_turns_the_problem_round(binary):
    """Any class can be the positive one; the decision function still points to the last."""
    X, y = binary
    labels = np.where(y == 1, "a_rare", "b_frequent")
    clf = MeasureClassifier("linear", measure=FBeta(pos_label="a_rare"), random_state=0).fit(
        X, labels
    )
    plain = MeasureClassifier("linear", random_state=0).fit(X, y)
    assert_array_equal(clf.predict(X) == "a_rare", plain.predict(X) == 1)
    assert_allclose(clf.decision_function(X), -plain.decision_function(X))
    assert_allclose(clf.predict_proba(X)[:, 0], plain.predict_proba(X)[:, 1])


@pytest.mark.parametrize("estimator", ["linear", "auto", [LinearLearner("hinge")]], ids=str)
@pytest.mark.parametrize("measure", ["f1", "f1_macro", FBeta(default_class=0)])
def test_probabilities_agree_with_predictions(binary, measure, estimator):
    """The class of the largest probability is the predicted one."""
    X, y = binary
    clf = MeasureClassifier(estimator, measure=measure, random_state=0).fit(X, y)
    proba = clf.predict_proba(X)
    assert_allclose(proba.sum(axis=1), 1.0)
    assert_array_equal(clf.classes_[proba.argmax(axis=1)], clf.predict(X))


def test_sweep_is_a_table_of_every_candidate(binary):
    """One row per level, setting and fold, and one for all folds together."""
    X, y = binary
    clf = MeasureClassifier(
        LogisticRegression(),
        param_grid={"C": [0.1, 1.0]},
        search=FAST,
        selection="largest_value",
        random_state=0,
    ).fit(X, y)
    table = clf.sweep_.to_pandas()
    assert len(table) == 5 * 2 * (3 + 1)
    assert {"level", "cost_fn", "cost_fp", "C", "fold", "threshold", "fn", "fp", "value"} < set(
        table.columns
    )
    pooled = table[table["fold"] == -1]
    assert_allclose(pooled["value"].max(), clf.best_score_)
    assert clf.best_params_["C"] in (0.1, 1.0)
    assert_allclose(pooled["cost_fn"] / pooled["cost_fp"], (2 - pooled["level"]) / pooled["level"])


def test_it_works_inside_scikit_learn(binary):
    """Cross-validation and pickling work as for any other classifier."""
    X, y = binary
    clf = MeasureClassifier("linear", search=FAST, random_state=0)
    by_hand = [
        f1_score(y[test], clone(clf).fit(X[train], y[train]).predict(X[test]))
        for train, test in KFold(2).split(X)
    ]
    assert_allclose(cross_val_score(clf, X, y, cv=KFold(2), scoring="f1"), by_hand)
    clf = MeasureClassifier(random_state=0).fit(X, y)
    assert len(clf.portfolio_) > 1
    assert_array_equal(pickle.loads(pickle.dumps(clf)).predict(X), clf.predict(X))


def test_progress_is_shown_on_request(binary, capsys):
    """The lines on stderr name what is trained, up to the end."""
    MeasureClassifier(LogisticRegression(), search=FAST, verbose=True).fit(*binary)
    lines = capsys.readouterr().err.splitlines()
    assert "LogisticRegression" in lines[0]
    assert "training on all rows, 100 %" in lines[-1]


def test_a_fold_without_a_label_is_reported(multilabel):
    """A rare label may be missing from the training rows of a fold; the user is told."""
    X, Y = multilabel
    rare = np.zeros((len(Y), 1), dtype=int)
    rare[0] = 1
    with pytest.warns(UserWarning, match="In 1 of 15 folds and labels no training row"):
        clf = MeasureClassifier("linear", measure="f1_macro", search=FAST, random_state=0).fit(
            X, np.hstack([Y, rare])
        )
    assert clf.predict(X).shape == (300, 5)
