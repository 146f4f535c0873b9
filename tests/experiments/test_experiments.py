"""The protocol of the published experiments, and what is chosen from stored curves."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import f1_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from pseudolinear import FBeta, LinearLearner, MeasureClassifier
from pseudolinear.experiments import PUBLISHED, QUICK, published_cells
from pseudolinear.experiments._choice import choose, f1, largest_f1, least_costs, value_on_test
from pseudolinear.experiments._claims import largest_dip, tried_levels
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._figures import ceilings
from pseudolinear.experiments._learners import make_learner
from pseudolinear.experiments._pieces import Piece, key_of, problem_levels
from pseudolinear.experiments._sources import checksum, load_source, split_rows
from pseudolinear.learners import Problem

OPTIONS = ("none", "T", "CS", "CS&T")
LEVELS = (0.4, 1.0, 1.6)


def random_labels(seed, n_labels=3, n_rows=15, n_settings=2):
    """Labels and scores of every problem; scores have ties."""
    rng = np.random.default_rng(seed)
    y, y_test = (
        (rng.random((n_labels, n_rows)) < 0.4).astype(int),
        rng.integers(0, 2, (n_labels, n_rows)),
    )
    n_problems = len(LEVELS) * n_settings
    scores, scores_test = rng.normal(size=(2, n_labels, n_problems, n_rows)).round(1)
    curves = [
        Curves.from_scores(*parts) for parts in zip(y, scores, y_test, scores_test, strict=True)
    ]
    return y, scores, y_test, scores_test, curves, np.repeat(LEVELS, n_settings)


def all_classifiers(option, y, scores, levels):
    """List what an option may do with a label: (level, predictions), all thresholds tried."""
    for row, level in zip(scores, levels, strict=True):
        if option in ("none", "T") and level != 1.0:
            continue
        thresholds = [0.0] if option in ("none", "CS") else [np.inf, *row]
        for threshold in thresholds:
            yield level, (row >= threshold).astype(int)


def test_published_cells_are_all_there():
    """164 cells, three of them looked up in the print."""
    cells = published_cells()
    assert len(cells) == 164
    assert cells["tab_bin", "Adult", "binary_F1", "n/a", "SVM", "CS"] == 67.9
    assert cells["tab_mF", "Yeast", "micro_F1", "C_min", "LR", "CS"] == 65.3
    assert cells["tab_MF", "Yeast", "macro_F1", "n/a", "LR", "none"] == 38.8


def test_protocol_has_every_published_cell():
    """Each cell is reported again, but for the two data sets whose rows are not at hand."""
    ours = {
        (table.name, PUBLISHED.source(dataset).published, table.measure, selection, name, option)
        for table in PUBLISHED.tables
        for dataset in table.datasets
        for selection in table.selections
        for name in table.learners
        for option in PUBLISHED.learner(name).options
    }
    left = {cell for cell in published_cells() if cell not in ours}
    assert {cell[1] for cell in left} == {"RCV1", "Siam"}
    assert {cell for cell in ours if cell[1] is not None} <= published_cells().keys()


def test_protocol_has_the_published_grids():
    """13 values of C and gamma, 19 cost ratios from 19 to 0.05, five splits."""
    svm, rbf = PUBLISHED.learner("SVM"), PUBLISHED.learner("SVM-RBF")
    assert svm.grid == {"C": tuple(2.0**i for i in range(-6, 7))}
    assert rbf.grid == {"gamma": svm.grid["C"], "C": svm.grid["C"]}
    ratios = [(2 - t) / t for t in svm.levels]
    printed = [19, 9, 5.67, 4, 3, 2.33, 1.86, 1.5, 1.22, 1, 0.82, 0.67, 0.54, 0.43, 0.33, 0.25]
    assert_allclose(ratios, [*printed, 0.18, 0.11, 0.05], atol=0.006)
    assert (svm.n_problems, rbf.n_problems, PUBLISHED.n_splits) == (247, 3211, 5)
    assert_array_equal(problem_levels(rbf)[[0, 168, 169, -1]], [0.1, 0.1, 0.2, 1.9])


def test_part_of_a_protocol():
    """Only the tables of the chosen data sets are left; unknown names are refused."""
    part = PUBLISHED.only(["adult"])
    assert [table.name for table in part.tables] == ["tab_bin"]
    assert part.tables[0].datasets == ("adult",)
    with pytest.raises(ValueError, match="'mnist' is no data set of the published protocol"):
        PUBLISHED.only(["mnist"])


def test_splits_hold_a_third_out():
    """Every row is in one part, and each split is another one."""
    train, validation = split_rows(100, 0)
    assert len(validation) == 33
    assert_array_equal(np.sort(np.concatenate([train, validation])), np.arange(100))
    assert set(validation) != set(split_rows(100, 1)[1])


def test_checksum_sees_every_row():
    """One other value in the test rows is another data set."""
    data = load_source(QUICK.source("six topics"))
    X = data.X_test.copy()
    X[-1, -1] += 1
    assert checksum(data) == checksum(replace(data))
    assert checksum(data) != checksum(replace(data, X_test=X))


@pytest.mark.parametrize("seed", range(2))
def test_f1_of_counts_is_the_usual_one(seed):
    """Also where nothing is found, or nothing is to be found."""
    rng = np.random.default_rng(seed)
    y, predicted = rng.random((2, 8)) < rng.random((2, 1))
    errors = [(y & ~predicted).sum(), (predicted & ~y).sum()]
    assert_allclose(f1(errors, y.sum()), f1_score(y, predicted, zero_division=0.0))


@pytest.mark.parametrize("seed", range(2))
def test_curves_count_rows_at_validation_scores(seed):
    """A cut is one of the validation scores, or above all; test rows are counted at the same."""
    y, scores, y_test, scores_test, labels, _ = random_labels(seed)
    for k, curves in enumerate(labels):
        for i, row in enumerate(scores[k]):
            own = curves.problem == i
            possible = set()
            for threshold in [np.inf, *row, 0.0]:
                counts = []
                for truth, score in ((y[k], row), (y_test[k], scores_test[k, i])):
                    counts += [
                        ((truth == 1) & (score < threshold)).sum(),
                        ((truth == 0) & (score >= threshold)).sum(),
                    ]
                possible.add(tuple(counts))
            stored = np.hstack([curves.validation[own], curves.test[own]])
            assert {tuple(line) for line in stored.tolist()} <= possible
            assert curves.natural[own].tolist() == [True] + [False] * (own.sum() - 1)
            assert tuple(stored[0]) == tuple(counts)  # the last threshold was 0


def test_curves_survive_packing():
    """Packed and unpacked, every array is the same."""
    curves = random_labels(0)[4][0]
    again = Curves.from_bytes(curves.to_bytes())
    for name, value in vars(curves).items():
        assert_array_equal(getattr(again, name), value)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_largest_f1_equals_brute_force(seed, option):
    """F_max: no problem and threshold of the option has a larger F1 on the validation rows."""
    y, scores, _, _, labels, levels = random_labels(seed)
    for k, curves in enumerate(labels):
        best = max(
            f1_score(y[k], p, zero_division=0.0)
            for _, p in all_classifiers(option, y[k], scores[k], levels)
        )
        cut = largest_f1(curves, levels, option)
        assert_allclose(f1(curves.validation[cut], curves.positives[0]), best)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_least_cost_equals_brute_force(seed, option):
    """C_min: within a level the least cost of each label, among levels the largest micro F1."""
    y, scores, _, _, labels, levels = random_labels(seed)
    found = least_costs(labels, levels, option, LEVELS)
    for level, cuts, value in zip(LEVELS, found.cuts, found.values, strict=True):
        costs, errors = FBeta().costs(level), []
        for k, (curves, cut) in enumerate(zip(labels, cuts, strict=True)):
            least = min(
                costs @ [((y[k] == 1) & (p == 0)).sum(), ((y[k] == 0) & (p == 1)).sum()]
                for own, p in all_classifiers(option, y[k], scores[k], levels)
                if option in ("none", "T") or own == level
            )
            errors.append(curves.validation[cut])
            assert_allclose(costs @ errors[-1], least)
        fn, fp = np.sum(errors, axis=0)
        assert_allclose(value, 2 * (y.sum() - fn) / (2 * y.sum() - fn + fp))
    chosen = choose(labels, levels, option, "C_min", LEVELS)
    assert_array_equal(chosen, found.cuts[found.values.argmax()])


@pytest.mark.parametrize("seed", range(3))
def test_options_are_nested(seed):
    """More to choose from is never worse where the choice is made."""
    labels, levels = random_labels(seed)[4:]
    for curves in labels:
        none, t, cs, both = (
            f1(curves.validation[largest_f1(curves, levels, o)], curves.positives[0])
            for o in OPTIONS
        )
        assert none <= min(t, cs)
        assert both >= max(t, cs)


def test_choices_do_not_see_test_rows():
    """Other test rows, the same choice."""
    y, scores, y_test, scores_test, labels, levels = random_labels(1)
    others = [
        Curves.from_scores(*parts)
        for parts in zip(y, scores, 1 - y_test, -scores_test, strict=True)
    ]
    for option, selection in product(OPTIONS, ("F_max", "C_min")):
        cuts = choose(labels, levels, option, selection, LEVELS)
        assert cuts == choose(others, levels, option, selection, LEVELS)
        assert value_on_test(labels, cuts, "macro_F1") != value_on_test(others, cuts, "macro_F1")


def test_value_on_test_is_the_usual_one():
    """Micro and macro F1 of the predictions that the chosen cuts stand for."""
    _, _, y_test, scores_test, labels, levels = random_labels(2)
    cuts = choose(labels, levels, "none", "F_max", LEVELS)  # natural cuts: predictions are known
    problems = [curves.problem[cut] for curves, cut in zip(labels, cuts, strict=True)]
    predicted = np.array([scores_test[k, i] >= 0 for k, i in enumerate(problems)]).T
    for measure in ("macro", "micro"):
        value = f1_score(y_test.T, predicted, average=measure, zero_division=0.0)
        assert_allclose(value_on_test(labels, cuts, f"{measure}_F1"), value)


@pytest.mark.parametrize("seed", range(2))
def test_exact_costs_give_one_peak(seed):
    """A learner that tries every threshold of one score is exact: F1 is unimodal in the level."""
    rng = np.random.default_rng(seed)
    y = (rng.random(200) < 0.3).astype(int)
    score = (y + rng.normal(size=200))[None]
    curves = [Curves.from_scores(y, score, y, score)]
    levels = np.arange(1, 20) / 10
    found = least_costs(curves, np.ones(1), "T", levels)
    assert largest_dip(found.values) == 0
    tried = tried_levels(curves, found)
    assert len(tried) == len(set(tried)) <= 10
    assert found.values.max() - found.values[tried].max() < 0.02


@pytest.mark.parametrize("seed", range(2))
def test_no_choice_is_above_the_drawn_ceilings(seed):
    """Whatever one cut per label reaches, of the thousands that there are."""
    pytest.importorskip("matplotlib").use("agg")
    labels = random_labels(seed)[4]
    display = ceilings([labels], (0.2, 0.5, 0.8, 1.0, 1.6), "random")
    assert [cone.level for cone in display.cones] == [0.2, 0.5, 0.8, 1.0]
    cuts = np.random.default_rng(seed).integers(0, [len(c.problem) for c in labels], (5000, 3))
    errors = sum(c.validation[cut] for c, cut in zip(labels, cuts.T, strict=True))
    values = f1(errors, sum(c.positives[0] for c in labels))
    assert values.max() <= display.bound + 1e-12
    assert display.best <= display.bound + 1e-12


def test_dips_are_measured_from_the_lower_side():
    """A valley is as deep as the lower of the two peaks beside it."""
    assert largest_dip(np.array([1.0, 2.0, 2.0, 0.5])) == 0
    assert largest_dip(np.array([5.0, 1.0, 3.0, 2.0])) == 2
    assert largest_dip(np.array([0.0, 4.0, 3.0, 9.0])) == 1


def test_keys_are_all_settings(monkeypatch):
    """Whatever changes the result changes the key; what does not, does not."""
    piece = Piece(QUICK.sources[0], "rows", QUICK.learner("LR"), 0, 0)
    setting = piece.setting
    others = [
        replace(piece, checksum="other rows"),
        replace(piece, split=1),
        replace(piece, label=1),
        replace(piece, setting=replace(setting, grid={"C": (1.0,)})),
        replace(piece, setting=replace(setting, levels=(1.0,))),
        replace(piece, setting=replace(setting, params={"loss": "logistic"})),
    ]
    keys = {key_of(other) for other in (piece, *others)}
    assert len(keys) == 1 + len(others)
    assert key_of(replace(piece, setting=replace(setting, effort=7.0))) == key_of(piece)
    monkeypatch.setattr("pseudolinear.experiments._pieces.versions", lambda code: {"numpy": "0"})
    assert key_of(piece) not in keys


@pytest.mark.parametrize(("measure", "selection"), [("f1_macro", "F_max"), ("f1_micro", "C_min")])
def test_validation_values_are_those_of_the_classifier(measure, selection):
    """`MeasureClassifier` on the same split and grid reaches the same value."""
    data, setting = load_source(QUICK.source("six topics")), QUICK.learner("LR")
    setting = replace(setting, params=setting.params | {"tol": 1e-8})
    train, validation = split_rows(len(data.Y_train), 0)
    classifier = MeasureClassifier.published(
        measure,
        LinearLearner("logistic", intercept_scaling=100.0, tol=1e-8),
        param_grid={"C": setting.grid["C"]},
        cv=[(train, validation)],
    ).fit(data.X_train, data.Y_train)
    labels = [
        Piece(QUICK.source("six topics"), "", setting, 0, k).compute(None)
        for k in range(data.Y_train.shape[1])
    ]
    cuts = choose(labels, problem_levels(setting), "CS&T", selection, QUICK.levels)
    # Validation rows in the place of the test rows.
    swapped = [replace(c, test=c.validation, positives=c.positives[[0, 0]]) for c in labels]
    value = value_on_test(swapped, cuts, f"{measure[3:]}_F1")
    assert_allclose(value, classifier.best_score_)


def test_kernel_machines_are_those_of_libsvm():
    """The scores of LIBSVM on standardised features, but for the intercept that it trained."""
    rng = np.random.default_rng(0)
    X, X_new = rng.normal(3.0, [1.0, 5.0, 0.2], (150, 3)), rng.normal(3.0, 2.0, (50, 3))
    y = (X[:, 0] + 0.2 * X[:, 1] + rng.normal(size=150) > 4.5).astype(int)
    setting = replace(PUBLISHED.learner("SVM-RBF"), params={"tol": 1e-8})
    learner = make_learner(setting)
    problems = [
        Problem(0, (1.0, cost), {"gamma": 0.5, "C": C}) for cost in (0.3, 4.0) for C in (0.25, 4.0)
    ]
    found = learner.scores(learner.fit_batch(X, y[:, None], problems), X_new)
    scaler = StandardScaler().fit(X)
    for problem, scores in zip(problems, found, strict=True):
        svc = SVC(**problem.params, class_weight={1: problem.costs[1]}, tol=1e-8)
        svc.fit(scaler.transform(X), y)
        decision = svc.decision_function(scaler.transform(X_new)) - svc.intercept_
        assert_allclose(scores, decision, atol=1e-3)


def test_kernel_machines_of_one_class_predict_it():
    """There is nothing but the intercept then."""
    X = np.arange(12.0).reshape(6, 2)
    learner = make_learner(PUBLISHED.learner("SVM-RBF"))
    models = learner.fit_batch(X, np.zeros((6, 1), int), [Problem(0, (1.0, 1.0), {"C": 1.0})])
    assert (learner.scores(models, X)[0] < 0).all()
