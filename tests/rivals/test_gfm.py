"""Instance-wise F from the probabilities of labels and sizes, against enumeration."""

import itertools

import numpy as np
import pytest
from data import load
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import fbeta_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear.rivals import _gfm_classifier
from pseudolinear.rivals._expected_f import maximize_expected_f
from pseudolinear.rivals._gfm import gfm
from pseudolinear.rivals._gfm_classifier import PARAMETERS, GFMClassifier
from pseudolinear.rivals._label_sizes import leave_one_out


@parametrize_with_checks([GFMClassifier()])
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)


def label_sets(m):
    """Return all 0/1 vectors of m labels."""
    return np.array(list(itertools.product((0, 1), repeat=m)))


def f_table(true, predicted, beta, zero_division=1.0):
    """Return F for every pair of a true and a predicted label set."""
    total = beta**2 * true.sum(axis=1)[:, None] + predicted.sum(axis=1)
    hits = (1 + beta**2) * true @ predicted.T
    return np.where(total > 0, hits / np.where(total > 0, total, 1), zero_division)


def parameters_of(joint, sets):
    """Return P(y_i = 1, |y| = s) and P(y = 0) of distributions over all label sets."""
    size = sets.sum(axis=1)
    P = [joint[:, size == s] @ sets[size == s] for s in range(1, sets.shape[1] + 1)]
    return np.stack(P, axis=2), joint[:, 0]


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("m", [1, 2, 4, 6])
def test_no_label_set_has_a_larger_expected_f(m, beta, zero_division):
    """For any joint distribution, the value is the largest over all 2^m label sets."""
    sets = label_sets(m)
    rng = np.random.default_rng(m)
    joint = rng.dirichlet(np.full(len(sets), 0.3), size=40)  # few sets carry most of the mass
    joint[0] = np.eye(len(sets))[0]  # surely no label
    expected = joint @ f_table(sets, sets, beta, zero_division)
    P, p0 = parameters_of(joint, sets)
    predictions, values = gfm(np.clip(P, 0, 1), p0, beta, zero_division=zero_division)
    assert values == pytest.approx(expected.max(axis=1), rel=1e-12)
    chosen = predictions @ 2 ** np.arange(m)[::-1]
    assert expected[np.arange(40), chosen] == pytest.approx(values, rel=1e-12)


def test_sizes_that_do_not_occur_can_be_left_out():
    """A size of probability 0 adds nothing."""
    P = np.zeros((1, 4, 4))
    P[0, :, 1] = [0.6, 0.6, 0.4, 0.4]
    full, short = gfm(P, [0.0]), gfm(P[:, :, [1]], [0.0], sizes=[2])
    assert (full[0] == short[0]).all()
    assert full[1] == pytest.approx(short[1])


def test_leave_one_out_equals_enumeration():
    """The distribution of the other labels' number, also for labels that are certain."""
    rng = np.random.default_rng(0)
    p = np.vstack([rng.random((20, 5)), rng.choice([0.0, 0.5, 1.0], size=(20, 5))])
    sets = label_sets(4)
    for i in range(5):
        rest = np.delete(p, i, axis=1)[:, None, :]
        mass = np.where(sets, rest, 1 - rest).prod(axis=2)
        by_size = [mass[:, sets.sum(axis=1) == s].sum(axis=1) for s in range(5)]
        assert leave_one_out(p)[:, i] == pytest.approx(np.stack(by_size, axis=1), abs=1e-14)


def test_leave_one_out_is_stable_for_many_labels():
    """With 150 labels, division keeps what direct products of the other labels give."""
    rng = np.random.default_rng(0)
    for p in (rng.random(150), np.full(150, 0.5), rng.choice([1e-9, 0.49999, 1 - 1e-9], 150)):
        found = leave_one_out(p[None])[0]
        for i in (0, 70, 149):
            direct = np.ones(1)
            for q in np.delete(p, i):
                direct = np.convolve(direct, [1 - q, q])
            assert found[i] == pytest.approx(direct, abs=1e-13)


@pytest.fixture
def groups():
    """Rows of five kinds, each kind with dependent labels of its own."""
    rng = np.random.default_rng(1)
    sets = label_sets(4)
    kind = np.repeat(np.arange(5), 120)
    joint = rng.dirichlet(np.full(len(sets), 0.15), size=5)
    Y = np.concatenate([sets[rng.choice(len(sets), size=120, p=p)] for p in joint])
    return kind[:, None].astype(float), Y


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_true_frequencies_give_the_best_training_f(groups, beta):
    """A tree knows the frequencies within each kind of row; no prediction per kind is better."""
    X, Y = groups
    scores = {
        name: GFMClassifier(
            DecisionTreeClassifier(), parameters=name, beta=beta, n_samples=2000, random_state=0
        )
        .fit(X, Y)
        .score(X, Y)
        for name in PARAMETERS
    }
    by_kind = [f_table(Y[X[:, 0] == kind], label_sets(4), beta).mean(axis=0) for kind in range(5)]
    best = np.max(by_kind, axis=1).mean()
    assert scores["multinomial"] == pytest.approx(best, rel=1e-12)
    assert scores["chain"] == pytest.approx(best, abs=0.01)
    assert scores["independent"] <= best + 1e-12


def test_labels_that_come_together_are_not_independent():
    """Where all labels come together or not at all, independence wrongly predicts them."""
    Y = np.zeros((100, 6), dtype=int)
    Y[:45] = 1
    X = np.zeros((100, 1))
    tree = DecisionTreeClassifier()
    scores = [
        GFMClassifier(tree, parameters=name, n_samples=1000, random_state=0).fit(X, Y).score(X, Y)
        for name in PARAMETERS
    ]
    assert scores == pytest.approx([0.55, 0.55, 0.45])


def test_chain_draws_from_the_product_of_its_conditionals(groups):
    """The shares of the draws are the probabilities of labels and sizes under the chain."""
    X, Y = groups
    X = np.eye(5)[X[:, 0].astype(int)]
    clf = GFMClassifier(parameters="chain", n_samples=20_000, random_state=0).fit(X, Y)
    sets, rows = label_sets(4), np.eye(5)
    joint = np.ones((5, len(sets)))
    for i, model in enumerate(clf.models_):
        for k, labels in enumerate(sets):
            before = np.broadcast_to(labels[:i], (5, i))
            joint[:, k] *= model.predict_proba(np.hstack([rows, before]))[:, labels[i]]
    P, p0 = parameters_of(joint, sets)
    found_P, found_p0 = clf._estimate(rows)
    assert found_P == pytest.approx(P, abs=4 * 0.5 / 20_000**0.5)
    assert found_p0 == pytest.approx(p0, abs=4 * 0.5 / 20_000**0.5)


def test_independent_labels_are_the_exact_inference_for_each_row():
    """Under independence both algorithms for expected F agree, row by row."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    Y = (X @ rng.normal(size=(4, 7)) + rng.normal(size=(200, 7)) > 1).astype(int)
    clf = GFMClassifier(parameters="independent", beta=2.0).fit(X, Y)
    p = np.stack([model.predict_proba(X)[:, 1] for model in clf.models_], axis=1)
    best = [maximize_expected_f(row, 2.0) for row in p]
    assert (clf.predict(X) == [b.predictions for b in best]).all()
    values = gfm(*clf._estimate(X), 2.0)[1]
    assert values == pytest.approx([b.value for b in best], rel=1e-11)


@pytest.mark.parametrize("name", PARAMETERS)
def test_yeast(name):
    """On real data the instance-wise F is well above that of independent cuts at one half."""
    (X, Y), (X_test, Y_test) = load("yeast"), load("yeast", "test")
    for beta, lead in ((1.0, 0.04), (2.0, 0.14)):
        clf = GFMClassifier(parameters=name, beta=beta, random_state=0).fit(X, Y)
        plain = MultiOutputClassifier(LogisticRegression(max_iter=1000)).fit(X, Y).predict(X_test)
        reached = fbeta_score(Y_test, plain, beta=beta, average="samples")
        assert clf.score(X_test, Y_test) > reached + lead


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("zero_division", [0.0, 1.0])
def test_score_is_that_of_scikit_learn(groups, beta, zero_division):
    """The mean over rows, weighted, with the same convention for rows without labels."""
    X, Y = groups
    weight = np.random.default_rng(0).random(len(X))
    clf = GFMClassifier(parameters="independent", beta=beta, zero_division=zero_division)
    clf.fit(X, Y)
    expected = fbeta_score(
        Y,
        clf.predict(X),
        beta=beta,
        average="samples",
        zero_division=zero_division,
        sample_weight=weight,
    )
    assert clf.score(X, Y, weight) == pytest.approx(expected, rel=1e-12)


def test_binary_problem_is_one_label():
    """With one label the best prediction is the more probable class, and F is accuracy."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.where(X[:, 0] + rng.normal(size=300) > 0.5, "spam", "ham")
    plain = LogisticRegression(max_iter=1000).fit(X, y)
    for name in ("multinomial", "independent"):
        clf = GFMClassifier(parameters=name).fit(X, y)
        assert (clf.predict(X) == plain.predict(X)).all()
        assert clf.score(X, y) == pytest.approx(plain.score(X, y))


@pytest.mark.parametrize("name", PARAMETERS)
def test_weights_are_repeated_rows(groups, name):
    """A row of weight 3 is three rows, and one of weight 0 is none."""
    X, Y = np.eye(5)[groups[0][:, 0].astype(int)], groups[1]
    weight = np.random.default_rng(0).integers(0, 4, size=len(X))
    estimator = LogisticRegression(max_iter=10_000, tol=1e-10)
    clf = GFMClassifier(estimator, parameters=name, random_state=0)
    weighted = clone(clf).fit(X, Y, weight)
    repeated = clone(clf).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0))
    for a, b in zip(weighted._estimate(np.eye(5)), repeated._estimate(np.eye(5)), strict=True):
        assert a == pytest.approx(b, abs=1e-6)


@pytest.mark.parametrize("name", PARAMETERS)
def test_chunks_and_storage_do_not_matter(groups, name, monkeypatch):
    """One row at a time, sparse rows and sparse labels give the same predictions."""
    X, Y = np.eye(5)[groups[0][:, 0].astype(int)], groups[1]
    clf = GFMClassifier(parameters=name, random_state=0).fit(X, Y)
    expected = clf.predict(X)
    other = clone(clf).fit(sparse.csr_array(X), sparse.csr_array(Y))
    assert (other.predict(sparse.csr_array(X)) == expected).all()
    monkeypatch.setattr(_gfm_classifier, "CHUNK_NUMBERS", 1)
    assert (clf.predict(X[:50]) == expected[:50]).all()


def test_only_sizes_that_occur_are_modelled():
    """Labels that all rows or none carry need no model, nor do sizes that never occur."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    first = X[:, 0] > 0
    Y = np.column_stack([first, ~first, np.ones(100), np.zeros(100)]).astype(int)
    for name in PARAMETERS:
        clf = GFMClassifier(parameters=name, random_state=0).fit(X, Y)
        assert (clf.predict(X) == Y).mean() > 0.95
        assert (clf.predict(X)[:, 2:] == [1, 0]).all()
        assert clf.sizes_.tolist() == ([2] if name == "multinomial" else [1, 2, 3, 4])
    nothing = GFMClassifier().fit(X, np.zeros((100, 3), dtype=int))
    assert not nothing.predict(X).any()


def test_random_state_decides_everything(groups):
    """Chains and random estimators repeat themselves; pipelines take weights."""
    X, Y = groups
    forest = GFMClassifier(RandomForestClassifier(5), parameters="chain", random_state=3)
    first, second = (clone(forest).fit(X, Y) for _ in range(2))
    assert np.array_equal(first._estimate(X)[0], second._estimate(X)[0])
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert GFMClassifier(pipeline).fit(X, Y, np.ones(len(X))).score(X, Y) > 0


def test_a_hundred_labels():
    """Many labels fit into the memory and the time of a test."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.2, 3.0, size=(300, 100))
    P = p[:, :, None] * leave_one_out(p)
    predictions, values = gfm(P, np.prod(1 - p, axis=1))
    best = [maximize_expected_f(row) for row in p[:20]]
    assert values[:20] == pytest.approx([b.value for b in best], rel=1e-10)
    assert (predictions[:20] == [b.predictions for b in best]).all()


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"parameters": "joint"}, ValueError, "parameters must be one of"),
        ({"n_samples": 0}, ValueError, "n_samples must be at least 1"),
        ({"beta": -1.0}, ValueError, "beta must be positive"),
        ({"zero_division": 2.0}, ValueError, "zero_division must be between"),
        ({"estimator": LinearSVC()}, TypeError, "no predict_proba"),
        ({"estimator": KNeighborsClassifier()}, TypeError, "takes no sample_weight"),
    ],
)
def test_bad_settings_are_refused(groups, changes, error, message):
    """One sentence says what is wrong."""
    X, Y = groups
    with pytest.raises(error, match=message):
        GFMClassifier(**changes).fit(X, Y, np.ones(len(X)))


def test_bad_targets_are_refused():
    """Classes are not labels."""
    X = np.arange(6.0)[:, None]
    with pytest.raises(ValueError, match="type of the target is multiclass"):
        GFMClassifier().fit(X, [0, 1, 2, 0, 1, 2])
    with pytest.raises(ValueError, match="only one class, 1"):
        GFMClassifier().fit(X, np.ones(6, dtype=int))


@pytest.mark.parametrize(
    ("P", "p0", "options", "message"),
    [
        ([[[1.2]]], [0.0], {}, "P must lie between 0 and 1, got 1.2"),
        ([[[0.5]]], [np.nan], {}, "p0 must lie between 0 and 1, got nan"),
        ([[0.5]], [0.5], {}, "they must be"),
        ([[[0.5]]], [0.5, 0.5], {}, "they must be"),
        ([[[0.5, 0.1]]], [0.4], {}, "one size for each"),
        ([[[0.5]]], [0.5], {"sizes": [0]}, "from 1 on"),
        ([[[0.5]]], [0.5], {"beta": 0.0}, "beta must be positive"),
    ],
)
def test_bad_probabilities_are_refused(P, p0, options, message):
    """One sentence says what is wrong."""
    with pytest.raises(ValueError, match=message):
        gfm(P, p0, **options)
