"""Lifted numbers: piecewise linear functions of every one."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline
from sklearn.preprocessing import SplineTransformer

from pseudolinear.features._scaled import stack
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views

KNOTS = (3, 6)  # fewest and most knots of a number; more were no better
COLUMNS = 300  # columns that all numbers together get: beyond, solving takes seconds


class SplinesView(View):
    """Every number as hats between quantiles, so that a linear model bends, and the other blocks.

    Numbers of few values get a column that is as good; where numbers are many, they get fewer knots
    each.
    """

    name = "splines"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn the knots; see :class:`View`."""
        X = views("numbers")
        self.bent = np.flatnonzero([len(np.unique(column[:10_000])) > 2 for column in X.T])
        fewest, most = KNOTS
        n_knots = min(most, max(fewest, COLUMNS // max(len(self.bent), 1)))
        # Lines go on as lines. "linear" would say the same, but scikit-learn 1.9 then takes the
        # second knot of every number but the first for its lower end.
        self.spline = SplineTransformer(
            n_knots, degree=1, knots="quantile", extrapolation="continue", include_bias=False
        )
        if len(self.bent):
            self.spline.fit(X[:, self.bent], sample_weight=weight)
        views.fitted("scaled")
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Keep the knots alone: SciPy's splines hold functions, which safe formats refuse."""
        spline = copy(self.spline)
        if len(self.bent):
            spline.bsplines_ = [one.t for one in spline.bsplines_]
        return self.__dict__ | {"spline": spline}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the splines of their knots, as scikit-learn does."""
        spline, degree = copy(state["spline"]), state["spline"].degree
        if len(state["bent"]):
            hats = np.eye(len(spline.bsplines_[0]) - degree - 1)
            beyond = spline.extrapolation == "continue"
            spline.bsplines_ = [
                BSpline.construct_fast(knots, hats, degree, extrapolate=beyond)
                for knots in spline.bsplines_
            ]
        self.__dict__.update(state, spline=spline)

    def transform(self, table: Table, views: Views) -> Any:
        """Return hats and blocks; see :class:`View`."""
        if not len(self.bent):
            return views("scaled")
        bent = self.spline.transform(views("numbers")[:, self.bent])
        return stack([views("scaled"), bent])
