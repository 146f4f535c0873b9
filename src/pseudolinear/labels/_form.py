"""LabelForm: how y came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr


@dataclass(frozen=True, eq=False)
class LabelForm:
    """How y came, so that predictions go back the same way; here, as an array.

    Attributes
    ----------
    names : ndarray of shape (n_labels,) or None
        Names of the labels; None where they have numbers only.
    """

    names: NDArray[Any] | None = None

    __repr__ = brief_repr

    def decode(self, matrix: NDArray[Any], rows: Any) -> Any:
        """Give a 0/1 matrix the form in which y came.

        Parameters
        ----------
        matrix : ndarray of shape (n_samples, n_labels)
            What is predicted.
        rows : object
            The rows as the user has them, whose index a pandas frame or column gets.

        Returns
        -------
        object
            What the user is given.
        """
        return matrix

    def arrange(
        self, matrix: NDArray[Any], names: NDArray[Any] | None, n_labels: int
    ) -> tuple[NDArray[Any], list[Any]]:
        """Put the columns of a matrix of this form into the order of other labels.

        Parameters
        ----------
        matrix : ndarray of shape (n_samples, n_columns)
            What was read.
        names : ndarray of shape (n_labels,) or None
            Names of the other labels.
        n_labels : int
            Number of the other labels.

        Returns
        -------
        matrix : ndarray of shape (n_samples, n_labels + n_unknown)
            Labels that are not among the others come last.
        unknown : list
            Their names.
        """
        return matrix, []


def arrange_by_name(matrix: Any, own: list[Any], others: list[Any]) -> tuple[Any, list[Any]]:
    """Put columns of the names `own` where `others` has them, and unknown ones last."""
    known = set(others)
    unknown = [name for name in own if name not in known]
    place = {name: column for column, name in enumerate(others + unknown)}
    columns = np.array([place[name] for name in own], dtype=np.intp)
    if sparse.issparse(matrix):
        given = matrix.tocoo()
        entries = given.data, (given.row, columns[given.col])
        return sparse.csr_matrix(entries, shape=(matrix.shape[0], len(place))), unknown
    arranged = np.zeros((len(matrix), len(place)), matrix.dtype)
    arranged[:, columns] = matrix
    return arranged, unknown
