"""RowCosts: what each of the four outcomes costs in every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr

CERTAIN = 37.0  # margin of rows that are decided whatever their score


class Stakes(NamedTuple):
    """What is at stake in every row, once its class is known.

    Attributes
    ----------
    wanted : ndarray of bool, shape (n_samples,)
        Whether predicting the positive class is the cheaper decision. That is the class itself,
        unless an error is cheaper than the right answer, as missing a fraud of less than it takes
        to look into it.
    at_stake : ndarray of shape (n_samples,)
        What the other decision costs more.
    least : ndarray of shape (n_samples,)
        What the cheaper decision costs.
    """

    wanted: NDArray[np.bool_]
    at_stake: NDArray[np.float64]
    least: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowCosts:
    """What each of the four outcomes costs in every row.

    Attributes
    ----------
    tp, fn, fp, tn : ndarray of shape (n_samples,)
        Cost of a true positive, a false negative, a false positive and a true negative.

    Examples
    --------
    >>> from pseudolinear.measures import RowCosts
    >>> costs = RowCosts(np.zeros(2), np.array([500.0, 40.0]), np.full(2, 20.0), np.zeros(2))
    >>> costs.offset.round(2)
    array([3.22, 0.69])
    """

    tp: NDArray[np.float64]
    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    tn: NDArray[np.float64]

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        inverted = (self.fn < self.tp) & (self.fp < self.tn)
        if inverted.any():
            raise ValueError(
                f"ExpectedCost: both errors cost less than the right answers in "
                f"{inverted.sum()} of {len(inverted)} rows, so that a row had better be predicted "
                "wrong; check which costs are those of errors (fn, fp)."
            )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.fn)

    def take(self, rows: NDArray[np.intp]) -> RowCosts:
        """Return the costs of some rows."""
        return RowCosts(self.tp[rows], self.fn[rows], self.fp[rows], self.tn[rows])

    @property
    def decided(self) -> NDArray[np.float64]:
        """1 or -1 where one decision is the cheaper one whatever the class is, 0 elsewhere."""
        missed, alarm = self.fn - self.tp, self.fp - self.tn
        return np.where((missed > 0) & (alarm > 0), 0.0, np.sign(missed - alarm))

    @property
    def offset(self) -> NDArray[np.float64]:
        r"""What is added to the log-odds of a row, so that 0 is where Bayes' rule cuts.

        The positive class is the cheaper decision exactly where
        :math:`p (c_{fn} - c_{tp}) > (1 - p)(c_{fp} - c_{tn})` (Elkan 2001): where the log-odds and
        the log of the ratio of both differences add up to more than 0.
        """
        missed, alarm = self.fn - self.tp, self.fp - self.tn
        open_ = (missed > 0) & (alarm > 0)
        return np.log(np.where(open_, missed, 1.0)) - np.log(np.where(open_, alarm, 1.0))

    def move(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add the offsets to margins of shape (n_samples, n_labels), unless a row is decided."""
        decided = self.decided[:, None]
        return np.where(decided == 0, margins + self.offset[:, None], CERTAIN * decided)

    def stakes(self, true: NDArray[np.bool_], *, moved: bool = False) -> Stakes:
        """Say what is at stake in every row, given its class.

        Parameters
        ----------
        true : ndarray of bool, shape (n_samples,)
            Which rows are positive.
        moved : bool, default=False
            Whether rows that are decided by their costs alone are not cut by their score: then
            nothing is at stake there.

        Returns
        -------
        Stakes
            Of every row.
        """
        positive, negative = np.where(true, self.tp, self.fp), np.where(true, self.fn, self.tn)
        wanted = np.where(positive == negative, true, positive < negative)
        at_stake, least = np.abs(positive - negative), np.minimum(positive, negative)
        if moved and (decided := self.decided).any():
            at_stake = np.where(decided == 0, at_stake, 0.0)
            least = np.where(decided == 0, least, np.where(decided > 0, positive, negative))
        return Stakes(wanted, at_stake, least)

    def of_outcomes(
        self, true: NDArray[np.bool_], predicted: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return what predictions cost in every row and label.

        Parameters
        ----------
        true, predicted : ndarray of bool, shape (n_samples, n_labels)
            Of every label; the costs of a row are the same for all of them.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            In the user's unit.
        """
        tp, fn, fp, tn = (cost[:, None] for cost in (self.tp, self.fn, self.fp, self.tn))
        return np.where(true, np.where(predicted, tp, fn), np.where(predicted, fp, tn))
