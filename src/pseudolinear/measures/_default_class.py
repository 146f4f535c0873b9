"""Measures that may leave a default class out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, kw_only=True, repr=False)
class DefaultClassMeasure(Measure):
    """A measure that may leave a default class out of its micro average.

    The pair is then (rows of the other classes that are not recognised, rows of the default
    class that are given another one): confusing two other classes counts once.
    """

    default_class: Hashable = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.default_class is not None and self.average == "binary":
            object.__setattr__(self, "average", "micro")
        if self.default_class is not None and self.decomposes:
            raise ValueError(f"{self._name}: a default class goes with average='micro' only.")

    @property
    def has_default_class(self) -> bool:
        """Whether a default class is given."""
        return self.default_class is not None

    def binary(self) -> Measure:
        """Return the same measure for a single label."""
        return replace(self, average="binary", default_class=None)

    def pair_map(self, n_labels: int) -> NDArray[np.float64]:
        """Say which errors of a profile make up the pair; the default class comes first."""
        if self.default_class is None:
            return super().pair_map(n_labels)
        to_pair = np.zeros((2, n_labels, 2))
        to_pair[0, 1:, 0] = 1.0
        to_pair[1, 0, 0] = 1.0
        return to_pair

    def extra_classes(self, dtype: Any) -> NDArray[Any]:
        """Return the default class, if any."""
        known = [] if self.default_class is None else [self.default_class]
        return np.array(known, dtype=dtype if not known else None)

    def order_classes(self, classes: NDArray[Any]) -> NDArray[Any]:
        """Put the default class first."""
        if self.default_class is None:
            return classes
        is_default = classes == self.default_class
        if not np.any(is_default):
            raise ValueError(
                f"{self._name}: default_class={self.default_class!r} is not one of the classes "
                f"{classes.tolist()}."
            )
        return np.concatenate([classes[is_default], classes[~is_default]])
