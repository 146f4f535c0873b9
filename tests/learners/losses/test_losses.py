"""What the solvers take for granted about a loss, of every loss that is registered."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from pseudolinear import LinearLearner
from pseudolinear.learners.losses import Loss, SmoothLoss, get_loss
from pseudolinear.loops._code_cache import code_of

SMOOTH = sorted(name for name, loss in Loss.known.items() if issubclass(loss, SmoothLoss))
MARGINS = np.linspace(-6, 6, 241) + 1e-3  # away from the points where a curvature jumps
COST = 2.5


@pytest.fixture(params=SMOOTH)
def loss(request):
    return get_loss(request.param)


def curve(loss, margins=MARGINS):
    """Loss, fall and curvature at the margins, in plain Python."""
    return np.array([loss.pointwise(float(m), COST) for m in margins]).T


def test_the_known_losses_are_found_by_name():
    assert {"logistic", "squared_hinge", "hinge"} <= set(Loss.known)
    with pytest.raises(ValueError, match=r"loss must be one of .*, got 'hnge'"):
        get_loss("hnge")


def test_pointwise_is_the_formula():
    h = np.maximum(1 - MARGINS, 0)
    np.testing.assert_allclose(curve(get_loss("squared_hinge"))[0], COST * h**2)
    np.testing.assert_allclose(curve(get_loss("logistic"))[0], COST * np.logaddexp(0, -MARGINS))


def test_the_series_of_the_logistic_loss_are_exact_where_it_counts():
    """To rounding in units of the cost, and relative to what is left where next to nothing is."""
    margins = np.linspace(-39.9, 39.9, 4001)
    value, fall, bend = curve(get_loss("logistic"), margins) / COST
    exact = np.exp(-np.abs(margins).astype(np.longdouble))  # of the less likely class, unscaled
    expected = {
        "value": (value, np.log1p(exact) + np.maximum(-margins, 0.0)),
        "fall": (fall, np.where(margins > 0, exact, 1.0) / (1.0 + exact)),
    }
    for name, (found, wanted) in expected.items():
        np.testing.assert_allclose(found, wanted.astype(float), rtol=1e-6, atol=0.0, err_msg=name)
        np.testing.assert_allclose(found, wanted.astype(float), rtol=1e-14, atol=2e-14)
    np.testing.assert_allclose(bend, (exact / (1.0 + exact) ** 2).astype(float), atol=2e-15)


def test_derivatives_are_those_of_the_loss(loss):
    eps = 1e-5
    _, fall, bend = curve(loss)
    right, left = curve(loss, MARGINS + eps), curve(loss, MARGINS - eps)
    np.testing.assert_allclose((left[0] - right[0]) / (2 * eps), fall, atol=1e-7)
    np.testing.assert_allclose((left[1] - right[1]) / (2 * eps), bend, atol=1e-7)


def test_loss_is_convex_positive_and_falling(loss):
    value, fall, bend = curve(loss)
    assert (value >= 0).all()
    assert (fall >= 0).all()
    assert (bend >= 0).all()


def test_curvature_follows_from_the_fall(loss):
    _, fall, bend = curve(loss)
    recovered = [loss.curvature(float(f), COST) if f > 0 else 0.0 for f in fall]
    np.testing.assert_allclose(recovered, bend, rtol=1e-6, atol=1e-9)


def test_nothing_is_lost_at_a_certain_margin(loss):
    assert loss.pointwise(loss.certain, 1.0)[0] < 1e-16


def test_compiled_loops_give_what_plain_python_gives(loss):
    """Scores V + tau S + b of rows of both classes, one lane per row of costs."""
    rng = np.random.RandomState(0)
    V, S = 3 * rng.randn(2, 40, 8)
    tau, b, cost_fn, cost_fp = rng.rand(4, 8)
    pos, weight = (rng.rand(40, 8) < 0.4).astype(np.int8), rng.rand(40)
    classes, class_costs = rng.randint(3, size=40), rng.rand(3, 8)
    Vnew, R, D, sums = *np.empty((3, 40, 8)), np.empty((4, 8))
    rows = pos, cost_fn, cost_fp, weight, classes, class_costs
    loss.evaluate(V, S, tau, b, *rows, Vnew, R, sums)
    loss.second_derivative(R, *rows, D)
    y, costs = 2.0 * pos - 1, weight[:, None] * np.where(pos, cost_fn, cost_fp)
    costs *= class_costs[classes]
    plain = np.vectorize(loss.pointwise)(y * (V + tau * S + b), costs)
    np.testing.assert_allclose(Vnew, V + tau * S)
    np.testing.assert_allclose(R, -y * plain[1], atol=1e-15)
    np.testing.assert_allclose(D, plain[2], rtol=1e-9, atol=1e-15)
    expected = [plain[0], R, plain[2], R * S]
    np.testing.assert_allclose(sums, np.sum(expected, axis=1), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.7])
def test_best_constant_minimises_the_loss_of_a_constant_score(name, share):
    loss = get_loss(name)

    def total(b):
        return share * loss.pointwise(b, 1.0)[0] + (1 - share) * loss.pointwise(-b, 1.0)[0]

    best = minimize_scalar(total, bracket=(-1.0, 1.0)).x
    found = loss.best_constant(np.array([2 * share - 1]))[0]
    assert found == pytest.approx(best, abs=1e-6)


def test_compiled_code_is_known_by_the_code_of_the_loss(monkeypatch):
    """A changed formula or constant must not run as the old one from the cache on disk."""
    logistic = Loss.known["logistic"]
    known = code_of(logistic.pointwise)
    assert known in code_of(logistic.evaluate)
    assert code_of(Loss.known["squared_hinge"].pointwise) != known
    monkeypatch.setitem(logistic.pointwise.__globals__, "CERTAIN", 30.0)
    assert code_of(logistic.pointwise) != known


class ModifiedHuber(SmoothLoss):
    """The squared hinge with its tangent in place of the parabola below a margin of -1."""

    certain = 1.0
    curvature_jumps = True

    @staticmethod
    def pointwise(margin, cost):
        h = max(1.0 - margin, 0.0)
        if h > 2.0:
            return -4.0 * cost * margin, 4.0 * cost, 0.0
        return cost * h * h, 2.0 * cost * h, 2.0 * cost if h > 0.0 else 0.0

    @staticmethod
    def curvature(fall, cost):
        return 2.0 * cost if fall < 4.0 * cost else 0.0


@pytest.mark.parametrize("scaling", [None, 1.0, np.inf])
def test_rows_on_a_straight_piece_of_the_loss_count_in_exact_steps(scaling):
    """Outliers far on the wrong side pull at the weights though they have no curvature."""
    rng = np.random.RandomState(0)
    X = 1e-3 * rng.randn(150, 300)
    X[:, :5] += 2 * rng.randn(150, 5)
    y = (X[:, 0] > 0).astype(np.int8)
    y[np.abs(X[:, 0]).argsort()[-8:]] ^= 1
    C, one = np.array([0.1, 1.0, 30.0]), np.ones(3)
    problems = X, y[:, None], np.zeros(3, int), one, one, C
    fit = ModifiedHuber().solve(*problems, intercept_scaling=scaling, tol=1e-6, max_iter=100)
    margins = np.where(y, 1, -1)[:, None] * (X @ fit.coef.T + fit.intercept)
    assert ((margins < -1).sum(axis=0) > 0).all()
    assert fit.optimality.max() <= 1e-6


def test_a_child_with_a_name_is_known_to_the_learner():
    rng = np.random.RandomState(0)
    X = rng.randn(80, 4)
    y = X[:, 0] + 0.5 * rng.randn(80) > 0
    try:

        class Named(ModifiedHuber):
            name = "named"

        learner = LinearLearner("named").fit(X, y)
        assert learner.score(X, y) > 0.8
        assert not hasattr(learner, "predict_proba")
    finally:
        del Loss.known["named"]
