"""Three points: the smallest problem on which every classifier can be listed."""

from __future__ import annotations

from itertools import product

import numpy as np

from pseudolinear.errors import ErrorProfile

MASS = np.array([0.65, 0.30, 0.05])
POSITIVE = np.array([0.70, 0.40, 0.15])


def three_point_profiles() -> tuple[list[str], ErrorProfile]:
    """List the error profiles of all classifiers of three points.

    The points have the masses 0.65, 0.30 and 0.05 and the shares of positives 0.70, 0.40
    and 0.15. A classifier is named by what it predicts for them, as in ``"110"``.

    Returns
    -------
    names : list of str
        The eight classifiers.
    profiles : ErrorProfile
        Their errors, stacked.

    Examples
    --------
    >>> names, profiles = three_point_profiles()
    >>> values = FBeta().value(profiles)
    >>> names[values.argmax()], values.max()
    ('110', np.float64(0.7504))
    """
    predicted = np.array(list(product([0, 1], repeat=3)))
    names = ["".join(map(str, row)) for row in predicted]
    fn = (1 - predicted) @ (MASS * POSITIVE)
    fp = predicted @ (MASS * (1 - POSITIVE))
    return names, ErrorProfile(fn[:, None], fp[:, None], MASS @ POSITIVE)
