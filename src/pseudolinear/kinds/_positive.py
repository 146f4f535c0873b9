"""Which of two classes is the positive one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure

CONVENTIONS = ({0, 1}, {-1, 1})  # 1 is positive, as everywhere; True and False are 1 and 0


def name_positive(
    measure: Measure,
    y: NDArray[Any],
    pos_label: Any = None,
    sample_weight: NDArray[np.float64] | None = None,
) -> Measure:
    """Return a binary measure that says which class is positive; any other as it is.

    Parameters
    ----------
    measure : Measure
        What is maximised; a `pos_label` of its own counts.
    y : ndarray of shape (n_samples,)
        Classes.
    pos_label : object, default=None
        The positive class. None leaves the choice to the measure, and then to the classes: 1 where
        they are 0 and 1 or -1 and 1, otherwise the rarer one, which people mean when classes
        are imbalanced; of equally frequent ones the larger.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    Measure
        With `pos_label`.

    Examples
    --------
    >>> from pseudolinear.kinds import name_positive
    >>> name_positive(FBeta(), np.array(["bad", "good", "good"])).pos_label
    'bad'
    """
    if measure.average != "binary":
        if pos_label is not None:
            raise ValueError(
                f"pos_label={pos_label!r} is for a binary measure, but {measure!r} counts every "
                "class or label; leave one of them out."
            )
        return measure
    if pos_label is not None and measure.pos_label not in (None, pos_label):
        raise ValueError(
            f"pos_label is {pos_label!r} here and {measure.pos_label!r} in {measure!r}; give one."
        )
    if pos_label is None and measure.pos_label is None:
        classes, codes = np.unique(y, return_inverse=True)
        if classes.size != 2 or set(classes.tolist()) in CONVENTIONS:
            return measure
        rows = np.bincount(codes.ravel(), sample_weight)
        pos_label = classes.tolist()[0 if rows[0] < rows[1] else 1]
    return replace(measure, pos_label=measure.pos_label if pos_label is None else pos_label)
