"""The named measures, and the names that stand for them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._measure import Coefficients, Measure


@dataclass(frozen=True, repr=False)
class LinearFractional(Measure):
    r"""Any ratio :math:`(\alpha_0 + \gamma e) / (\alpha_1 + \delta e)` with given coefficients.

    Parameters
    ----------
    alpha0 : float
        Constant of the numerator.
    gamma : sequence of 2 or 2 * n_labels floats
        Factors of (fn, fp), or of (fn_1, fp_1, fn_2, fp_2, ...), in the numerator.
    alpha1 : float
        Constant of the denominator.
    delta : sequence of 2 or 2 * n_labels floats
        Factors in the denominator, in the same order.
    average, zero_division, pos_label
        See :class:`Measure`. Factors for several labels make `average` ``"micro"``.

    Examples
    --------
    F1 at the prevalence 0.3:

    >>> measure = LinearFractional(0.6, [-2, 0], 0.6, [-1, 1])
    >>> measure.costs(0.5)
    array([1.5, 0.5])
    """

    alpha0: float
    gamma: Sequence[float]
    alpha1: float
    delta: Sequence[float]

    def __post_init__(self) -> None:
        for name in ("gamma", "delta"):  # tuples, so that equal measures are equal and hashable
            factors = np.asarray(getattr(self, name), dtype=np.float64).ravel()
            object.__setattr__(self, name, tuple(factors.tolist()))
        size = len(self.gamma)
        if size != len(self.delta) or size == 0 or size % 2:
            raise ValueError(
                f"LinearFractional: gamma and delta need two factors per label, got {size} and "
                f"{len(self.delta)}."
            )
        rows = np.array([[self.alpha0, *self.gamma], [self.alpha1, *self.delta]])
        if not np.isfinite(rows).all():
            raise ValueError("LinearFractional: the coefficients must be finite.")
        if np.linalg.matrix_rank(rows) < 2:
            raise ValueError(
                "LinearFractional: the measure is constant, because (alpha0, gamma) is "
                "proportional to (alpha1, delta)."
            )
        if size > 2 and self.average == "binary":
            object.__setattr__(self, "average", "micro")
        super().__post_init__()

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Return the given coefficients."""
        if len(self.gamma) > 2:
            raise ValueError(
                f"LinearFractional: the factors are for {len(self.gamma) // 2} labels, not for one."
            )
        return Coefficients(self.alpha0, np.array(self.gamma), self.alpha1, np.array(self.delta))

    @property
    def collapses(self) -> bool:
        """Whether one pair of errors decides the value: not with factors for several labels."""
        return super().collapses and len(self.gamma) == 2

    def pair_coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Return the given coefficients; of several labels the mean ones."""
        if len(self.gamma) == 2:
            return super().pair_coefficients(prevalence)
        gamma, delta = (np.reshape(f, (-1, 2)).mean(axis=0) for f in (self.gamma, self.delta))
        return Coefficients(self.alpha0, gamma, self.alpha1, delta)

    def coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Return the given coefficients, one row per label."""
        if len(self.gamma) == 2:
            return super().coefficients(prevalence)
        n_labels = np.size(prevalence)
        if len(self.gamma) != 2 * n_labels:
            raise ValueError(
                f"LinearFractional: the factors are for {len(self.gamma) // 2} labels, "
                f"got {n_labels}."
            )
        gamma, delta = (np.reshape(f, (n_labels, 2)) for f in (self.gamma, self.delta))
        return Coefficients(self.alpha0, gamma, self.alpha1, delta)


@dataclass(frozen=True, kw_only=True, repr=False)
class _DefaultClassMeasure(Measure):
    """A measure that may leave a default class out of its micro average.

    The pair is then (rows of the other classes that are not recognised, rows of the default
    class that are given another one): confusing two other classes counts once.
    """

    default_class: Hashable = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.default_class is not None and self.average == "binary":
            object.__setattr__(self, "average", "micro")
        if self.default_class is not None and self.average == "macro":
            raise ValueError(f"{self._name}: a default class goes with average='micro' only.")

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


@dataclass(frozen=True, repr=False)
class FBeta(_DefaultClassMeasure):
    r"""Weighted harmonic mean of precision and recall.

    .. math:: F_\beta = \frac{(1+\beta^2)(P - fn)}{(1+\beta^2) P - fn + fp}

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    default_class : object, default=None
        Multiclass problems: the class that means "nothing of interest", as in information
        extraction. A row of another class that is given a wrong other class counts once, as a
        false negative. For scikit-learn's definition see :class:`FBetaOverLabels`.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> FBeta(2.0).costs(0.5)
    array([4.5, 0.5])
    >>> FBeta(average="micro").score([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.8
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_positive(self, "beta")

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        scale = 1.0 + self.beta**2
        return Coefficients(
            scale * positives, np.array([-scale, 0.0]), scale * positives, np.array([-1.0, 1.0])
        )


@dataclass(frozen=True, repr=False)
class FBetaOverLabels(FBeta):
    r"""Micro-averaged F over every class but a default one, as scikit-learn counts it.

    It is ``fbeta_score(..., labels=other_classes, average="micro")``: a row of one of the
    other classes that is given a wrong other class counts twice, as a false negative of its own
    class and as a false positive of the wrong one. The literature counts it once
    (``FBeta(average="micro", default_class=...)``), which is never lower.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    default_class : object
        The class that is left out.
    zero_division
        See :class:`Measure`.

    Examples
    --------
    >>> y_true, y_pred = ["O", "per", "loc"], ["O", "per", "per"]
    >>> FBetaOverLabels(default_class="O").score(y_true, y_pred)
    0.5
    >>> FBeta(average="micro", default_class="O").score(y_true, y_pred)
    0.667
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.default_class is None:
            raise ValueError("FBetaOverLabels: default_class is missing; name the class to ignore.")

    def binary(self) -> Measure:
        """Return F-beta for a single label."""
        return FBeta(self.beta, zero_division=self.zero_division, pos_label=self.pos_label)

    def pair_map(self, n_labels: int) -> NDArray[np.float64]:
        """Say which errors of a profile make up the pair; the default class comes first."""
        to_pair = np.zeros((2, n_labels, 2))
        to_pair[0, 1:, 0] = 1.0
        to_pair[1, 1:, 1] = 1.0
        return to_pair


@dataclass(frozen=True, repr=False)
class Jaccard(_DefaultClassMeasure):
    r"""Intersection over union of the true and the predicted positives.

    .. math:: J = \frac{P - fn}{P + fp}

    It is an increasing function of F1, :math:`J = F_1 / (2 - F_1)`, so both have the same
    best classifiers.

    Parameters
    ----------
    default_class : object, default=None
        As in :class:`FBeta`.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> Jaccard().score([1, 1, 0], [1, 0, 1])
    0.333
    """

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        return Coefficients(positives, np.array([-1.0, 0.0]), positives, np.array([0.0, 1.0]))


@dataclass(frozen=True, repr=False)
class Tversky(Measure):
    r"""Tversky index: the Jaccard index with weighted errors.

    .. math:: \frac{tp}{tp + u \, fn + v \, fp}

    Parameters
    ----------
    fn_weight : float, default=0.5
        Weight :math:`u`; must be positive.
    fp_weight : float, default=0.5
        Weight :math:`v`; must be positive.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> Tversky(0.8, 0.2).costs(0.5) / FBeta(2.0).costs(0.5)  # the same ratio of costs
    array([0.2, 0.2])
    """

    fn_weight: float = 0.5
    fp_weight: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_positive(self, "fn_weight", "fp_weight")

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        delta = np.array([self.fn_weight - 1.0, self.fp_weight])
        return Coefficients(positives, np.array([-1.0, 0.0]), positives, delta)


@dataclass(frozen=True, repr=False)
class CohenKappa(Measure):
    r"""Agreement beyond chance between the true and the predicted labels.

    .. math:: \kappa = \frac{PN - N fn - P fp}{PN + (N - P)(fp - fn)/2}, \quad N = 1 - P

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> CohenKappa().score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        half = (negatives - positives) / 2.0
        return Coefficients(
            positives * negatives,
            np.stack([-negatives, -positives], axis=-1),
            positives * negatives,
            np.stack([-half, half], axis=-1),
        )


@dataclass(frozen=True, repr=False)
class BalancedAccuracy(Measure):
    r"""Mean of the recalls of both classes; linear, so one pair of costs serves every level.

    .. math:: 1 - \frac{fn}{2P} - \frac{fp}{2(1 - P)}

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> BalancedAccuracy().costs(level=0.7, prevalence=0.25)
    array([2.        , 0.66666667])
    """

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = np.stack([np.asarray(positives), np.asarray(negatives)], axis=-1)
        some = (mass > 0).all(axis=-1) | np.isnan(mass).any(axis=-1)  # NaN: unknown prevalence
        gamma = -0.5 / np.where(some[..., None], mass, np.inf)
        one = some.astype(np.float64)  # 0/0, that is zero_division, where a class has no rows
        return Coefficients(one, gamma, one, np.zeros_like(gamma))


@dataclass(frozen=True, repr=False)
class WeightedAccuracy(Measure):
    r"""One minus the mean cost of the errors; with equal costs of 1, plain accuracy.

    .. math:: 1 - c_{fn} \, fn - c_{fp} \, fp

    Parameters
    ----------
    cost_fn, cost_fp : float, default=1.0
        Cost of a false negative and of a false positive; must be positive.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> WeightedAccuracy(cost_fn=2.0).score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """

    cost_fn: float = 1.0
    cost_fp: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_positive(self, "cost_fn", "cost_fp")

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = positives + negatives
        return Coefficients(mass, -np.array([self.cost_fn, self.cost_fp]), mass, np.zeros(2))


@dataclass(frozen=True, repr=False)
class GowerLegendre(Measure):
    r"""Share of right predictions, with errors counted half in the denominator.

    .. math:: \frac{tp + tn}{tp + (fn + fp)/2 + tn}

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> GowerLegendre().score([1, 1, 0, 0], [1, 0, 0, 0])
    0.857
    """

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = positives + negatives
        return Coefficients(mass, np.array([-1.0, -1.0]), mass, np.array([-0.5, -0.5]))


def _check_positive(measure: Measure, *fields: str) -> None:
    for field in fields:
        number = getattr(measure, field)
        if not (np.isfinite(number) and number > 0):
            name = type(measure).__name__
            raise ValueError(f"{name}: {field} must be positive, got {number!r}.")


_NAMED: dict[str, Measure] = {
    "jaccard": Jaccard(),
    "cohen_kappa": CohenKappa(),
    "balanced_accuracy": BalancedAccuracy(),
    "accuracy": WeightedAccuracy(),
}


def get_measure(measure: str | Measure) -> Measure:
    """Turn a name into a measure.

    Parameters
    ----------
    measure : str or Measure
        ``"f1"``, ``"f2"``, ``"f0.5"`` or any other beta, ``"jaccard"``, ``"cohen_kappa"``,
        ``"balanced_accuracy"`` or ``"accuracy"``, each alone or followed by ``"_micro"``
        or ``"_macro"``; a measure is returned as it is.

    Returns
    -------
    Measure
        The measure.

    Examples
    --------
    >>> get_measure("f0.5_micro")
    FBeta(beta=0.5, average='micro')
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise TypeError(
            f"measure must be a name or a Measure such as FBeta(2), got {type(measure).__name__}."
        )
    stem, _, average = measure.rpartition("_")
    if average not in ("micro", "macro"):
        stem, average = measure, "binary"
    if match := re.fullmatch(r"f(\d+(?:\.\d+)?)", stem):
        return FBeta(float(match[1]), average=average)
    if stem in _NAMED:
        return replace(_NAMED[stem], average=average)
    if measure.endswith(("_samples", "_weighted")):
        other = ", or pseudolinear.rivals.GFMClassifier" if measure.endswith("_samples") else ""
        raise ValueError(
            f"{measure!r} is not a pseudo-linear measure of the error profile; "
            f"use its _micro or _macro average{other}."
        )
    stems = ["f1", "f2", "f0.5", *_NAMED]
    names = [stem + suffix for stem in stems for suffix in ("", "_micro", "_macro")]
    close = difflib.get_close_matches(measure, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(stems)}."
    raise ValueError(f"Unknown measure {measure!r}; {hint}")
