"""Measures: ratios of two affine functions of the error profile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from pseudolinear.errors import ErrorProfile

AVERAGES = ("binary", "micro", "macro")


class Coefficients(NamedTuple):
    r"""The four parts of :math:`(\alpha_0 + \gamma e) / (\alpha_1 + \delta e)`.

    Attributes
    ----------
    alpha0, alpha1 : float or ndarray
        Constants of numerator and denominator.
    gamma, delta : ndarray of shape (..., 2)
        Factors of false negatives and false positives.
    """

    alpha0: Any
    gamma: NDArray[np.float64]
    alpha1: Any
    delta: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(ABC):
    r"""Base of all measures: :math:`F(e) = (\alpha_0 + \gamma e) / (\alpha_1 + \delta e)`.

    Its level sets are hyperplanes: with the costs :math:`a(t) = t\delta - \gamma` and the offset
    :math:`b(t) = t\alpha_1 - \alpha_0`, a profile reaches the level :math:`t` exactly when
    :math:`\langle a(t), e \rangle + b(t) \le 0`. Hence the best classifier is the one of least
    cost at :math:`a(F^*)`.

    A new measure is a frozen dataclass with one method, `of_pair`.

    Parameters
    ----------
    average : {"binary", "micro", "macro"}, default="binary"
        One label; the errors of all labels together; or the mean over the labels. A macro
        average is not pseudo-linear itself, but falls apart into one measure per label.
    zero_division : float, default=0.0
        Value where the denominator is zero, as for a label that nobody carries or predicts.
    pos_label : object, default=None
        The positive class of a binary problem; by default the larger of the two.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Critical(Measure):  # the critical success index of weather forecasts
    ...     def of_pair(self, positives, negatives):
    ...         return Coefficients(positives, np.array([-1, 0]), positives, np.array([0, 1]))
    >>> Critical().score([1, 1, 0], [1, 0, 1])
    0.333
    """

    average: str = "binary"
    zero_division: float = 0.0
    pos_label: Hashable = None

    def __post_init__(self) -> None:
        if self.average not in AVERAGES:
            raise ValueError(
                f"{self._name}: average must be one of {', '.join(AVERAGES)}, got {self.average!r}."
            )

    def __repr__(self) -> str:
        """Show what differs from the defaults, the measure's own parameters first."""
        changed = [f.name for f in fields(self) if getattr(self, f.name) != f.default]
        changed.sort(key=lambda name: name in {f.name for f in fields(Measure)})
        return f"{self._name}({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"

    @property
    def _name(self) -> str:
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
        ones = np.ones(n_labels)
        zeros = np.zeros(n_labels)
        return np.array([np.stack([ones, zeros], axis=1), np.stack([zeros, ones], axis=1)])

    @property
    def collapses(self) -> bool:
        """Whether one pair of errors decides the value: true but for macro averages."""
        return self.average != "macro"

    @property
    def has_default_class(self) -> bool:
        """Whether one class of a multiclass problem means "nothing of interest"."""
        return False

    def binary(self) -> Measure:
        """Return the same measure for a single label."""
        return replace(self, average="binary")

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
        if self.average == "macro" and p.ndim:
            raise ValueError(
                f"{self._name}: a macro average is not one ratio; ask for one label at a time."
            )
        alpha0, gamma, alpha1, delta = self.pair_coefficients(p)
        to_pair, shape = self.pair_map(p.size), (*p.shape, 2)
        return Coefficients(
            alpha0,
            np.tensordot(gamma, to_pair, axes=1).reshape(shape),
            alpha1,
            np.tensordot(delta, to_pair, axes=1).reshape(shape),
        )

    def pair_coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Give the coefficients for the pair (fn, fp) to which whole profiles collapse.

        A macro average does not collapse; it gives those of a label of mean prevalence.

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
        if self.average == "macro":
            p = p.mean()
        masses = (self.pair_map(p.size) * _largest_errors(p).reshape(-1, 2)).sum(axis=(-2, -1))
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
        if self.average == "macro":
            c = self.of_pair(profile.prevalence, 1.0 - profile.prevalence)
            values = self._divide(
                c.alpha0 + profile.fn * c.gamma[..., 0] + profile.fp * c.gamma[..., 1],
                c.alpha1 + profile.fn * c.delta[..., 0] + profile.fp * c.delta[..., 1],
            ).mean(axis=-1)
        else:
            c = self.coefficients(profile.prevalence)
            values = self._divide(
                c.alpha0 + profile.fn @ c.gamma[:, 0] + profile.fp @ c.gamma[:, 1],
                c.alpha1 + profile.fn @ c.delta[:, 0] + profile.fp @ c.delta[:, 1],
            )
        return values if np.ndim(values) else float(values)

    def pair_value(
        self, fn: NDArray[np.float64], fp: NDArray[np.float64], prevalence: ArrayLike
    ) -> NDArray[np.float64]:
        """Evaluate pairs (fn, fp) to which profiles with this prevalence have collapsed."""
        c = self.pair_coefficients(prevalence)
        return self._divide(
            c.alpha0 + c.gamma[0] * fn + c.gamma[1] * fp,
            c.alpha1 + c.delta[0] * fn + c.delta[1] * fp,
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
        if self.average == "macro" or p.ndim == 0:
            _, gamma, _, delta = self.of_pair(p, 1.0 - p)
        else:
            _, gamma, _, delta = self.coefficients(p)
        costs = np.asarray(level, dtype=np.float64)[..., None] * delta - gamma
        if np.isnan(costs).any():
            raise ValueError(f"{self._name}: the costs depend on the prevalence; pass it.")
        return np.broadcast_to(costs, np.broadcast_shapes(costs.shape, (*p.shape, 2)))

    def offset(self, level: float, prevalence: ArrayLike) -> float:
        r"""Give the offset :math:`b(t) = t\alpha_1 - \alpha_0` of the level set.

        Examples
        --------
        >>> FBeta().offset(0.5, prevalence=0.3)
        -0.3
        """
        c = self.coefficients(prevalence)
        return float(level * c.alpha1 - c.alpha0)

    def resolution(self, prevalence: ArrayLike) -> float:
        r"""Give the discretisation factor :math:`\Phi = 1 / \min_e (\alpha_1 + \delta e)`.

        The minimum is taken over all error profiles with this prevalence.

        Examples
        --------
        >>> FBeta().resolution(prevalence=0.25)  # 1 / (beta^2 P)
        4.0
        """
        c = self.coefficients(prevalence)
        smallest = c.alpha1 + np.minimum(c.delta * _largest_errors(prevalence), 0.0).sum()
        if smallest <= 0:
            raise ValueError(
                f"{self._name}: no guarantee is possible at the prevalence {prevalence!r}; the "
                "denominator can be zero, as it is without a positive row."
            )
        return float(1.0 / smallest)

    def width(self, prevalence: ArrayLike) -> float:
        r"""Give the range :math:`W` of :math:`\langle\delta, e\rangle` over all profiles.

        Examples
        --------
        >>> FBeta().width(prevalence=0.25), Jaccard().width(prevalence=0.25)
        (1.0, 0.75)
        """
        delta = self.coefficients(prevalence).delta
        return float(np.abs(delta * _largest_errors(prevalence)).sum())

    def lipschitz(self, prevalence: ArrayLike) -> float:
        r"""Give the Lipschitz constant of the costs in the level, :math:`\|\delta\|_2`.

        Examples
        --------
        >>> round(FBeta().lipschitz(prevalence=0.25), 4)
        1.4142
        """
        return float(np.linalg.norm(self.coefficients(prevalence).delta))

    def level_range(self, prevalence: ArrayLike | None = None) -> tuple[float, float]:
        """Give the range of levels around the measure's values in which no cost is negative.

        Returns
        -------
        low, high : float
            Possibly infinite.

        Examples
        --------
        >>> FBeta(2).level_range(), Jaccard().level_range()
        ((0.0, 5.0), (0.0, inf))
        """
        intercept = self.costs(0.0, prevalence)
        slope = self.costs(1.0, prevalence) - intercept
        with np.errstate(divide="ignore", invalid="ignore"):
            root = -intercept / slope
        low = float(root[slope > 0].max(initial=-np.inf))
        high = float(root[slope < 0].min(initial=np.inf))
        if (intercept[slope == 0] < 0).any() or low >= high:
            raise ValueError(
                f"{self._name}: some cost is negative at every level; a measure must fall "
                "when errors grow."
            )
        return low + 0.0, high  # + 0.0 turns -0.0 into 0.0

    def level_grid(self, accuracy: float, prevalence: ArrayLike) -> NDArray[np.float64]:
        r"""Give evenly spaced levels of which one is good enough.

        With an exact cost-sensitive oracle, the best classifier over these levels is within
        `accuracy` of the optimum: the step is :math:`2\eta / (\Phi W)`.

        Parameters
        ----------
        accuracy : float
            Wanted guarantee, in units of the measure.
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.

        Returns
        -------
        ndarray
            Levels between the values of all errors and of none, for F-beta (0, 1).

        Examples
        --------
        >>> FBeta().level_grid(0.25, prevalence=0.5)
        array([0.125, 0.375, 0.625, 0.875])
        """
        if not accuracy > 0:
            raise ValueError(f"{self._name}: accuracy must be positive, got {accuracy}.")
        step = 2.0 * accuracy / max(self.resolution(prevalence) * self.width(prevalence), 1e-300)
        p = np.asarray(prevalence, dtype=np.float64)
        worst = self.value(ErrorProfile(p, 1.0 - p, p))
        best = self.value(ErrorProfile(0.0 * p, 0.0 * p, p))
        n_levels = max(int(np.ceil((best - worst) / step)), 1)
        return worst + (best - worst) * (np.arange(n_levels) + 0.5) / n_levels

    def profile(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ErrorProfile:
        """Count the errors in the layout that this measure reads.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_labels)
            Classes, or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        ErrorProfile
            One label for `average="binary"`, otherwise one per class or column.
        """
        if sparse.issparse(y_true) or np.ndim(y_true) == 2:
            self._check_labels(np.shape(y_true)[1])
            return ErrorProfile.from_labels(y_true, y_pred, sample_weight=sample_weight)
        true, pred = np.asarray(y_true), np.asarray(y_pred)
        classes = np.unique(np.concatenate([true, pred, self.extra_classes(true.dtype)]))
        if self.average == "binary":
            positive = self.positive_class(classes)
            return ErrorProfile.from_labels(
                true == positive, pred == positive, sample_weight=sample_weight
            )
        return ErrorProfile.from_labels(
            true, pred, labels=self.order_classes(classes), sample_weight=sample_weight
        )

    def score(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Evaluate predictions.

        Examples
        --------
        >>> FBeta().score(["ham", "spam", "spam"], ["ham", "spam", "ham"])
        0.667
        """
        return self.value(self.profile(y_true, y_pred, sample_weight))

    def positive_class(self, classes: NDArray[Any]) -> Any:
        """Return the positive one of at most two sorted classes."""
        if len(classes) > 2:
            raise ValueError(
                f"{self._name} with average='binary' needs two classes, got {len(classes)}; "
                "use f1_micro or f1_macro (average='micro' or 'macro')."
            )
        if self.pos_label is None:
            if len(classes) == 1 and classes[0] not in (0, 1, -1):
                raise ValueError(
                    f"Only the class {classes[0]!r} occurs; say which one is positive by pos_label."
                )
            return classes[-1] if len(classes) == 2 else 1
        if len(classes) == 2 and self.pos_label not in classes:
            raise ValueError(
                f"{self._name}: pos_label={self.pos_label!r} is not one of the classes "
                f"{classes.tolist()}."
            )
        return self.pos_label

    def extra_classes(self, dtype: Any) -> NDArray[Any]:
        """Return the classes that belong to a multiclass profile whether they occur or not."""
        return np.empty(0, dtype=dtype)

    def order_classes(self, classes: NDArray[Any]) -> NDArray[Any]:
        """Return the classes of a multiclass problem in the order of the profile."""
        return classes

    def _check_labels(self, n_labels: int) -> None:
        if self.average == "binary" and n_labels > 1:
            raise ValueError(
                f"{self._name} with average='binary' is for one label, got {n_labels}; "
                "use f1_micro or f1_macro (average='micro' or 'macro')."
            )


def _largest_errors(prevalence: ArrayLike) -> NDArray[np.float64]:
    """Return the corner of the box of all profiles: shape of prevalence and (fn, fp)."""
    p = np.asarray(prevalence, dtype=np.float64)
    return np.stack([p, 1.0 - p], axis=-1)
