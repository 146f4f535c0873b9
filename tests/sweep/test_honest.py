"""The honest value: what choosing among candidates and thresholds gained is taken off again."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, precision_recall_curve
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_predict

from pseudolinear import ErrorProfile, FBeta, LinearLearner, MeasureClassifier, RecallAtPrecision
from pseudolinear.sweep._honest import honest_value
from pseudolinear.sweep._splits import fold_shares

X, y = make_classification(400, n_classes=3, n_informative=5, flip_y=0.3, random_state=0)
X_labels, Y = make_multilabel_classification(400, random_state=0)
PROBLEMS = {
    "binary": (X, y == 2, "f1"),
    "macro": (X_labels, Y, "f1_macro"),
    "micro": (X_labels, Y, "f1_micro"),
    "classes": (X, y, "f1_macro"),
    "default class": (X, y, FBeta(average="micro", default_class=0)),
}
problems = pytest.mark.parametrize("problem", PROBLEMS)


def fit(problem, **params):
    *rows, measure = PROBLEMS[problem]
    return MeasureClassifier(
        **({"estimator": "linear", "measure": measure, "random_state": 0} | params)
    ).fit(*rows)


@pytest.mark.slow
def test_noise_is_worth_what_a_constant_is_worth():
    """Labels without any relation to X: nothing beats predicting all rows, but best_score_ does."""
    prevalence, best, honest = 0.1, [], []
    for seed in range(30):
        rng = np.random.RandomState(seed)
        rows, labels = rng.normal(size=(500, 10)), rng.uniform(size=500) < prevalence
        classifier = MeasureClassifier("linear", random_state=seed).fit(rows, labels)
        best.append(classifier.best_score_)
        honest.append(classifier.honest_score_)
    constant = 2 * prevalence / (1 + prevalence)
    error = np.std(honest) / np.sqrt(len(honest))
    assert np.mean(best) > constant + 3 * error
    assert np.mean(honest) < constant + 2 * error


def test_a_cut_gains_three_times_what_it_loses():
    """On its own rows and on others: the maximum of a random walk above a parabola."""
    step = 0.01
    t = np.arange(-400, 401) * step
    noise = np.random.RandomState(0).normal(size=(3000, 800)) * np.sqrt(step)
    walk = np.insert(np.cumsum(noise, axis=1), 0, 0.0, axis=1)
    walk -= walk[:, [400]]
    seen = walk - t**2
    gain, loss = seen.max(axis=1).mean(), (t[seen.argmax(axis=1)] ** 2).mean()
    assert loss / gain == pytest.approx(1 / 3, abs=0.03)


@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_folds_choose_as_brute_force_does(n_folds):
    """The largest F1 over all settings and thresholds, once on all rows and once per fold."""
    target, settings = (y == 2).astype(int), [0.01, 0.1, 1.0]
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=1)
    scores = [
        cross_val_predict(LogisticRegression(C=C), X, target, cv=folds, method="decision_function")
        for C in settings
    ]

    def best(rows):
        every = []
        for score in scores:
            precision, recall, cuts = precision_recall_curve(target[rows], score[rows])
            values = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
            every.append((values.max(), score >= cuts[values.argmax()]))
        return max(every, key=lambda one: one[0])[1]

    tests = [test for _, test in folds.split(X, target)]
    value = f1_score(target, best(np.arange(len(X))))
    own = f1_score(
        np.concatenate([target[test] for test in tests]),
        np.concatenate([best(test)[test] for test in tests]),
    )
    classifier = MeasureClassifier(
        LogisticRegression(), param_grid={"C": settings}, cost_sensitive=False, cv=folds,
        selection="largest_value",
    ).fit(X, target)  # fmt: skip
    shares = [len(test) / len(X) for test in tests]
    assert classifier.best_score_ == pytest.approx(value)
    assert classifier.honest_score_ == pytest.approx(honest_value(value, own, shares))


@problems
def test_what_is_chosen_is_worth_less_than_it_seems(problem):
    """For every kind of problem."""
    classifier = fit(problem)
    assert classifier.best_score_ - 0.1 < classifier.honest_score_ < classifier.best_score_


@problems
def test_without_a_choice_nothing_is_taken_off(problem):
    """One candidate at its natural threshold, on folds of unequal size and with weights."""
    weight, groups = np.random.RandomState(0).randint(1, 4, size=400), np.arange(400) ** 2 // 9000
    *rows, measure = PROBLEMS[problem]
    classifier = MeasureClassifier(
        LinearLearner(), measure=measure, cost_sensitive=False, tune_threshold=False,
        cv=GroupKFold(3), search="grid", param_grid={"C": [1.0]},
    ).fit(*rows, sample_weight=weight, groups=groups)  # fmt: skip
    assert classifier.honest_score_ == pytest.approx(classifier.best_score_)


def test_it_is_never_above_the_value_that_was_seen():
    """Rules that do not take the largest value can make folds worse off on their own."""
    assert honest_value(0.7, 0.6, shares=[0.5, 0.5]) == 0.7


def test_it_is_never_below_the_least_value_and_inside_its_interval():
    """With a dozen rows of noise more is taken off than there is."""
    found = []
    for seed in (17, 19, 23, 24):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(12, 5)), rng.permutation(np.arange(12) % 4 == 0)
        clf = MeasureClassifier("linear", measure="jaccard", cv=2, random_state=seed)
        clf.set_params(selection="largest_value").fit(X, y)
        low, high = clf.honest_interval_
        assert 0.0 <= low <= clf.honest_score_ <= high <= 1.0
        found.append(clf.honest_score_)
    assert 0.0 in found


def test_the_same_folds_twice_change_nothing():
    """The rows count once, however often they are held out."""
    folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y == 2))
    once, twice = fit("binary", cv=folds), fit("binary", cv=folds * 2)
    assert twice.honest_score_ == pytest.approx(once.honest_score_)


def test_shares_are_weights_of_the_folds():
    """Relative to all rows that are held out."""
    rows = np.arange(4)
    splits = [(rows[2:], rows[:2]), (rows[:3], rows[3:])]
    assert_allclose(fold_shares(splits, np.array([1.0, 2.0, 9.0, 1.0])), [0.75, 0.25])


@problems
def test_it_outlives_slimming(problem):
    """Also twice, and through bytes."""
    classifier = fit(problem)
    slimmed = pickle.loads(pickle.dumps(classifier.slim())).slim()
    assert slimmed.honest_score_ == classifier.honest_score_


@pytest.mark.parametrize("problem", ["binary", "macro", "micro"])
@pytest.mark.parametrize("rows", [True, False], ids=["trained again", "thresholds alone"])
def test_a_retargeted_classifier_has_one(problem, rows):
    """For the other measure, also where its labels share a level that they were not trained at."""
    other = "f2" if problem == "binary" else "f2_micro"
    found = fit(problem).retarget(other, *(PROBLEMS[problem][:2] if rows else ()))
    assert found.best_score_ - 0.1 < found.honest_score_ <= found.best_score_


@problems
def test_kept_models_were_chosen_as_before(problem):
    """Asking for the same measure without rows changes nothing, however often."""
    classifier = fit(problem)
    again = classifier.retarget(PROBLEMS[problem][-1])
    assert classifier.honest_score_ < classifier.best_score_
    for one in (again, again.retarget(PROBLEMS[problem][-1])):
        assert one.honest_score_ == pytest.approx(classifier.honest_score_)
        assert one.honest_interval_ == pytest.approx(classifier.honest_interval_)


def test_kept_models_of_another_measure_were_chosen_for_the_first():
    """By hand: every fold takes the model that it likes for F1, and cuts it for F2."""
    classifier = fit("binary", selection="largest_value")
    found = classifier.retarget("f2")
    (candidates,), shares = classifier.sweep_.by_goal, classifier.sweep_.shares
    fn = fp = prevalence = 0.0
    for k, share in enumerate(shares):
        curves = [c.fold_curves[k] for c in candidates]
        curve = max(curves, key=lambda curve: FBeta().value(curve).max())
        cut = FBeta(2).value(curve).argmax()
        fn, fp = fn + share * curve.fn[cut], fp + share * curve.fp[cut]
        prevalence = prevalence + share * curve.prevalence
    own = FBeta(2).value(ErrorProfile(fn, fp, prevalence))
    assert found.honest_score_ == pytest.approx(honest_value(found.best_score_, own, shares))
    assert found.honest_score_ < found.best_score_


def test_models_kept_after_a_constraint_have_one():
    """Also where a fold alone cannot keep the constraint."""
    found = fit("binary", measure=RecallAtPrecision(0.6)).retarget("f1")
    assert found.best_score_ - 0.1 < found.honest_score_ <= found.best_score_


def test_of_a_blend_only_the_cuts_were_chosen():
    """So the folds choose nothing else."""
    blend = fit("binary", estimator=[LinearLearner(), LogisticRegression()])
    assert blend.best_score_ - 0.1 < blend.honest_score_ <= blend.best_score_


@pytest.mark.parametrize(
    "params",
    [
        {"cv": "holdout"},
        {"cv": [(np.arange(200), np.arange(300, 400)), (np.arange(100, 300), np.arange(300, 400))]},
        {"measure": RecallAtPrecision(0.5)},
    ],
    ids=["one part", "the same part twice", "constraint"],
)
def test_where_it_is_not_known_it_says_why(params):
    """As an attribute that is missing."""
    classifier = fit("binary", **params)
    for one in (classifier, classifier.slim()):
        assert not hasattr(one, "honest_score_")
        with pytest.raises(AttributeError, match="what several folds would have chosen"):
            _ = one.honest_score_


def test_before_a_fit_there_is_none():
    """As with every fitted attribute."""
    with pytest.raises(NotFittedError):
        _ = MeasureClassifier().honest_score_
