"""The published protocol as data: cells, grids, splits, fingerprints."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pseudolinear.experiments import PUBLISHED, QUICK, published_cells
from pseudolinear.experiments._label_piece import problem_levels
from pseudolinear.experiments._sources import checksum, load_source, split_rows


def test_published_cells_are_all_there():
    """164 cells, three of them looked up in the print."""
    cells = published_cells()
    assert len(cells) == 164
    assert cells["tab_bin", "Adult", "binary_F1", "n/a", "SVM", "CS"] == 67.9
    assert cells["tab_mF", "Yeast", "micro_F1", "C_min", "LR", "CS"] == 65.3
    assert cells["tab_MF", "Yeast", "macro_F1", "n/a", "LR", "none"] == 38.8


def test_protocol_has_every_published_cell():
    """Each cell is reported again, but for the two data sets whose rows are not at hand."""
    ours = {
        (table.name, PUBLISHED.source(dataset).published, table.measure, selection, name, option)
        for table in PUBLISHED.tables
        for dataset in table.datasets
        for selection in table.selections
        for name in table.learners
        for option in PUBLISHED.learner(name).options
    }
    left = {cell for cell in published_cells() if cell not in ours}
    assert {cell[1] for cell in left} == {"RCV1", "Siam"}
    assert {cell for cell in ours if cell[1] is not None} <= published_cells().keys()


def test_protocol_has_the_published_grids():
    """13 values of C and gamma, 19 cost ratios from 19 to 0.05, five splits."""
    svm, rbf = PUBLISHED.learner("SVM"), PUBLISHED.learner("SVM-RBF")
    assert svm.grid == {"C": tuple(2.0**i for i in range(-6, 7))}
    assert rbf.grid == {"gamma": svm.grid["C"], "C": svm.grid["C"]}
    ratios = [(2 - t) / t for t in svm.levels]
    printed = [19, 9, 5.67, 4, 3, 2.33, 1.86, 1.5, 1.22, 1, 0.82, 0.67, 0.54, 0.43, 0.33, 0.25]
    assert_allclose(ratios, [*printed, 0.18, 0.11, 0.05], atol=0.006)
    assert (svm.n_problems, rbf.n_problems, PUBLISHED.n_splits) == (247, 3211, 5)
    assert_array_equal(problem_levels(rbf)[[0, 168, 169, -1]], [0.1, 0.1, 0.2, 1.9])


def test_part_of_a_protocol():
    """Only the tables of the chosen data sets are left; unknown names are refused."""
    part = PUBLISHED.only(["adult"])
    assert [table.name for table in part.tables] == ["tab_bin"]
    assert part.tables[0].datasets == ("adult",)
    with pytest.raises(ValueError, match="'mnist' is no data set of the published protocol"):
        PUBLISHED.only(["mnist"])


def test_splits_hold_a_third_out():
    """Every row is in one part, and each split is another one."""
    train, validation = split_rows(100, 0)
    assert len(validation) == 33
    assert_array_equal(np.sort(np.concatenate([train, validation])), np.arange(100))
    assert set(validation) != set(split_rows(100, 1)[1])


def test_checksum_sees_every_row():
    """One other value in the test rows is another data set."""
    data = load_source(QUICK.source("six topics"))
    X = data.X_test.copy()
    X[-1, -1] += 1
    assert checksum(data) == checksum(replace(data))
    assert checksum(data) != checksum(replace(data, X_test=X))
