"""Calibrated probabilities of the labels on shortlists."""

from __future__ import annotations

from typing import Any

from scipy import sparse
from scipy.special import expit

from pseudolinear._calibration import flatten
from pseudolinear.extreme._many_decision import ManyDecision


def listed_probabilities(decision: ManyDecision, X: Any) -> sparse.csr_array:
    """Return calibrated probabilities of the likeliest labels of each row, never all of them.

    Parameters
    ----------
    decision : ManyDecision
        Of a classifier that was fitted with ``estimator="tree"``.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    csr_array of shape (n_samples, n_labels)
        What :func:`best_listed_labels` takes; labels that are not on the list count as impossible.

    Examples
    --------
    >>> from pseudolinear import MeasureClassifier
    >>> from pseudolinear.extreme import best_listed_labels, listed_probabilities
    >>> X = sparse.csr_array(np.eye(5)[[0, 1, 2, 3, 4] * 9])
    >>> clf = MeasureClassifier("tree", measure="f1_macro", random_state=0).fit(X, X)
    >>> best_listed_labels(listed_probabilities(clf.decision_, X[:5]), k=1).indices
    array([0, 1, 2, 3, 4], dtype=int32)
    """
    found = decision.models[0].shortlist(decision._rows(X)).scores
    lines, label = decision.calibration, found.indices
    log_odds = lines.slope[label] * flatten(found.data, lines.limit) + lines.intercept[label]
    return sparse.csr_array((expit(log_odds), label, found.indptr), shape=found.shape)
