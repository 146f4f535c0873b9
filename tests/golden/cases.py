"""Fits whose outcome is pinned: a change that is not meant to alter results must leave them alone.

``python tests/golden/cases.py`` writes the outcomes again; do so only for a change that is meant,
and name it in the changelog.
"""

import json
import sys
import time
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).parents[1]))

from data import load

from pseudolinear import (
    FBeta,
    FBetaOverLabels,
    Jaccard,
    KernelLearner,
    LinearLearner,
    MeasureClassifier,
    PrecisionAtRecall,
    RecallAtPrecision,
)
from pseudolinear.datasets import make_galaxy
from pseudolinear.thresholds import Objective

FOLDER = Path(__file__).parent
SEARCHES = ("grid", "bracket", "bisection", "dinkelbach", "cone")
RULES = ("largest_value", "least_cost", "joint", "shrunk", "both")
LINEAR = {"estimator": LinearLearner(), "param_grid": {"C": [2.0**-4, 2.0**-1, 2.0**2, 2.0**5]}}
ONE_LABEL = ("adult", "galaxy", "weighted")


@cache
def problem(name):
    """Return training rows, their targets and weights, and test rows."""
    if name == "galaxy":
        X, y = make_galaxy(4000, random_state=0)
        return X[:3000], y[:3000], None, X[3000:]
    if name in ("classes", "default class", "weighted"):
        shares = [0.7] if name == "weighted" else [0.7, 0.2]
        X, y = make_classification(
            900, n_classes=len(shares) + 1, n_informative=6, weights=shares, random_state=1
        )
        weight = np.random.RandomState(0).uniform(0, 3, 600).round() if name == "weighted" else None
        return X[:600], y[:600], weight, X[600:]
    X, Y = load(name)
    rows = {"adult": 6000}.get(name, len(Y))
    y = Y[:rows, 0] if Y.shape[1] == 1 else Y[:rows]
    return X[:rows], y, None, load(name, "test")[0][:3000]


def cases():
    """Yield the name of a fit, the name of its problem, and its parameters."""
    hinge = {"estimator": LinearLearner("hinge"), "search": "grid"}
    for name in ("scene", "yeast", "enron"):
        for average in ("macro", "micro"):
            yield f"{name} {average}", name, {"measure": f"f1_{average}"}
    for name in ("adult", "galaxy"):
        yield name, name, {}
        yield f"{name} hinge grid", name, hinge | {"param_grid": {"C": [0.1, 1.0]}}
        for search in SEARCHES:
            yield f"{name} {search}", name, {"search": search}
        yield f"{name} cone, any estimator", name, {"estimator": LogisticRegression()}
    for average in ("macro", "micro"):
        measure = {"measure": f"f1_{average}"}
        grid = {"param_grid": {"C": [0.03, 1.0]}}
        yield f"yeast {average} hinge grid", "yeast", measure | hinge | grid
        for search in SEARCHES:
            yield f"yeast {average} {search}", "yeast", measure | {"search": search}
        for rule in RULES:
            yield f"yeast {average} {rule}", "yeast", measure | {"selection": rule}
    yield "scene jaccard", "scene", {"measure": Jaccard(average="micro"), "selection": "least_cost"}
    yield "published", "galaxy", {"published": True}
    yield "published micro", "yeast", {"published": True, "measure": "f1_micro"}
    yield "not refitted", "yeast", {"measure": "f1_micro", "cv": "holdout", "refit": False}
    yield "natural threshold", "galaxy", {"tune_threshold": False}
    yield "equal costs", "yeast", {"measure": "f1_macro", "cost_sensitive": False}
    yield "kernel", "weighted", {"estimator": KernelLearner(), "param_grid": {"C": [1.0, 9.0]}}
    yield "weighted", "weighted", {"measure": FBeta(2)}
    yield "classes", "classes", {"measure": "f1_macro"}
    yield (
        "classes, any estimator",
        "classes",
        {
            "measure": "f1_macro",
            "estimator": LogisticRegression(),
        },
    )
    for measure in (FBeta(average="micro", default_class=0), FBetaOverLabels(default_class=0)):
        yield f"default class {measure!r}", "default class", {"measure": measure}
    members = [LinearLearner(), LogisticRegression(), KernelLearner()]
    yield "portfolio", "weighted", {"estimator": members}
    yield "portfolio classes", "classes", {"estimator": members, "measure": "f1_macro"}
    for average in ("macro", "micro"):
        few = [LinearLearner(), LinearLearner("squared_hinge")]
        yield f"portfolio {average}", "yeast", {"estimator": few, "measure": f"f1_{average}"}


RETARGETED = {
    "galaxy": ("f2", "jaccard", RecallAtPrecision(0.5), PrecisionAtRecall(0.7)),
    "yeast macro": ("f1_micro", "f2_macro"),
    "yeast micro": ("f1_macro",),
    "weighted": ("f1",),
}


def fit(name, params):
    """Fit a case: linear models on the rows as they are, one label cut exactly."""
    X, y, weight, _ = problem(name)
    params = (
        {"random_state": 0} | ({"selection": "largest_value"} if name in ONE_LABEL else {}) | params
    )
    if params.pop("published", False):
        grid = {"param_grid": {"C": [2.0**i for i in range(-6, 7)]}}
        classifier = MeasureClassifier.published(**({"estimator": LinearLearner()} | grid | params))
    else:
        classifier = MeasureClassifier(**({} if "estimator" in params else LINEAR) | params)
    return classifier.fit(X, y, sample_weight=weight)


def outcome(classifier, X):
    """Return what a fit has chosen and predicts, as JSON knows it."""
    predicted = np.asarray(classifier.predict(X))
    return {
        "threshold": np.ravel(classifier.threshold_).tolist(),
        "level": np.ravel(classifier.level_).tolist(),
        "costs": np.ravel(classifier.costs_).tolist(),
        "params": repr(classifier.best_params_),
        "value": classifier.best_score_,
        "certificate": {s.name: s.ceiling for s in classifier.certificate_.statements},
        "n_candidates": len(classifier.sweep_),
        "n_positive": int((predicted != 0).sum()),
    }


def outcomes(name, params, title):
    """Yield the outcome of a case and of what is retargeted from it."""
    X, y, weight, new = problem(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classifier = fit(name, params)
        yield title, outcome(classifier, new)
        for other in RETARGETED.get(title, ()):
            if isinstance(other, Objective):
                classifier.set_params(selection="auto")
            if other != "f1_micro":  # labels with levels of their own could not be cut jointly
                yield f"{title} -> {other!r}", outcome(classifier.retarget(other), new)
            again = classifier.retarget(other, X, y, sample_weight=weight)
            yield f"{title} -> {other!r}, trained", outcome(again, new)


def main():
    """Write the outcomes of all cases."""
    found = {}
    for title, name, params in cases():
        found.update(outcomes(name, params, title))
        print(title, round(time.process_time()), file=sys.stderr)
    (FOLDER / "outcomes.json").write_text(json.dumps(found, indent=0) + "\n")


if __name__ == "__main__":
    main()
