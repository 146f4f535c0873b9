"""Splits of rows with many labels."""

from __future__ import annotations

import numpy as np
import pytest
from extreme.rows import make_rows
from scipy import sparse
from sklearn.model_selection import KFold, StratifiedKFold

from pseudolinear import FBeta
from pseudolinear.extreme import rarest_labels, split_labels
from pseudolinear.kinds import IterativeKFold, ManyLabels
from pseudolinear.labels import read_sparse_labels


@pytest.fixture
def read():
    _, Y = make_rows()
    codes, form = read_sparse_labels(Y)
    return ManyLabels.read_sparse(codes, None, FBeta(average="macro"), form)


def test_sparse_labels_are_shared_as_dense_ones_are():
    _, Y = make_rows(200, 50)
    dense = IterativeKFold(3, random_state=0).split(Y.toarray(), Y.toarray())
    thin = IterativeKFold(3, random_state=0).split(Y, Y)
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(dense, thin, strict=True))


@pytest.mark.filterwarnings("ignore:In .* folds and labels")
@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize("cv", [3, "holdout", KFold(4), StratifiedKFold(2)])
def test_no_row_trains_and_validates(read, cv):
    kind, codes = read
    X = np.zeros((codes.shape[0], 1))
    for train, test in split_labels(cv, X, codes, kind, seed=0):
        assert not np.intersect1d(train, test).size


@pytest.mark.filterwarnings("ignore:In .* folds and labels")
def test_groups_stay_together(read):
    kind, codes = read
    groups = np.arange(codes.shape[0]) // 4
    for train, test in split_labels(3, None, codes, kind, 0, groups=groups):
        assert not np.intersect1d(groups[train], groups[test]).size


def test_what_is_no_split_is_refused(read):
    kind, codes = read
    with pytest.raises(ValueError, match="cv must be 'holdout', a number of folds"):
        split_labels("thirds", None, codes, kind, 0)
    with pytest.raises(ValueError, match="500 folds need at least 500 rows, and there are 400"):
        split_labels(500, None, codes, kind, 0)


def test_labels_that_no_training_row_has_are_told():
    Y = sparse.csc_matrix(np.eye(4, dtype=np.int8)[[0, 0, 0, 1, 1, 1, 2, 2, 2, 3]])
    kind = ManyLabels.read_sparse(Y, None, FBeta(average="macro"), read_sparse_labels(Y)[1])[0]
    with pytest.warns(UserWarning, match="In 1 of 12 folds and labels no training row"):
        split_labels(3, None, Y, kind, 0)


def test_the_rarest_label_of_each_row():
    Y = np.random.default_rng(0).random((40, 7)) < 0.3
    counts = Y.sum(axis=0)
    for row, found in zip(Y, rarest_labels(sparse.csc_matrix(Y)), strict=True):
        assert found == -1 if not row.any() else counts[found] == counts[row].min()
