"""The first pass: how many rows there are, which classes, and a sample."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._draws import value_bits
from pseudolinear._validation import check_binary
from pseudolinear.kinds import LabelKind, measure_for, name_positive, read_target
from pseudolinear.labels import LabelForm, read_labels
from pseudolinear.measures import Measure, Objective
from pseudolinear.scale._part import Part
from pseudolinear.scale._sample import RowSample

MOST_CLASSES = 1000  # beyond, y is a number rather than a class


@dataclass(frozen=True, eq=False)
class Seen:
    """What a pass has seen of the rows; what was seen of others can be added.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    mass, squares : float
        Sum of their weights, and of the squares of these.
    values : ndarray
        The classes that occur, or the numbers of the labels.
    masses : ndarray
        Weight of the rows of each class, or of the positive rows of each label.
    form : LabelForm
        How y came.
    several : bool
        Whether there are several labels.
    columns : list of str or None
        Names of the columns, where rows have them.
    sample : RowSample
        Some of the rows.
    name : str
        The part that was seen first.
    """

    n_rows: int
    mass: float
    squares: float
    values: NDArray[Any]
    masses: NDArray[np.float64]
    form: LabelForm
    several: bool
    columns: list[str] | None
    sample: RowSample
    name: str

    __repr__ = brief_repr

    def __add__(self, other: Seen) -> Seen:
        """Add what was seen of other rows."""
        if self.columns != other.columns or self.sample.X.shape[1] != other.sample.X.shape[1]:
            raise ValueError(
                f"{other.name} has other columns than {self.name}; give all parts the same columns."
            )
        if self.several != other.several or (
            self.several and len(self.values) != len(other.values)
        ):
            raise ValueError(
                f"{other.name} has other labels than {self.name}; give all parts the same labels."
            )
        both = np.concatenate([self.values, other.values])
        values, place = np.unique(both, return_inverse=True)
        both_masses = np.concatenate([self.masses, other.masses])
        masses = np.bincount(place.ravel(), both_masses).astype(np.float64)
        if len(values) > MOST_CLASSES and not self.several:
            raise ValueError(
                f"y has more than {MOST_CLASSES} different values; give classes, not numbers."
            )
        return Seen(
            self.n_rows + other.n_rows,
            self.mass + other.mass,
            self.squares + other.squares,
            values,
            masses,
            self.form,
            self.several,
            self.columns,
            self.sample + other.sample,
            self.name,
        )

    @property
    def n_effective(self) -> float:
        """Number of rows of equal weight that tell as much (Kish 1965)."""
        return self.mass**2 / self.squares

    def kind(self, objective: Measure | Objective, pos_label: Any) -> tuple[LabelKind, Measure]:
        """Say what kind of problem the classes pose, and for which measure."""
        values, masses = self.values, self.masses
        if self.several:  # two rows that say which labels occur, and which every row carries
            values = np.stack([masses > 0, masses >= self.mass]).astype(np.int8)
            masses = np.ones(2)
        measure = name_positive(measure_for(objective, values), values, pos_label, masses)
        kind, _ = read_target(values, measure, masses, self.form)
        if not isinstance(kind, LabelKind):
            if len(values) == 2:
                raise ValueError(
                    f"{measure!r} is an average over both classes of y, which needs rows that fit "
                    "into memory; in parts, use the measure of the positive class, "
                    f"{replace(measure, average='binary')!r}."
                )
            raise ValueError(
                f"y has {len(values)} classes; rows in parts are for two classes or several labels."
                " Give a column per class, or rows that fit into memory."
            )
        return kind, measure

    def prevalence(self, kind: LabelKind) -> NDArray[np.float64]:
        """Return the prevalence of each label of the kind."""
        if self.several:
            return self.masses / self.mass
        return self.masses[self.values == kind.positive_label] / self.mass


def look(part: Part, size: int, seed: int) -> Seen:
    """See what there is to see in one part."""
    y, form = read_labels(part.y)
    weight = part_weight(part)
    if y.ndim == 2 and y.shape[1] > 1:
        positive = check_binary(y, f"y of {part.name}")
        values, masses = np.arange(y.shape[1]), weight @ positive
        stratum = np.zeros(len(y), np.uint64)
    else:
        y = y.ravel()
        values, place = np.unique(y, return_inverse=True)
        masses = np.bincount(place, weight).astype(np.float64)
        stratum = value_bits(values)[place]
    sample = RowSample.of(part, y, weight, stratum, size, seed)
    columns = list(part.X.columns) if hasattr(part.X, "columns") else None
    return Seen(
        len(part), float(weight.sum()), float(weight @ weight), values, masses, form, y.ndim == 2,
        columns, sample, part.name,
    )  # fmt: skip


def part_weight(part: Part) -> NDArray[np.float64]:
    """Return the weights of the rows of a part, 1 where none were given."""
    if part.weight is None:
        return np.ones(len(part))
    weight = np.asarray(part.weight, dtype=np.float64)
    if weight.shape != (len(part),) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(
            f"The weights of {part.name} must be finite and not negative, one per row; check the "
            "column of weights."
        )
    return weight
