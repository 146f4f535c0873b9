"""SparseLabels: y came as a sparse 0/1 matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.labels._form import LabelForm


@dataclass(frozen=True, eq=False, kw_only=True)
class SparseLabels(LabelForm):
    """A sparse matrix of any format; predictions are CSR, as scikit-learn's own estimators give.

    Attributes
    ----------
    is_array : bool
        Whether it was one of SciPy's sparse arrays, not of its older sparse matrices.
    """

    is_array: bool

    __repr__ = brief_repr

    def decode(self, matrix: NDArray[Any], rows: Any) -> Any:
        """Return a CSR matrix or array."""
        return (sparse.csr_array if self.is_array else sparse.csr_matrix)(matrix)
