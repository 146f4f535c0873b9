"""Labels in one cell: split at what is between them, and suspected where nobody said so."""

import numpy as np
import pytest

from pseudolinear.labels import split_labels, suspect_separator


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("a|b", ["a", "b"]),
        (" a | b|", ["a", "b"]),
        ("", []),
        (np.nan, []),
        (None, []),
        ([1, "b"], ["1", "b"]),
        (np.array(["a"]), ["a"]),
    ],
)
def test_cells_are_split(cell, labels):
    """Gaps have no label, and lists hold theirs already."""
    assert split_labels(cell, "|") == labels


@pytest.mark.parametrize(
    ("classes", "separator"),
    [
        (["a", "b", "a|b"], "|"),
        (["a;b", "b;c", "a; c"], ";"),
        (["rock,pop", "rock", "pop", "jazz"], ","),
        (["Boston, MA", "Salem, MA", "Reno, NV"], None),
        (["a", "b", "c|d"], None),
        ([0, 1, 2], None),
        (["|", "a", "b"], None),
        (["1|1", "1"], None),
    ],
)
def test_separators_are_suspected(classes, separator):
    """Only where all labels of a class are labels of other classes too."""
    assert suspect_separator(classes) == separator
