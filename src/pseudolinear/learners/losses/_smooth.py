"""What the batched solver needs to know about a loss with a derivative."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from pseudolinear.learners.losses._loss import Loss
from pseudolinear.learners.solvers import Fit, solve_smooth
from pseudolinear.loops._pointwise import curvature, derivation, evaluation, mixture


class SmoothLoss(Loss):
    """A loss with a continuous derivative.

    A child states it by two functions of numbers, `pointwise` and `curvature`, which are compiled
    into the loops of the solver. They may call numpy's functions of numbers and use constants of
    their module.

    Attributes
    ----------
    certain : float
        Margin at which the loss is zero up to rounding: the score of a class that is alone.
    curvature_jumps : bool
        Whether the second derivative jumps between zero and a constant. Then few rows may be
        curved, and a step can change which: exact Newton steps on these rows pay, and so does
        an intercept that is settled before the next step.
    dual_point : callable or None
        Compiled loop that finds a good dual point ahead of an exact Newton step, see
        ``certify``; without one, the derivatives have to do as dual point.
    mixes : bool
        Whether `mixture_bounds` says more than zero: problems may then be solved by mixtures.
    derivatives, evaluate, lowest_mixture, second_derivative : callable
        The compiled loops of ``loops._pointwise``, made from the functions of the child.
    """

    takes_class_costs = True
    takes_start = True
    takes_single = True
    certain: ClassVar[float]
    curvature_jumps: ClassVar[bool] = False
    mixes: ClassVar[bool] = False
    dual_point: ClassVar[Callable[..., None] | None] = None
    derivatives: ClassVar[Callable[..., None]]
    evaluate: ClassVar[Callable[..., None]]
    lowest_mixture: ClassVar[Callable[..., float]]
    second_derivative: ClassVar[Callable[..., None]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make the class known, and compile its loops when they are first called."""
        super().__init_subclass__(**kwargs)
        cls.derivatives = staticmethod(derivation(cls.pointwise))
        cls.evaluate = staticmethod(evaluation(cls.pointwise))
        cls.lowest_mixture = staticmethod(mixture(cls.pointwise))
        cls.second_derivative = staticmethod(curvature(cls.curvature))

    @staticmethod
    @abstractmethod
    def pointwise(margin: float, cost: float) -> tuple[float, float, float]:
        """Return loss, fall (minus the first derivative) and second derivative, times the cost."""

    @staticmethod
    @abstractmethod
    def curvature(fall: float, cost: float) -> float:
        """Return the second derivative of `pointwise` where it falls with the slope `fall` > 0.

        Convex functions have no two curvatures at one slope, but for single points; to recover
        the second derivative from the first is cheaper than to store both.
        """

    def mixture_bounds(
        self,
        one: np.ndarray,
        other: np.ndarray,
        cost: np.ndarray,
        share: np.ndarray,
        square: np.ndarray,
    ) -> np.ndarray:
        """Return the values of mixtures of two dual points: they bound objectives from below.

        Without what a child knows of its dual there is no bound but zero.

        Parameters
        ----------
        one, other : ndarray of shape (k, n)
            Dual points of problems with other costs: minus the derivatives of the loss.
        cost : ndarray of shape (k, n)
            Costs of the rows, times C.
        share : ndarray of shape (k, 2)
            Factors that make the costs of the two problems add up to those of this one; a mixture
            by them keeps to all bounds of the dual.
        square : ndarray of shape (k, 2, 2)
            Inner products of the sums of the rows by the dual points.

        Returns
        -------
        ndarray of shape (k,)
            The bounds.
        """
        return np.zeros(len(cost))

    def best_constant(self, tilt: np.ndarray) -> np.ndarray:
        """Return the best constant score, from which the solver starts.

        The one here is that of the squared hinge; a rough one costs iterations, not accuracy.

        Parameters
        ----------
        tilt : ndarray
            (positive - negative) / (positive + negative), the total costs of the classes.
        """
        return tilt

    @property
    def solve(self) -> Callable[..., Fit]:
        """Conjugate gradients and Newton steps, problems side by side."""
        return partial(solve_smooth, loss=self)
