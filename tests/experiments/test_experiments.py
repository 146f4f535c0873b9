"""The protocol of the published experiments, and what is chosen from stored curves."""

import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics import f1_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from pseudolinear import FBeta, LinearLearner, MeasureClassifier
from pseudolinear.experiments import PUBLISHED, QUICK, published_cells
from pseudolinear.experiments._choice import (
    RULES,
    choose,
    goal_of,
    least_costs,
    offered,
    pooled,
    value_on_test,
)
from pseudolinear.experiments._claims import largest_dip, tried_levels
from pseudolinear.experiments._code import PACKAGE, hash_files, modules_behind
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._default_piece import DefaultPiece
from pseudolinear.experiments._figures import ceilings
from pseudolinear.experiments._label_piece import LabelPiece, problem_levels, problems_of
from pseudolinear.experiments._learners import make_learner
from pseudolinear.experiments._sources import checksum, load_source, split_rows
from pseudolinear.learners import LabelProblem, Learner
from pseudolinear.selection import LargestValue, LeastCost

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


def f1(fn, fp, positives):
    """F1 of counts, as a fraction; 0 where there is nothing to find and nothing found."""
    fn, fp, positives = int(fn), int(fp), int(positives)
    total = 2 * positives - fn + fp
    return Fraction(2 * (positives - fn), total) if total else Fraction(0)


def validation_f1(curves, cut):
    return f1(*curves.validation[cut], curves.positives[0])


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


@pytest.mark.parametrize("seed", range(5))
def test_stored_counts_have_the_usual_f1(seed):
    """Also where nothing is found, or nothing is to be found."""
    rng = np.random.default_rng(seed)
    y, predicted = (rng.random((2, 8)) < rng.random((2, 1))).astype(int)
    curves = Curves.from_scores(y, predicted[None] - 0.5, y, predicted[None] - 0.5)
    value = f1_score(y, predicted, zero_division=0.0)
    assert_allclose(FBeta().value(curves.on_validation(np.array([0]))), [value])
    assert_allclose(value_on_test([curves], [0], "binary_F1"), value)


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
    cuts = choose(labels, levels, option, "F_max", LEVELS)
    for k, (curves, cut) in enumerate(zip(labels, cuts, strict=True)):
        best = max(
            f1(((y[k] == 1) & (p == 0)).sum(), ((y[k] == 0) & (p == 1)).sum(), y[k].sum())
            for _, p in all_classifiers(option, y[k], scores[k], levels)
        )
        assert validation_f1(curves, cut) == best


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_least_cost_equals_brute_force(seed, option):
    """C_min: within a level the least cost of each label, among levels the largest micro F1."""
    y, scores, _, _, labels, levels = random_labels(seed)
    found = least_costs(labels, levels, option, LEVELS)
    for level, errors, value in zip(LEVELS, found.errors * 15, found.values, strict=True):
        costs = FBeta().costs(level)
        for k, own_errors in enumerate(errors):
            least = min(
                costs @ [((y[k] == 1) & (p == 0)).sum(), ((y[k] == 0) & (p == 1)).sum()]
                for own, p in all_classifiers(option, y[k], scores[k], levels)
                if option in ("none", "T") or own == level
            )
            assert_allclose(costs @ own_errors, least)
        fn, fp = np.sum(errors, axis=0)
        assert_allclose(value, 2 * (y.sum() - fn) / (2 * y.sum() - fn + fp))
    chosen = choose(labels, levels, option, "C_min", LEVELS)
    errors = [curves.validation[cut] for curves, cut in zip(labels, chosen, strict=True)]
    assert_allclose(errors, found.errors[found.values.argmax()] * 15)


def first_largest_f1(curves, levels, option):
    """The published loops: over levels, hyper-parameters and cuts, better ones only."""
    best, chosen = Fraction(-1), None
    for level in LEVELS if option.startswith("CS") else (1.0,):
        for cut in offered(curves, levels, option, level):
            if validation_f1(curves, cut) > best:
                best, chosen = validation_f1(curves, cut), cut
    return chosen


def first_least_cost(labels, levels, option):
    """The same for C_min, in tenths of a cost, which are whole numbers."""
    best, chosen = Fraction(-1), None
    for level in LEVELS:
        a = np.array([20 - round(10 * level), round(10 * level)])
        cuts = [
            min(offered(c, levels, option, level), key=lambda cut: a @ c.validation[cut])
            for c in labels
        ]
        fn, fp = np.sum([c.validation[cut] for c, cut in zip(labels, cuts, strict=True)], axis=0)
        value = f1(fn, fp, sum(int(c.positives[0]) for c in labels))
        if value > best:
            best, chosen = value, cuts
    return chosen


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_of_equals_the_first_is_taken(seed, option):
    """Fifteen rows have many cuts of the same F1 and the same cost."""
    labels, levels = random_labels(seed, n_settings=5)[4:]
    cuts = choose(labels, levels, option, "F_max", LEVELS)
    assert cuts == [first_largest_f1(curves, levels, option) for curves in labels]
    cuts = choose(labels, levels, option, "C_min", LEVELS)
    assert cuts == first_least_cost(labels, levels, option)


@pytest.mark.parametrize("selection", ["F_max", "C_min"])
@pytest.mark.parametrize("seed", range(3))
def test_problems_of_a_level_may_be_pooled(seed, selection):
    """A rule takes the same cuts from one candidate per problem."""
    labels, levels = random_labels(seed)[4:]
    single = [
        pooled(k, curves, cuts[curves.problem[cuts] == i], levels[i])
        for k, curves in enumerate(labels)
        for i in range(len(levels))
        for cuts in [offered(curves, levels, "CS&T", levels[i])]
    ]
    choice = RULES[selection].choose_one(goal_of(labels), single)
    assert choice.thresholds == choose(labels, levels, "CS&T", selection, LEVELS)


def test_rules_break_ties_as_they_are_told():
    """The first of equal candidates, or the one whose level is nearest to the value."""
    y = np.array([1, 1, 0, 0])
    score = np.array([[1.0, -1.0, -1.0, -1.0]])  # F1 is 2/3 at the natural cut
    curves = Curves.from_scores(y, score, y, score)
    same = [pooled(0, curves, np.array([0]), level) for level in (0.2, 0.6, 1.4)]
    for rule in (LargestValue, LeastCost):
        assert rule(take_first=True).choose_one(goal_of([curves]), same).candidates == [same[0]]
        assert rule().choose_one(goal_of([curves]), same).candidates == [same[1]]


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_costs_that_rounding_alone_tells_apart_are_equal(order):
    """At the level 0.8 two false negatives cost as much as three false positives: 2.4."""
    y, score = np.repeat([1, 0], [7, 23]), np.full((1, 30), -1.0)
    curves = Curves.from_scores(y, score, y, score)
    curves = replace(curves, validation=np.array([[2, 0], [0, 3]])[order])
    pool = pooled(0, curves, np.arange(2), 0.8)
    low, high = np.sort(pool.curve.total_cost(FBeta().costs(0.8)))
    assert 0 < high - low < 1e-12
    assert LeastCost(take_first=True).choose_one(goal_of([curves]), [pool]).cuts == [0]


@pytest.mark.parametrize("seed", range(3))
def test_options_are_nested(seed):
    """More to choose from is never worse where the choice is made."""
    labels, levels = random_labels(seed)[4:]
    chosen = [choose(labels, levels, option, "F_max", LEVELS) for option in OPTIONS]
    for curves, *cuts in zip(labels, *chosen, strict=True):
        none, t, cs, both = (validation_f1(curves, cut) for cut in cuts)
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
    fn, fp = sum(c.validation[cut] for c, cut in zip(labels, cuts.T, strict=True)).T
    positives = sum(c.positives[0] for c in labels)
    values = 2 * (positives - fn) / (2 * positives - fn + fp)
    assert values.max() <= display.bound + 1e-12
    assert display.best <= display.bound + 1e-12


def test_dips_are_measured_from_the_lower_side():
    """A valley is as deep as the lower of the two peaks beside it."""
    assert largest_dip(np.array([1.0, 2.0, 2.0, 0.5])) == 0
    assert largest_dip(np.array([5.0, 1.0, 3.0, 2.0])) == 2
    assert largest_dip(np.array([0.0, 4.0, 3.0, 9.0])) == 1


def test_keys_are_all_settings(monkeypatch):
    """Whatever changes the result changes the key; what does not, does not."""
    piece = LabelPiece(QUICK.sources[0], "rows", QUICK.learner("LR"), 0, 0)
    setting = piece.setting
    others = [
        replace(piece, checksum="other rows"),
        replace(piece, split=1),
        replace(piece, label=1),
        replace(piece, setting=replace(setting, grid={"C": (1.0,)})),
        replace(piece, setting=replace(setting, levels=(1.0,))),
        replace(piece, setting=replace(setting, params={"loss": "logistic"})),
    ]
    keys = {other.key for other in (piece, *others)}
    assert len(keys) == 1 + len(others)
    assert replace(piece, setting=replace(setting, effort=7.0)).key == piece.key
    monkeypatch.setattr("pseudolinear.experiments._piece.versions", lambda module: {"numpy": "0"})
    assert piece.key not in keys


@pytest.fixture
def copied(tmp_path):
    """A copy of the package that may be changed."""
    ignored = shutil.ignore_patterns("__pycache__", "*.csv")
    return shutil.copytree(PACKAGE, tmp_path / "pseudolinear", ignore=ignored)


def code_of(kind, package):
    """The hash of the code of a kind of piece."""
    return hash_files(modules_behind(kind.__module__, package), package)


def append(path):
    path.write_text(path.read_text() + "\nCHANGED = True\n")


EVERY = [
    "_problem.py",
    "errors/_curve.py",
    "experiments/_curves.py",
    "experiments/_sources.py",
    "learners/__init__.py",
    "learners/_linear.py",
    "learners/losses/_hinge.py",
    "learners/solvers/_batch.py",
    "loops/_smooth.py",
    "rivals/_svm_perf.py",
    "rivals/_simplex_qp.py",
]
NEVER = [
    "__init__.py",
    "cli/_main.py",
    "cli/_reproduce.py",
    "experiments/_choice.py",
    "experiments/_claims.py",
    "experiments/_figures.py",
    "experiments/_page.py",
    "experiments/_published.py",
    "experiments/_report.py",
    "inspection/_cone.py",
    "rivals/_gfm.py",
]


def changes(names, kind, package):
    """The files of some that change the hash of the code of a kind of piece."""
    behind = modules_behind(kind.__module__, package)
    seen = [hash_files(behind, package)]
    for name in names:
        append(package / name)
        seen.append(hash_files(behind, package))
    return [name for name, one, other in zip(names, seen, seen[1:], strict=False) if one != other]


def test_keys_see_the_code_that_computes(copied):
    """A change of what is trained or cut changes the key; one of what is shown does not."""
    assert changes(EVERY + NEVER, LabelPiece, copied) == EVERY


def test_keys_of_the_default_see_all_that_it_runs(copied):
    """Sweep, selection, portfolio: the whole classifier, whose rooms find their modules."""
    (copied / "search" / "_new.py").write_text("# a search that is found by itself")
    core = ["_classifier.py", "sweep/_sweep.py", "portfolio/_auto.py", "selection/_shrunk.py",
            "search/_new.py", "kinds/_multilabel.py", "loops/_newton.py"]  # fmt: skip
    others = ["cli/_main.py", "rivals/_svm_perf.py", "experiments/_page.py"]
    assert changes(core + others, DefaultPiece, copied) == core


def test_modules_that_move_stay_in_the_key(copied):
    """In a folder of its own it is still seen; where imports do not follow, an error says so."""
    (copied / "errors" / "inner").mkdir()
    (copied / "errors" / "_curve.py").rename(copied / "errors" / "inner" / "_curve.py")
    with pytest.raises(ModuleNotFoundError, match=r"pseudolinear\.errors\._curve is imported"):
        code_of(LabelPiece, copied)
    (copied / "errors" / "inner" / "__init__.py").write_text("")
    for path in copied.rglob("*.py"):
        path.write_text(
            path.read_text().replace("errors._curve import", "errors.inner._curve import")
        )
    before = code_of(LabelPiece, copied)
    append(copied / "errors" / "inner" / "_curve.py")
    assert code_of(LabelPiece, copied) != before


def test_every_form_of_import_is_followed(tmp_path):
    """Relative ones, whole modules, public names of a package that loads lazily."""
    package = tmp_path / "lazy"
    (package / "room").mkdir(parents=True)
    files = {
        "__init__.py": "if TYPE_CHECKING:\n    from lazy.room import One, Two",
        "room/__init__.py": "from lazy.room._one import One\nfrom lazy.room._two import Two",
        "room/_one.py": "class One: ...",
        "room/_two.py": "class Two: ...",
        "relative.py": "from .room._one import One\nprint(One)",
        "whole.py": "import lazy.room",
        "public.py": "from lazy import One as first\nprint(first)",
        "inside.py": "def f():\n    from lazy.room import Two\n    return Two",
        "submodule.py": "from lazy.room import _two",
        "checked.py": "if TYPE_CHECKING:\n    from lazy.room import Two\ndef f(x: Two): ...",
    }
    for name, text in files.items():
        (package / name).write_text(text)

    def behind(module):
        return {path.stem for path in modules_behind(f"lazy.{module}", package)} - {module}

    assert behind("relative") == {"__init__", "_one"}
    assert behind("whole") == {"__init__", "_one", "_two"}
    assert behind("public") == {"__init__", "_one"}
    assert behind("inside") == behind("submodule") == {"__init__", "_two"}
    assert behind("checked") == set()


@pytest.mark.parametrize(
    "piece",
    [
        *(LabelPiece(QUICK.source("six topics"), "", s, 0, 0) for s in QUICK.learners),
        DefaultPiece(QUICK.source("six topics"), "", "macro_F1"),
    ],
    ids=[*(setting.name for setting in QUICK.learners), "default"],
)
def test_nothing_runs_that_is_not_in_the_key(piece):
    """Every function of the package that a piece calls is in a file that its key sees."""
    called = set()

    def note(frame, event, argument):
        if frame.f_code.co_name != "<module>":
            called.add(Path(frame.f_code.co_filename))

    small = {"n_train": 60, "n_test": 20, "n_features": 5, "n_labels": 2, "seed": 0}
    source = replace(piece.source, params=small)
    if isinstance(piece, LabelPiece):
        grid = {name: values[:1] for name, values in piece.setting.grid.items()}
        piece = replace(piece, setting=replace(piece.setting, grid=grid))
    sys.setprofile(note)
    try:
        replace(piece, source=source).compute(None)
    finally:
        sys.setprofile(None)
    own = {path for path in called if path.is_relative_to(PACKAGE)}
    known = set(modules_behind(type(piece).__module__, PACKAGE))
    known |= set((PACKAGE / "datasets").glob("*.py"))  # the rows are in the key themselves
    assert own
    assert own <= known


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
        LabelPiece(QUICK.source("six topics"), "", setting, 0, k).compute(None)
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
        LabelProblem(0, (cost, 1.0), {"gamma": 0.5, "C": C})
        for cost in (0.3, 4.0)
        for C in (0.25, 4.0)
    ]
    found = learner.scores(learner.fit_batch(X, y[:, None], problems), X_new)
    scaler = StandardScaler().fit(X)
    for problem, scores in zip(problems, found, strict=True):
        svc = SVC(**problem.params, class_weight={1: problem.costs[0]}, tol=1e-8)
        svc.fit(scaler.transform(X), y)
        decision = svc.decision_function(scaler.transform(X_new)) - svc.intercept_
        assert_allclose(scores, decision, atol=1e-3)


def test_kernel_machines_of_one_class_predict_it():
    """There is nothing but the intercept then."""
    X = np.arange(12.0).reshape(6, 2)
    learner = make_learner(PUBLISHED.learner("SVM-RBF"))
    models = learner.fit_batch(X, np.zeros((6, 1), int), [LabelProblem(0, (1.0, 1.0))])
    assert (learner.scores(models, X)[0] < 0).all()


@pytest.mark.parametrize("name", ["SVMperf", "SVM", "LR", "SVM-RBF"])
def test_learners_declare_what_they_can_do(name):
    """All take the hyper-parameters of their grid and can be copied; SVMPerf takes no costs."""
    setting = PUBLISHED.learner(name)
    learner = make_learner(setting)
    assert isinstance(learner, Learner)
    assert setting.grid.keys() <= set(learner.parameters())
    assert clone(learner).get_params() == learner.get_params()
    assert learner.abilities.costs == (name != "SVMperf")
    assert learner.abilities.sparse == (name != "SVM-RBF")
    assert learner.abilities.gaps


def test_svm_perf_without_the_label_predicts_nothing():
    """Nothing can be learnt from rows that all lack the label."""
    learner = make_learner(PUBLISHED.learner("SVMperf"))
    problem = LabelProblem(0, (1.0, 1.0), {"C": 1.0})
    (model,) = learner.fit_batch(np.eye(4), np.zeros((4, 1), int), [problem])
    assert (model.converged, model.optimality) == (True, 0.0)
    assert (learner.scores([model], np.eye(4))[0] < 0).all()


def test_problems_cost_what_f1_says():
    """False negatives (2 - t) / t times as much as false positives; levels first, then C."""
    setting = replace(PUBLISHED.learner("LR"), grid={"C": (1.0, 2.0)}, levels=(0.5, 1.0))
    problems = problems_of(setting)
    assert [problem.costs for problem in problems] == [(3.0, 1.0)] * 2 + [(1.0, 1.0)] * 2
    assert [problem.params["C"] for problem in problems] == [1.0, 2.0] * 2
    assert_array_equal(problem_levels(setting), [0.5, 0.5, 1.0, 1.0])
