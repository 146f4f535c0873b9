"""Metadata: what a fit is given beside rows and classes, and who has requested what of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, _raise_for_params

from pseudolinear.learners import Learner, WrappedLearner, has_requests, requested


@dataclass(frozen=True, eq=False)
class Metadata:
    """What goes to the parts of a classifier by scikit-learn's metadata routing.

    Attributes
    ----------
    owner : estimator
        Whose fit it is, for messages.
    own : mapping
        Weights and groups of the rows, which the owner uses itself; its parts get them where
        they request them.
    others : mapping
        What is there for the parts only.
    """

    owner: Any
    own: Mapping[str, Any]
    others: Mapping[str, Any]

    @classmethod
    def read(cls, owner: Any, sample_weight: Any, groups: Any, others: Mapping[str, Any]) -> Self:
        """Take the parameters of a fit; what nobody takes is an error."""
        _raise_for_params(others, owner, "fit")
        if others:
            owner.get_metadata_routing().validate_metadata(method="fit", params=others)
        own = {"sample_weight": sample_weight, "groups": groups}
        return cls(owner, {k: v for k, v in own.items() if v is not None}, others)

    def of(self, learner: Learner) -> dict[str, Any]:
        """Return what the classifier that a learner trains has requested."""
        if not (isinstance(learner, WrappedLearner) and self._is_routed):
            return {}
        return requested(learner.estimator, "fit", self.owner, self.own, self.others)

    def of_splits(self, cv: Any) -> dict[str, Any]:
        """Return what a splitter has requested, and groups in any case."""
        groups = {"groups": self.own.get("groups")}
        if not self._is_routed:
            return groups
        return groups | requested(cv, "split", self.owner, self.own, self.others)

    @property
    def _is_routed(self) -> bool:
        return get_config()["enable_metadata_routing"]


def add_parts(router: MetadataRouter, learners: list[str | Learner], cv: Any) -> MetadataRouter:
    """Tell a router of what classifiers and splitter may request; built-in learners do not."""
    for number, learner in enumerate(learners):
        if isinstance(learner, WrappedLearner) and has_requests(learner.estimator):
            mapping = MethodMapping().add(caller="fit", callee="fit")
            router.add(**{f"estimator_{number}": learner.estimator}, method_mapping=mapping)
    return router.add(splitter=cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
