"""How costs and what the user has routed reach the fit of a classifier side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, get_routing_for_object

from pseudolinear.learners._wrapped import last_step

COSTS = "pseudolinear_costs"  # what the weights of the last step are called among other metadata


def fit_weighted(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    weight: NDArray[np.float64] | None,
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """Fit a classifier with weights of our own, whether metadata is routed or not.

    The weights go directly to the classifier, or to the last step of a pipeline; nobody has to
    request them. Where the user has routed nothing into the classifier there is nothing to route,
    so that routing is off inside, and meta-estimators hand the weights on as they always did.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Is fitted in place.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows.
    y : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Classes.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row: its own times the cost of its class.
    metadata : mapping, default=None
        What else the classifier has requested; see :func:`requested`.

    Returns
    -------
    classifier
        The same, fitted.
    """
    prefix, last = last_step(estimator)
    name = prefix + "sample_weight"
    with config_context(enable_metadata_routing=bool(metadata)):
        if metadata and prefix and weight is not None:  # steps get what they request, and no more
            last.set_fit_request(sample_weight=COSTS)
            name = COSTS
        weights = {} if weight is None else {name: weight}
        return estimator.fit(X, y, **weights, **(metadata or {}))


def requested(
    part: Any, method: str, owner: Any, own: Mapping[str, Any], others: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a classifier or splitter has requested of the metadata of a fit.

    Parameters
    ----------
    part : classifier, Pipeline or splitter
        Requests by `set_fit_request` or `set_split_request`, of a pipeline each step for itself.
    method : {"fit", "split"}
        Its method that is called.
    owner : object
        Whose fit it is, for messages.
    own : mapping
        What the owner uses itself; it is handed on where it is requested, but weights of rows do
        not go to the classifier or the last step, which get them together with the costs.
    others : mapping
        What is there for others only; a part that takes it must request or refuse it.

    Returns
    -------
    dict
        Parameters of the method; see :func:`fit_weighted`.
    """
    if not has_requests(part):
        return {}
    wanted = get_routing_for_object(part).consumes(method, own)
    if "sample_weight" in wanted and not _steps_request_weights(part):
        wanted.remove("sample_weight")
    mapping = MethodMapping().add(caller="fit", callee=method)
    router = MetadataRouter(owner).add(part=part, method_mapping=mapping)
    given = {name: own[name] for name in wanted} | dict(others)
    return dict(router.route_params(caller="fit", params=given).part[method])


def has_requests(part: Any) -> bool:
    """Tell whether a classifier or splitter can be asked what it requests.

    Some meta-estimators of scikit-learn and imbalanced-learn do not know routing yet; they are
    given costs, and nothing else.
    """
    try:
        get_routing_for_object(part)
    except NotImplementedError:
        return False
    return True


def _steps_request_weights(estimator: Any) -> bool:
    """Tell whether a step before the last one wants the weights of rows."""
    prefix, _ = last_step(estimator)
    if not prefix or len(estimator) < 2:
        return False
    return bool(get_routing_for_object(estimator[:-1]).consumes("fit", ["sample_weight"]))
