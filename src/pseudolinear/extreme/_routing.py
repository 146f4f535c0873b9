"""Which fits are those of many labels."""

from __future__ import annotations

from typing import Any

from pseudolinear.labels import count_labels
from pseudolinear.measures import ExpectedCost, Measure, get_measure

MANY_LABELS = 1000  # from here on labels are fitted in blocks, sparse from end to end
ESTIMATORS = ("auto", "linear")
TREE = "tree"


def takes_many(clf: Any, y: Any) -> bool:
    """Say whether a fit takes the way of many labels.

    It does for the linear models of a ratio over 1,000 labels and more. Other estimators, and
    settings that ask for a search, a rule or a grid of their own, go the way of a few labels.

    Parameters
    ----------
    clf : MeasureClassifier
        Its parameters.
    y : object
        Labels in any form.

    Returns
    -------
    bool
        Whether :func:`fit_many` fits them.

    Examples
    --------
    >>> from scipy import sparse
    >>> from pseudolinear import MeasureClassifier
    >>> from pseudolinear.extreme import takes_many
    >>> takes_many(MeasureClassifier(measure="f1_macro"), sparse.csr_matrix((5, 1000)))
    True
    """
    named = isinstance(clf.estimator, str)
    plain = (
        named
        and clf.estimator in (*ESTIMATORS, TREE)
        and clf.param_grid is None
        and isinstance(clf.search, str)
        and clf.search == "auto"
        and isinstance(clf.selection, str)
        and clf.selection == "auto"
        and clf.cost_sensitive
        and clf.tune_threshold
        and clf.refit
        and not (isinstance(clf.cv, str) and clf.cv == "prefit")
    )
    tree = named and clf.estimator == TREE
    if not plain or y is None:
        return _refuse(tree)
    goal = get_measure(clf.measure)
    if not isinstance(goal, Measure) or isinstance(goal, ExpectedCost):
        return _refuse(tree)
    if goal.average not in ("micro", "macro", "weighted") or goal.has_default_class:
        return _refuse(tree)
    return tree or count_labels(y) >= MANY_LABELS


def _refuse(tree: bool) -> bool:
    if tree:
        raise ValueError(
            "estimator='tree' is for y and a micro, macro or weighted average over its labels, "
            "with the default param_grid, search, selection, cost_sensitive, tune_threshold, refit "
            "and no cv='prefit'; leave them out, or take estimator='linear'."
        )
    return False
