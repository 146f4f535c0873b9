"""What is kept of the trained problems of one label: errors wherever they may be cut."""

from __future__ import annotations

import io
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve


@dataclass(frozen=True, eq=False)
class Curves:
    """Errors of all problems of one label at all cuts that may be chosen.

    One row per problem and cut: first the natural cut at 0, then the vertices of the lower left
    hull of the validation errors, by descending threshold. The best cut for any F or any costs
    is among them. The problems follow each other as they were given.

    Attributes
    ----------
    problem : ndarray of shape (n_cuts,)
        Number of the problem.
    natural : ndarray of bool, shape (n_cuts,)
        Whether this is the natural cut.
    validation, test : ndarray of int, shape (n_cuts, 2)
        False negatives and false positives.
    positives, rows : ndarray of shape (2,)
        Rows that carry the label, and all rows, of validation and test.
    n_unsolved : int
        Problems that did not reach the tolerance of the learner.
    """

    problem: NDArray[np.int32]
    natural: NDArray[np.bool_]
    validation: NDArray[np.int32]
    test: NDArray[np.int32]
    positives: NDArray[np.int32]
    rows: NDArray[np.int32]
    n_unsolved: int = 0

    @classmethod
    def from_scores(
        cls,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        y_test: NDArray[np.intp],
        scores_test: NDArray[np.float64],
        n_unsolved: int = 0,
    ) -> Self:
        """Cut the scores of all problems.

        Test rows are only counted at the cuts that validation rows offer.

        Parameters
        ----------
        y, y_test : ndarray of shape (n_rows,)
            0 and 1, of validation and test rows.
        scores, scores_test : ndarray of shape (n_problems, n_rows)
            Scores of each problem.
        n_unsolved : int, default=0
            See the attributes.

        Returns
        -------
        Curves
            All cuts.
        """
        cuts = [_thresholds(y, row) for row in scores]
        validation, test = (
            np.concatenate([_errors(labels, row, cut) for row, cut in zip(rows, cuts, strict=True)])
            for labels, rows in ((y, scores), (y_test, scores_test))
        )
        sizes = [len(cut) for cut in cuts]
        natural = np.zeros(sum(sizes), dtype=bool)
        natural[np.cumsum([0, *sizes[:-1]])] = True
        problem = np.repeat(np.arange(len(cuts), dtype=np.int32), sizes)
        positives = np.array([y.sum(), y_test.sum()], dtype=np.int32)
        rows = np.array([y.size, y_test.size], dtype=np.int32)
        return cls(problem, natural, validation, test, positives, rows, n_unsolved)

    def on_validation(self, cuts: NDArray[np.intp]) -> ErrorCurve:
        """Return the errors of some cuts on the validation rows; see :meth:`on_test`."""
        return self._curve(self.validation, 0, cuts)

    def on_test(self, cuts: NDArray[np.intp]) -> ErrorCurve:
        """Return the errors of some cuts on the test rows.

        Thresholds are not stored: the numbers of the cuts stand in their place.
        """
        return self._curve(self.test, 1, cuts)

    def to_bytes(self) -> bytes:
        """Pack into a compressed blob."""
        file = io.BytesIO()
        np.savez_compressed(file, **{f.name: getattr(self, f.name) for f in fields(self)})
        return file.getvalue()

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Unpack a blob."""
        with np.load(io.BytesIO(blob)) as arrays:
            return cls(**{f.name: arrays[f.name] for f in fields(cls)})

    def _curve(self, errors: NDArray[np.int32], part: int, cuts: NDArray[np.intp]) -> ErrorCurve:
        share = errors[cuts] / self.rows[part]
        prevalence = self.positives[part] / self.rows[part]
        return ErrorCurve(share[:, :1], share[:, 1:], prevalence, cuts.astype(np.float64))


def _thresholds(y: NDArray[np.intp], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the natural threshold and those of the hull, each one of the validation scores."""
    curve = ErrorCurve.from_scores(y, scores)
    between = curve.thresholds[curve.hull()]
    # The literature cuts at the score of a validation row, not half-way to the next one.
    known = np.append(np.sort(scores), np.inf)
    return np.append(0.0, known[np.searchsorted(known, between)])


def _errors(
    y: NDArray[np.intp], scores: NDArray[np.float64], thresholds: NDArray[np.float64]
) -> NDArray[np.int32]:
    positive, negative = np.sort(scores[y == 1]), np.sort(scores[y == 0])
    fn = np.searchsorted(positive, thresholds)
    fp = negative.size - np.searchsorted(negative, thresholds)
    return np.stack([fn, fp], axis=1).astype(np.int32)
