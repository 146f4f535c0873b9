"""ManyLabels: so many labels that a row of all of them is never held but sparse."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.errors import SparseOutcomes
from pseudolinear.kinds._multilabel import Multilabel, check_labels_measure, warn_of_unknown
from pseudolinear.labels import LabelForm, LabelSets, SparseLabels, match_sparse_labels
from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class ManyLabels(Multilabel):
    """Many labels, whose matrices are sparse from end to end."""

    __repr__ = brief_repr

    @classmethod
    def read_sparse(
        cls, y: Any, weight: NDArray[np.float64] | None, measure: Measure, form: LabelForm
    ) -> tuple[Self, Any]:
        """Return the kind, and y as a CSC matrix without stored zeros."""
        check_labels_measure(measure, y.shape[1])
        codes = sparse.csc_matrix(y, dtype=np.int8)
        codes.eliminate_zeros()
        some = codes if weight is None else codes[np.flatnonzero(weight)].tocsc()
        counts = np.diff(some.indptr)
        always, never = counts == some.shape[0], counts == 0
        classes = np.arange(y.shape[1]) if form.names is None else form.names
        fixed = int((always | never).sum())
        if fixed == y.shape[1]:
            raise ValueError(
                "No label of y has both a positive and a negative row, so there is nothing to "
                "learn; check the columns of y."
            )
        if fixed:
            warnings.warn(
                f"{fixed} of {y.shape[1]} labels have the same value in every row; nothing can be "
                "learnt there, so that value is predicted.",
                stacklevel=5,
            )
        return cls(classes, always, form), codes

    def decode(self, predicted: Any, rows: Any) -> Any:
        """Return the labels in the form in which y came; a sparse matrix for a sparse one."""
        if isinstance(self.form, SparseLabels | LabelSets):
            return self.form.decode(predicted, rows)
        return self.form.decode(predicted.toarray().astype(np.intp), rows)

    def outcomes(self, y: Any, predicted: Any, objective: Any) -> SparseOutcomes:
        """Compare every label; one that training has not shown is never predicted."""
        true, unknown = match_sparse_labels(y, self.form, self.n_models)
        warn_of_unknown(unknown)
        missed = sparse.csr_matrix((predicted.shape[0], len(unknown)), dtype=predicted.dtype)
        predicted = sparse.hstack([predicted, missed], format="csr")
        return SparseOutcomes.of_matrices(true, predicted, [*self.classes, *unknown])
