"""How a classifier was made: learners, data, settings, versions, seconds."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np

from pseudolinear.measures import has_row_costs
from pseudolinear.portfolio import Blend
from pseudolinear.report._summarise import population_of
from pseudolinear.report._words import member_words


def learner_rows(clf: Any) -> list[dict[str, Any]]:
    """List the learners of a portfolio with the weight that each has on average over labels.

    Returns
    -------
    list of dict
        With the keys learner, weight, value (alone, on the validation rows), labels, seconds and
        note; nothing for a single learner.
    """
    table = getattr(clf, "portfolio_", [])
    blends = [model for model in clf.models_ if isinstance(model, Blend)]
    weights = np.zeros(len(table))
    for blend in blends:
        for one in blend.shares:
            weights[one.member] += one.weight / len(blends)
    names = member_words([row["learner"] for row in table])
    return [
        {**row, "learner": name, "weight": float(weight)}
        for row, name, weight in zip(table, names, weights, strict=True)
    ]


def making(clf: Any, n_tested: int | None) -> list[tuple[str, str]]:
    """List how a classifier was made, as pairs of what and how."""
    sweep = clf._sweep
    facts = [("Settings", repr(clf)), ("Kind of problem", _kind(clf))]
    if not getattr(clf, "portfolio_", None):
        facts.append(("Learner", f"{clf.learner_!r}"))
        if clf.best_params_ and not isinstance(clf.best_params_, list):
            facts.append(("Chosen hyper-parameters", _pairs(clf.best_params_)))
    if (promise := getattr(clf, "promise_", None)) is not None:
        facts.append(("Promised", f"{promise.brief}, by {promise.n_rows:,} other rows"))
    if clf.decision_.policy is not None:
        facts.append(("Decision", str(clf.decision_.policy)))
    if sweep is not None:
        what = "Effective rows of the fit" if has_row_costs(clf._objective) else "Rows of the fit"
        facts.append((what, f"{sweep.goals[0].n_samples:,}"))
        if not sweep.models_kept:
            facts.append(("Candidates that were tried", f"{len(sweep):,}"))
    if hasattr(clf, "n_features_in_"):
        facts.append(("Features", f"{clf.n_features_in_:,}"))
    if population := population_of(clf):
        facts.append(("Thresholds and held-out values are for", population))
    if n_tested is not None:
        facts.append(("Rows of this report", f"{n_tested:,}"))
    seed = clf.random_state
    facts.append(("Seed", "none was given" if seed is None else repr(seed)))
    steps = getattr(clf, "timings_", [])
    names = member_words([what for what, _ in steps])
    for what, (_, seconds) in zip(names, steps, strict=True):
        facts.append((f"Seconds: {what}", f"{seconds:.1f}"))
    packages = ("pseudolinear", "scikit-learn", "numpy", "scipy")
    versions = [f"{name} {version(name)}" for name in packages]
    facts.append(("Versions", f"Python {platform.python_version()}, {', '.join(versions)}"))
    return facts


def _kind(clf: Any) -> str:
    kind = clf.decision_.kind
    several = {"multilabel": "labels", "multiclass": "classes"}
    if kind.name in several:
        return f"{kind.name}, {len(kind.classes):,} {several[kind.name]}"
    return f"{kind.name}, looking for {kind.positive_label}"


def _pairs(params: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in params.items())
