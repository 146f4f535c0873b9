"""Displays: what they draw are facts of the domain."""

import sys

import numpy as np
import pytest
from curves import MEASURES, random_curve
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import ConvexHull
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, f1_score, precision_recall_curve
from sklearn.naive_bayes import GaussianNB

from pseudolinear import (
    BalancedAccuracy,
    Bracket,
    CohenKappa,
    ConeBound,
    ErrorCurve,
    ErrorProfile,
    FBeta,
    Grid,
    Jaccard,
    LinearFractional,
    LinearLearner,
    MeasureClassifier,
    WeightedAccuracy,
    best_threshold,
)
from pseudolinear.datasets import three_point_profiles
from pseudolinear.inspection import (
    BoundaryDisplay,
    ConeDisplay,
    LevelDisplay,
    MeasureCurveDisplay,
    ParetoDisplay,
    SurfaceDisplay,
)
from pseudolinear.search._level_search import Reached
from pseudolinear.selection._selection import Candidate, Group
from pseudolinear.sweep._sweep import SweepResult

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _no_screen():
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def data():
    return make_classification(1000, weights=[0.85], flip_y=0.05, class_sep=0.7, random_state=0)


@pytest.fixture(scope="module")
def fitted(data):
    """Searched by a bracket, so that levels are not tried in their order."""
    return MeasureClassifier(LinearLearner(), search=Bracket(n_rounds=3), random_state=0).fit(*data)


def exact_sweep(measure, seed, search=None):
    """Sweep with a learner that finds the least cost: each candidate is the cheapest profile."""
    profiles, prevalence = random_curve(seed)
    search = Grid(levels=np.linspace(0.05, 0.95, 10)) if search is None else search
    process = search.search(measure, np.array(prevalence))
    candidates, levels = [], next(process)
    while True:
        costs = [profiles.total_cost(measure.costs(t, prevalence)) for t in levels]
        cheapest = profiles[[int(np.argmin(cost)) for cost in costs]]
        for i, level in enumerate(levels.tolist()):
            curve = ErrorCurve(cheapest.fn[[i]], cheapest.fp[[i]], prevalence, np.zeros(1))
            candidates.append(Candidate(0, level, (1.0, 1.0), {}, curve, (), np.nan, True))
        try:
            levels = process.send(Reached(measure.value(cheapest), cheapest.errors[:, 0]))
        except StopIteration:
            group = Group((0,), measure, np.array(prevalence))
            return SweepResult([candidates], [group], "f_max"), profiles, prevalence


def level_sets(ax):
    """Return the drawn lines (x, y) by level."""
    (drawn,) = (c for c in ax.collections if hasattr(c, "allsegs"))
    return dict(zip(drawn.levels, (p.vertices for p in drawn.get_paths()), strict=True))


def line(ax, label):
    (found,) = (x for x in ax.get_lines() if str(x.get_label()).startswith(label))
    return found.get_xydata()


def height(measure, prevalence, level, profiles):
    """Say by how much profiles cost more than the level set."""
    return profiles.total_cost(measure.costs(level, prevalence)) + measure.offset(level, prevalence)


SURFACES = [*MEASURES, BalancedAccuracy(), WeightedAccuracy(cost_fn=2.0)]
SURFACES.append(LinearFractional(1.0, [-2.0, -0.5], 1.0, [0.5, 0.2]))


@pytest.mark.parametrize("prevalence", [0.03, 0.7])
@pytest.mark.parametrize("measure", SURFACES, ids=repr)
def test_drawn_level_sets_are_straight_and_have_their_value(measure, prevalence):
    """Every vertex that is drawn has the value of its line, and lies between its ends."""
    display = SurfaceDisplay.from_measure(measure, prevalence, resolution=20)
    drawn = level_sets(display.ax_)
    assert len(drawn) >= 4
    for level, (fp, fn) in ((level, xy.T) for level, xy in drawn.items()):
        values = measure.pair_value(fn, fp, prevalence)
        assert_allclose(values, level, atol=1e-6 * np.abs(display.values).max())
        start, end = display.lines[level]
        offset = np.stack([fn, fp], axis=1) - start
        assert_allclose(np.linalg.det(np.stack(np.broadcast_arrays(offset, end - start), 1)), 0,
                        atol=1e-7)  # fmt: skip


def test_surface_is_the_textbook_formula():
    """F1 by true positives, on the whole box of errors."""
    display = SurfaceDisplay.from_measure("f1", 0.3, resolution=15)
    fn, fp = np.meshgrid(display.fn, display.fp, indexing="ij")
    tp = 0.3 - fn
    assert (fn.max(), fp.max()) == (0.3, 0.7)
    assert_allclose(display.values, 2 * tp / (2 * tp + fn + fp))


def test_surface_of_a_rare_class_may_be_shown_in_part():
    """Lines end where the picture ends, and still have their value."""
    display = SurfaceDisplay.from_measure("f1", 0.01, max_fp=0.02, resolution=10)
    assert display.fp[-1] == 0.02
    for level, ends in display.lines.items():
        assert ends[:, 1].max() <= 0.02
        assert_allclose(FBeta().pair_value(*ends.T, 0.01), level)


def test_surface_of_a_micro_average_is_over_summed_errors():
    """Two labels: the marked pair is the sum of their errors, and its level set goes through it."""
    measure, prevalence = FBeta(average="micro"), [0.2, 0.5]
    profile = ErrorProfile([0.05, 0.1], [0.1, 0.2], prevalence)
    display = SurfaceDisplay.from_measure(measure, prevalence, profile=profile, resolution=10)
    assert_allclose(display.point, [0.15, 0.3])
    (fp0, fn0), (fp1, fn1) = line(display.ax_, "its level")
    assert_allclose((0.15 - fn0) * (fp1 - fp0), (0.3 - fp0) * (fn1 - fn0), atol=1e-12)
    assert_allclose((display.fn[-1], display.fp[-1]), (0.7, 1.3))


def test_three_points_have_the_published_hull():
    """A, D, F and G are vertices, F (110) is the best, and the picture says so."""
    names, profiles = three_point_profiles()
    display = ParetoDisplay.from_profiles(profiles, "f1", names)
    assert [names[i] for i in display.hull] == ["000", "100", "110", "111"]
    assert names[display.best] == "110"
    assert sorted(set(names) - {names[i] for i in display.front}) == ["011"]
    xy = line(display.ax_, "lower left hull")
    assert_array_equal(xy, np.stack([profiles.fp, profiles.fn], 1)[display.hull, :, 0])
    assert [text.get_text() for text in display.ax_.texts] == names


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("seed", range(2))
def test_hull_is_scipys_and_nothing_is_below_the_level_set_of_the_best(measure, seed):
    """Scattered profiles: vertices by another algorithm, and a supporting line at the best."""
    rng = np.random.RandomState(seed)
    profiles = ErrorProfile(0.4 * rng.rand(40, 1), 0.6 * rng.rand(40, 1), 0.4)
    display = ParetoDisplay.from_profiles(profiles, measure)
    hull = ConvexHull(profiles.errors[:, 0])
    facing = {
        int(i)
        for simplex, normal in zip(hull.simplices, hull.equations, strict=True)
        if (normal[:2] <= 0).all()
        for i in simplex
    }
    facing |= {int(profiles.fn[:, 0].argmin()), int(profiles.fp[:, 0].argmin())}
    assert set(display.hull.tolist()) == facing
    assert display.best in display.hull
    level = float(display.values[display.best])
    assert height(measure, 0.4, level, profiles).min() >= -1e-12
    fp, fn = line(display.ax_, "level set of the best").T
    assert_allclose(measure.pair_value(fn, fp, 0.4), level)


def test_level_display_shows_what_the_classifier_chose(fitted):
    """Levels in the order of the search, the best value and its level, all from `sweep_`."""
    display = LevelDisplay.from_sweep(fitted.sweep_)
    tried = [row["level"] for row in fitted.sweep_.rows() if row["fold"] == -1]
    assert_array_equal(display.levels, tried)
    assert_array_equal(display.levels[:3], [0.5, 1.0, 1.5])
    assert_allclose(display.levels[display.chosen], fitted.level_)
    assert_allclose(display.values[display.chosen], fitted.best_score_)
    assert display.values.max() == fitted.best_score_
    low, high = display.bracket
    assert low < fitted.level_ < high
    assert not ((low < display.levels) & (display.levels < high)).sum() > 1


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_the_bracket_of_an_exact_learner_holds_the_optimum(measure, seed):
    """Values are above the diagonal below the optimum, below it above, and unimodal."""
    sweep, profiles, _ = exact_sweep(measure, seed)
    display = LevelDisplay.from_sweep(sweep)
    top = measure.value(profiles).max()
    below = display.levels <= top
    assert (display.values[below] >= display.levels[below] - 1e-12).all()
    assert (display.values[~below] < display.levels[~below]).all()
    assert (np.diff(display.values[below]) >= -1e-12).all()
    assert (np.diff(display.values[~below]) <= 1e-12).all()
    low, high = display.bracket
    assert low <= np.clip(top, display.levels.min(), display.levels.max()) <= high


@pytest.mark.parametrize(
    ("measure", "share"),
    [(FBeta(), lambda t: 1 - t / 2), (FBeta(2.0), lambda t: 1 - t / 5),
     (Jaccard(), lambda t: 1 / (1 + t))],
    ids=["F1", "F2", "Jaccard"],
)  # fmt: skip
def test_costs_are_those_of_the_level(measure, share):
    """On the other axis the diagonal is a curve: the cost of each level against the level."""
    sweep, *_ = exact_sweep(measure, 0)
    display = LevelDisplay.from_sweep(sweep, against="cost")
    cost, level = line(display.ax_, "value = level").T
    assert_allclose(cost, share(level))
    assert_allclose(level[-1], 1.0)
    points = next(c for c in display.ax_.collections if c.get_label() == "tried")
    assert_allclose(points.get_offsets()[:, 0], share(display.levels))


def test_every_label_of_a_macro_average_has_a_level_curve():
    """One group per label for macro; one in all for micro, with the value of all labels."""
    X, Y = make_multilabel_classification(300, n_classes=3, random_state=0)
    macro, micro = (
        MeasureClassifier(measure=f"f1_{average}", search=Grid(5), random_state=0).fit(X, Y)
        for average in ("macro", "micro")
    )
    for label in range(3):
        display = LevelDisplay.from_sweep(macro.sweep_, label)
        assert_allclose(display.levels[display.chosen], macro.level_[label])
        assert display.ax_.get_ylabel().startswith(f"F1 of label {label}")
    display = LevelDisplay.from_sweep(micro.sweep_)
    assert_allclose(display.values.max(), micro.best_score_)
    assert display.ax_.get_ylabel().startswith("micro-F1")
    bound = ConeDisplay.from_sweep(micro.sweep_).bound
    assert micro.best_score_ <= bound < 1
    with pytest.raises(ValueError, match="no group 1; this sweep has the groups 0 to 0"):
        LevelDisplay.from_sweep(micro.sweep_, 1)


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_ceilings_are_above_every_value_of_an_exact_oracle(measure, seed):
    """Also above those that the sweep has not met: at the level that each reaches."""
    sweep, profiles, prevalence = exact_sweep(measure, seed)
    display = ConeDisplay.from_sweep(sweep)
    values = measure.value(profiles)
    assert (values <= display.ceiling(values) + 1e-9).all()
    assert display.best - 1e-12 <= values.max() <= display.bound + 1e-9
    for cone, candidate in zip(display.cones, sweep.by_group[0], strict=True):
        pair = candidate.curve.errors[0, 0]
        assert cone == ConeBound.from_pair(measure, prevalence, candidate.level, pair)
    t, ceiling = line(display.ax_, "lowest ceiling").T
    assert (values.max() <= np.interp(values.max(), t, ceiling) + 1e-3).all()


def test_a_level_may_reach_more_than_a_ceiling_shows_above_it():
    """Ceilings bound the points (t, t), not what the costs of t give, hence the docstring."""
    sweep, *_ = exact_sweep(FBeta(), 82)
    display = ConeDisplay.from_sweep(sweep)
    levels, values = np.array([(cone.level, cone.apex) for cone in display.cones]).T
    assert (values > display.ceiling(levels) + 0.1).any()
    assert (values <= display.ceiling(values) + 1e-12).all()


def test_the_bound_shrinks_with_more_levels():
    """Cones only add up."""
    few, profiles, _ = exact_sweep(FBeta(), 3, Grid(levels=[0.2, 0.6]))
    many, *_ = exact_sweep(FBeta(), 3, Grid(levels=[0.2, 0.35, 0.5, 0.6, 0.7, 0.8]))
    bounds = [ConeDisplay.from_sweep(sweep).bound for sweep in (few, many)]
    assert FBeta().value(profiles).max() - 1e-12 <= bounds[1] <= bounds[0]


@pytest.mark.parametrize("rule", ["f_max", "c_min"])
def test_the_bound_is_never_below_what_the_sweep_found(data, rule):
    """A learner with a surrogate loss: whatever was found at other levels is taken in."""
    clf = MeasureClassifier(search="cone", selection=rule, random_state=0).fit(*data)
    display = ConeDisplay.from_sweep(clf.sweep_)
    found = [FBeta().value(c.curve).max() for c in clf.sweep_.by_group[0]]
    assert clf.best_score_ <= display.best <= max(found) <= display.bound


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_iso_lines_satisfy_the_formula(beta):
    """By precision and recall, F is their weighted harmonic mean."""
    rng = np.random.RandomState(0)
    y = rng.rand(500) < 0.2
    display = MeasureCurveDisplay.from_predictions(y, y + rng.randn(500), FBeta(beta))
    drawn = level_sets(display.ax_)
    assert_allclose(list(drawn), np.arange(1, 10) / 10)
    for level, (recall, precision) in ((t, xy.T) for t, xy in drawn.items()):
        values = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        assert_allclose(values, level, atol=2e-4)  # short chords where a label interrupts a line
        recall, precision = display.iso_line(level)
        values = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        assert_allclose(values, level, atol=1e-12)
        assert_allclose(precision[0], 1.0)


def test_iso_lines_of_kappa_are_scikit_learns():
    """Confusion tables made of points on the line have that kappa."""
    y = np.arange(100) < 25
    rng = np.random.RandomState(0)
    display = MeasureCurveDisplay.from_predictions(y, y + rng.randn(100), CohenKappa())
    for level in (0.2, 0.5, 0.9):
        for recall, precision in zip(*(x[::60] for x in display.iso_line(level)), strict=True):
            tp = 0.25 * recall
            fp = tp * (1 - precision) / precision
            weights = [tp, 0.25 - tp, fp, 0.75 - fp]
            kappa = cohen_kappa_score([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=weights)
            assert_allclose(kappa, level, atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_curve_is_scikit_learns(weighted):
    """Every point of the precision-recall curve, ties and weights included, and its best F1."""
    rng = np.random.RandomState(1)
    y = rng.rand(300) < 0.3
    score, weight = np.round(y + rng.randn(300), 1), rng.rand(300) if weighted else None
    display = MeasureCurveDisplay.from_predictions(y, score, sample_weight=weight)
    precision, recall, _ = precision_recall_curve(y, score, sample_weight=weight)
    drawn = line(display.ax_, "every threshold")[1:]
    expected = np.stack([recall, precision], axis=1)[-2::-1]
    assert_allclose(drawn, expected[: len(drawn)], atol=1e-12)
    f1 = (2 * precision * recall / np.maximum(precision + recall, 1e-12)).max()
    best = line(display.ax_, "best threshold here")[0]
    assert_allclose(2 * best.prod() / best.sum(), f1)


@pytest.mark.parametrize("pos_label", ["ham", "spam"])
def test_chosen_point_is_what_the_classifier_predicts(data, pos_label):
    """Either class may be the positive one; scores are turned round with it."""
    X, y = data
    y = np.where(y == 1, "spam", "ham")
    measure = FBeta(pos_label=pos_label)
    models = [LogisticRegression(), GaussianNB()]
    models.append(MeasureClassifier(measure=measure, search=Grid(3), random_state=0))
    for model in models:
        model.fit(X, y)
        display = MeasureCurveDisplay.from_estimator(model, X, y, measure)
        expected = f1_score(y, model.predict(X), pos_label=pos_label)
        assert_allclose(measure.value(display.chosen), expected)
        assert measure.value(display.best) >= expected - 1e-12
        # The classifier cuts the curve that is drawn, so its point lies on it.
        distance = np.abs(display.curve.errors[:, 0] - display.chosen.errors).sum(axis=1)
        assert distance.min() < 1e-12


def test_the_trained_measure_is_the_default(data, fitted):
    """And the best threshold is that of `best_threshold`."""
    X, y = data
    clf = MeasureClassifier(measure="f2", search=Grid(3), random_state=0).fit(X, y)
    display = MeasureCurveDisplay.from_estimator(clf, X, y)
    cut = best_threshold(y, clf.decision_function(X), "f2")
    assert display.measure == FBeta(2.0)
    assert_array_equal(display.best.errors, cut.profile.errors)


def test_boundaries_are_where_the_decision_changes(data):
    """Of linear classifiers straight lines, with a legend that tells them apart."""
    X, y = data[0][:, :2], data[1]
    models = {
        name: LogisticRegression(class_weight=weight).fit(X, y)
        for name, weight in (("plain", None), ("balanced", "balanced"))
    }
    ax = BoundaryDisplay.from_estimators(models, X, y, resolution=50).ax_
    drawn = [c for c in ax.collections if hasattr(c, "allsegs")]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["negative", "positive", "plain", "balanced"]
    for model, contour in zip(models.values(), drawn, strict=True):
        (points,) = contour.allsegs[0]
        assert_allclose(model.decision_function(points), 0, atol=1e-10)


def test_everything_written_is_inside_the_figure(data, fitted):
    """Labels, legends and numbers on lines are not cut off, and given axes are used."""
    X, y = data
    names, profiles = three_point_profiles()
    profile, plane = ErrorProfile(0.05, 0.02, 0.15), LogisticRegression().fit(X[:, :2], y)
    makers = [
        lambda ax: SurfaceDisplay.from_measure("f1", 0.15, profile=profile, ax=ax),
        lambda ax: SurfaceDisplay.from_measure("jaccard", 0.3, ax=ax),
        lambda ax: ParetoDisplay.from_profiles(profiles, "f1", names, ax=ax),
        lambda ax: LevelDisplay.from_sweep(fitted.sweep_, ax=ax),
        lambda ax: LevelDisplay.from_sweep(fitted.sweep_, against="cost", ax=ax),
        lambda ax: ConeDisplay.from_sweep(fitted.sweep_, ax=ax),
        lambda ax: MeasureCurveDisplay.from_estimator(fitted, X, y, ax=ax),
        lambda ax: BoundaryDisplay.from_estimators({"plane": plane}, X[:, :2], y, ax=ax),
    ]
    for make in makers:
        figure, ax = plt.subplots(layout="constrained")
        display = make(ax)
        assert display.ax_ is ax
        assert display.figure_ is figure
        figure.canvas.draw()
        page, box = figure.bbox_inches.padded(1e-3), figure.get_tightbbox()
        assert page.fully_contains(*box.min)
        assert page.fully_contains(*box.max)
        for text in ax.texts:
            box = text.get_window_extent()
            assert ax.bbox.padded(2).fully_contains(*box.min), text
            assert ax.bbox.padded(2).fully_contains(*box.max), text
        plt.close(figure)


def test_plot_draws_again_and_returns_itself(fitted):
    """In a new figure, unless axes are given."""
    display = LevelDisplay.from_sweep(fitted.sweep_)
    first = display.ax_
    assert display.plot() is display
    assert display.ax_ is not first


def test_bad_input_gets_one_clear_sentence(fitted, monkeypatch):
    profiles = ErrorProfile(np.zeros((3, 1)), np.zeros((3, 1)), 0.2)
    with pytest.raises(ValueError, match=r"prevalence must be between 0 and 1, got 1\.5"):
        SurfaceDisplay.from_measure("f1", 1.5)
    with pytest.raises(ValueError, match="max_fp must be positive, got 0"):
        SurfaceDisplay.from_measure("f1", 0.3, max_fp=0)
    with pytest.raises(ValueError, match=r"one profile with the prevalence 0\.3"):
        SurfaceDisplay.from_measure("f1", 0.3, profile=profiles)
    with pytest.raises(ValueError, match="draw one label at a time"):
        SurfaceDisplay.from_measure("f1_macro", [0.3, 0.2])
    with pytest.raises(ValueError, match="2 names for 3 profiles"):
        ParetoDisplay.from_profiles(profiles, "f1", ["a", "b"])
    with pytest.raises(ValueError, match="against must be 'level' or 'cost', got 'costs'"):
        LevelDisplay.from_sweep(fitted.sweep_, against="costs")
    with pytest.raises(ValueError, match="give a binary measure"):
        MeasureCurveDisplay.from_predictions([0, 1], [0.0, 1.0], "f1_macro")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install pseudolinear"):
        SurfaceDisplay.from_measure("f1", 0.3)
