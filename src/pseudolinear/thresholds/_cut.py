"""Cuts: thresholds with what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pseudolinear._brief import brief_repr
from pseudolinear.errors import ErrorCurve, ErrorProfile


@dataclass(frozen=True, eq=False)
class Cut:
    """A threshold with what it gives.

    Attributes
    ----------
    threshold : float or ndarray of shape (n_labels,)
        Rows with at least this score are predicted positive.
    value : float
        What the objective gives there.
    profile : ErrorProfile
        The errors there.

    Examples
    --------
    >>> cut = best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0])
    >>> cut.threshold, round(cut.value, 3), cut.profile.fp
    (1.5, 0.8, array([0.25]))
    """

    threshold: Any
    value: float
    profile: ErrorProfile

    __repr__ = brief_repr


def combine(curves: Sequence[ErrorCurve], cuts: Sequence[int]) -> ErrorProfile:
    """Join one cut of each label's curve into the profile of all labels."""
    return ErrorProfile(
        np.concatenate([curve.fn[cut] for curve, cut in zip(curves, cuts, strict=True)]),
        np.concatenate([curve.fp[cut] for curve, cut in zip(curves, cuts, strict=True)]),
        np.concatenate([curve.prevalence for curve in curves]),
    )
