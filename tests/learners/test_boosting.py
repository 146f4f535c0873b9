"""Boosting by LightGBM: the same trees as its own interface grows, on one binned table."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification

from pseudolinear.learners import BoostingLearner, ClassesProblem, LabelProblem
from pseudolinear.learners import _boosting as boosting

lightgbm = pytest.importorskip("lightgbm")
X, CLASSES = make_classification(300, n_classes=3, n_informative=5, random_state=0)
Y = np.stack([CLASSES == 0, CLASSES == 2], axis=1).astype(int)
PEER = {"n_estimators": 20, "num_leaves": 15, "max_bin": 63, "n_jobs": 1, "verbose": -1}


def test_labels_and_costs_of_a_batch_are_those_of_lightgbm_itself():
    """The table is binned once, and every label and cost gets its own weights."""
    learner = BoostingLearner(20, random_state=0)
    problems = [LabelProblem(0, (1.0, 1.0)), LabelProblem(1, (3.0, 1.0)), LabelProblem(0, (2.0, 1))]
    models = learner.fit_batch(X, Y, problems)
    for problem, scores in zip(problems, learner.scores(models, X), strict=True):
        y = Y[:, problem.label]
        peer = lightgbm.LGBMClassifier(**PEER).fit(X, y, sample_weight=problem.class_costs[y])
        assert_allclose(scores, peer.predict(X, raw_score=True), atol=1e-9)


def test_classes_get_log_probabilities():
    """Those of LightGBM's own multiclass trees."""
    learner = BoostingLearner(20, random_state=0)
    (model,) = learner.fit_batch(X, CLASSES[:, None], [ClassesProblem(0, (1.0, 1.0, 1.0))])
    (scores,) = learner.scores([model], X)
    peer = lightgbm.LGBMClassifier(**PEER).fit(X, CLASSES)
    assert_allclose(np.exp(scores), peer.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("value", [0, 1])
def test_rows_of_one_class_are_certain(value):
    """No tree can be grown from them."""
    learner = BoostingLearner(20)
    models = learner.fit_batch(X, np.full((300, 1), value), [LabelProblem(0, (1.0, 1.0))])
    (scores,) = learner.scores(models, X[:5])
    assert ((scores > 0) == value).all()


def test_a_missing_package_is_named(monkeypatch):
    """With the way to get it."""

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(boosting, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'pseudolinear\[tables\]'"):
        BoostingLearner().fit_batch(X, Y, [LabelProblem(0, (1.0, 1.0))])


@pytest.mark.slow
def test_a_fork_after_a_fit_with_threads_ends():
    """OpenMP's threads do not survive a fork; a worker that waited for them would never end."""
    script = """
from joblib import parallel_config
from sklearn.datasets import make_classification
from pseudolinear import MeasureClassifier
X, y = make_classification(300, weights=[0.8], random_state=0)
MeasureClassifier("boosting", random_state=0).fit(X, y).predict(X)
with parallel_config(backend="multiprocessing", n_jobs=2):
    MeasureClassifier("boosting", random_state=0).fit(X, y)
"""
    environment = os.environ | {"OMP_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", script], env=environment, timeout=120, check=True)
