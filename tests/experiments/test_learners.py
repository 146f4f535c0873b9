"""The learners of the literature, as it ran them."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from pseudolinear.experiments import PUBLISHED
from pseudolinear.experiments._label_piece import problem_levels, problems_of
from pseudolinear.experiments._learners import make_learner
from pseudolinear.learners import LabelProblem, Learner


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
