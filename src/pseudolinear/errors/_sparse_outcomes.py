"""SparseOutcomes: the same for so many labels that most of them are nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from pseudolinear._validation import check_weights
from pseudolinear.errors._outcomes import Outcomes
from pseudolinear.errors._profile import ErrorProfile


@dataclass(frozen=True, eq=False)
class SparseOutcomes(Outcomes):
    """What was true and what was predicted, as sparse matrices.

    Attributes
    ----------
    true, predicted : csr_array of bool, shape (n_samples, n_labels)
        Without stored zeros.

    Examples
    --------
    >>> from pseudolinear.errors import SparseOutcomes
    >>> SparseOutcomes.of_matrices(np.eye(2), np.eye(2)[::-1], ["a", "b"]).profile().fn
    array([0.5, 0.5])
    """

    true: Any
    predicted: Any

    @classmethod
    def of_matrices(cls, true: Any, predicted: Any, labels: Sequence[Any]) -> Self:
        """Compare 0/1 matrices."""
        both = []
        for matrix in (true, predicted):
            kept = sparse.csr_array(matrix, dtype=bool)
            kept.eliminate_zeros()
            both.append(kept)
        return cls(both[0], both[1], tuple(labels))

    def cells(self) -> tuple[Any, Any, Any]:
        """Return true positives, false negatives and false positives, as sparse matrices."""
        tp = sparse.csr_array(self.true.multiply(self.predicted), dtype=np.float64)
        parts = [
            sparse.csr_array(one.astype(np.float64) - tp) for one in (self.true, self.predicted)
        ]
        for part in parts:
            part.eliminate_zeros()
        return tp, *parts

    def profile(self, sample_weight: ArrayLike | None = None) -> ErrorProfile:
        """Count the errors."""
        weight = check_weights(sample_weight, self.n_rows)
        rows = np.ones(self.n_rows) if weight is None else weight
        tp, fn, fp = (rows @ cell for cell in self.cells())
        carriers = (rows > 0.0).astype(np.float64) @ self.true
        everywhere = carriers == np.count_nonzero(rows)  # a prevalence of 1, whatever the rounding
        total = np.where(everywhere, tp + fn, rows.sum())
        return ErrorProfile(fn / total, fp / total, (tp + fn) / total)
