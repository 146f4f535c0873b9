"""Lifted rows: their similarity to some of the training rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.kernel_approximation import Nystroem

from pseudolinear.features._numbers import cut
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views
from pseudolinear.loops._crew import crew

COMPONENTS = 100  # columns per width
WIDTHS = (0.5, 2.0)  # of the RBF, in units of 1 / (number of columns times variance)
GAIN = 3.0  # a column of similarities is small beside a scaled number


class NystroemView(View):
    """Similarities of two widths to some training rows (Williams and Seeger 2001), and the rows.

    A linear model of them is a kernel machine whose cost does not grow with the rows squared.
    """

    name = "nystroem"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Draw the rows; see :class:`View`."""
        X = views("dense")
        self.shrink = 1.0 / np.sqrt(X.shape[1])
        n_components = min(COMPONENTS, X.shape[0] // 2)
        gamma = _gamma(X)
        self.lifts = [
            Nystroem(gamma=width * gamma, n_components=n_components, random_state=seed + i).fit(X)
            for i, width in enumerate(WIDTHS)
        ]
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return similarities and rows; see :class:`View`."""
        X = views("dense")
        ends = np.cumsum([X.shape[1], *(lift.n_components for lift in self.lifts)])
        out = np.empty((len(X), ends[-1]), X.dtype)

        def write(part: slice) -> None:  # of all rows, kernels would be several large copies
            np.multiply(X[part], self.shrink, out=out[part, : ends[0]])
            for lift, start, end in zip(self.lifts, ends, ends[1:], strict=False):
                with config_context(transform_output="default"):  # also in threads that help
                    np.multiply(lift.transform(X[part]), GAIN, out=out[part, start:end])

        crew.share(write, cut(out))
        return out


def _gamma(X: NDArray[np.float64]) -> float:
    """Return one over the number of columns times their variance."""
    variance = X.var()
    return float(1.0 / (X.shape[1] * variance)) if variance > 0 else 1.0
