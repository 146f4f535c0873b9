"""Classes that turn up after training."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import NDArray


def warn_of_new_classes(y: NDArray[Any], known: NDArray[Any], consequence: str) -> None:
    """Warn of classes that training has not shown, which may be known ones in other words.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        True classes of some rows.
    known : ndarray of shape (n_classes,)
        The classes of the fit.
    consequence : str
        What becomes of the rows of other classes.

    Examples
    --------
    >>> from pseudolinear.kinds._new_classes import warn_of_new_classes
    >>> warn_of_new_classes(np.array(["no", "yes"]), np.array(["no", "yes"]), "are errors")
    """
    new = sorted(set(y.tolist()) - set(known.tolist()), key=str)
    if new:
        others = f" and {len(new) - 1} more" if len(new) > 1 else ""
        warnings.warn(
            f"y holds the class {new[0]!r}{others}, which training has not shown: such rows "
            f"{consequence}. The classes of the fit are {known.tolist()}.",
            stacklevel=5,
        )
