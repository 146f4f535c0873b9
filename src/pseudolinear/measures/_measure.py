"""Measures: ratios of two affine functions of the error profile."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._discovery import Named
from pseudolinear.errors import ErrorProfile
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._guarantees import Guarantees, largest_errors
from pseudolinear.measures._label_mean import label_mean
from pseudolinear.measures._scoring import Scoring


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Named, Guarantees, Scoring):
    r"""Base of all measures: :math:`F(e) = (\alpha_0 + \gamma e) / (\alpha_1 + \delta e)`.

    Its level sets are hyperplanes: with the costs :math:`a(t) = t\delta - \gamma` and the offset
    :math:`b(t) = t\alpha_1 - \alpha_0`, a profile reaches the level :math:`t` exactly when
    :math:`\langle a(t), e \rangle + b(t) \le 0`. Hence the best classifier is the one of least
    cost at :math:`a(F^*)`.

    A new measure is a frozen dataclass with one method, `of_pair`; with a class variable `name` it
    can also be given by that name.

    Parameters
    ----------
    average : {"binary", "micro", "macro", "weighted"}, default="binary"
        One label; the errors of all labels together; the mean over the labels; or that mean with
        the prevalence of each label as its weight, as scikit-learn's. Means over labels are not
        pseudo-linear themselves, but decompose into one measure per label.
    zero_division : float, default=0.0
        Value where the denominator is zero, as for a label that nobody carries or predicts.
    pos_label : object, default=None
        The positive class of a binary problem; by default the larger of the two, but
        :class:`MeasureClassifier` takes the rarer one of classes without a convention.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Critical(Measure):  # the critical success index of weather forecasts
    ...     def of_pair(self, positives, negatives):
    ...         return Coefficients(positives, np.array([-1, 0]), positives, np.array([0, 1]))
    >>> Critical().score([1, 1, 0], [1, 0, 1])
    0.333
    """

    known: ClassVar[dict[str, type[Any]]] = {}
    averages: ClassVar[tuple[str, ...]] = ("binary", "micro", "macro", "weighted")

    average: str = "binary"
    zero_division: float = 0.0
    pos_label: Hashable = None

    def __post_init__(self) -> None:
        if self.average not in self.averages:
            raise ValueError(
                f"{self._name}: average must be one of {', '.join(self.averages)}, "
                f"got {self.average!r}."
            )

    def __repr__(self) -> str:
        """Show what differs from the defaults, the measure's own parameters first."""
        changed = [f.name for f in fields(self) if getattr(self, f.name) != f.default]
        changed.sort(key=lambda name: name in {f.name for f in fields(Measure)})
        return f"{self._name}({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"

    @property
    def averaged(self) -> str:
        """Its averages in words, for errors about several labels."""
        stem = self._stem
        named = f"{stem}_micro or {stem}_macro (average='micro' or 'macro')"
        return named if stem else "average='micro' or 'macro'"

    @property
    def _stem(self) -> str:
        """The name of :func:`get_measure` without an average; empty if there is none."""
        return self.name

    @property
    def _name(self) -> str:  # type: ignore[override]
        return type(self).__name__

    @abstractmethod
    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp).

        Parameters
        ----------
        positives, negatives : float or ndarray
            Largest possible fn and fp: the mass of either class.

        Returns
        -------
        Coefficients
            With `gamma` and `delta` of shape (2,), or (..., 2) for arrays.
        """

    def pair_map(self, n_labels: int) -> NDArray[np.float64]:
        """Say which errors of a profile make up the pair (fn, fp) that decides the value.

        Returns
        -------
        ndarray of shape (2, n_labels, 2)
            ``pair = (pair_map * profile.errors).sum(axis=(-2, -1))``.
        """
        to_pair = np.zeros((2, n_labels, 2))
        to_pair[0, :, 0] = to_pair[1, :, 1] = 1.0
        return to_pair

    @property
    def collapses(self) -> bool:
        """Whether one pair of errors decides the value: not of a mean over labels."""
        return not self.decomposes

    @property
    def decomposes(self) -> bool:
        """Whether the value is a mean over labels, each of which can be maximised on its own."""
        return self.average in ("macro", "weighted")

    def label_weights(self, prevalence: ArrayLike) -> NDArray[np.float64]:
        """Give the weight of each label in a mean over labels; they need not sum to one.

        Examples
        --------
        >>> FBeta(average="weighted").label_weights([0.3, 0.1])
        array([0.3, 0.1])
        """
        p = np.asarray(prevalence, dtype=np.float64)
        return p if self.average == "weighted" else np.ones_like(p)

    @property
    def has_default_class(self) -> bool:
        """Whether one class of a multiclass problem means "nothing of interest"."""
        return False

    def binary(self) -> Measure:
        """Return the same measure for a single label."""
        return replace(self, average="binary")

    def for_classes(self, n_classes: int) -> Self:
        """Return the measure of a problem with some classes: itself, but for a few measures.

        Examples
        --------
        >>> BalancedAccuracy().for_classes(2), BalancedAccuracy().for_classes(3)
        (BalancedAccuracy(), BalancedAccuracy(average='multiclass'))
        """
        return self

    def coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Give the coefficients for whole profiles.

        Parameters
        ----------
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.

        Returns
        -------
        Coefficients
            `gamma` and `delta` have the shape of `prevalence` and a last axis of 2.
        """
        p = np.asarray(prevalence, dtype=np.float64)
        if self.decomposes and p.ndim:
            raise ValueError(
                f"{self._name}: a {self.average} average is not one ratio; ask for one label at a "
                "time."
            )
        alpha0, gamma, alpha1, delta = self.pair_coefficients(p)
        to_pair, shape = self.pair_map(p.size).reshape(2, -1), (*p.shape, 2)
        return Coefficients(
            alpha0, (gamma @ to_pair).reshape(shape), alpha1, (delta @ to_pair).reshape(shape)
        )

    def pair_coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Give the coefficients for the pair (fn, fp) to which whole profiles collapse.

        A mean over labels does not collapse; it gives those of a label of mean prevalence.

        Parameters
        ----------
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.

        Returns
        -------
        Coefficients
            With `gamma` and `delta` of shape (2,).
        """
        p = np.asarray(prevalence, dtype=np.float64)
        self._check_labels(p.size)
        if self.decomposes:
            p = p.mean()
        masses = (self.pair_map(p.size) * largest_errors(p).reshape(-1, 2)).sum(axis=(-2, -1))
        return self.of_pair(*masses)

    def value(self, profile: ErrorProfile) -> Any:
        """Evaluate one profile or a stack of them.

        Returns
        -------
        float or ndarray
            One value per stacked profile.

        Examples
        --------
        >>> FBeta().value(ErrorProfile(fn=0.1, fp=0.1, prevalence=0.3))
        0.667
        """
        if self.decomposes:
            by_label = self.of_labels(profile)
            values = label_mean(by_label, self.label_weights(profile.prevalence))
        else:
            c = self.coefficients(profile.prevalence)
            values = self._divide(
                c.alpha0 + profile.fn @ c.gamma[:, 0] + profile.fp @ c.gamma[:, 1],
                c.alpha1 + profile.fn @ c.delta[:, 0] + profile.fp @ c.delta[:, 1],
            )
        return values if np.ndim(values) else float(values)

    def of_labels(self, profile: ErrorProfile) -> NDArray[np.float64]:
        """Evaluate each label on its own, whatever the average: shape (..., n_labels).

        Examples
        --------
        >>> FBeta().of_labels(ErrorProfile([0.1, 0.0], [0.1, 0.0], [0.3, 0.2]))
        array([0.66666667, 1.        ])
        """
        p = profile.prevalence
        return self.of_masses(profile.fn, profile.fp, p, 1.0 - p)

    def pair_value(
        self, fn: NDArray[np.float64], fp: NDArray[np.float64], prevalence: ArrayLike
    ) -> NDArray[np.float64]:
        """Evaluate pairs (fn, fp) to which profiles with this prevalence have collapsed."""
        return self._of_errors(self.pair_coefficients(prevalence), fn, fp)

    def of_masses(self, fn: Any, fp: Any, positives: Any, negatives: Any) -> NDArray[np.float64]:
        """Evaluate pairs (fn, fp), each of its own mass of positives and negatives.

        Examples
        --------
        >>> FBeta().of_masses(np.array([1, 3]), np.array([1, 1]), np.array([3, 3]), 7)
        array([0.66666667, 0.        ])
        """
        return self._of_errors(self.of_pair(positives, negatives), fn, fp)

    def _of_errors(self, c: Coefficients, fn: Any, fp: Any) -> NDArray[np.float64]:
        return self._divide(
            c.alpha0 + fn * c.gamma[..., 0] + fp * c.gamma[..., 1],
            c.alpha1 + fn * c.delta[..., 0] + fp * c.delta[..., 1],
        )

    def _divide(self, numerator: Any, denominator: Any) -> NDArray[np.float64]:
        if np.min(denominator) < -1e-12:
            raise ValueError(
                f"{self._name}: the denominator is negative ({np.min(denominator):g}) for this "
                "profile; alpha1 + delta * e must be positive wherever the measure is used."
            )
        defined = denominator > 0
        return np.where(defined, numerator / np.where(defined, denominator, 1), self.zero_division)

    def costs(self, level: ArrayLike, prevalence: ArrayLike | None = None) -> NDArray[np.float64]:
        r"""Price one false negative and one false positive: :math:`a(t) = t\delta - \gamma`.

        Parameters
        ----------
        level : float or array-like of shape (n_labels,)
            Value of the measure to reach.
        prevalence : float or array-like of shape (n_labels,), default=None
            Needed where the costs depend on it, or to get one row per label.

        Returns
        -------
        ndarray of shape (2,) or (n_labels, 2)
            Costs of a false negative and a false positive.

        Examples
        --------
        >>> FBeta().costs(0.5)
        array([1.5, 0.5])
        """
        p = np.asarray(np.nan if prevalence is None else prevalence, dtype=np.float64)
        if self.decomposes or p.ndim == 0:
            _, gamma, _, delta = self.of_pair(p, 1.0 - p)
        else:
            _, gamma, _, delta = self.coefficients(p)
        costs = np.asarray(level, dtype=np.float64)[..., None] * delta - gamma
        if np.isnan(costs).any():
            raise ValueError(f"{self._name}: the costs depend on the prevalence; pass it.")
        if not p.ndim:
            return costs
        shape = np.broadcast_shapes(costs.shape, (*p.shape, 2))
        return costs if costs.shape == shape else np.broadcast_to(costs, shape)

    def offset(self, level: float, prevalence: ArrayLike) -> float:
        r"""Give the offset :math:`b(t) = t\alpha_1 - \alpha_0` of the level set.

        Examples
        --------
        >>> FBeta().offset(0.5, prevalence=0.3)
        -0.3
        """
        c = self.coefficients(prevalence)
        return float(level * c.alpha1 - c.alpha0)
