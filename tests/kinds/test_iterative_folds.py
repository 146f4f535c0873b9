"""Splits: every label in every fold, where there are rows enough."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_multilabel_classification

from pseudolinear import IterativeKFold, MeasureClassifier


@given(seed=st.integers(0, 10**6), n_splits=st.integers(2, 5))
def test_folds_are_a_partition_of_nearly_equal_size(seed, n_splits):
    """Every row validates once."""
    Y = (np.random.RandomState(seed).uniform(size=(60, 5)) < 0.2).astype(int)
    tests = [test for _, test in IterativeKFold(n_splits, random_state=seed).split(Y, Y)]
    assert sorted(np.concatenate(tests)) == list(range(60))
    assert max(map(len, tests)) - min(map(len, tests)) <= 6


def test_disjoint_labels_are_shared_exactly():
    """Labels that never meet are dealt like the classes of a stratified split."""
    Y = np.eye(4, dtype=int)[np.repeat([0, 1, 2, 3], [3, 6, 9, 30])]
    folds = list(IterativeKFold(3, random_state=1).split(Y, Y))
    assert len(folds) == 3
    for train, test in folds:
        assert Y[test].sum(axis=0).tolist() == [1, 2, 3, 10]
        assert set(train) | set(test) == set(range(48))


def test_rare_labels_are_missed_less_often_than_by_random_folds():
    """That is what iterative stratification is for."""
    rng = np.random.RandomState(0)
    Y = (rng.uniform(size=(300, 40)) < np.geomspace(0.01, 0.3, 40)).astype(int)
    Y = Y[:, Y.sum(axis=0) >= 3]

    def missed(folds):
        return sum(int((Y[folds == k].sum(axis=0) == 0).sum()) for k in range(3))

    iterative = np.empty(300, int)
    for k, (_, test) in enumerate(IterativeKFold(3, random_state=0).split(Y, Y)):
        iterative[test] = k
    by_chance = [missed(np.random.RandomState(s).permutation(300) % 3) for s in range(20)]
    assert missed(iterative) == 0
    assert np.mean(by_chance) > 1


def test_impossible_folds_are_refused():
    """More folds than rows."""
    Y = np.ones((3, 2), int)
    with pytest.raises(ValueError, match="5 folds of 3 rows are not possible"):
        next(IterativeKFold(5).split(Y, Y))


def test_a_fold_without_a_label_does_not_go_unnoticed():
    """One positive row cannot be in the training rows of every fold."""
    X, Y = make_multilabel_classification(60, n_classes=3, random_state=0)
    Y[:, 2] = 0
    Y[5, 2] = 1
    with pytest.warns(UserWarning, match="In 1 of 9 folds and labels no training row"):
        MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
