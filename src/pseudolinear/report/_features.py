"""Which features mattered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.inspection import permutation_importance

MOST = 20  # features on a page
REPEATS = 5


@dataclass(frozen=True)
class Features:
    """Features by their weight, the largest first.

    Attributes
    ----------
    note : str
        What the weights are, or why there are none.
    names : tuple of str
        At most 20.
    weights, spreads : tuple of float
        Of each feature, and how much it varies where that is known.
    """

    note: str
    names: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    spreads: tuple[float, ...] = ()


def permuted_features(clf: Any, X: Any, y: Any, sample_weight: Any, random_state: Any) -> Features:
    """Say what the measure loses when a column is shuffled."""
    if sparse.issparse(X) or np.ndim(X) != 2:
        return Features(
            "Shuffling one feature at a time needs a table of dense columns, which these rows are "
            "not."
        )
    found = permutation_importance(
        clf,
        X,
        y,
        scoring=_at_the_costs_of(clf, X),
        n_repeats=REPEATS,
        random_state=random_state,
        sample_weight=sample_weight,
    )
    note = (
        f"What the measure loses on these rows when one column is shuffled: mean of {REPEATS} "
        "shuffles, and their standard deviation."
    )
    return _ranked(clf, note, found.importances_mean, found.importances_std)


def _at_the_costs_of(clf: Any, X: Any) -> Any:
    """Score by the measure, with costs by row as they are, not as they are shuffled."""
    objective = clf._objective_on(X)

    def score(clf: Any, shuffled: Any, y: Any, sample_weight: Any = None) -> float:
        kind = clf.decision_.kind
        return float(kind.score(y, clf._predict(shuffled), objective, sample_weight))

    return score


def known_features(clf: Any) -> Features:
    """Take the weights that a single model has, if any."""
    for name, what in (
        ("coef_", "Size of the coefficients of the model."),
        ("feature_importances_", "What the model itself counts as importance."),
    ):
        found = np.atleast_2d(np.asarray(getattr(clf, name, np.nan), dtype=np.float64))
        if found.shape[1] == getattr(clf, "n_features_in_", None):
            return _ranked(clf, what, np.abs(found).mean(axis=0))
    return Features(
        f"{_why_none(clf)}; a page made with importance=True, in the shell --importance, shuffles "
        "one feature after the other instead."
    )


def _why_none(clf: Any) -> str:
    """Say why no feature has a weight."""
    if hasattr(clf, "portfolio_"):
        return "The members of this classifier have no common weights for features"
    models = (getattr(model, "models", [model])[0] for model in clf.models_ if model is not None)
    if any(hasattr(model, "coef") for model in models):
        return (
            "This classifier weighs numbers, categories and words that were made of the columns, "
            "so that a column has no single weight"
        )
    return "This learner has no weights for features"


def _ranked(
    clf: Any, note: str, weights: NDArray[np.float64], spreads: NDArray[np.float64] | None = None
) -> Features:
    names = getattr(clf, "feature_names_in_", [f"column {i}" for i in range(len(weights))])
    order = np.argsort(-weights, kind="stable")[:MOST]
    if len(weights) > MOST:
        note += f" The first {MOST} of {len(weights)} features."
    return Features(
        note,
        tuple(str(names[i]) for i in order),
        tuple(weights[order].tolist()),
        () if spreads is None else tuple(spreads[order].tolist()),
    )
